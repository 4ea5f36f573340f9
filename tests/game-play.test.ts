import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import {
  findInput,
  inputsOf,
  loadPlay,
  type Play,
  playInput,
  replaceInput,
  savePlay,
  startPlay,
  undoTo,
} from '../host/game/play.ts';
import type { GameInput } from '../host/game/ruleset.ts';
import { acted, by, judge, normalInputs, OPTIONS, onField, rolled } from './support/bakugan-game.ts';

type Match = Play<GameState>;

function fed(play: Match, input: GameInput): Match {
  const played = playInput(play, bakugan, input);
  if (!played.ok) throw new Error(`${play.state.at}: ${JSON.stringify([input, played.refusal])}`);
  return played.play;
}

/** Goes on by the first listed input, rolling as told, until a condition holds. */
function until(
  play: Match,
  done: (state: GameState) => boolean,
  roll: (state: GameState) => GameInput,
): Match {
  let now = play;
  for (let steps = 0; !done(now.state) && now.state.winner === null; steps += 1) {
    if (steps > 5000) throw new Error('no end');
    const next = normalInputs(now.state)[0];
    now = fed(now, now.state.at === 'ST-5' || next === undefined ? roll(now.state) : acted(next));
  }
  return now;
}

const aOpens = (state: GameState) => rolled(state, onField(state, 'A').slice(0, 1), 'no');
const bOpens = (state: GameState) => rolled(state, 'no', onField(state, 'A').slice(0, 1));
const both = (state: GameState) =>
  rolled(state, onField(state, 'A').slice(0, 1), onField(state, 'B').slice(0, 1));

/** Neither opens for the first fifteen attempts of a turn: a long match. */
const slowly = (state: GameState) =>
  (state.roll?.attempt ?? 0) <= 15 ? rolled(state, 'no', 'no') : both(state);

const settles = (roll: string) => (input: GameInput) =>
  (input.type === 'rolled' || input.type === 'judge-roll') && input.roll === roll;

describe('a match as a fold', () => {
  it('keeps accepted inputs with their number; a refused one changes nothing', () => {
    const start = startPlay(bakugan, OPTIONS);
    expect(start).toMatchObject({ ruleset: { name: 'bakugan', version: bakugan.version }, seq: 0 });
    const sp = start.state.startingPlayer;
    const refused = playInput(start, bakugan, by(sp, 'pass'));
    expect(refused.ok).toBe(false);
    const one = playInput(start, bakugan, by(sp, 'energize', { energize: true }));
    expect(one.ok && [one.seq, one.play.seq, inputsOf(one.play).length, start.seq]).toEqual([1, 1, 1, 0]);
  });

  it('is its inputs: a whole match folds to the same state, saved and loaded at any step', () => {
    const end = until(startPlay(bakugan, OPTIONS), () => false, slowly);
    expect(end.state.winner).not.toBeNull();
    const inputs = inputsOf(end);
    expect(inputs.map((one) => one.seq)).toEqual(inputs.map((_, index) => index + 1));
    expect(inputs.length).toBeGreaterThan(64);
    let again = startPlay(bakugan, OPTIONS);
    for (const [index, { input }] of inputs.entries()) {
      if (index % 20 === 0) again = loadPlay(bakugan, savePlay(again));
      again = fed(again, input);
    }
    expect(again.state).toEqual(end.state);
    expect(JSON.parse(JSON.stringify(end))).toEqual(end);
    for (const stretch of [...end.past, end.recent]) expect(stretch.inputs.length).toBeLessThanOrEqual(512);
  });

  it('says plainly why a saved match cannot be loaded', () => {
    const text = savePlay(startPlay(bakugan, OPTIONS));
    const changed = (parts: object) => JSON.stringify({ ...JSON.parse(text), ...parts });
    const load = (saved: string) => () => loadPlay(bakugan, saved);
    expect(load('{')).toThrow('no JSON');
    expect(load('[]')).toThrow('not a saved match');
    expect(load(changed({ ruleset: { name: 'bakugan', version: '0.1.0' } }))).toThrow(
      'played under bakugan 0.1.0',
    );
    expect(load(changed({ inputs: [by('A', 'nonsense')] }))).toThrow('Input 1 of the saved match is refused');
    expect(load(changed({ options: {} }))).toThrow(RangeError);
  });
});

describe('a replaced result', () => {
  /** Turn 1 A opens alone, then on to the end step of turn 2. */
  const played = () =>
    until(startPlay(bakugan, OPTIONS), (state) => state.turn === 2 && state.at === 'ST-13', aOpens);

  it('refolds the match and shows what it changes', () => {
    const match = played();
    const seq = findInput(match, settles('t1.1')) ?? 0;
    const opening = inputsOf(match)[seq - 1]?.input;
    const sameResult = rolled(startPlay(bakugan, OPTIONS).state, [], 'no', { roll: 't1.1' });
    const replaced = replaceInput(match, bakugan, seq, sameResult);
    if (!replaced.ok) throw new Error(replaced.refusal.message);
    // A still wins turn 1, without its core: the damage differs, and what was flipped no longer fits.
    expect(replaced.withdrawn.map((event) => event.type)).toContain('roll/opened');
    expect(replaced.added.find((event) => event.type === 'roll/opened')?.rules).toContain('5.7.2.3');
    expect(match.state.turn).toBe(2);
    expect(inputsOf(match)[seq - 1]?.input).toBe(opening);
    let again = startPlay(bakugan, OPTIONS);
    for (const { input } of inputsOf(replaced.play)) again = fed(again, input);
    expect(again.state).toEqual(replaced.play.state);
  });

  it('stops where a later input no longer fits, and says which and why', () => {
    const match = played();
    const seq = findInput(match, settles('t1.1')) ?? 0;
    const before = inputsOf(match).slice(0, seq - 1);
    let at = startPlay(bakugan, OPTIONS);
    for (const { input } of before) at = fed(at, input);
    const replaced = replaceInput(match, bakugan, seq, bOpens(at.state));
    if (!replaced.ok) throw new Error(replaced.refusal.message);
    expect(replaced.play.state).toMatchObject({ turn: 1, at: 'ST-10', victor: 'B', damage: { to: 'A' } });
    expect(replaced.dropped[0]?.input).toMatchObject({ type: 'flip' });
    expect(replaced.dropped.length + replaced.play.seq).toBe(match.seq);
    expect(replaced.refusal?.code).toBe('flip/not-yours');
    // The new match goes on.
    expect(until(replaced.play, (state) => state.turn === 3, both).state.winner ?? 'on').toBeDefined();
  });

  it('the same input changes nothing', () => {
    const match = played();
    for (const seq of [1, 3, findInput(match, settles('t2.1')) ?? 0, match.seq]) {
      const input = inputsOf(match)[seq - 1]?.input;
      if (input === undefined) throw new Error(`no input ${seq}`);
      const replaced = replaceInput(match, bakugan, seq, input);
      if (!replaced.ok) throw new Error(replaced.refusal.message);
      expect(replaced).toMatchObject({ withdrawn: [], added: [], dropped: [] });
      expect(replaced.play.state).toEqual(match.state);
    }
  });

  it('keeps few states of a very long match, and still all its inputs', () => {
    const fill = (count: number) =>
      ({ type: 'count', by: { role: 'judge' }, player: 'A', zone: 'deck', count, reason: 'x' }) as const;
    let play = startPlay(bakugan, OPTIONS);
    for (let n = 1; n <= 5000; n += 1) play = fed(play, fill(30 + (n % 7)));
    expect(play.past.length).toBeLessThan(5000 / 512 + 16);
    expect(inputsOf(play).map(({ seq }) => seq)).toEqual(Array.from({ length: 5000 }, (_, n) => n + 1));
    for (const seq of [4990, 4400, 513, 1]) {
      const undone = undoTo(play, bakugan, seq);
      expect(undone.ok && undone.play.state.players.A.deck.count).toBe(30 + (seq % 7));
      expect(undone.ok && undone.dropped.length).toBe(5000 - seq);
    }
  });

  it('finds old inputs behind many stretches', () => {
    const long = until(startPlay(bakugan, OPTIONS), () => false, slowly);
    expect(long.past.length).toBeGreaterThan(0);
    const input = inputsOf(long)[1]?.input;
    if (input === undefined) throw new Error('short');
    const replaced = replaceInput(long, bakugan, 2, { ...input, energize: false });
    if (!replaced.ok) throw new Error(replaced.refusal.message);
    expect(replaced.added.map((event) => event.type)).toContain('energize/declined');
  });

  it('a judge replaces the ruling that settled the roll', () => {
    const doubtful = until(
      startPlay(bakugan, OPTIONS),
      (state) => state.at === 'ST-6',
      (state) => ({
        ...rolled(state, [], 'no'),
        results: [
          { player: 'A', opened: 'undetermined' },
          { player: 'B', opened: 'no' },
        ],
      }),
    );
    const ruling = (opened: 'yes' | 'no') =>
      judge('judge-roll', { roll: 't1.1', reason: 'Video.', results: [{ player: 'A', opened }] });
    const ruled = fed(doubtful, ruling('no'));
    expect(ruled.state.roll?.id).toBe('t1.2');
    const seq = findInput(ruled, settles('t1.1'));
    expect(seq).toBe(ruled.seq);
    const replaced = replaceInput(ruled, bakugan, seq ?? 0, ruling('yes'));
    expect(replaced.ok && replaced.play.state.at).toBe('ST-8');
  });

  it('refuses a number that is not there, an input that is not legal, and other rules', () => {
    const match = played();
    const code = (result: ReturnType<typeof replaceInput<GameState>>) =>
      result.ok ? 'ok' : result.refusal.code;
    const input = by('A', 'pass');
    expect(code(replaceInput(match, bakugan, match.seq + 1, input))).toBe('play/no-such-input');
    expect(code(replaceInput(match, bakugan, 0, input))).toBe('play/no-such-input');
    expect(code(replaceInput(match, bakugan, 1, by('A', 'nonsense')))).toBe('step/not-now');
    const later = { ...bakugan, version: '9.0.0' };
    expect(code(replaceInput(match, later, 1, input))).toBe('play/other-rules');
  });
});

describe('undo', () => {
  it('goes back to any point and shows what is taken back', () => {
    const end = until(startPlay(bakugan, OPTIONS), (state) => state.turn === 4, both);
    for (const seq of [end.seq, end.seq - 1, Math.floor(end.seq / 2), 1, 0]) {
      const undone = undoTo(end, bakugan, seq);
      if (!undone.ok) throw new Error(undone.refusal.message);
      expect(undone.play.seq).toBe(seq);
      expect(undone.dropped).toHaveLength(end.seq - seq);
      let again = startPlay(bakugan, OPTIONS);
      for (const { input } of inputsOf(end).slice(0, seq)) again = fed(again, input);
      expect(undone.play.state).toEqual(again.state);
      for (const { input } of undone.dropped) again = fed(again, input);
      expect(again.state).toEqual(end.state);
    }
    expect(undoTo(end, bakugan, end.seq).ok && undoTo(end, bakugan, end.seq)).toMatchObject({
      withdrawn: [],
    });
    const wrong = undoTo(end, bakugan, end.seq + 1);
    expect(!wrong.ok && wrong.refusal.code).toBe('play/no-such-input');
  });
});
