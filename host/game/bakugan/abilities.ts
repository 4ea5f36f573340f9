import { type BakuganId, opponentOf, type Side } from '../../ids.ts';
import { cardOf, titleOf } from './bonus.ts';
import { type Move, nameOf, patch, patchBakugan, patchPlayer, say, zoneOf } from './move.ts';
import { type BatchObject, bakuganOf, brawlerOf, type Deed } from './state.ts';

type Moment = 'opens' | 'victor';

/** Puts a number on a new batch object. */
export function newObject(move: Move, controller: Side, label: string, deed: Deed): BatchObject {
  const id = move.state.objects + 1;
  patch(move, { objects: id });
  return { id, controller, label, deed };
}

/** Abilities of this Bakugan that trigger at a moment, as new batch objects in printed order (6.3.2, 1.3.3). */
export function triggered(move: Move, moment: Moment, id: BakuganId, side: Side): readonly BatchObject[] {
  const bakugan = bakuganOf(move.state, id);
  if (bakugan === undefined) return [];
  const objects: BatchObject[] = [];
  for (const text of cardOf(bakugan).text) {
    if (text.when !== moment) continue;
    const label = `${titleOf(bakugan)}: ${moment === 'victor' ? 'Victor' : 'on opening'}`;
    objects.push(newObject(move, side, label, { ...text.deed, source: id }));
  }
  return objects;
}

function weaken(move: Move, object: BatchObject, damage: number): void {
  const target = brawlerOf(move.state, opponentOf(object.controller));
  if (target === undefined) {
    say(move, 'batch/nothing', ['1.3.4'], `${object.label}: there is no opposing Bakugan.`, {
      id: object.id,
    });
    return;
  }
  const modifier = {
    source: 'card',
    label: object.label,
    by: object.label,
    bPower: 0,
    damage,
    until: 'turn',
  } as const;
  patchBakugan(move, target.id, { modifiers: [...target.modifiers, modifier] });
  const text = `${object.label}: ${titleOf(target)} gets ${damage} Damage this turn.`;
  say(move, 'batch/modified', ['6.3.2'], text, { id: object.id, bakugan: target.id, damage });
}

function discard(move: Move, object: BatchObject, count: number): void {
  const player = opponentOf(object.controller);
  const state = move.state.players[player];
  const done = Math.min(count, state.hand.count);
  patchPlayer(move, player, { hand: zoneOf(state.hand, -done), discard: zoneOf(state.discard, done) });
  const text = `${object.label}: ${nameOf(move, player)} discards ${done} from hand.`;
  say(move, 'batch/discarded', ['6.3.2', '1.3.4'], text, { id: object.id, player, count: done });
}

/** A triggered ability happens. One with "may" asks its controller first. */
export function happen(move: Move, object: BatchObject): void {
  const { deed, controller } = object;
  const player = move.state.players[controller];
  switch (deed.do) {
    case 'weaken':
      weaken(move, object, deed.damage);
      return;
    case 'discard':
      discard(move, object, deed.count);
      return;
    case 'energy': {
      patchPlayer(move, controller, { pool: player.pool + deed.amount });
      const text = `${object.label}: ${nameOf(move, controller)} gets ${deed.amount} Energy this turn.`;
      say(move, 'batch/energy', ['1.7', '6.3.2'], text, { player: controller, amount: deed.amount });
      return;
    }
    case 'energize':
      if (player.hand.count > 0) patch(move, { decision: object });
      else say(move, 'batch/nothing', ['1.3.4'], `${object.label}: no card in hand.`, { id: object.id });
      return;
    case 'modify':
    case 'flip':
      return;
    default:
      deed satisfies never;
  }
}

/** The controller of a waiting ability says yes or no to its "may". */
export function decide(move: Move, object: BatchObject, yes: boolean): void {
  patch(move, { decision: null });
  const { controller } = object;
  const { hand, uncharged } = move.state.players[controller];
  if (!yes || hand.count === 0) {
    say(
      move,
      'batch/declined',
      ['1.13', '6.3.2'],
      `${nameOf(move, controller)} does not use ${object.label}.`,
      {
        id: object.id,
      },
    );
    return;
  }
  patchPlayer(move, controller, { hand: zoneOf(hand, -1), uncharged: zoneOf(uncharged, 1) });
  const text = `${object.label}: ${nameOf(move, controller)} energizes a card from hand, uncharged.`;
  say(move, 'batch/energized', ['6.3.2'], text, { id: object.id, player: controller });
}
