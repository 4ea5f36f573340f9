import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { dice, nextInput, randomTeam } from '../../host/game/bakugan/bot.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import { playInput, startPlay } from '../../host/game/play.ts';
import type { GameInput } from '../../host/game/ruleset.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

/** Whole games as they were played by bots: where each began, and every input. */
export interface PlayedGames {
  readonly games: readonly { readonly options: BakuganOptions; readonly inputs: readonly GameInput[] }[];
  readonly turns: number;
  readonly steps: number;
  /** CPU time of playing them from the list of legal inputs, s. */
  readonly listedS: number;
}

/** Decks known and dealt by the game, or decks of cards that nobody knows. */
export type Decks = 'dealt' | 'counts';

/** CPU time of a piece of work on this core, s. */
export function cpuSeconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
}

function optionsFor(decks: Decks, seed: number): BakuganOptions {
  const base = demoOptions(FIXED_12.cells, seed);
  if (decks === 'counts') return base;
  const pick = dice(seed);
  return { ...base, players: { A: randomTeam(pick, 'P'), B: randomTeam(pick, 'Q') }, hands: 'dealt' };
}

/** Games of random bots, one after the other, until so many turns are played. */
export function playGames(decks: Decks, turns: number): PlayedGames {
  const games: { options: BakuganOptions; inputs: GameInput[] }[] = [];
  let played = 0;
  let steps = 0;
  const listedS = cpuSeconds(() => {
    for (let seed = 1; played < turns; seed += 1) {
      const options = optionsFor(decks, seed);
      const pick = dice(seed * 7919);
      let { state } = bakugan.setup(options);
      const inputs: GameInput[] = [];
      for (;;) {
        const input = nextInput(state, { A: 'random', B: 'random' }, pick);
        if (input === undefined) break;
        state = stepped(state, input);
        inputs.push(input);
      }
      played += state.turn;
      steps += inputs.length;
      games.push({ options, inputs });
    }
  });
  return { games, turns: played, steps, listedS };
}

function stepped(state: GameState, input: GameInput): GameState {
  const outcome = bakugan.step(state, input);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.state;
}

/** CPU time of the same inputs once more through the rules alone, from where each game began, s. */
export function foldGames({ games }: PlayedGames): number {
  const starts = games.map(({ options }) => bakugan.setup(options).state);
  return cpuSeconds(() => {
    for (const [index, { inputs }] of games.entries()) {
      let state = starts[index];
      if (state === undefined) continue;
      for (const input of inputs) state = stepped(state, input);
    }
  });
}

/** CPU time of the same inputs as matches that keep every input, set-up included, s. */
export function keepGames({ games }: PlayedGames): number {
  return cpuSeconds(() => {
    for (const { options, inputs } of games) {
      let play = startPlay(bakugan, options);
      for (const input of inputs) {
        const outcome = playInput(play, bakugan, input);
        if (!outcome.ok) throw new Error(outcome.refusal.message);
        play = outcome.play;
      }
    }
  });
}

/** Inputs of one endless match: bots play, and a judge fills the decks up each turn. */
export function endlessMatch(): {
  next(): void;
  readonly seq: number;
  readonly turn: number;
  /** Of the state as JSON, without the inputs that are kept beside it. */
  readonly stateBytes: number;
} {
  const pick = dice(99);
  let play = startPlay(bakugan, optionsFor('counts', 5));
  let filled = 0;
  const give = (input: GameInput): void => {
    const outcome = playInput(play, bakugan, input);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    play = outcome.play;
  };
  const fill = (zone: 'deck' | 'hand', count: number): void => {
    for (const player of ['A', 'B'] as const)
      give({ type: 'count', by: { role: 'judge' }, player, zone, count, reason: 'Bench.' });
  };
  return {
    next() {
      const { state } = play;
      if (state.at === 'ST-2' && state.turn > filled) {
        filled = state.turn;
        fill('deck', 100);
        fill('hand', 8);
        return;
      }
      const input = nextInput(state, { A: 'random', B: 'random' }, pick);
      if (input === undefined) throw new Error('The endless match ended.');
      give(input);
    },
    get seq() {
      return play.seq;
    },
    get turn() {
      return play.state.turn;
    },
    get stateBytes() {
      return JSON.stringify(play.state).length;
    },
  };
}
