/** One drawn roll on a mat of its own, before any board has looked at it. */
import type { Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12, type Layout } from '../host/sensing/layout.ts';
import type { Body } from './ball.ts';
import { drawBodies } from './bodies.ts';
import { ownCores } from './calibration.ts';
import { type Effects, roomUnder, sharesUnder, thingsUnder, visitsUnder } from './effects.ts';
import { type Meddling, meddle } from './idle.ts';
import { createMat, type Mat } from './mat.ts';
import { BAD_ROOM } from './noise.ts';
import { perform } from './perform.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import { drawRoll } from './roll.ts';
import { CLEAN, type RollShares, WORN } from './shares.ts';
import type { RollTruth } from './truth.ts';
import { LOST_LINES } from './wire-faults.ts';

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
  /** What else is wrong, by name; their shares, room and wire take the place of those of the conditions. */
  readonly effects?: Effects;
  /** Changes to the shares of the conditions and effects. */
  readonly shares?: Partial<RollShares>;
  /** Cells left without a core; 0 to 3, drawn for each roll, by default. */
  readonly vacantCells?: number;
  /** All magnets of both players have one polarity. */
  readonly samePolarity?: boolean;
  /** Done to one tile by somebody between the call and the rest of the balls. */
  readonly meddling?: Meddling;
  /** The call, ms after the boards were switched on; 3000 by default. Clocks are known better later. */
  readonly callMs?: number;
}

/** Share of lines lost in impaired conditions. */
export const IMPAIRED_LOSS = LOST_LINES;
/** The call of every drawn roll: boards boot for a second and settle before it, µs. */
export const CALL_US = 3_000_000;
/** Earth's field, either way along the sensor, mT. */
const EARTH_MT = 0.05;

export interface PlayedRoll {
  readonly mat: Mat;
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
}

/** The balls as calibration meets them. */
export function bodiesOf(options: SampleOptions): readonly Body[] {
  const { stretch, crooked } = thingsUnder(options.effects ?? []);
  return drawBodies({
    seed: options.matSeed ?? 1,
    samePolarity: options.samePolarity ?? false,
    stretch,
    ...(crooked === undefined ? {} : { crooked }),
  });
}

/** The mat of these options on the day of `noiseSeed`; calibration stands on one of its own. */
export function matOf(options: SampleOptions, noiseSeed?: number): Mat {
  const { mat } = thingsUnder(options.effects ?? []);
  return createMat(options.layout ?? FIXED_12, options.matSeed ?? 1, noiseSeed, mat);
}

export function sharesOf(options: SampleOptions): RollShares {
  const conditions = options.conditions ?? 'clean';
  const base =
    options.effects === undefined ? (conditions === 'clean' ? CLEAN : WORN) : sharesUnder(options.effects);
  return { ...base, ...options.shares };
}

/** Roll `seed` under these options; the same arguments give the same roll. */
export function playRoll(seed: number, options: SampleOptions): PlayedRoll {
  const matSeed = options.matSeed ?? 1;
  const effects = options.effects ?? [];
  const mat = matOf(options, seed);
  if (options.effects !== undefined) mat.disturb(roomUnder(effects, seed));
  else if (options.conditions === 'impaired') mat.disturb(BAD_ROOM);
  const chance = createChance(hash32(seed, 41, matSeed));
  const empty = options.vacantCells ?? chance.below(4);
  const vacant = new Set<number>();
  while (vacant.size < Math.min(empty, mat.tiles.length)) vacant.add(chance.below(mat.tiles.length));
  const cores = ownCores(mat).filter((_, i) => !vacant.has(i));
  const bodies = bodiesOf(options);
  const own = (side: Side): Body => chance.pick(bodies.filter((body) => body.player === side));
  const drawn = SIDES.map(own);
  const pair = drawn.map((body): Body => {
    const swapped = effects.includes('swapped') && body.player === 'B';
    return swapped ? { ...body, polarity: body.polarity === 1 ? -1 : 1 } : body;
  });
  befall(mat, effects, createChance(hash32(seed, 46, matSeed)));
  wearIn(mat, visitsUnder(effects, seed, mat.tiles.length), seed);
  const shares = sharesOf(options);
  const roll = `t${seed}.1`;
  const startUs = options.callMs === undefined ? CALL_US : options.callMs * 1000;
  const truth = perform(mat, drawRoll(mat, { roll, seed, startUs, bodies: pair, cores, shares }));
  if (options.meddling !== undefined) {
    meddle(mat, options.meddling, seed, truth.fromMs, Math.max(...truth.balls.map(({ restMs }) => restMs)));
  }
  const balls = pair.map((body) => ({ player: body.player, bakugan: body.bakugan }));
  return { mat, truth, activity: { kind: 'roll', roll, balls, cores } };
}

/** Each visit since calibration, long before this roll, has left its part in the steel. */
function wearIn(mat: Mat, visits: readonly number[], seed: number): void {
  for (const [i, { cell }] of mat.tiles.entries()) {
    const first = -60_000_000 - (hash32(seed, 54, i) >>> 8);
    for (let visit = 0; visit < (visits[i] ?? 0); visit += 1) mat.magnetise(cell, first + visit);
  }
}

/** What happened to the table since it was calibrated. */
function befall(mat: Mat, effects: Effects, chance: Chance): void {
  const ever = { fromUs: -1_000_000, toUs: Infinity };
  if (effects.includes('turned')) {
    const change = chance.between(-2 * EARTH_MT, 2 * EARTH_MT);
    for (const tile of mat.tiles) mat.shove(tile.cell, ever, change);
  }
  if (effects.includes('dead-hall')) mat.kill(chance.pick(mat.tiles).cell, 0, -60);
  if (effects.includes('stuck-contact')) mat.spoil(chance.pick(mat.tiles).cell, 'stuck', ever);
  if (effects.includes('leds')) {
    for (const side of SIDES) mat.light(side, chance.unit());
  }
}
