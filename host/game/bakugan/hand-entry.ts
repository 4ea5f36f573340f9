import { type BakuganId, opponentOf, type Side } from '../../ids.ts';
import type { GameInput, Refusal } from '../ruleset.ts';
import { attackDamage } from './attack.ts';
import type { BatchObject, Deed, Modifier } from './batch.ts';
import { energyOf, payEnergy } from './energy.ts';
import { type Move, nameOf, patch, patchBakugan, patchPlayer, refuse, say, takeCard } from './move.ts';
import { toDiscard } from './piles.ts';
import { actorText, textIn, wholeIn } from './read-input.ts';
import { bakuganOf, sideOf } from './state.ts';
import { titleOf } from './top.ts';

/** Largest change of B-Power that a person may enter; Damage Rating: a hundredth. */
export const MOST_B_POWER = 5000;
/** Largest change of a Damage Rating that a person may enter. */
export const MOST_DAMAGE = 50;
/** Most Energy that a card entered by hand may cost. */
export const MOST_COST = 30;

type ModifyDeed = Extract<Deed, { readonly do: 'modify' }>;

/** A modifier as a person entered it: what it changes, on which Bakugan, and what it costs. */
export type Entered = {
  readonly bakugan: BakuganId;
  readonly modifier: Modifier;
  /** Energy cost of a card played from hand; null for anything that is not such a card. */
  readonly cost: number | null;
};

/** Reads input `modify`: `bakugan`, `bPower`, `damage`, `until`, `label`, and `cost` for a card from hand. */
export function modifierIn(move: Move, input: GameInput): Entered | Refusal {
  const id = textIn(input, 'bakugan');
  const bakugan = id === undefined ? undefined : bakuganOf(move.state, id);
  if (id === undefined || bakugan === undefined) {
    return refuse('modify/no-such-bakugan', 'Say which Bakugan gets it.', '6.2.1.2');
  }
  const bPower = wholeIn(input, 'bPower', -MOST_B_POWER, MOST_B_POWER);
  const damage = wholeIn(input, 'damage', -MOST_DAMAGE, MOST_DAMAGE);
  if (bPower === undefined || damage === undefined) {
    const message = `B-Power changes by at most ${MOST_B_POWER}, Damage by at most ${MOST_DAMAGE}, whole numbers.`;
    return refuse('modify/bad-amount', message, '1.8.1.1');
  }
  if (bPower === 0 && damage === 0) {
    return refuse('modify/nothing', 'Say what changes: B-Power or Damage.', '1.8.1.1');
  }
  const { until } = input;
  if (until !== 'turn' && until !== 'game') {
    return refuse('modify/until', 'Say how long it holds: this turn or the game.', '5.17.1');
  }
  const label = textIn(input, 'label');
  if (label === undefined)
    return refuse('modify/label', 'Name the card or ability, for the record.', '6.2.1.1');
  const cost = input.cost === undefined || input.cost === null ? null : wholeIn(input, 'cost', 0, MOST_COST);
  if (cost === undefined) {
    return refuse('modify/bad-cost', `A cost is a whole number from 0 to ${MOST_COST}.`, '6.2.1');
  }
  const modifier: Modifier = { source: 'hand', label, by: actorText(input.by), bPower, damage, until };
  return { bakugan: id, modifier, cost };
}

/** Pays for a card entered by hand: Energy from the pool, then from charged cards (1.7.1.1); the card leaves the hand. */
export function payCard(move: Move, player: Side, cost: number, label: string): Refusal | undefined {
  const { hand, played } = move.state.players[player];
  const energy = energyOf(move.state, player);
  if (hand.count === 0) return refuse('modify/no-card', 'There is no card in hand to play.', '6.2.1');
  if (energy < cost) {
    const message = `It costs ${cost} Energy, there is ${energy}.`;
    return refuse('modify/too-dear', message, '6.2.1', '1.7.1.1');
  }
  const turned = payEnergy(move, player, cost);
  // What it is nobody knows here but its player: an Action without a Faction, for Flow and the like.
  const card = { id: label, type: 'Action', factions: [], cost } as const;
  patchPlayer(move, player, { hand: takeCard(hand, ''), played: [...played, card], nextCost: 0 });
  const text = `${nameOf(move, player)} plays a card from hand for ${cost} Energy.`;
  say(move, 'batch/paid', ['6.2.1', '1.7.1.1'], text, { player, cost, uncharged: turned });
  return undefined;
}

function amounts(modifier: Modifier): string {
  const sign = (value: number) => (value > 0 ? `+${value}` : `${value}`);
  const parts = [
    ...(modifier.bPower === 0 ? [] : [`${sign(modifier.bPower)} B-Power`]),
    ...(modifier.damage === 0 ? [] : [`${sign(modifier.damage)} Damage`]),
  ];
  return `${parts.join(' and ')} ${modifier.until === 'turn' ? 'this turn' : 'for the game'}`;
}

/** Lays a modifier on a Bakugan and says who entered it. */
export function applyModifier(move: Move, id: BakuganId, modifier: Modifier): void {
  const bakugan = bakuganOf(move.state, id);
  if (bakugan === undefined) return;
  patchBakugan(move, id, { modifiers: [...bakugan.modifiers, modifier] });
  const text = `${modifier.label}: ${titleOf(move.state, bakugan)} gets ${amounts(modifier)}; entered by ${modifier.by}.`;
  const { label, by, bPower, damage, until } = modifier;
  say(move, 'modify/applied', ['6.2.1', '1.3.1'], text, { bakugan: id, label, by, bPower, damage, until });
}

/**
 * A hand-entered card happens. In response to a Flip card the attacker's changes of the Victor's damage have no effect
 * (5.11.2.1.1); those of the Flip's owner change the attack that is under way (AM-25).
 */
export function carryOutModify(move: Move, object: BatchObject, deed: ModifyDeed): void {
  const { state } = move;
  const { controller } = object;
  if (deed.card) toDiscard(move, controller, [object.label]);
  const { damage, victor } = state;
  const ownAttack = state.at === 'ST-10f' && damage?.by === 'victor' && controller === opponentOf(damage.to);
  const bites = deed.modifier.damage !== 0 && victor !== null && sideOf(deed.bakugan) === victor;
  if (ownAttack && bites) {
    const text = `${object.label} cannot change the damage of an attack that a Flip card answers.`;
    say(move, 'damage/no-effect', ['5.11.2.1.1'], text, { id: object.id });
    if (deed.modifier.bPower === 0) return;
    applyModifier(move, deed.bakugan, { ...deed.modifier, damage: 0 });
    return;
  }
  applyModifier(move, deed.bakugan, deed.modifier);
  if (state.at === 'ST-10f' && damage !== null && !damage.stopped && bites) {
    const amount = Math.max(damage.flipped, attackDamage(move.state));
    patch(move, { damage: { ...damage, amount } });
    say(move, 'damage/changed', ['5.11.2.1', 'AM-25'], `The attack deals ${amount}.`, { amount });
  }
}
