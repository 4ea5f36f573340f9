import { roll } from '../chance.ts';
import { isMet } from '../conditions.ts';
import { nameOf, patch, patchPlayer, say } from '../move.ts';
import { knownCard } from '../top.ts';
import { NO_FACTS } from '../triggers.ts';
import { ask, type Doing, did, type Effect, first, readingOf, sidesOf, sourceOf, tell } from './effect.ts';

/** `if`: one part or the other. */
export const ifMet: Effect<'if'> = (doing, step) => {
  const met = isMet(doing.move.state, readingOf(doing), step.is);
  first(doing, met ? step.yes : (step.no ?? []));
  return 'done';
};

function canPay(doing: Doing, pay: Parameters<Effect<'may'>>[1]['pay']): boolean {
  if (pay === undefined) return true;
  const { hand } = doing.move.state.players[doing.you];
  const unknown = hand.count - hand.known.length;
  const fit = hand.known.filter((id) => {
    const card = knownCard(doing.move.state, id);
    return pay.types === undefined || (card !== undefined && pay.types.includes(card.type));
  });
  return fit.length + unknown >= pay.discard;
}

// A part that could do nothing is not asked about.
function isIdle(doing: Doing, step: Parameters<Effect<'may'>>[1]): boolean {
  const [only, ...more] = step.yes;
  if (more.length > 0 || only === undefined) return false;
  const { hand, deck } = doing.move.state.players[doing.you];
  if (only.do === 'energize' && only.from === 'hand' && only.who === undefined) return hand.count === 0;
  if (only.do === 'draw' && only.who === undefined) return deck.count === 0;
  return only.do === 'reroll' && doing.move.state.at !== 'ST-8';
}

/** `may`: asked as it happens (1.13), with what is given up for it (2.3.2). */
export const mayDo: Effect<'may'> = (doing, step) => {
  const { move, you, answer } = doing;
  const who = sidesOf(doing, step.who);
  if (who.length > 1 || (who[0] !== undefined && who[0] !== you)) {
    const { who: _, ...alone } = step;
    for (const side of [...who].reverse()) first(doing, [alone], side);
    return 'done';
  }
  const { label } = doing.resolving.object;
  if (!canPay(doing, step.pay) || isIdle(doing, step)) {
    if (isIdle(doing, step)) say(move, 'batch/nothing', ['1.3.4'], `${label}: there is nothing to do.`);
    first(doing, step.no ?? []);
    return did(doing, false);
  }
  if (answer === null) {
    return ask(doing, {
      kind: 'may',
      player: you,
      rules: ['1.13'],
      options: [
        { value: 'yes', label: `Use ${label}` },
        { value: 'no', label: `Do not use ${label}` },
      ],
    });
  }
  if (answer !== 'yes') {
    const text = `${nameOf(move, you)} does not use ${label}.`;
    say(move, 'batch/declined', ['1.13', '6.3.2'], text, { id: doing.resolving.object.id });
    first(doing, step.no ?? []);
    return did(doing, false);
  }
  const { pay } = step;
  const paying =
    pay === undefined
      ? []
      : [{ do: '#discard' as const, n: pay.discard, who: you, by: you, types: pay.types ?? null }];
  if (pay !== undefined) tell(move, { moved: { A: 0, B: 0 }, movedCost: 0 });
  first(doing, [...paying, ...step.yes, ...(step.repeat === true ? [step] : [])]);
  return did(doing, true);
};

/** `later`: something waits for a moment of this turn. */
export const setUpLater: Effect<'later'> = (doing, step) => {
  const { move, you } = doing;
  const facts = move.state.resolving?.facts ?? NO_FACTS;
  const { label } = doing.resolving.object;
  const watch = { controller: you, label, when: step.when, from: sourceOf(doing), steps: step.steps, facts };
  patch(move, { watches: [...move.state.watches, watch] });
  say(
    move,
    'batch/later',
    ['6.3.1'],
    `${label} waits for its moment.`,
    { id: doing.resolving.object.id },
    'quiet',
  );
  return did(doing, true);
};

/** `coin`: by the game's own chance. */
export const flipCoin: Effect<'coin'> = (doing) => {
  const { move, you } = doing;
  const heads = roll(move, 2) === 1;
  tell(move, { heads });
  const text = `${nameOf(move, you)} flips a coin: ${heads ? 'heads' : 'tails'}.`;
  say(move, 'batch/coin', ['6.2.1'], text, { heads });
  return did(doing, heads);
};

/** `next-cost`: the next card of this player costs more or less (1.15.2). */
export const changeNextCost: Effect<'next-cost'> = (doing, step) => {
  const { move, you } = doing;
  patchPlayer(move, you, { nextCost: move.state.players[you].nextCost + step.by });
  const text = `The next card of ${nameOf(move, you)} costs ${step.by < 0 ? -step.by : step.by} ${step.by < 0 ? 'less' : 'more'}.`;
  say(move, 'batch/next-cost', ['1.15.2'], text, { player: you, by: step.by });
  return did(doing, true);
};

/** Facts set before steps. */
export const setFacts: Effect<'#you'> = (doing, step) => {
  tell(doing.move, step.facts);
  return 'done';
};
