import { describe, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { dice, nextInput, type Style } from '../host/game/bakugan/bot.ts';
import { playInput, startPlay } from '../host/game/play.ts';
import { checkStep, randomOptions } from './support/bakugan-soak.ts';

// Vitest turns imports into property access; hot loops take local copies.
const { step, setup } = bakugan;

function game(seed: number, styles: { readonly A: Style; readonly B: Style }): void {
  const pick = dice(seed * 7919);
  const options = randomOptions(seed);
  let { state } = setup(options);
  let play = startPlay(bakugan, options);
  for (let steps = 0; state.winner === null; steps += 1) {
    if (steps > 20_000) throw new Error(`seed ${seed}: no end in sight in ${state.at}`);
    const input = nextInput(state, styles, pick);
    if (input === undefined) throw new Error(`seed ${seed}: nobody can act in ${state.at}`);
    const outcome = step(state, input);
    if (!outcome.ok) throw new Error(`seed ${seed}: ${state.at} refused ${JSON.stringify(input)}`);
    checkStep(state, input, outcome.state, outcome.events, steps);
    const played = playInput(play, bakugan, input);
    if (!played.ok) throw new Error(`seed ${seed}: the play refuses what the game took`);
    play = played.play;
    state = outcome.state;
  }
  if (JSON.stringify(play.state) !== JSON.stringify(state)) throw new Error('a play is not its inputs');
}

describe('whole games with dealt decks of all sets, every open reading at random', () => {
  it('of random bots: always a legal input, cards and cores all there, nothing seen that is hidden', () => {
    for (let seed = 1; seed <= 20; seed += 1) game(seed, { A: 'random', B: 'random' });
  });
  it('of a greedy bot against a random one', () => {
    for (let seed = 500; seed < 503; seed += 1) game(seed, { A: 'greedy', B: 'random' });
  });
});
