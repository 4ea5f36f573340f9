/** The balls of two players. */
import type { BakuganId, Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Body } from './ball.ts';
import { type Chance, createChance, hash32 } from './random.ts';

export interface BodiesAsk {
  readonly seed: number;
  /** Balls a player, 3 by default. */
  readonly each?: number;
  /** Share of the two players' balls that all have one polarity, as toys from one box would. */
  readonly samePolarity?: boolean;
  /** Draws beyond the usual ranges by this share. */
  readonly stretch?: number;
  /** Magnets sit crooked by up to this angle's tangent; 0 by default. 0.27 is 15°. */
  readonly crooked?: number;
}

/** Draws the balls of both players: A's magnets point down, B's up, unless asked otherwise. Strength is ±20 %. */
export function drawBodies(ask: BodiesAsk): readonly Body[] {
  return SIDES.flatMap((player) =>
    Array.from({ length: ask.each ?? 3 }, (_, i) => drawBody(ask, player, i + 1)),
  );
}

function drawBody(ask: BodiesAsk, player: Side, number: number): Body {
  const chance = createChance(hash32(ask.seed, player === 'A' ? 21 : 22, number), ask.stretch);
  const bakugan: BakuganId = `${player}/${number}`;
  return {
    player,
    bakugan,
    radiusMm: chance.happens(0.85)
      ? chance.between(chance.least(17.5), 18.5)
      : chance.between(18.5, chance.most(22)),
    polarity: ask.samePolarity === true || player === 'A' ? 1 : -1,
    strength: chance.range(0.8, 1.2),
    latchMm: latchOf(chance),
    ...(ask.crooked === undefined ? {} : { crooked: crookedBy(chance, ask.crooked) }),
  };
}

/** 7 mm, ±1 mm at most: the same draw on a scale as wide as the world's. */
function latchOf(chance: Chance): number {
  const share = (Math.max(6, Math.min(8, chance.normal(7, 0.5))) - 6) / 2;
  const [least, most] = [chance.least(6), chance.most(8)];
  return least + share * (most - least);
}

function crookedBy(chance: Chance, most: number): NonNullable<Body['crooked']> {
  const along = chance.between(-most, most);
  const across = chance.between(-most, most);
  const length = Math.sqrt(1 + along * along + across * across);
  return { straight: 1 / length, along: along / length, across: across / length };
}
