import { type Json, SIDES, type Side } from '../../ids.ts';
import type { BallRuling, RollRuling } from '../../sensing/ruling.ts';
import type { GameInput } from '../ruleset.ts';
import type { GameState } from './state.ts';

type Fields = { readonly [key: string]: Json };

function fieldsOf(player: Side, ball: BallRuling): Fields {
  const opened = ball.opened === 'yes';
  return {
    player,
    opened: ball.opened,
    cores: opened ? [...ball.attached.sure] : [],
    possible: opened ? [...ball.attached.possible] : [],
    touched: [...ball.contact.sure],
  };
}

function resultFor(player: Side, ruling: RollRuling): Fields {
  const own = ruling.balls.filter((ball) => ball.player === player);
  const [ball] = own;
  if (ball !== undefined && own.length === 1) return fieldsOf(player, ball);
  // Whose ball it is stays open, but if no ball opened, nobody's did.
  const none = ruling.balls.length === SIDES.length && ruling.balls.every((one) => one.opened === 'no');
  return { player, opened: none ? 'no' : 'undetermined' };
}

/**
 * A final ruling as input `rolled`, or undefined when it is provisional or the game does not wait for that roll. Doubt
 * of any kind goes along as doubt (5.7.2, AM-39).
 */
export function rulingAsInput(state: GameState, ruling: RollRuling): GameInput | undefined {
  const { roll } = state;
  const waits = state.at === 'ST-5' || state.at === 'ST-6' || state.at === 'ST-8r';
  if (ruling.stage !== 'final' || !waits || roll === null || roll.id !== ruling.roll) return undefined;
  if (ruling.revision <= roll.revision) return undefined;
  return {
    type: 'rolled',
    by: { role: 'sensing' },
    roll: ruling.roll,
    revision: ruling.revision,
    results: SIDES.map((player) => resultFor(player, ruling)),
    illegal: ruling.illegal.map(({ player, code, rules, text }) => ({
      ...(player === undefined ? {} : { player }),
      code,
      rules: [...rules],
      text,
    })),
  };
}
