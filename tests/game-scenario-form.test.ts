import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARDS } from '../host/game/bakugan/cards/catalog.ts';
import { CARD_SCHEMA, cardFaults } from '../host/game/bakugan/cards/schema.ts';
import { checkScenario } from '../host/game/scenarios/check.ts';
import { EVENT_TYPES, REFUSAL_CODES } from '../host/game/scenarios/data/words.ts';
import { PART_NAMES, partOf } from '../host/game/scenarios/parts.ts';
import { positionOf } from '../host/game/scenarios/position.ts';
import { readScenarios, SCENARIO_SCHEMA } from '../host/game/scenarios/read.ts';
import type { Json } from '../host/ids.ts';
import { scenarioFiles } from './support/scenario-files.ts';

const ROOT = join(import.meta.dirname, '..');
const GAME = join(ROOT, 'host/game');
const read = (path: string) => readFileSync(join(GAME, path), 'utf8');
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: false });
const scenarioFits = ajv.compile(SCENARIO_SCHEMA);
const cardsFit = ajv.compile(CARD_SCHEMA);
const all = scenarioFiles(ROOT).flatMap((one) => one.scenarios);

const faultsOf = (value: unknown): string => {
  try {
    readScenarios(value);
    return '';
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
};

/** Every place inside a value, as a path of keys. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) =>
          placesIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : [];
  return [path, ...inner];
}

/** A copy with one place set otherwise, or taken out. */
function changed(value: unknown, path: readonly (string | number)[], to: Json | undefined): unknown {
  const copy = structuredClone(value);
  if (path.length === 0) return to;
  let at = copy as { [key: string | number]: unknown };
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1) ?? '';
  if (to !== undefined) at[last] = to;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy;
}

const NONSENSE: readonly (Json | undefined)[] = [
  ...[undefined, null, true, 0, -1, 1.5, 53, 9999, '', 'x', 'no', 'A', 'BB-87', 'A/1.bPower', 'turn/started'],
  ...[[], {}, ['x'], { A: 1 }, [[]], 'long '.repeat(60)],
];

describe('the JSON Schemas', () => {
  it('are as the shapes make them; after a change run tests/soak/rules-table.ts', () => {
    expect(JSON.parse(read('scenarios/scenario.schema.json'))).toEqual(SCENARIO_SCHEMA);
    expect(JSON.parse(read('bakugan/cards/card.schema.json'))).toEqual(CARD_SCHEMA);
  });

  it('take every scenario and every card', () => {
    for (const scenario of all) expect(scenarioFits(scenario), scenario.name).toBe(true);
    expect(scenarioFits(all)).toBe(true);
    expect(cardsFit(CARDS)).toBe(true);
  });

  it('take and refuse exactly what the check of scenarios does, when any place is set to nonsense', () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat(), fc.constantFrom(...NONSENSE), (one, nth, to) => {
        const places = placesIn(one);
        const value = changed(one, places[nth % places.length] ?? [], to);
        const faults = faultsOf(value);
        if (faults !== '') refused += 1;
        expect(scenarioFits(value ?? null), `${JSON.stringify(value)} ${faults}`).toBe(faults === '');
      }),
      { numRuns: 3000, seed: 4 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  it('refuse what the check of cards does, when any place is set to nonsense', () => {
    // That letters are picked before they are used is beyond a schema.
    fc.assert(
      fc.property(fc.constantFrom(...CARDS), fc.nat(), fc.constantFrom(...NONSENSE), (one, nth, to) => {
        const places = placesIn(one);
        const value = changed(one, places[nth % places.length] ?? [], to);
        const faults = cardFaults((value ?? null) as Json).filter(
          (fault) => !/nothing is picked/.test(fault),
        );
        expect(cardsFit([value ?? null]), `${JSON.stringify(value)} ${faults}`).toBe(faults.length === 0);
      }),
      { numRuns: 3000, seed: 5 },
    );
  });
});

describe('a scenario that does not fit', () => {
  const good = { name: 'x', rules: ['5.3.1'], steps: [{ look: true, expect: { turn: 1 } }] };
  const cases: readonly (readonly [what: string, change: object, says: string])[] = [
    ['an unknown field', { colour: 1 }, '"x", colour: not known here; known are name, rules, steps'],
    ['no rule', { rules: [] }, '"x", rules: at least 1 needed, 0 given'],
    ['no check at all', { steps: [{ look: true }] }, '"x", steps: nothing is checked; give a step one of'],
    [
      'steps after refused options',
      { refusedOptions: 'x' },
      '"x", steps: with refusedOptions no game begins; leave the list empty',
    ],
    [
      'a step that does nothing known',
      { steps: [good.steps[0], { dance: 1 }] },
      '"x", step 2: a step has exactly one of input, as, pass, close, brawl, rolled, until, look; this one has dance',
    ],
    [
      'a step that does two things',
      { steps: [{ pass: 1, close: true, expect: { turn: 1 } }] },
      '"x", step 1: a step has exactly one of input, as, pass, close, brawl, rolled, until, look; this one has pass and close',
    ],
    [
      'a part that is none',
      { steps: [{ look: true, expect: { 'A.colour': 1 } }] },
      '"x", step 1, expect.A.colour: no part has this name; parts of a player are deck, hand,',
    ],
    [
      'an event that is none, which could never happen',
      { steps: [{ look: true, never: ['batch/negatd'] }] },
      '"x", step 1, never[0]: "batch/negatd" is no type of event; there are batch/added,',
    ],
    [
      'a code of no refusal',
      { steps: [{ as: 'A', type: 'pass', refused: 'windows/none' }] },
      '"x", step 1, refused: "windows/none" is no code of a refusal; they begin with',
    ],
    [
      'a state that is none',
      { steps: [{ until: 'ST-99', expect: { turn: 1 } }] },
      '"x", step 1, until: "ST-99" is not one of SU-4, ST-1',
    ],
    ['an input without a type', { steps: [{ as: 'A', expect: { turn: 1 } }] }, '"x", step 1, type: missing'],
    [
      'a position before there is one',
      { start: 'setup', given: {} },
      '"x", given: nothing is given before cores are laid; leave out start or given',
    ],
    [
      'a given pile of the wrong kind',
      { given: { A: { hand: 'BB-1' } } },
      '"x", given.A.hand: "BB-1" is not a number',
    ],
  ];
  it.each(cases)('%s: names place and remedy', (_, change, says) => {
    expect(faultsOf({ ...good, ...change })).toContain(says);
    expect(scenarioFits({ ...good, ...change })).toBe(false);
  });

  it('is named by its place in the file when it has no name, and all faults are told', () => {
    const faults = faultsOf([good, { rules: 1, steps: [] }]).split('\n');
    expect(faults[0]).toBe('"scenario 2", name: missing');
    expect(faults).toHaveLength(3);
    expect(faultsOf([good, good])).toBe(
      '"x", name: another scenario of this file has it too; give each its own',
    );
    expect(faultsOf([])).toBe('There is no scenario in this list.');
    expect(faultsOf('{')).toMatch(/^This is no JSON/);
  });
});

describe('a step that cannot do what it says', () => {
  const failures = (step: object, options = {}) =>
    checkScenario({
      name: 'x',
      rules: ['5.1.3'],
      steps: [{ ...step, expect: { turn: 1 } }],
      ...options,
    }).flatMap((one) => one.failures);
  it('fails, and never passes for having done nothing', () => {
    expect(failures({ pass: 2 })[0]).toMatchObject({ what: 'course', found: 'none in ST-2' });
    expect(failures({ close: true })[0]).toMatchObject({ what: 'course', found: 'none in ST-2' });
    expect(failures({ until: 'SU-4' })[0]).toMatchObject({ what: 'course', expected: 'to reach SU-4' });
  });
  it('fails without a sentence that has to be told', () => {
    const step = { as: 'A', type: 'energize', energize: false };
    expect(failures({ ...step, says: ['Ember does not energize'] })).toEqual([]);
    expect(failures({ ...step, says: ['Gale draws'] })[0]).toMatchObject({
      what: 'sentence',
      expected: 'Gale draws',
      found: ['Ember does not energize.'],
    });
  });
  it('says why an input was refused', () => {
    const [failure] = failures({ as: 'A', type: 'pass' });
    expect(failure).toMatchObject({
      what: 'refusal',
      found: 'window/none',
      why: 'Nothing can be played or passed now. (5.1.3)',
    });
    expect(failures({ as: 'A', type: 'energize', energise: true })[0]?.why).toContain('no field energise');
  });
});

describe('the words of the form', () => {
  const sources = readdirSync(join(GAME, 'bakugan'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(`bakugan/${name}`))
    .join('\n');
  const found = (pattern: RegExp) =>
    [...new Set([...sources.matchAll(pattern)].map((one) => one[1] ?? ''))].sort();

  it('are the events that the game tells and the refusals that it gives', () => {
    expect([...EVENT_TYPES].sort()).toEqual(found(/\bsay\(\s*[\w.]+,\s*'([a-z-]+\/[a-z-]+)'/g));
    expect([...REFUSAL_CODES].sort()).toEqual(found(/\brefuse\(\s*'([a-z-]+\/[a-z-]+)'/g));
  });

  it('all stand in the document', () => {
    const page = read('scenarios/README.md');
    const words = [...Object.values(PART_NAMES).flat(), ...EVENT_TYPES, ...REFUSAL_CODES];
    const [groups, plain] = [
      words.filter((one) => one.includes('/')),
      words.filter((one) => !one.includes('/')),
    ];
    expect(plain.filter((one) => !page.includes(`\`${one}\``))).toEqual([]);
    const inPage = new Set(
      [...page.matchAll(/^- `([a-z]+)\/`: (.*)$/gm)].flatMap(([, group, names = '']) =>
        names.split(' ').map((name) => `${group}/${name.replace(/[,.`]/g, '')}`),
      ),
    );
    expect([...inPage].sort()).toEqual([...new Set(groups)].sort());
  });

  it('of parts can all be read at the start', () => {
    const state = positionOf({ name: 'x', rules: ['x'], steps: [] });
    const names = [
      ...PART_NAMES.game,
      ...PART_NAMES.player.map((one) => `A.${one}`),
      ...PART_NAMES.bakugan.map((one) => `B/3.${one}`),
      ...PART_NAMES.core.map((one) => `core B6.${one}`),
      ...PART_NAMES.card.map((one) => `card BB-87.${one}`),
    ];
    expect(names.filter((one) => partOf(state, one) === undefined)).toEqual([]);
    expect(partOf(state, 'constructor')).toBeUndefined();
    expect(partOf(state, 'A.constructor')).toBeUndefined();
  });
});
