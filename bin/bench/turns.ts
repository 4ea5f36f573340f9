/**
 * Whole turns of the bakugan ruleset a CPU second, on one core: every input chosen from the list of legal inputs, and
 * the same inputs folded again without the list.
 */
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import { playInput, startPlay } from '../../host/game/play.ts';
import type { GameInput } from '../../host/game/ruleset.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

let seed = 12345;
const pick = (sides: number): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return (seed >>> 8) % sides;
};

const cpuSeconds = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
};

function rollOf(state: GameState): GameInput {
  const cores = state.cores.filter((core) => core.cell !== null);
  const result = (player: 'A' | 'B') => {
    const core = cores[pick(cores.length)];
    return pick(10) < 7 && core !== undefined
      ? { player, opened: 'yes', cores: [core.core] }
      : { player, opened: 'no' };
  };
  return {
    type: 'rolled',
    by: { role: 'sensing' },
    roll: state.roll?.id ?? '',
    results: [result('A'), result('B')],
  };
}

function nextInput(state: GameState): GameInput {
  if (state.at === 'ST-5') return rollOf(state);
  for (const player of ['A', 'B'] as const) {
    const list = bakugan.legalInputs(state, player).filter((one) => one.aside !== true);
    const chosen = state.at === 'ST-10' ? list[0] : list[pick(list.length)];
    if (chosen !== undefined) return { ...chosen.input, by: { role: 'automatic', player } };
  }
  const ruled = bakugan.legalInputs(state, 'judge')[0];
  return { ...ruled?.input, type: ruled?.input.type ?? 'none', by: { role: 'judge' } };
}

const GAMES = 3000;
const games: { options: Parameters<typeof startPlay>[1]; inputs: GameInput[] }[] = [];
let turns = 0;
let steps = 0;
const listed = cpuSeconds(() => {
  for (let game = 0; game < GAMES; game += 1) {
    const options = demoOptions(FIXED_12.cells, game);
    let { state } = bakugan.setup(options);
    const inputs: GameInput[] = [];
    while (state.winner === null) {
      const input = nextInput(state);
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
const folded = cpuSeconds(() => {
  for (const { options, inputs } of games) {
    let { state } = bakugan.setup(options);
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
const rate = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en');
console.log(`${GAMES} games, ${turns} turns, ${steps} inputs`);
console.log(`from the list of legal inputs: ${rate(turns, listed)} turns a CPU second`);
console.log(`step alone:                    ${rate(turns, folded)} turns, ${rate(steps, folded)} inputs`);
console.log(`as a play:                     ${rate(turns, played)} turns, ${rate(steps, played)} inputs`);
