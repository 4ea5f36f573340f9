import type { Json } from '../../ids.ts';
import {
  either,
  isFields,
  list,
  parts,
  type Schema,
  type Shape,
  schemaOf,
  shape,
  text,
  whole,
  word,
} from '../bakugan/cards/shapes.ts';
import type { StateId } from '../bakugan/view.ts';
import { EVENT_TYPES, REFUSAL_CODES } from './data/words.ts';
import { PART_PATTERN, partFault } from './parts.ts';
import type { Scenario } from './scenario.ts';

const STATES: readonly StateId[] = [
  ...(['SU-4', 'ST-1', 'ST-2', 'ST-3', 'ST-4', 'ST-5', 'ST-6', 'ST-7', 'ST-8', 'ST-8r', 'ST-8t'] as const),
  ...(['ST-9', 'ST-10', 'ST-10f', 'ST-11', 'ST-12', 'ST-13', 'ST-14', 'ST-15', 'GO'] as const),
];

const side = word('A', 'B');
const yes = word(true);
const bag: Shape = shape(
  (value, at, faults) => {
    if (!isFields(value)) faults.push(`${at}: an object with named parts is needed`);
  },
  () => ({ type: 'object' }),
);

/** Text of a known sort; `what` says where the known ones are listed. */
function known(pattern: string, what: (text: string) => string): Shape {
  const right = new RegExp(pattern);
  return shape(
    (value, at, faults) => {
      if (typeof value !== 'string') faults.push(`${at}: a text is needed`);
      else if (!right.test(value)) faults.push(`${at}: ${JSON.stringify(value.slice(0, 60))} ${what(value)}`);
    },
    () => ({ type: 'string', pattern }),
  );
}

const near = (value: string, names: readonly string[]): string => {
  const group = value.split('/')[0] ?? '';
  const same = names.filter((name) => name.startsWith(`${group}/`));
  const groups = [...new Set(names.map((name) => name.split('/')[0]))];
  return same.length > 0 ? `there are ${same.join(', ')}` : `they begin with ${groups.join('/, ')}/`;
};
const eventOf = (tail: string): Shape =>
  known(`^(?:${EVENT_TYPES.join('|')})${tail}$`, (value) => {
    const [type = ''] = value.split(' ');
    return EVENT_TYPES.includes(type)
      ? 'has more than a type and a rule number behind a space'
      : `is no type of event; ${near(type, EVENT_TYPES)}`;
  });
const event = eventOf('(?: [A-Za-z0-9.-]+)?');
const eventType = eventOf('');
const refusal = known(
  `^(?:${REFUSAL_CODES.join('|')})$`,
  (value) => `is no code of a refusal; ${near(value, REFUSAL_CODES)}`,
);
const expected: Shape = shape(
  (value, at, faults) => {
    bag(value, at, faults);
    if (!isFields(value)) return;
    for (const name of Object.keys(value)) {
      const fault = partFault(name);
      if (fault !== undefined) faults.push(`${at}.${name}: ${fault}`);
    }
  },
  () => ({ type: 'object', propertyNames: { pattern: PART_PATTERN } }),
);

const names = list(text(60));
const pile = either('a number of cards or a list of card ids', whole(0, 200), names);
const bakugan = either(
  'a Character card, or { card, open, cores, evos }',
  text(20),
  parts({ card: text(20) }, { open: word(true, false), cores: list(whole(1, 52), 0, 6), evos: names }),
);
const player = parts(
  {},
  {
    bakugan: list(bakugan, 1, 3),
    field: list(whole(1, 52), 1, 6),
    deck: pile,
    hand: pile,
    discard: pile,
    charged: pile,
    uncharged: pile,
    pool: whole(0, 99),
    heroes: names,
  },
);
const rolledOn = either('no or a list of cores', word('no'), names);
const saidOn = either('no, undetermined or a list of cores', word('no', 'undetermined'), names);
const roller = parts({ bakugan: text(5), on: rolledOn });

const around = {
  refused: refusal,
  expect: expected,
  events: list(event),
  never: list(eventType),
  says: list(text(200)),
};
const BY_DOING: { readonly [word: string]: Shape } = {
  input: parts({ input: bag }, around),
  as: asStep(),
  pass: parts({ pass: whole(1, 40) }, around),
  close: parts({ close: yes }, around),
  brawl: parts({ brawl: parts({ A: roller, B: roller }) }, around),
  rolled: parts(
    { rolled: parts({}, { A: saidOn, B: saidOn }) },
    { ...around, illegal: list(parts({}, { player: side, code: text(60), rules: names, text: text(200) })) },
  ),
  until: parts({ until: word(...STATES) }, around),
  look: parts({ look: yes }, around),
};
const DOING = Object.keys(BY_DOING);
const AROUND = Object.keys(around);

/** An input by a player: every other word is a field of it, and the game says whether it knows that. */
function asStep(): Shape {
  const fixed = { as: side, type: text(20), ...around };
  return shape(
    (value, at, faults) => {
      if (!isFields(value)) return;
      for (const key of ['as', 'type'] as const)
        if (value[key] === undefined) faults.push(`${at}.${key}: missing`);
      for (const [key, part] of Object.entries(fixed))
        if (value[key] !== undefined) part(value[key], `${at}.${key}`, faults);
    },
    (all) => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(fixed).map(([key, one]) => [key, one.schema(all)])),
      required: ['as', 'type'],
    }),
  );
}

const step: Shape = shape(
  (value, at, faults) => {
    const found = isFields(value) ? DOING.filter((one) => value[one] !== undefined) : [];
    // With `as`, every other word is a field of the input.
    const doing = found.includes('as') ? ['as'] : found;
    const [word = ''] = doing;
    if (doing.length !== 1) {
      const other = isFields(value) ? Object.keys(value).filter((one) => !AROUND.includes(one)) : [];
      const has = doing.length > 0 ? doing.join(' and ') : other.length > 0 ? other.join(', ') : 'none';
      faults.push(`${at}: a step has exactly one of ${DOING.join(', ')}; this one has ${has}`);
    } else BY_DOING[word]?.(value, at, faults);
  },
  (all) => ({ anyOf: Object.values(BY_DOING).map((one) => one.schema(all)) }),
);

const fields = parts(
  { name: text(160), rules: list(text(30), 1), steps: list(step) },
  {
    options: bag,
    start: word('setup', 'energize'),
    given: parts({}, { A: player, B: player }),
    refusedOptions: text(200),
  },
);
const scenario: Shape = shape(
  (value, at, faults) => {
    fields(value, at, faults);
    if (!isFields(value) || !Array.isArray(value.steps)) return;
    const { refusedOptions, steps, start, given } = value;
    if (start === 'setup' && given !== undefined)
      faults.push(`${at}.given: nothing is given before cores are laid; leave out start or given`);
    if (refusedOptions !== undefined && steps.length > 0)
      faults.push(`${at}.steps: with refusedOptions no game begins; leave the list empty`);
    const checks = steps.some((one) => isFields(one) && AROUND.some((key) => one[key] !== undefined));
    if (refusedOptions === undefined && !checks)
      faults.push(`${at}.steps: nothing is checked; give a step one of ${AROUND.join(', ')}`);
  },
  (all) => ({
    allOf: [fields.schema(all)],
    not: { required: ['start', 'given'], properties: { start: { const: 'setup' } } },
    anyOf: [
      { required: ['refusedOptions'], properties: { steps: { maxItems: 0 } } },
      {
        not: { required: ['refusedOptions'] },
        properties: { steps: { contains: { anyOf: AROUND.map((key) => ({ required: [key] })) } } },
      },
    ],
  }),
);

/** The form of a scenario file as a JSON Schema, made from the same shapes that check one. */
export const SCENARIO_SCHEMA: Schema = schemaOf(
  shape(
    () => {},
    (all) => ({
      anyOf: [scenario.schema(all), { type: 'array', items: scenario.schema(all), minItems: 1 }],
    }),
  ),
  { title: 'Scenarios of a Bakugan game' },
);

/** A fault inside a scenario as people count: steps from 1, the field behind a comma. */
function placed(fault: string, name: string): string {
  const place = fault.replace(/^\.steps\[(\d+)\]\.?/, (_, index) => `step ${Number(index) + 1}, `);
  return `${JSON.stringify(name)}, ${place.replace(/^\./, '').replace(/, :/, ':')}`;
}

/**
 * Scenarios of a file: one or a list of them, as a value or as JSON text. Throws a RangeError that names for each fault
 * the scenario, step and field, and what is known there.
 */
export function readScenarios(from: unknown): readonly Scenario[] {
  let value = from;
  if (typeof from === 'string') {
    try {
      value = JSON.parse(from);
    } catch (error) {
      throw new RangeError(`This is no JSON: ${error instanceof Error ? error.message : 'unreadable'}.`);
    }
  }
  const all = (Array.isArray(value) ? value : [value]) as readonly Json[];
  if (all.length === 0) throw new RangeError('There is no scenario in this list.');
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [index, one] of all.entries()) {
    const name = isFields(one) && typeof one.name === 'string' ? one.name : `scenario ${index + 1}`;
    const own: string[] = [];
    scenario(one, '', own);
    if (seen.has(name)) own.push('.name: another scenario of this file has it too; give each its own');
    seen.add(name);
    faults.push(...own.map((fault) => placed(fault, name)));
  }
  if (faults.length > 0) throw new RangeError(faults.join('\n'));
  return all as unknown as readonly Scenario[];
}
