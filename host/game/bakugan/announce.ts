import type { BakuganId, Side } from '../../ids.ts';
import type { BatchObject, Choices, Deed } from './batch.ts';
import type { CardData, Step } from './cards/vocabulary.ts';
import { playClauses, waysOf } from './choices.ts';
import { typesOf } from './conditions.ts';
import { costOf, payOf } from './costs.ts';
import { energyOf, payEnergy } from './energy.ts';
import { type Move, nameOf, patch, patchPlayer, say } from './move.ts';
import { discardFromHand } from './piles.ts';
import type { GameState } from './state.ts';
import { bakuganOf } from './state.ts';
import { evolves, knownCard, ruleOn, titleOf } from './top.ts';
import { newObject } from './triggers.ts';
import type { CoreType } from './view.ts';

/** One way of playing a card. */
export type Announcement = {
  readonly card: string;
  readonly choices: Choices;
  /** Bakugan that an Evo goes on. */
  readonly on: BakuganId | null;
  /** Cards given up (6.2.1.3); `''` is one that nobody knows. */
  readonly pay: readonly string[];
  readonly cost: number;
};

type How = {
  readonly free?: boolean;
  /** A card that was flipped as damage. */
  readonly flipped?: boolean;
  /** Where the card lies now, so that it is not given up for itself. */
  readonly inHand?: boolean;
};

function sets(state: GameState, you: Side, card: CardData, how: How): readonly (readonly string[])[] {
  const pay = payOf(card);
  if (pay === undefined || how.free === true) return [[]];
  const { hand } = state.players[you];
  const known = [...hand.known];
  if (how.inHand === true && known.includes(card.id)) known.splice(known.lastIndexOf(card.id), 1);
  const usable = known.filter((id) => {
    const one = knownCard(state, id);
    return pay.types === undefined || (one !== undefined && pay.types.includes(one.type));
  });
  const unknown =
    hand.count - hand.known.length - (how.inHand === true && !hand.known.includes(card.id) ? 1 : 0);
  const all = [...usable, ...Array.from({ length: Math.max(0, unknown) }, () => '')];
  if (all.length < pay.discard) return [[]];
  const found = new Map<string, readonly string[]>();
  if (pay.discard === 1) for (const id of all) found.set(id, [id]);
  else {
    for (let first = 0; first < all.length; first += 1) {
      const some = all.slice(first, first + pay.discard);
      if (some.length === pay.discard) found.set(some.join(' '), some);
    }
  }
  return [[], ...found.values()];
}

/** Attackers that a Stop can stop: some step of this Flip can, or it does something else too (AM-27). */
function hasEffect(state: GameState, you: Side, card: CardData): boolean {
  if (card.type !== 'Flip') return true;
  const steps = playClauses(card).flatMap((clause) => clause.do);
  const stops = steps.filter((step) => step.do === 'stop');
  if (stops.length === 0 || stops.length < steps.length) return true;
  return stops.some((step) => canStop(state, you, step));
}

type Stop = Extract<Step, { do: 'stop' }>;

/** Whether a Stop can end the attack that is going on (AM-27, AM-41). */
export function canStop(state: GameState, you: Side, stop: Stop): boolean {
  const { damage } = state;
  if (damage === null || damage.to !== you) return false;
  if (stop.factions !== undefined && !damage.factions.some((one) => stop.factions?.includes(one)))
    return false;
  if (stop.not !== undefined && damage.factions.some((one) => stop.not?.includes(one))) return false;
  if (stop.holds !== undefined) {
    const types = damage.attacker === null ? [] : typesFor(state, damage.attacker);
    return types.some((type) => stop.holds?.includes(type));
  }
  return true;
}

function typesFor(state: GameState, id: BakuganId): readonly CoreType[] {
  const bakugan = bakuganOf(state, id);
  return bakugan === undefined ? [] : typesOf(state, bakugan);
}

/** Every way in which this player may play a card now; none when it cannot be (1.13, 6.2.1). */
export function announcements(
  state: GameState,
  you: Side,
  card: CardData,
  how: How = {},
): readonly Announcement[] {
  if (card.type === 'Character' || (card.type === 'Flip') !== (how.flipped === true)) return [];
  if (!hasEffect(state, you, card)) return [];
  const ons: readonly (BakuganId | null)[] =
    card.type === 'Evo'
      ? state.players[you].bakugan.filter((one) => evolves(state, card, one)).map((one) => one.id)
      : [null];
  if (ons.length === 0) return [];
  const from = { card: card.id, owner: you, hero: null, bakugan: null };
  const ways = waysOf(state, you, card, from);
  if (ways.length === 0) return [];
  const energy = energyOf(state, you);
  const list: Announcement[] = [];
  for (const pay of sets(state, you, card, how)) {
    const top = card.cost === 'X' && how.free !== true ? energy : 0;
    for (let x = 0; x <= top; x += 1) {
      const terms = { free: how.free === true, pays: pay.length > 0, x };
      const cost = costOf(state, you, card, terms);
      if (cost > energy) continue;
      for (const on of ons) {
        for (const way of ways) {
          const choices = card.cost === 'X' ? { ...way, x: `${x}` } : way;
          list.push({ card: card.id, choices, on, pay, cost });
        }
      }
    }
  }
  return list;
}

/** What a card does on the batch, with the choices made for it. */
function objectOf(move: Move, you: Side, owner: Side, said: Announcement, card: CardData): BatchObject {
  const on = said.on === null ? undefined : bakuganOf(move.state, said.on);
  const label = on === undefined ? card.name : `${card.name} on ${titleOf(move.state, on)}`;
  const deed: Deed = {
    do: 'card',
    card: card.id,
    owner,
    choices: { ...said.choices, self: card.id },
    on: said.on,
  };
  return newObject(move, you, label, deed);
}

/**
 * Plays a card that has left the pile it was in: pays (6.2.1, 6.2.1.3), counts it among the cards of this turn, and gives
 * the object for the batch.
 */
export function announce(
  move: Move,
  you: Side,
  owner: Side,
  said: Announcement,
  card: CardData,
): BatchObject {
  const player = move.state.players[you];
  const x = Number(said.choices.x ?? 0);
  const turned = payEnergy(move, you, said.cost);
  patchPlayer(move, you, {
    nextCost: 0,
    played: [
      ...player.played,
      {
        id: card.id,
        type: card.type,
        factions: card.factions,
        cost: card.cost === 'X' ? x : (card.cost ?? 0),
      },
    ],
  });
  const text = `${nameOf(move, you)} plays ${card.name} for ${said.cost} Energy.`;
  const data = { player: you, card: card.id, cost: said.cost, uncharged: turned };
  say(move, 'batch/paid', ['6.2.1', '1.7.1.1', '1.7.1.1.1'], text, data);
  for (const one of said.pay) discardFromHand(move, you, one);
  if (said.pay.length > 0) {
    const also = `${nameOf(move, you)} also gives up ${said.pay.length} from hand.`;
    say(move, 'batch/given-up', ['2.3.2', '6.2.1.3'], also, { player: you, count: said.pay.length });
  }
  return objectOf(move, you, owner, said, card);
}

/** How often this Action is copied as it is played: by a text that waited for it, and for the first of a turn. */
export function copiesOnPlay(move: Move, you: Side, card: CardData): number {
  if (card.type !== 'Action') return 0;
  const waiting = move.state.copies[you];
  if (waiting > 0) patch(move, { copies: { ...move.state.copies, [you]: 0 } });
  const isFirst = move.state.players[you].played.filter((one) => one.type === 'Action').length === 1;
  return waiting + (isFirst && ruleOn(move.state, 'copy-first-action', you) ? 1 : 0);
}

/** The text of an Action as an object of its own, with choices made when it happens (D-2.13). */
export function copyObject(move: Move, you: Side, card: CardData): BatchObject {
  const clauses = playClauses(card);
  const deed: Deed = {
    do: 'text',
    from: { card: card.id, owner: you, hero: null, bakugan: null },
    picks: clauses.flatMap((clause) => clause.picks ?? []),
    steps: clauses.flatMap((clause) => clause.do),
    it: null,
    kept: null,
  };
  return newObject(move, you, `Copy of ${card.name}`, deed);
}
