/** One drawn roll on a mat of its own, before any board has looked at it. */
import type { Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12, type Layout } from '../host/sensing/layout.ts';
import type { Body } from './ball.ts';
import { drawBodies } from './bodies.ts';
import { ownCores } from './calibration.ts';
import { createMat, type Mat } from './mat.ts';
import { BAD_ROOM } from './noise.ts';
import { perform } from './perform.ts';
import { createChance, hash32 } from './random.ts';
import { drawRoll } from './roll.ts';
import { CLEAN, type RollShares, WORN } from './shares.ts';
import type { RollTruth } from './truth.ts';

/**
 * `clean`: sound contacts, quiet room. `worn`: dirty, dead and stuck contacts. `impaired`: worn, and LED steps, spikes,
 * a shifted zero and 2 % of the lines lost.
 */
export type Conditions = 'clean' | 'worn' | 'impaired';

export interface SampleOptions {
  readonly layout?: Layout;
  /** Which mat: its spread, balls and calibration. Rolls of one mat share them. 1 by default. */
  readonly matSeed?: number;
  readonly conditions?: Conditions;
  /** Shares other than those of the conditions. */
  readonly shares?: RollShares;
  /** Cells left without a core; 0 to 3, drawn for each roll, by default. */
  readonly vacantCells?: number;
  /** All magnets of both players have one polarity. */
  readonly samePolarity?: boolean;
}

/** Share of lines lost in impaired conditions. */
export const IMPAIRED_LOSS = 0.02;
/** The call of every drawn roll: boards boot for a second and settle before it, µs. */
export const CALL_US = 3_000_000;

export interface PlayedRoll {
  readonly mat: Mat;
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
}

export function bodiesOf(options: SampleOptions): readonly Body[] {
  return drawBodies({ seed: options.matSeed ?? 1, samePolarity: options.samePolarity ?? false });
}

/** Roll `seed` under these options; the same arguments give the same roll. */
export function playRoll(seed: number, options: SampleOptions): PlayedRoll {
  const matSeed = options.matSeed ?? 1;
  const conditions = options.conditions ?? 'clean';
  const mat = createMat(options.layout ?? FIXED_12, matSeed, seed);
  if (conditions === 'impaired') mat.disturb(BAD_ROOM);
  const chance = createChance(hash32(seed, 41, matSeed));
  const empty = options.vacantCells ?? chance.below(4);
  const vacant = new Set<number>();
  while (vacant.size < Math.min(empty, mat.tiles.length)) vacant.add(chance.below(mat.tiles.length));
  const cores = ownCores(mat).filter((_, i) => !vacant.has(i));
  const bodies = bodiesOf(options);
  const own = (side: Side): Body => chance.pick(bodies.filter((body) => body.player === side));
  const pair = SIDES.map(own);
  const shares = options.shares ?? (conditions === 'clean' ? CLEAN : WORN);
  const roll = `t${seed}.1`;
  const truth = perform(mat, drawRoll(mat, { roll, seed, startUs: CALL_US, bodies: pair, cores, shares }));
  const balls = pair.map((body) => ({ player: body.player, bakugan: body.bakugan }));
  return { mat, truth, activity: { kind: 'roll', roll, balls, cores } };
}
