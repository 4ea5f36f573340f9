/**
 * Random games with dealt decks of all sets, to their end, with what must hold at every step. Arguments: how many games,
 * the first seed. Ends with 1 when something does not hold.
 */
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { dice, nextInput } from '../../host/game/bakugan/bot.ts';
import { checkStep, randomOptions } from '../support/bakugan-soak.ts';

const games = Number(process.argv[2] ?? 1000);
const firstSeed = Number(process.argv[3] ?? 1);
const before = process.cpuUsage();
let turns = 0;
let inputs = 0;
let draws = 0;
const endings = new Map<string, number>();
for (let seed = firstSeed; seed < firstSeed + games; seed += 1) {
  const pick = dice(seed * 7919);
  let { state } = bakugan.setup(randomOptions(seed));
  let steps = 0;
  try {
    for (;;) {
      const input = nextInput(state, { A: 'random', B: 'random' }, pick);
      if (input === undefined) break;
      const outcome = bakugan.step(state, input);
      if (!outcome.ok)
        throw new Error(`${state.at} refused ${JSON.stringify(input)}: ${outcome.refusal.message}`);
      checkStep(state, input, outcome.state, outcome.events, steps);
      state = outcome.state;
      steps += 1;
      if (steps > 40_000) throw new Error(`no end in sight in ${state.at}`);
    }
    if (state.winner === null) throw new Error(`nobody can act in ${state.at}`);
  } catch (error) {
    console.error(
      `seed ${seed}, turn ${state.turn}, step ${steps}: ${error instanceof Error ? error.stack : error}`,
    );
    process.exit(1);
  }
  turns += state.turn;
  if (seed % 1000 === 0) console.error(`seed ${seed} done`);
  inputs += steps;
  if (state.winner === 'draw') draws += 1;
  const last = state.log.at(-1)?.rules.join(' ') ?? '';
  endings.set(last, (endings.get(last) ?? 0) + 1);
}
const used = process.cpuUsage(before);
const seconds = (used.user + used.system) / 1e6;
console.log(
  `${games} games, ${turns} turns, ${inputs} inputs, ${draws} draws, ${seconds.toFixed(1)} CPU seconds`,
);
for (const [rules, count] of endings) console.log(`  ended by ${rules}: ${count}`);
