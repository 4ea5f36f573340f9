/** The balls of two players. */
import type { BakuganId, Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Body } from './ball.ts';
import { createChance, hash32 } from './random.ts';

export interface BodiesAsk {
  readonly seed: number;
  /** Balls a player, 3 by default. */
  readonly each?: number;
  /** Share of the two players' balls that all have one polarity, as toys from one box would. */
  readonly samePolarity?: boolean;
}

/** Draws the balls of both players: A's magnets point down, B's up, unless asked otherwise. Strength is ±20 %. */
export function drawBodies(ask: BodiesAsk): readonly Body[] {
  return SIDES.flatMap((player) =>
    Array.from({ length: ask.each ?? 3 }, (_, i) =>
      drawBody(ask.seed, player, i + 1, ask.samePolarity ?? false),
    ),
  );
}

function drawBody(seed: number, player: Side, number: number, samePolarity: boolean): Body {
  const chance = createChance(hash32(seed, player === 'A' ? 21 : 22, number));
  const bakugan: BakuganId = `${player}/${number}`;
  return {
    player,
    bakugan,
    radiusMm: chance.happens(0.85) ? chance.between(17.5, 18.5) : chance.between(18.5, 22),
    polarity: samePolarity || player === 'A' ? 1 : -1,
    strength: chance.between(0.8, 1.2),
    latchMm: Math.max(6, Math.min(8, chance.normal(7, 0.5))),
  };
}
