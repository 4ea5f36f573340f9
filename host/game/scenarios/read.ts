import type { Json } from '../../ids.ts';
import { either, isFields, list, parts, type Shape, text, whole, word } from '../bakugan/cards/shapes.ts';
import type { Scenario } from './scenario.ts';

const side = word('A', 'B');
const yes = word(true);
const anything: Shape = () => {};
const bag: Shape = (value, at, faults) => {
  if (!isFields(value)) faults.push(`${at}: an object with named parts is needed`);
};
const names = list(text(60));
const pile = either('a number of cards or a list of them', whole(0, 200), names);
const bakugan = either(
  'a Character card, or { card, open, cores, evos }',
  text(20),
  parts({ card: text(20) }, { open: word(true, false), cores: list(whole(1, 52)), evos: names }),
);
const player = parts(
  {},
  {
    bakugan: list(bakugan, 3),
    field: list(whole(1, 52)),
    deck: pile,
    hand: pile,
    discard: pile,
    charged: pile,
    uncharged: pile,
    pool: whole(0, 99),
    heroes: names,
  },
);
const on = either('"no" or a list of cores', word('no', 'undetermined'), names);
const roller = parts({ bakugan: text(5), on });
const DOING = ['input', 'as', 'pass', 'close', 'brawl', 'rolled', 'until', 'look'];

const AROUND = ['as', 'refused', 'expect', 'events', 'never'];

const stepParts: { readonly [key: string]: Shape } = {
  input: bag,
  as: side,
  pass: whole(1, 40),
  close: yes,
  brawl: parts({ A: roller, B: roller }),
  rolled: parts({}, { A: on, B: on }),
  illegal: anything,
  until: text(8),
  look: yes,
  refused: text(60),
  expect: bag,
  events: names,
  never: names,
};

const step: Shape = (value, at, faults) => {
  if (!isFields(value)) {
    faults.push(`${at}: a step is an object`);
    return;
  }
  // With `as`, every other word is a field of the input.
  const isInput = value.as !== undefined;
  const doing = DOING.filter((one) => value[one] !== undefined);
  if (doing.length !== 1 && !isInput) faults.push(`${at}: a step has exactly one of ${DOING.join(', ')}`);
  for (const [key, one] of Object.entries(value)) {
    const shape = !isInput || AROUND.includes(key) ? stepParts[key] : undefined;
    if (shape !== undefined) shape(one, `${at}.${key}`, faults);
    else if (!isInput) faults.push(`${at}.${key}: not known here`);
  }
};

const scenario = parts(
  { name: text(160), rules: list(text(30), 1), steps: list(step) },
  {
    options: bag,
    start: word('setup', 'energize'),
    given: parts({}, { A: player, B: player }),
    refusedOptions: text(200),
  },
);

/**
 * Scenarios of a file: one or a list of them, as a value or as JSON text. Throws a RangeError that names the scenario and
 * the part at fault.
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
  const faults: string[] = [];
  for (const [index, one] of all.entries()) {
    const name = isFields(one) && typeof one.name === 'string' ? one.name : `scenario ${index + 1}`;
    scenario(one, name, faults);
  }
  if (faults.length > 0) throw new RangeError(faults.join('; '));
  return all as unknown as readonly Scenario[];
}
