import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import type { Side } from '../host/ids.ts';
import type { BallRuling, CoreSet, RollRuling } from '../host/sensing/ruling.ts';
import {
  brawl,
  by,
  type Given,
  judge,
  OPTIONS,
  onField,
  position,
  rolled,
  seen,
  Table,
} from './support/bakugan-game.ts';
import { PLAIN } from './support/bakugan-vectors.ts';

const none: CoreSet = { sure: [], possible: [] };

/** A game that waits for roll t1.1 of A/1 and B/1. */
function atRoll(state: GameState = position(PLAIN, PLAIN)): Table {
  const table = new Table(state);
  for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
  for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
  return table.close();
}

function ball(
  player: Side | 'undetermined',
  opened: BallRuling['opened'],
  attached: CoreSet = none,
): BallRuling {
  const unseen = { measured: false, why: 'no gate' } as const;
  return {
    player,
    opened,
    contact: attached,
    attached,
    confidence: { player: 1, opened: 1, contact: 1, attached: 1 },
    reasons: [],
    audit: {
      releaseSkew: unseen,
      releaseZone: unseen,
      bounces: unseen,
      speed: unseen,
      path: { cells: [], coverage: 1 },
    },
  };
}

function ruling(balls: readonly BallRuling[], more: Partial<RollRuling> = {}): RollRuling {
  return {
    roll: 't1.1',
    revision: 1,
    stage: 'final',
    balls,
    atMs: 0,
    window: { fromMs: 0, toMs: 0 },
    illegal: [],
    ...more,
  };
}

function ruled(table: Table, given: RollRuling): Table {
  const input = bakugan.rulingInput(table.state, given);
  if (input === undefined) throw new Error('not awaited');
  return table.do(input);
}

describe('rulings as inputs', () => {
  it('a final ruling settles the roll', () => {
    const table = atRoll();
    const [core = ''] = onField(table.state, 'A');
    ruled(table, ruling([ball('A', 'yes', { sure: [core], possible: [] }), ball('B', 'no')]));
    expect(table.state.at).toBe('ST-8');
    expect(seen(table.state, 'A/1').cores).toEqual([core]);
  });

  it('is nothing when provisional, for another roll, or when no roll is awaited', () => {
    const table = atRoll();
    const balls = [ball('A', 'no'), ball('B', 'no')];
    expect(bakugan.rulingInput(table.state, ruling(balls, { stage: 'provisional' }))).toBeUndefined();
    expect(bakugan.rulingInput(table.state, ruling(balls, { roll: 't1.2' }))).toBeUndefined();
    expect(bakugan.rulingInput(position(PLAIN, PLAIN), ruling(balls))).toBeUndefined();
  });

  it('refuses a late report of another roll', () => {
    const table = atRoll();
    const late = { ...rolled(table.state, [], []), roll: 't1.1' };
    table.do(rolled(table.state, 'no', 'no'));
    expect(table.state.roll?.id).toBe('t1.2');
    expect(table.refused(late)).toBe('roll/not-awaited');
  });

  it.each<readonly [string, readonly BallRuling[]]>([
    ['opened', [ball('A', 'undetermined'), ball('B', 'no')]],
    ['attached', [ball('A', 'yes', { sure: [], possible: ['A1'] }), ball('B', 'yes')]],
    ['player', [ball('undetermined', 'yes'), ball('B', 'no')]],
    ['ball that was not seen', [ball('A', 'yes')]],
    ['player twice', [ball('A', 'yes'), ball('A', 'no')]],
  ])('an undetermined %s waits for the judge', (_, balls) => {
    const table = ruled(atRoll(), ruling(balls));
    expect(table.state.at).toBe('ST-6');
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'judge-needed' });
    expect(bakugan.view(table.state, { kind: 'public' }).waitingFor.map((one) => one.who)).toEqual(['judge']);
    expect(table.types()).toContain('roll/judge-needed');
    expect(seen(table.state, 'A/1').open || seen(table.state, 'B/1').open).toBe(false);
  });

  it('two balls of unknown players that did not open are both non-opens', () => {
    const table = ruled(atRoll(), ruling([ball('undetermined', 'no'), ball('undetermined', 'no')]));
    expect(table.state).toMatchObject({ at: 'ST-5', roll: { id: 't1.2' } });
  });

  it('a later revision of a doubtful ruling may settle it, an earlier one may not', () => {
    const table = ruled(atRoll(), ruling([ball('A', 'undetermined'), ball('B', 'no')], { revision: 3 }));
    const settled = [ball('A', 'yes'), ball('B', 'no')];
    expect(bakugan.rulingInput(table.state, ruling(settled, { revision: 3 }))).toBeUndefined();
    expect(table.refused(rolled(table.state, [], 'no', { revision: 2 }))).toBe('roll/old-revision');
    ruled(table, ruling(settled, { revision: 4 }));
    expect(table.state.at).toBe('ST-8');
  });

  it('carries offences with their player', () => {
    const illegal = [
      { code: 'roll/zone', rules: ['5.7.1.2'], text: 'Released too far.', player: 'B' as const },
    ];
    const table = ruled(atRoll(), ruling([ball('A', 'yes'), ball('B', 'yes')], { illegal }));
    expect(table.state).toMatchObject({ at: 'ST-5', roll: { id: 't1.2', offences: { A: 0, B: 1 } } });
  });
});

describe('results that cannot be', () => {
  it('a core that does not lie on the field (5.7.1.4.1)', () => {
    const held: readonly [Given, Given, Given] = [
      PLAIN[0],
      { card: 'BB-283', open: true, cores: [24] },
      PLAIN[2],
    ];
    const table = atRoll(position(held, PLAIN));
    const core = table.state.cores.find((one) => one.cell === null)?.core ?? '';
    expect(table.refused(rolled(table.state, [core], 'no'))).toBe('roll/core-not-on-field');
  });
  it('attached without open, unknown cores, cores twice, too many, a player twice, junk', () => {
    const table = atRoll();
    const [one = '', two = '', three = ''] = onField(table.state, 'A');
    const result = (fields: object) => ({
      ...rolled(table.state, 'no', 'no'),
      results: [{ player: 'A', ...fields }],
    });
    expect(table.refused(result({ opened: 'no', cores: [one] }))).toBe('roll/attached-but-closed');
    expect(table.refused(result({ opened: 'yes', cores: ['Z9'] }))).toBe('roll/bad-cores');
    expect(table.refused(result({ opened: 'yes', cores: [one, one] }))).toBe('roll/bad-cores');
    expect(table.refused(result({ opened: 'yes', cores: [one, two, three] }))).toBe('roll/too-many-cores');
    expect(table.refused(result({ opened: 'perhaps' }))).toBe('roll/bad-result');
    const twice = [
      { player: 'A', opened: 'no' },
      { player: 'A', opened: 'no' },
    ];
    expect(table.refused({ ...rolled(table.state, 'no', 'no'), results: twice })).toBe('roll/player-twice');
    expect(table.refused({ ...rolled(table.state, 'no', 'no'), results: 7 })).toBe('roll/no-results');
    expect(table.refused({ ...rolled(table.state, [], []), by: { role: 'player', player: 'A' } })).toBe(
      'roll/not-for-people',
    );
  });
});

describe('judge', () => {
  const doubtful = () => ruled(atRoll(), ruling([ball('A', 'undetermined'), ball('B', 'undetermined')]));
  const settle = (table: Table, fields: object) =>
    judge('judge-roll', { roll: table.state.roll?.id ?? '', reason: 'Saw it.', ...fields });

  it('settles one player after the other; who, why, before and after are in the event', () => {
    const table = doubtful();
    table.do(settle(table, { results: [{ player: 'A', opened: 'yes', cores: [] }] }));
    expect(table.state.at).toBe('ST-6');
    table.do(settle(table, { results: [{ player: 'B', opened: 'no' }] }));
    expect(table.state.at).toBe('ST-8');
    const event = table.events.find((one) => one.type === 'roll/judged');
    expect(event?.data).toMatchObject({ who: 'judge (J)', reason: 'Saw it.', roll: 't1.1' });
    expect(event?.data.before).toMatchObject([{ player: 'A', opened: 'undetermined' }, { player: 'B' }]);
    expect(event?.rules).toContain('AM-39');
  });

  it('is not overruled by a later report of sensors', () => {
    const table = doubtful();
    table.do(settle(table, { results: [{ player: 'A', opened: 'yes', cores: [] }] }));
    ruled(table, ruling([ball('A', 'no'), ball('B', 'no')], { revision: 2 }));
    expect([seen(table.state, 'A/1').open, seen(table.state, 'B/1').open]).toEqual([true, false]);
  });

  it('may rule on a roll without sensors', () => {
    const table = atRoll();
    table.do(
      settle(table, {
        results: [
          { player: 'A', opened: 'no' },
          { player: 'B', opened: 'yes', cores: [] },
        ],
      }),
    );
    expect(table.state.at).toBe('ST-8');
  });

  it('may order another roll or go on without a Brawl', () => {
    const again = doubtful();
    again.do(settle(again, { verdict: 'again' }));
    expect(again.state).toMatchObject({ at: 'ST-5', roll: { id: 't1.2', judge: null } });
    const skip = doubtful();
    skip.do(settle(skip, { verdict: 'no-brawl' }));
    expect(skip.state).toMatchObject({ at: 'ST-13', victor: null, selected: { A: null, B: null } });
    skip.close();
    expect(skip.state).toMatchObject({ turn: 2, startingPlayer: 'A' });
  });

  it('must be a judge, give a reason, and leave no doubt', () => {
    const table = doubtful();
    const results = [{ player: 'A', opened: 'yes' }];
    expect(table.refused({ ...settle(table, { results }), by: { role: 'player', player: 'A' } })).toBe(
      'judge/only',
    );
    expect(table.refused({ ...settle(table, { results }), by: { role: 'operator' } })).toBe('judge/only');
    expect(table.refused(settle(table, { results, reason: '' }))).toBe('judge/reason');
    expect(table.refused(settle(table, { results: [{ player: 'A', opened: 'undetermined' }] }))).toBe(
      'judge/undetermined',
    );
    expect(table.refused(judge('judge-roll', { roll: 't9.9', results, reason: 'x' }))).toBe(
      'roll/not-awaited',
    );
  });

  it('corrects a count, and what follows from it (AM-39)', () => {
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
    const count = (fields: object) =>
      judge('count', { player: 'B', zone: 'deck', count: 0, reason: 'Counted.', ...fields });
    expect(table.refused(count({ count: -1 }))).toBe('count/bad');
    expect(table.refused(count({ zone: 'attic' }))).toBe('count/which');
    expect(table.refused({ ...count({}), by: { role: 'player', player: 'B' } })).toBe('judge/only');
    table.close().close();
    expect(table.state.at).toBe('ST-10');
    table.do(count({}));
    expect(table.state).toMatchObject({ at: 'GO', winner: 'A' });
  });
});

describe('rolls without end (AM-22)', () => {
  it('asks a judge after the cap', () => {
    const table = atRoll(position(PLAIN, PLAIN, { ...OPTIONS, rules: { rollCap: 3 } }));
    for (const _ of [1, 2, 3]) table.do(rolled(table.state, 'no', 'no'));
    expect(table.state.at).toBe('ST-6');
    expect(table.state.roll?.judge).toContain('3 times');
    table.do(judge('judge-roll', { roll: 't1.3', verdict: 'again', reason: 'Once more.' }));
    expect(table.state).toMatchObject({ at: 'ST-5', roll: { id: 't1.4' } });
  });
  it('skips roll and Brawl when no core lies on the field', () => {
    const start = position(PLAIN, PLAIN);
    const bare = start.cores.map((core) => ({ ...core, cell: null, heldBy: ['B/3'] }));
    const table = atRoll({ ...start, cores: bare });
    expect(table.state).toMatchObject({ at: 'ST-13', victor: null });
    expect(table.events.find((event) => event.type === 'roll/no-core')?.rules).toContain('AM-22');
    expect(table.close().state).toMatchObject({ turn: 2, startingPlayer: 'A' });
  });
});

describe('activity', () => {
  it('is a roll with its balls and the cores that lie there, and only in the Rolling Step', () => {
    const table = new Table(position(PLAIN, PLAIN));
    expect(bakugan.activity(table.state)).toEqual({ kind: 'idle' });
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    expect(bakugan.activity(table.state)).toEqual({ kind: 'hands', why: 'selection' });
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/2` }));
    expect(bakugan.activity(table.state)).toEqual({ kind: 'idle' });
    table.close();
    const activity = bakugan.activity(table.state);
    expect(activity).toMatchObject({
      kind: 'roll',
      roll: 't1.1',
      balls: [
        { player: 'A', bakugan: 'A/2' },
        { player: 'B', bakugan: 'B/2' },
      ],
    });
    if (activity.kind !== 'roll') throw new Error(activity.kind);
    expect(activity.cores).toHaveLength(12);
    const [core = ''] = onField(table.state, 'A');
    table.do(rolled(table.state, [core], []));
    expect(bakugan.activity(table.state)).toEqual({ kind: 'idle' });
    table.until(
      (state) => state.at === 'ST-5',
      () => by('A', 'none'),
    );
    const second = bakugan.activity(table.state);
    expect(second.kind === 'roll' && second.cores.some((one) => one.core === core)).toBe(
      table.state.cores.some((one) => one.core === core && one.cell !== null),
    );
  });
});
