import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { advance, startTable } from '../host/advance/advance.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { newsFor } from '../host/displays/feed-news.ts';
import type { Audience } from '../host/game/ruleset.ts';
import { composeScene, type Known } from '../host/scene/compose.ts';
import type { Scene } from '../host/scene/scene.ts';
import { legalIn, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const WATCHERS: readonly Audience[] = [{ kind: 'venue' }, { kind: 'public' }];
const PLAYERS: readonly Audience[] = [
  { kind: 'player', player: 'A' },
  { kind: 'player', player: 'B' },
];
const STAFF: readonly Audience[] = [{ kind: 'judge' }, { kind: 'operator' }];

/** Two games' worth of moments: every scene below is of a table as it really was. */
const recorded = (() => {
  const table = virtualTable({ seed: 9, judge: true });
  table.run(9000);
  table.sim.act({ act: 'fault', fault: 'reset', player: 'B', on: true });
  table.run(7000);
  return table;
})();
const { setting, inputs, outputs } = recorded;

/** What was known after the first `n` inputs, at every tenth. */
const moments: readonly Known[] = (() => {
  const state = startTable(setting, 0);
  return inputs.flatMap((input, i) => {
    advance(state, input, setting);
    if (i % 10 !== 0) return [];
    // The parts that live on are copied; the rest is never changed in place.
    const known = knownOf(state, decidedIn(state), setting);
    return [{ ...known, links: structuredClone(known.links), levels: structuredClone(known.levels) }];
  });
})();

const provisional = moments.flatMap(({ rulings }) => rulings.filter((one) => one.stage === 'provisional'));
/** Every value of every key with this name, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(inner, key),
  ]);
}

/** Paths of values that JSON does not give back. */
function noJsonIn(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, inner]) => noJsonIn(inner, `${path}.${key}`));
}

const each = (
  check: (known: Known, audience: Audience, scene: Scene) => void,
  audiences: readonly Audience[],
): void => {
  fc.assert(
    fc.property(fc.nat(moments.length - 1), fc.constantFrom(...audiences), (n, audience) => {
      const known = moments[n];
      if (known !== undefined) check(known, audience, composeScene(known, audience));
    }),
    { numRuns: 200 },
  );
};

describe('the recorded moments', () => {
  it('hold what must not leak', () => {
    expect(provisional.length).toBeGreaterThan(10);
    expect(moments.some(({ levels }) => levels.some(({ contact }) => contact))).toBe(true);
    expect(moments.some((known) => known.legal('A').length + known.legal('judge').length > 0)).toBe(true);
    expect(moments.some(({ links }) => links.length > 0)).toBe(true);
  });
});

describe('venue and public', () => {
  it('get no legal inputs, no levels, no links and no provisional rulings, whatever happens', () => {
    each((_, __, scene) => {
      expect(scene.legal).toEqual([]);
      expect(scene.levels).toEqual([]);
      expect(scene.links).toEqual([]);
      for (const { stage } of scene.rulings) expect(stage).toBe('final');
      expect(valuesOf(scene, 'stage').filter((stage) => stage === 'provisional')).toEqual([]);
      for (const key of ['fieldMt', 'counts', 'complaints', 'heardAtMs', 'device']) {
        expect(valuesOf(scene, key), key).toEqual([]);
      }
    }, WATCHERS);
  });

  it('hear of no ruling that was taken back before it was final', () => {
    const known: Known = {
      ...(moments.at(-1) as Known),
      retracted: [
        {
          roll: 't1.1',
          revision: 2,
          stage: 'provisional',
          why: 'Player A: open was yes, later samples say no.',
        },
        { roll: 't1.1', revision: 5, stage: 'final', why: 'Judge ruling' },
      ],
    };
    for (const audience of [...WATCHERS, ...PLAYERS]) {
      expect(composeScene(known, audience).retracted).toEqual([
        { roll: 't1.1', revision: 5, why: 'Judge ruling' },
      ]);
    }
    for (const audience of STAFF) expect(composeScene(known, audience).retracted).toHaveLength(2);
  });

  it('know of a final ruling as soon as judges do', () => {
    each((known, audience, scene) => {
      const finals = known.rulings.filter(({ stage }) => stage === 'final');
      expect(scene.rulings, audience.kind).toEqual(finals);
      expect(scene.lights.map(({ cell, level }) => ({ cell, level }))).toEqual(
        known.lights.map(({ cell, level }) => ({ cell, level })),
      );
    }, WATCHERS);
  });

  it('are told no news that their scene must not hold', () => {
    for (const output of outputs) {
      for (const audience of [...WATCHERS, ...PLAYERS]) {
        const news = newsFor(audience, output);
        if (output.kind === 'ruling') expect(news === undefined).toBe(output.ruling.stage === 'provisional');
        if (output.kind === 'retraction') expect(news === undefined).toBe(output.stage === 'provisional');
        if (['fault', 'send', 'accepted', 'refused'].includes(output.kind)) expect(news).toBeUndefined();
      }
    }
  });
});

describe('players', () => {
  it('get their own legal inputs and nobody else’s, and no more of sensors than watchers', () => {
    each((known, audience, scene) => {
      if (audience.kind !== 'player') return;
      expect(scene.legal).toEqual(known.legal(audience.player));
      for (const { player } of scene.legal) expect(player).toBe(audience.player);
      expect(scene.levels).toEqual([]);
      expect(scene.links).toEqual([]);
      for (const { stage } of scene.rulings) expect(stage).toBe('final');
    }, PLAYERS);
  });
});

describe('judges and operators', () => {
  it('see everything at once: provisional rulings, every link, every tile', () => {
    each((known, audience, scene) => {
      expect(scene.rulings).toEqual(known.rulings);
      expect(scene.links).toEqual(known.links);
      expect(scene.levels).toEqual(known.levels);
      expect(scene.levels).toHaveLength(12);
      const own = known.legal('judge');
      if (audience.kind === 'judge') expect(scene.legal).toEqual(own);
      else expect(scene.legal).toEqual([...known.legal('A'), ...known.legal('B'), ...own]);
    }, STAFF);
  });
});

describe('every scene', () => {
  const everyone = [...WATCHERS, ...PLAYERS, ...STAFF];

  it('is of its table and moment, in colours that a page can show, as plain JSON', () => {
    each((known, _, scene) => {
      expect(scene).toMatchObject({ table: 't1', atMs: known.atMs, simulated: true, trouble: null });
      for (const { rgb } of scene.lights) expect(rgb).toMatch(/^#[0-9a-f]{6}$/);
      expect(noJsonIn(scene)).toEqual([]);
    }, everyone);
  });

  it('says that play waits while nothing can be recorded; where and what to do only to those who can', () => {
    const trouble = { sentence: 'The disk is full: /data/t1 cannot be written.', remedy: 'Free some space.' };
    const known = { ...(moments.at(-1) as Known), trouble };
    for (const audience of everyone) {
      const said = composeScene(known, audience).trouble ?? '';
      expect(said).not.toBe('');
      const staff = STAFF.includes(audience);
      expect(said.includes('/data')).toBe(staff);
      expect(said.includes('Free some space')).toBe(staff);
    }
  });

  it('offers no input to anybody but those it names, in any moment', () => {
    for (const known of moments.filter((_, i) => i % 5 === 0)) {
      for (const audience of WATCHERS) expect(valuesOf(composeScene(known, audience), 'input')).toEqual([]);
    }
    expect(legalIn(recorded.state, 'judge').length).toBeGreaterThan(0);
  });
});
