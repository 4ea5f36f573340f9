import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { CHARACTERS } from '../host/game/bakugan/data/characters.ts';
import { CORE_PRINTS } from '../host/game/bakugan/data/cores.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { BakuganOptions } from '../host/game/bakugan/options.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import type { Team } from '../host/game/bakugan/team.ts';
import type { GameInput, LegalInput } from '../host/game/ruleset.ts';
import { type Json, SIDES } from '../host/ids.ts';
import { cellId, FIXED_12 } from '../host/sensing/layout.ts';
import { acted } from './support/bakugan-game.ts';

// Vitest turns imports into property access; hot loops take local copies.
const { step, legalInputs, setup, view, cues, activity } = bakugan;

/** Whole numbers from a seed, so that a game is one number for fast-check to shrink. */
function dice(seed: number): (sides: number) => number {
  let at = seed >>> 0;
  return (sides) => {
    at = (Math.imul(at, 1664525) + 1013904223) >>> 0;
    return (at >>> 8) % sides;
  };
}

function randomTeam(pick: (sides: number) => number, name: string): Team {
  const characters: (typeof CHARACTERS)[number][] = [];
  while (characters.length < 3) {
    const card = CHARACTERS[pick(CHARACTERS.length)];
    if (card === undefined) continue;
    const twin = characters.some((one) => one.name === card.name && one.factions[0] === card.factions[0]);
    if (!twin) characters.push(card);
  }
  const cores = characters
    .flatMap((card) => card.indicators)
    .map((type) => {
      const prints = CORE_PRINTS.filter((print) => print.type === type);
      return prints[pick(prints.length)]?.no ?? 0;
    });
  return { name, characters: characters.map((card) => card.id), cores, deck: 40 };
}

/** A hexagon of 19 cells. */
const HEXAGON = [-2, -1, 0, 1, 2].flatMap((q) =>
  [-2, -1, 0, 1, 2].filter((r) => Math.abs(q + r) <= 2).map((r) => ({ cell: cellId(q, r), q, r })),
);

function randomOptions(seed: number): BakuganOptions {
  const pick = dice(seed);
  const one = <T>(words: readonly T[]): T => words[pick(words.length)] as T;
  return {
    players: { A: randomTeam(pick, 'P'), B: randomTeam(pick, 'Q') },
    field: one([HEXAGON, FIXED_12.cells.map(({ cell, q, r }) => ({ cell, q, r }))]),
    placement: one(['automatic', 'by-hand'] as const),
    seed,
    rules: {
      loseWhen: one(['cannotFlip', 'emptyAfterDamage', 'emptyAtTurnEnd'] as const),
      sharedCore: one(['lastHolder', 'firstRetract'] as const),
      doubleStrike: one(['doubleTotal', 'victorAgain'] as const),
      shadowStrike: one(['both', 'damage'] as const),
      soleOpener: one(['powerStep', 'victorAtOnce'] as const),
      rollCap: 1 + pick(4),
    },
  };
}

function randomRoll(state: GameState, pick: (sides: number) => number): GameInput {
  const lying = state.cores.filter((core) => core.cell !== null).map((core) => core.core);
  const some = () => lying[pick(lying.length)] ?? '';
  const result = (player: 'A' | 'B'): { [key: string]: Json } => {
    switch (pick(6)) {
      case 0:
      case 1:
        return { player, opened: 'no' };
      case 2:
        return { player, opened: 'yes', cores: [] };
      case 3:
        return { player, opened: 'yes', cores: [...new Set([some(), some()])] };
      default:
        return pick(12) === 0
          ? { player, opened: 'undetermined' }
          : { player, opened: 'yes', cores: [some()], possible: pick(12) === 0 ? [some()] : [] };
    }
  };
  const illegal: Json =
    pick(15) === 0 ? [{ player: pick(2) === 0 ? 'A' : 'B', code: 'x', rules: [], text: 'Bad.' }] : [];
  const results = [result('A'), result('B')];
  return { type: 'rolled', by: { role: 'sensing' }, roll: state.roll?.id ?? '', results, illegal };
}

/** Everything that anyone may do but concede; corrections and hand entries are rare. */
function choose(state: GameState, pick: (sides: number) => number): GameInput {
  const all = (['A', 'B', 'judge'] as const).flatMap((who) => legalInputs(state, who));
  const usual = all.filter((one) => one.aside !== true && (one.player !== 'judge' || state.at === 'ST-6'));
  const rare = all.filter((one) => one.aside === true && one.input.type !== 'concede');
  if (state.at === 'ST-5' && pick(8) > 0) return randomRoll(state, pick);
  const from = pick(25) === 0 && rare.length > 0 ? rare : usual.length > 0 ? usual : all;
  const chosen = from[pick(from.length)] as LegalInput;
  return acted(chosen);
}

/** Runs one random game; `look` sees every state with the input that comes next. */
function randomGame(seed: number, look: (state: GameState, input: GameInput) => void): GameState {
  const pick = dice(seed ^ 0x5bd1e995);
  let { state } = setup(randomOptions(seed));
  for (let steps = 0; state.winner === null; steps += 1) {
    if (steps > 20_000) throw new Error(`no end in sight in ${state.at}`);
    const input = choose(state, pick);
    look(state, input);
    const outcome = step(state, input);
    if (!outcome.ok) throw new Error(`${state.at}: ${JSON.stringify([input, outcome.refusal])}`);
    state = outcome.state;
  }
  return state;
}

function checkState(state: GameState): void {
  const places = state.cores.map((core) => {
    const waiting = state.returning.filter((one) => one.cores.includes(core.core)).length;
    const unplaced = state.turn === 0 && core.cell === null ? 1 : 0;
    return (core.cell === null ? 0 : 1) + (core.heldBy.length > 0 ? 1 : 0) + waiting + unplaced;
  });
  if (places.length !== 12 || places.some((count) => count !== 1)) throw new Error('a core is lost or twice');
  const cells = state.cores.flatMap((core) => core.cell ?? []);
  if (new Set(cells).size !== cells.length) throw new Error('two cores on a cell');
  for (const side of SIDES) {
    const player = state.players[side];
    const { deck, hand, discard, charged, uncharged } = player;
    for (const pile of [deck, hand, discard, charged, uncharged]) {
      if (pile.count < 0 || pile.known.length > pile.count) throw new Error('a pile is below nothing');
    }
    if (player.pool < 0) throw new Error('Energy below nothing');
    for (const one of player.bakugan) {
      if (!one.open && state.cores.some((core) => core.heldBy.includes(one.id)))
        throw new Error('closed but holds');
    }
  }
  if (state.log.length > 60) throw new Error('log too long');
}

const games = (runs: number, property: (seed: number) => void) =>
  fc.assert(fc.property(fc.nat(), property), { numRuns: runs });

describe('random legal games', () => {
  it('never stick, keep every core, and no count falls below nothing', () => {
    games(120, (seed) => {
      const end = randomGame(seed, (state) => {
        checkState(state);
        const waiting = view(state, { kind: 'public' }).waitingFor;
        if (waiting.length === 0) throw new Error(`nobody is waited for in ${state.at}`);
        for (const { who } of waiting) {
          if (who === 'sensors') continue;
          const listed = legalInputs(state, who).some((one) => who === 'judge' || one.aside !== true);
          if (!listed) throw new Error(`${who} is waited for and can do nothing in ${state.at}`);
        }
      });
      checkState(end);
      expect(end.at).toBe('GO');
    });
  });

  it('accept every listed input as it stands', () => {
    games(25, (seed) => {
      let count = 0;
      randomGame(seed, (state) => {
        count += 1;
        if (count % 7 !== 0) return;
        for (const who of ['A', 'B', 'judge'] as const) {
          for (const one of legalInputs(state, who)) {
            const outcome = step(state, acted(one));
            if (!outcome.ok) throw new Error(`${state.at}: ${one.label}: ${outcome.refusal.message}`);
            for (const event of outcome.events) {
              if (event.rules.length === 0) throw new Error(`${event.type} names no rule`);
            }
          }
        }
      });
    });
  });

  it('go on the same from JSON at any step', () => {
    games(8, (seed) => {
      randomGame(seed, (state, input) => {
        const copy = JSON.parse(JSON.stringify(state)) as GameState;
        expect(JSON.stringify(step(copy, input))).toBe(JSON.stringify(step(state, input)));
      });
    });
  });

  it('are left alone by inputs that are not legal, whatever they are', () => {
    const junk = fc.record(
      {
        type: fc.constantFrom(
          'pass',
          'place',
          'select',
          'energize',
          'flip',
          'tie-flip',
          'modify',
          'rolled',
          'count',
          'x',
        ),
        by: fc.record(
          { role: fc.constantFrom('player', 'judge', 'sensing'), player: fc.constantFrom('A', 'B', 'C') },
          { requiredKeys: ['role'] },
        ),
        roll: fc.anything(),
        results: fc.anything(),
        core: fc.anything(),
        cell: fc.anything(),
        bakugan: fc.anything(),
        count: fc.anything(),
        cost: fc.anything(),
        energize: fc.anything(),
        flipCard: fc.anything(),
        illegal: fc.anything(),
      },
      { requiredKeys: ['type', 'by'] },
    );
    fc.assert(
      fc.property(fc.nat(400), fc.array(junk, { minLength: 20, maxLength: 20 }), (seed, inputs) => {
        let at = 0;
        randomGame(seed, (state) => {
          const input = inputs[at % inputs.length] as unknown as GameInput;
          at += 1;
          if (at > 60) return;
          const before = JSON.stringify(state);
          const outcome = step(state, input);
          expect(JSON.stringify(state)).toBe(before);
          if (outcome.ok) checkState(outcome.state);
          else {
            expect(outcome.refusal.code).toMatch(/^[a-z]+\/[a-z-]+$/);
            expect(outcome.refusal.message).not.toBe('');
            expect(outcome.refusal.rules.length).toBeGreaterThan(0);
          }
        });
      }),
      { numRuns: 12 },
    );
  });

  it('lay and return cores side to side only (4.7.3)', () => {
    games(40, (seed) => {
      let before: GameState | undefined;
      randomGame(seed, (state) => {
        const lying = before?.cores.flatMap((core) => core.cell ?? []) ?? [];
        const laid = state.cores.flatMap((core) => core.cell ?? []).filter((cell) => !lying.includes(cell));
        if (before !== undefined && before.turn > 0 && lying.length > 0) {
          for (const cell of laid) {
            const near = state.options.field.find((one) => one.cell === cell)?.near ?? [];
            if (!near.some((one) => lying.includes(one))) throw new Error(`${cell} touches no core`);
          }
        }
        before = state;
      });
    });
  });

  it('show every audience a JSON value, cues of known cells, and a roll that can be felt', () => {
    games(5, (seed) => {
      randomGame(seed, (state) => {
        const cells = new Set(state.options.field.map((one) => one.cell));
        for (const cue of cues(state)) if ('cell' in cue) expect(cells.has(cue.cell)).toBe(true);
        const now = activity(state);
        expect(now.kind === 'roll').toBe(state.at === 'ST-5');
        if (now.kind === 'roll') expect(now.balls).toHaveLength(2);
        const shown = view(state, { kind: 'public' });
        expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
      });
    });
  });
});

describe('a whole game', () => {
  it('with the demo teams ends with a player who cannot flip', () => {
    const pick = dice(2);
    let { state } = setup(demoOptions(FIXED_12.cells, 3));
    const turns: number[] = [];
    while (state.winner === null) {
      const legal = SIDES.flatMap((side) => legalInputs(state, side)).filter((one) => one.aside !== true);
      const first = legal[0];
      const result = (player: 'A' | 'B') => {
        const lying = state.cores.filter((core) => core.cell !== null);
        const core = lying[pick(lying.length)]?.core ?? '';
        return pick(3) === 0 ? { player, opened: 'no' } : { player, opened: 'yes', cores: [core] };
      };
      const results = [result('A'), result('B')];
      const input: GameInput =
        first === undefined
          ? { type: 'rolled', by: { role: 'sensing' }, roll: state.roll?.id ?? '', results }
          : acted(first);
      const outcome = step(state, input);
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      state = outcome.state;
      turns.push(state.turn);
    }
    expect(turns.at(-1)).toBeGreaterThan(2);
    const loser = state.winner === 'A' ? 'B' : 'A';
    expect(state.players[loser].deck.count).toBe(0);
    expect(state.log.at(-1)?.type).toBe('game/over');
    expect(state.log.at(-1)?.rules).toContain('AM-02');
  });
});
