import { expect } from 'vitest';
import { type Config, type ParsedConfig, parseConfig, problemLine } from '../../host/config.ts';
import type { Ruleset } from '../../host/game/ruleset.ts';
import { PARTS, withParts } from '../../host/parts.ts';

/** A ruleset that takes one option, so that the config is tested without any real game. */
const ruleset: Ruleset = {
  name: 'bakugan',
  version: '1',
  setup(options) {
    const rounds =
      typeof options === 'object' && options !== null && 'rounds' in options ? options.rounds : 1;
    if (rounds !== 1) throw new RangeError('rounds must be 1.');
    return { state: null, events: [] };
  },
  legalInputs: () => [],
  step: (state) => ({ ok: true, state, events: [] }),
  rulingInput: () => undefined,
  studInput: () => undefined,
  view: () => null,
  cues: () => [],
  activity: () => expect.unreachable(),
  over: () => undefined,
};
/** The parts of the host, with that ruleset as its only game. */
export const parts = withParts(PARTS, { rulesets: [ruleset] });

/** What lies beside the config, by path. */
const FILES: Readonly<Record<string, string>> = {
  '/etc/mat/secret': 'hunter2\n',
  '/etc/mat/empty': '\n',
  '/etc/mat/round.yaml': `
name: round
cells:
  - { q: 0, r: 0, side: A, tile: 0 }
  - { q: 1, r: 0, side: B, tile: 0 }
`,
};
/** A file beside the config; `ENOENT` for any other. */
export const readText = (path: string): string => {
  const text = FILES[path];
  if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  return text;
};

/** Parsed as `/etc/mat/table.yaml`. */
export const parse = (text: string): ParsedConfig =>
  parseConfig(text, '/etc/mat/table.yaml', parts, readText);

/** A config that must be taken. */
export function good(text: string): Config {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.problems.map(problemLine).join('\n'));
  return parsed.config;
}

/** A config that must be refused: its problems as `line key code`, and their full lines. */
export function bad(text: string): { short: string[]; full: string } {
  const parsed = parse(text);
  if (parsed.ok) throw new Error('was accepted');
  return {
    short: parsed.problems.map(({ line, key, code }) => `${line} ${key} ${code}`),
    full: parsed.problems.map(problemLine).join('\n'),
  };
}

/** The least that the host takes. */
export const LEAST = 'tables: { t1: { links: { a: { transport: serial, path: /dev/ttyACM0 } } } }\n';
/** The least config with one table body. */
export const table = (body: string): string => `tables:\n  t1:\n${body.replace(/^/gm, '    ')}\n`;
/** The least config with one link, `a`. */
export const link = (body: string): string => table(`links:\n  a: ${body}`);
