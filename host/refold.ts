import * as z from 'zod';
import { advance, startTable } from './advance/advance.ts';
import type { Input, Output } from './advance/input.ts';
import { loadTable, saveTable } from './advance/save.ts';
import type { TableSetting } from './advance/setting.ts';
import type { TableState } from './advance/state.ts';
import { calibrationSchema, uncalibrated } from './calibration-file.ts';
import { TableFault } from './fault.ts';
import { demoOptions } from './game/bakugan/demo.ts';
import type { Json } from './ids.ts';
import { isObject } from './journal/entry.ts';
import { inputOf } from './journal/records.ts';
import { type Parts, partNamed, rulesetUnder, versionsOf } from './parts.ts';
import type { JournalRecord } from './record.ts';
import { STANDARD_THEME } from './scene/theme.ts';
import { FIXED_12, type Layout } from './sensing/layout.ts';
import { DEFAULT_LIMITS, type SensingLimits } from './sensing/limits.ts';
import { SERIAL_WIRE } from './sensing/links.ts';

const json: z.ZodType<Json> = z.json();

/** Ways in and how their wires behave, as the head of a journal has them. */
export const linksSchema = z.array(
  z.strictObject({
    link: z.string(),
    wire: z.strictObject({
      ordered: z.boolean(),
      rateLimit: z.number(),
      floorMs: z.number(),
      patienceMs: z.number(),
    }),
  }),
);

const headSchema = z.looseObject({
  host: z.string(),
  protocol: z.int(),
  ruleset: z.strictObject({ name: z.string(), version: z.string() }),
  rulesetOptions: json,
  layout: z.custom<Layout>((value) => typeof value === 'object' && value !== null && 'cells' in value),
  calibration: calibrationSchema,
  limits: z.custom<SensingLimits>((value) => typeof value === 'object' && value !== null),
  links: linksSchema,
  ledBudgetMa: z.number(),
  autoPassMs: z.number().nullable(),
  simulated: z.boolean(),
  checksSensors: z.boolean().optional(),
  bestOf: z.union([z.literal(1), z.literal(3)]).optional(),
  loserChooses: z.boolean().optional(),
});

/** The setting that a journal was recorded under, from its head. Throws a TableFault when it cannot be used here. */
export function settingOfHead(
  { data, table }: Pick<JournalRecord, 'data' | 'table'>,
  parts: Parts,
): TableSetting {
  const head = headSchema.safeParse(data);
  if (!head.success) {
    throw new TableFault(
      'journal/unreadable',
      `The head of the journal is not understood: ${z.prettifyError(head.error)}.`,
      'It may come from a newer host: use that one.',
    );
  }
  const { ruleset: named, autoPassMs, rulesetOptions, layout, calibration, limits, links } = head.data;
  const ruleset = rulesetUnder(parts, named.name, named.version);
  if (ruleset === undefined) {
    const has = versionsOf(parts, named.name).map((version) => `${named.name} ${version}`);
    throw new TableFault(
      'journal/unreadable',
      `The journal was played under ${named.name} ${named.version}, which this host does not have.`,
      has.length === 0
        ? 'Use a host that has these rules.'
        : `This host has ${has.join(', ')}: use a newer host, which keeps older rules.`,
    );
  }
  return {
    table,
    links,
    layout,
    calibration,
    ruleset,
    rulesetOptions,
    theme: STANDARD_THEME,
    limits,
    ledBudgetMa: head.data.ledBudgetMa,
    simulated: head.data.simulated,
    ...(head.data.checksSensors === undefined ? {} : { checksSensors: head.data.checksSensors }),
    ...(head.data.bestOf === undefined ? {} : { bestOf: head.data.bestOf }),
    ...(head.data.loserChooses === undefined ? {} : { loserChooses: head.data.loserChooses }),
    ...(autoPassMs === null ? {} : { autoPassMs }),
  };
}

/** The setting for a plain capture, which says nothing of itself: the default mat, uncalibrated, two demo teams. */
export function settingOfCapture(links: readonly string[], parts: Parts): TableSetting {
  const ruleset = partNamed(parts.rulesets, 'bakugan');
  if (ruleset === undefined) throw new TableFault('config/unknown-part', 'No ruleset "bakugan".', '');
  return {
    table: 't1',
    links: links.map((link) => ({ link, wire: SERIAL_WIRE })),
    layout: FIXED_12,
    calibration: uncalibrated(FIXED_12),
    ruleset,
    rulesetOptions: JSON.parse(JSON.stringify(demoOptions(FIXED_12.cells))),
    theme: STANDARD_THEME,
    limits: DEFAULT_LIMITS,
    ledBudgetMa: 1000,
    simulated: false,
  };
}

/** A table run again from its records. */
export interface Refold {
  /** In force now: of the newest `open`. */
  readonly setting: TableSetting;
  readonly state: TableState;
  /** Takes the next record; gives what the table says about it, nothing for records of what it said. */
  take(record: JournalRecord): readonly Output[];
}

/** Begins a table anew, or goes on from a saved one; its records are then taken in order. */
export function beginRefold(setting: TableSetting, atMs: number, parts?: Parts, saved?: string): Refold {
  let now = setting;
  let state = saved === undefined ? startTable(setting, atMs) : loadTable(setting, saved);
  return {
    get setting() {
      return now;
    },
    get state() {
      return state;
    },
    take(record) {
      if (record.kind === 'open' && parts !== undefined) {
        now = settingOfHead(record, parts);
        state = resumes(record)
          ? loadTable(now, saveTable(state), now.calibration)
          : startTable(now, record.atMs);
        return [];
      }
      const input: Input | undefined = inputOf(record);
      return input === undefined ? [] : advance(state, input, now);
    },
  };
}

/** Whether an `open` goes on with the match before it. */
export function resumes(record: JournalRecord): boolean {
  return isObject(record.data) && record.data.resumes === true;
}
