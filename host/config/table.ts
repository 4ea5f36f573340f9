import { resolve } from 'node:path';
import * as z from 'zod';
import { systemCodeOf, wordsOf } from '../fault.ts';
import { type Parts, partNamed } from '../parts.ts';
import type { Layout } from '../sensing/layout.ts';
import { DEFAULT_LIMITS, type SensingLimits } from '../sensing/limits.ts';
import { type Around, problemAt, problemsOf } from './issues.ts';
import { LAYOUTS, readLayout } from './layout-file.ts';
import { type ConfigProblem, nearest } from './problem.ts';
import type { TableShape } from './shape.ts';
import type { BrokerConfig, LinkConfig, TableConfig } from './types.ts';

/** What a table is checked against. */
export interface TableAround extends Around {
  readonly parts: Parts;
  readonly folder: string;
  readonly readText: (path: string) => string;
  readonly broker: BrokerConfig;
  readonly store: string;
  /** Serial ports taken so far, by path, with the key of the link that took each; grows. */
  readonly ports: Map<string, string>;
}

/** Transports whose `path` is a serial port that no other link may open. */
const ON_A_PORT: ReadonlySet<string> = new Set(['serial', 'firmata']);

/** Checks one table beyond its shape: names of parts, options of links, layout, rules options. */
export function checkTable(
  name: string,
  shape: TableShape,
  around: TableAround,
): { readonly table?: TableConfig; readonly problems: readonly ConfigProblem[] } {
  const base = ['tables', name];
  const problems: ConfigProblem[] = [];
  const layout = layoutOf(shape, base, around, problems);
  const options = optionsOf(shape, layout);
  checkRules(shape.ruleset, layout === undefined ? undefined : options, base, around, problems);
  const links = linksOf(name, shape, base, around, problems);
  if (layout === undefined || problems.length > 0) return { problems };
  return {
    problems,
    table: {
      table: name,
      layout: shape.sensors === undefined ? layout : { ...layout, sensors: shape.sensors },
      ruleset: shape.ruleset,
      rulesetOptions: options,
      ...(shape.calibration === undefined ? {} : { calibration: resolve(around.folder, shape.calibration) }),
      links,
      ...(shape.bestOf === undefined ? {} : { bestOf: shape.bestOf }),
      ...(shape.loserChooses === undefined ? {} : { loserChooses: shape.loserChooses }),
      ...(shape.autoPassMs === undefined ? {} : { autoPassMs: shape.autoPassMs }),
      ledBudgetMa: shape.ledBudgetMa,
      sensing: limitsOf(shape.sensing),
    },
  };
}

/** Options of the game; it is told the cells of the mat unless the config names others. */
function optionsOf(shape: TableShape, layout: Layout | undefined): TableConfig['rulesetOptions'] {
  const field = layout?.cells.map(({ cell, q, r }) => ({ cell, q, r })) ?? [];
  return { field, ...shape.rulesetOptions };
}

function limitsOf(given: TableShape['sensing']): SensingLimits {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_LIMITS, ...set };
}

function layoutOf(
  shape: TableShape,
  base: readonly string[],
  around: TableAround,
  problems: ConfigProblem[],
): Layout | undefined {
  const at = [...base, 'layout'];
  const isPath = /[/\\]|\.(ya?ml|json)$/i.test(shape.layout);
  if (!isPath) {
    const layout = partNamed(LAYOUTS, shape.layout);
    if (layout === undefined) {
      const names = LAYOUTS.map((one) => one.name);
      problems.push(
        problemAt(
          around,
          at,
          'config/unknown-layout',
          `is no layout: "${shape.layout}".`,
          oneOf(shape.layout, names),
        ),
      );
    }
    return layout;
  }
  const path = resolve(around.folder, shape.layout);
  let text: string;
  try {
    text = around.readText(path);
  } catch (error) {
    problems.push(
      problemAt(
        around,
        at,
        'config/unreadable',
        `names ${path}, which cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
        'Check the path; it starts from the folder of this file.',
      ),
    );
    return undefined;
  }
  const read = readLayout(path, text);
  if (read.ok) return read.layout;
  problems.push(...read.problems);
  return undefined;
}

function checkRules(
  name: string,
  options: TableConfig['rulesetOptions'] | undefined,
  base: readonly string[],
  around: TableAround,
  problems: ConfigProblem[],
): void {
  const ruleset = partNamed(around.parts.rulesets, name);
  if (ruleset === undefined) {
    const names = around.parts.rulesets.map((one) => one.name);
    problems.push(
      problemAt(
        around,
        [...base, 'ruleset'],
        'config/unknown-part',
        `is no ruleset of this host: "${name}".`,
        oneOf(name, names),
      ),
    );
    return;
  }
  try {
    if (options !== undefined) ruleset.setup(options);
  } catch (error) {
    problems.push(problemAt(around, [...base, 'rulesetOptions'], 'config/bad-value', wordsOf(error), ''));
  }
}

function linksOf(
  table: string,
  shape: TableShape,
  base: readonly string[],
  around: TableAround,
  problems: ConfigProblem[],
): Readonly<Record<string, LinkConfig>> {
  const links: Record<string, LinkConfig> = {};
  const sides = new Map<string, string>();
  const entries = Object.entries(shape.links);
  if (entries.length === 0) {
    problems.push(
      problemAt(
        around,
        [...base, 'links'],
        'config/missing-key',
        'names no way in to the table.',
        'Add one, as in "side-a: { transport: serial, path: /dev/serial/by-id/… }".',
      ),
    );
  }
  for (const [link, { transport, side, ...options }] of entries) {
    const at = [...base, 'links', link];
    const kind = partNamed(around.parts.transports, transport);
    if (kind === undefined) {
      const names = around.parts.transports.map((one) => one.name);
      problems.push(
        problemAt(
          around,
          [...at, 'transport'],
          'config/unknown-part',
          `is no transport of this host: "${transport}".`,
          oneOf(transport, names),
        ),
      );
      continue;
    }
    const { store, folder, broker } = around;
    try {
      const place = { store, table, link, folder, broker, ...(side === undefined ? {} : { side }) };
      const checked = kind.parse(options, place);
      links[link] = { transport, options: checked, ...(side === undefined ? {} : { side }) };
    } catch (error) {
      if (error instanceof z.ZodError) problems.push(...problemsOf(error.issues, around, at));
      else problems.push(problemAt(around, at, 'config/bad-value', `is refused: ${wordsOf(error)}`, ''));
      continue;
    }
    checkPort(options.path, transport, at, around, problems);
    // The same board may be heard over a port and a broker at once; two ports are two boards.
    if (ON_A_PORT.has(transport)) checkSide(side, at, sides, around, problems);
  }
  return links;
}

function checkPort(
  path: unknown,
  transport: string,
  at: readonly string[],
  around: TableAround,
  problems: ConfigProblem[],
): void {
  if (!ON_A_PORT.has(transport) || typeof path !== 'string') return;
  const taken = around.ports.get(path);
  if (taken === undefined) around.ports.set(path, at.join('.'));
  else {
    problems.push(
      problemAt(
        around,
        [...at, 'path'],
        'config/path-twice',
        `is the port that ${taken} uses.`,
        'Each board has its own port; /dev/serial/by-id/… tells them apart.',
      ),
    );
  }
}

function checkSide(
  side: string | undefined,
  at: readonly string[],
  sides: Map<string, string>,
  around: TableAround,
  problems: ConfigProblem[],
): void {
  if (side === undefined) return;
  for (const one of side === 'both' ? ['A', 'B'] : [side]) {
    const taken = sides.get(one);
    if (taken === undefined) sides.set(one, at.join('.'));
    else {
      problems.push(
        problemAt(
          around,
          [...at, 'side'],
          'config/side-twice',
          `claims side ${one}, which ${taken} claims too.`,
          'One board serves a side; a board for both serves it alone.',
        ),
      );
    }
  }
}

function oneOf(given: string, names: readonly string[]): string {
  const meant = nearest(given, names);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return names.length === 0 ? 'This host has none.' : `There is: ${names.join(', ')}.`;
}
