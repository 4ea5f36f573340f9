import type { InnerStep, Todo } from '../batch.ts';
import type { Step } from '../cards/vocabulary.ts';
import { attackByCard, compareDamage, drawDamage, endTurn, stopAttack } from './attacks.ts';
import {
  discardCards,
  discardSome,
  drawCards,
  lookAtTop,
  mixDeck,
  orderTop,
  returnCard,
  revealCards,
  searchDeck,
  shuffleIn,
  shuffleSome,
} from './cards.ts';
import type { Doing, Done, Effect } from './effect.ts';
import { charge, destroyEnergy, energize, energizeSome, gainEnergy, uncharge } from './energy.ts';
import {
  attachCore,
  attachSome,
  detachCores,
  pickNow,
  reroll,
  retractNow,
  rollAgain,
  swapBack,
  swapCores,
  turnCore,
} from './field.ts';
import { changeNextCost, flipCoin, ifMet, mayDo, setFacts, setUpLater } from './flow.ts';
import { chooseOne, copyText, destroy, destroyAll, negate, playFree, takeControl } from './in-play.ts';
import { addValues, setValue } from './values.ts';

/** What each word of the vocabulary does. */
export const EFFECTS: { readonly [Word in (Step | InnerStep)['do']]: Effect<Word> } = {
  add: addValues,
  set: setValue,
  draw: drawCards,
  discard: discardCards,
  energize,
  energy: gainEnergy,
  charge,
  uncharge,
  destroy,
  'destroy-all': destroyAll,
  'destroy-energy': destroyEnergy,
  control: takeControl,
  negate,
  copy: copyText,
  retract: retractNow,
  reroll,
  attack: attackByCard,
  stop: stopAttack,
  'draw-damage': drawDamage,
  'compare-damage': compareDamage,
  'end-turn': endTurn,
  attach: attachCore,
  detach: detachCores,
  swap: swapCores,
  'turn-core': turnCore,
  play: playFree,
  search: searchDeck,
  return: returnCard,
  shuffle: shuffleIn,
  look: lookAtTop,
  reveal: revealCards,
  coin: flipCoin,
  'next-cost': changeNextCost,
  later: setUpLater,
  may: mayDo,
  if: ifMet,
  choose: chooseOne,
  '#pick': pickNow,
  '#discard': discardSome,
  '#energize': energizeSome,
  '#attach': attachSome,
  '#shuffle': shuffleSome,
  '#order': orderTop,
  '#swap-back': swapBack,
  '#roll-again': rollAgain,
  '#mix': mixDeck,
  '#you': setFacts,
};

/** Carries out one step. */
export function carryOut(doing: Doing, todo: Todo): Done {
  // The table pairs each word with its own effect, which the type of a lookup by a union cannot say.
  const effect = EFFECTS[todo.step.do] as (doing: Doing, step: Step | InnerStep) => Done;
  return effect(doing, todo.step);
}
