import { opponentOf } from '../../../ids.ts';
import { attackDamage } from '../attack.ts';
import type { Modifier } from '../batch.ts';
import { inLimit } from '../bonus.ts';
import { amountOf, targetsOf } from '../conditions.ts';
import { type Move, patch, patchBakugan, patchPlayer, say } from '../move.ts';
import { type BakuganState, sideOf } from '../state.ts';
import { cardIn, titleOf } from '../top.ts';
import { type Doing, did, type Effect, readingOf, sourceOf } from './effect.ts';

const signed = (value: number, what: string) =>
  value === 0 ? [] : [`${value > 0 ? '+' : ''}${value} ${what}`];

function wordsOf(modifier: Modifier): string {
  const words = [
    ...(modifier.setBPower === undefined ? [] : [`B-Power ${modifier.setBPower}`]),
    ...signed(modifier.bPower, 'B-Power'),
    ...signed(modifier.damage, 'Damage'),
    ...signed(modifier.frostStrike ?? 0, 'FrostStrike'),
    ...(modifier.doubleStrike ? ['DoubleStrike'] : []),
    ...(modifier.shadowStrike ? ['ShadowStrike'] : []),
  ];
  return words.length === 0 ? 'nothing' : words.join(', ');
}

// Text of Actions and Flips lasts the turn; of Heroes and Evos as long as they are in play, unless it prints a turn.
function lasts(doing: Doing, until: 'turn' | undefined): Pick<Modifier, 'until' | 'hangsOn'> {
  const from = sourceOf(doing);
  const { type } = cardIn(doing.move.state, from.card);
  const short = until === 'turn' || type === 'Action' || type === 'Flip';
  if (short || doing.move.state.options.rules.unprinted === 'turn') return { until: 'turn' };
  if (from.hero !== null) return { until: 'source', hangsOn: from.hero };
  return { until: 'source', hangsOn: `${from.bakugan ?? ''} ${from.card}` };
}

/** The Victor's damage after a change by the player who was hit (AM-25); other changes wait for the next attack. */
export function attackAgain(move: Move): void {
  const { damage } = move.state;
  if (damage === null || damage.by !== 'victor' || damage.stopped) return;
  const amount = Math.max(damage.flipped, attackDamage(move.state));
  if (amount === damage.amount) return;
  patch(move, { damage: { ...damage, amount } });
  say(move, 'damage/changed', ['5.11.2.1', 'AM-25'], `The attack deals ${amount}.`, { amount });
}

/** Whether a change comes from the attacker in response to a Flip, and so cannot touch the damage (5.11.2.1.1). */
export function comesTooLate(doing: Doing, on: BakuganState | null): boolean {
  const { at, damage, victor } = doing.move.state;
  if (at !== 'ST-10f' || damage === null || damage.by !== 'victor') return false;
  const touches = on === null || sideOf(on.id) === victor;
  return touches && doing.you === opponentOf(damage.to);
}

function give(doing: Doing, bakugan: BakuganState, modifier: Modifier): void {
  const { move } = doing;
  const { at, damage, victor } = move.state;
  const bites = modifier.damage !== 0 || modifier.doubleStrike === true;
  const late = bites && comesTooLate(doing, bakugan);
  const { doubleStrike: _, ...rest } = modifier;
  const given = late ? { ...rest, damage: 0 } : modifier;
  if (late) {
    const text = `${modifier.label} cannot change the damage of an attack that a Flip card answers.`;
    say(move, 'damage/no-effect', ['5.11.2.1.1'], text, { id: doing.resolving.object.id });
  }
  patchBakugan(move, bakugan.id, { modifiers: [...bakugan.modifiers, given] });
  const text = `${modifier.label}: ${titleOf(move.state, bakugan)} gets ${wordsOf(given)}${given.until === 'turn' ? ' this turn' : ''}.`;
  const { bPower, damage: change, frostStrike = 0 } = given;
  const data = { bakugan: bakugan.id, bPower, damage: change, frostStrike };
  say(move, 'batch/modified', ['6.2.1', '5.17.1'], text, data);
  if (bites && !late && at === 'ST-10f' && damage !== null && sideOf(bakugan.id) === victor)
    attackAgain(move);
}

/** `add`: bonuses and keywords (1.8.1.1, 1.9.1.2). */
export const addValues: Effect<'add'> = (doing, step) => {
  const { move, you } = doing;
  const reading = readingOf(doing);
  const bPower = amountOf(move.state, reading, step.bPower);
  const damage = amountOf(move.state, reading, step.damage);
  const frostStrike = amountOf(move.state, reading, step.frostStrike);
  const { label } = doing.resolving.object;
  const modifier: Modifier = {
    source: 'card',
    label,
    by: label,
    bPower,
    damage,
    ...(frostStrike === 0 ? {} : { frostStrike }),
    ...(step.doubleStrike ? { doubleStrike: true } : {}),
    ...(step.shadowStrike ? { shadowStrike: true } : {}),
    ...lasts(doing, step.until),
  };
  if (step.to === 'own-attack') {
    const player = move.state.players[you];
    patchPlayer(move, you, { attack: [...player.attack, { ...modifier, until: 'turn' }] });
    const text = `${label}: the attack of ${player.name} gets ${wordsOf(modifier)}.`;
    say(move, 'batch/modified', ['6.2.1', '5.12.2'], text, { player: you, damage });
    return did(doing, true);
  }
  const limit = step.factions === undefined ? {} : { factions: step.factions };
  const targets = targetsOf(move.state, reading, step.to).filter((one) => inLimit(move.state, one, limit));
  if (targets.length === 0) {
    const what = step.to === 'opposing' ? 'there is no opposing Bakugan' : 'there is no Bakugan that gets it';
    say(move, 'batch/nothing', ['1.3.4'], `${label}: ${what}.`, { id: doing.resolving.object.id });
    return did(doing, false);
  }
  for (const one of targets) give(doing, one, modifier);
  return did(doing, true);
};

/** `set`: B-Power becomes a number this turn. */
export const setValue: Effect<'set'> = (doing, step) => {
  const { move } = doing;
  const targets = targetsOf(move.state, readingOf(doing), step.to);
  const { label } = doing.resolving.object;
  for (const one of targets) {
    const modifier: Modifier = {
      source: 'card',
      label,
      by: label,
      bPower: 0,
      damage: 0,
      setBPower: step.bPower,
      ...lasts(doing, undefined),
    };
    give(doing, one, modifier);
  }
  return did(doing, targets.length > 0);
};
