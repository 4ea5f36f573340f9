import type { Move } from './move.ts';

/**
 * A whole number from 0 to below `sides`, from the game's own chance, which moves on. Steps an integer hash by a fixed
 * odd constant (the splitmix construction, in 32 bits).
 */
export function roll(move: Move, sides: number): number {
  const chance = (move.state.chance + 0x9e3779b9) >>> 0;
  move.state.chance = chance;
  let mixed = Math.imul(chance ^ (chance >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % sides;
}
