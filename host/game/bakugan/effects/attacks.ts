import { opponentOf } from '../../../ids.ts';
import { canStop } from '../announce.ts';
import { nameOf, patch, say } from '../move.ts';
import { did, type Effect, tell } from './effect.ts';

/** `attack`: made by a card (AM-28). Flips apply; no Victor, no Team Attack. */
export const attackByCard: Effect<'attack'> = (doing, step) => {
  const { move, you } = doing;
  const { frames, at, window, resolving, damage } = move.state;
  const to = opponentOf(you);
  tell(move, { did: true });
  const now = move.state.resolving ?? resolving;
  patch(move, {
    frames: [...frames, { at, window, resolving: now, damage }],
    window: null,
    resolving: null,
    damage: {
      to,
      amount: step.damage,
      flipped: 0,
      frostStrike: 0,
      stopped: false,
      by: 'card',
      factions: [step.faction],
      attacker: null,
      drawn: false,
    },
  });
  const text = `${doing.resolving.object.label}: a ${step.faction} attack deals ${step.damage} Damage to ${nameOf(move, to)}.`;
  say(move, 'damage/card-attack', ['5.11.1', 'AM-28'], text, { to, amount: step.damage });
  return { enter: 'ST-10' };
};

/** `stop`: the rest of the attack is not dealt (5.11.2). */
export const stopAttack: Effect<'stop'> = (doing, step) => {
  const { move, you } = doing;
  const { damage } = move.state;
  if (damage === null || damage.stopped || !canStop(move.state, you, step)) {
    say(
      move,
      'batch/nothing',
      ['1.3.4', 'AM-27'],
      `${doing.resolving.object.label}: this attack cannot be stopped by it.`,
    );
    return did(doing, false);
  }
  const left = damage.amount - damage.flipped;
  patch(move, { damage: { ...damage, amount: damage.flipped, stopped: true } });
  const text = `${nameOf(move, you)} stops the attack: ${left} Damage is not dealt.`;
  say(move, 'damage/stopped', ['5.11.2', '5.11.2.1', 'AM-26'], text, { player: you, left });
  tell(move, { stopped: true });
  return did(doing, true);
};

/** `draw-damage`: what is left of this attack goes to hand. */
export const drawDamage: Effect<'draw-damage'> = (doing) => {
  const { move } = doing;
  const { damage } = move.state;
  if (damage === null) return did(doing, false);
  patch(move, { damage: { ...damage, drawn: true } });
  const text = `The rest of the attack is drawn by ${nameOf(move, damage.to)}.`;
  say(move, 'damage/drawn', ['5.11.2', '1.3.1'], text, { player: damage.to });
  return did(doing, true);
};

/** `compare-damage`: the Victor is found by Damage Rating this turn (1.3.1). */
export const compareDamage: Effect<'compare-damage'> = (doing) => {
  const { move } = doing;
  patch(move, { compare: 'damage' });
  say(
    move,
    'power/by-damage',
    ['5.10.1', '1.3.1'],
    'The Victor is found by the highest Damage Rating this turn.',
  );
  return did(doing, true);
};

/** `end-turn`: nothing more happens this turn (AM-35). */
export const endTurn: Effect<'end-turn'> = (doing) => {
  const { move } = doing;
  const text = `${doing.resolving.object.label} ends the turn: nothing else happens.`;
  say(move, 'turn/ended', ['1.3.1', 'AM-35'], text);
  return { enter: 'ST-15' };
};
