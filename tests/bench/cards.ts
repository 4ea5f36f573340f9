/**
 * Whole turns of games with dealt decks of all sets a CPU second, on one core: every input chosen from the list of legal
 * inputs, the same inputs folded again without the list, and as a play. Then one match made very long, to see that a
 * step costs the same at its end.
 */
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { dice, nextInput } from '../../host/game/bakugan/bot.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import { type Play, playInput, startPlay } from '../../host/game/play.ts';
import type { GameInput } from '../../host/game/ruleset.ts';
import { randomOptions } from '../support/bakugan-soak.ts';

const cpuSeconds = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
};
const rate = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en');

const GAMES = Number(process.argv[2] ?? 300);
const games: { options: ReturnType<typeof randomOptions>; inputs: GameInput[] }[] = [];
let turns = 0;
let steps = 0;
const listed = cpuSeconds(() => {
  for (let seed = 1; seed <= GAMES; seed += 1) {
    const options = randomOptions(seed);
    const pick = dice(seed * 7919);
    let { state } = bakugan.setup(options);
    const inputs: GameInput[] = [];
    for (;;) {
      const input = nextInput(state, { A: 'random', B: 'random' }, pick);
      if (input === undefined) break;
      const outcome = bakugan.step(state, input);
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      state = outcome.state;
      inputs.push(input);
    }
    turns += state.turn;
    steps += inputs.length;
    games.push({ options, inputs });
  }
});
const starts = games.map(({ options }) => bakugan.setup(options).state);
const folded = cpuSeconds(() => {
  for (const [index, { inputs }] of games.entries()) {
    let state = starts[index] as GameState;
    for (const input of inputs) {
      const outcome = bakugan.step(state, input);
      if (outcome.ok) state = outcome.state;
    }
  }
});
const played = cpuSeconds(() => {
  for (const { options, inputs } of games) {
    let play = startPlay(bakugan, options);
    for (const input of inputs) {
      const outcome = playInput(play, bakugan, input);
      if (outcome.ok) play = outcome.play;
    }
  }
});
console.log(`${GAMES} games, ${turns} turns, ${steps} inputs, ${(steps / turns).toFixed(1)} inputs a turn`);
console.log(`from the list of legal inputs: ${rate(turns, listed)} turns a CPU second`);
console.log(`step alone:                    ${rate(turns, folded)} turns, ${rate(steps, folded)} inputs`);
console.log(`as a play, set-up included:    ${rate(turns, played)} turns, ${rate(steps, played)} inputs`);

// A match without end: judges' corrections keep the decks full.
const judge = { role: 'judge', name: 'J' } as const;
let play: Play<GameState> = startPlay(bakugan, randomOptions(3));
const correct: GameInput = { type: 'count', by: judge, player: 'A', zone: 'pool', count: 1, reason: 'x' };
const one: GameInput = { ...correct, zone: 'charged', count: 9 };
const block = (n: number): number =>
  cpuSeconds(() => {
    for (let i = 0; i < n; i += 1) {
      const outcome = playInput(play, bakugan, { ...one, count: 5 + (i % 3) });
      if (outcome.ok) play = outcome.play;
    }
  });
block(2000);
const early = block(5000);
block(20_000);
// Exact with `node --expose-gc`.
const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const heapBefore = heap();
const late = block(5000);
const heapAfter = heap();
const grown = (heapAfter - heapBefore) / 5000;
console.log(
  `5,000 inputs at 2,000: ${early.toFixed(3)} s; at 27,000: ${late.toFixed(3)} s; heap ${grown.toFixed(0)} bytes an input`,
);
