/**
 * Magnetic field of the balls' magnets at the hall sensors. Lengths in mm, fields in mT, moments in mT·mm³
 * (1e-9 T·m³ is 1000 mT·mm³). The tile top is z = 0, sensors lie below it, up is +z.
 *
 * A sensor's positive direction is down, so that the reference magnet standing upright over it reads positive.
 */
import { exp } from '../host/exact.ts';
import type { SensorLayout } from '../host/sensing/layout.ts';

/** A disc magnet: outer size, and k = µ0·m/4π of its dipole. */
export interface Disc {
  readonly radiusMm: number;
  readonly lengthMm: number;
  readonly k: number;
}

/** Discs of the usual shops; the second is what balls carry by default. */
export const DISCS = {
  '5x2 N35': { radiusMm: 2.5, lengthMm: 2, k: 3700 },
  '6x3 N35': { radiusMm: 3, lengthMm: 3, k: 8000 },
  '8x3 N42': { radiusMm: 4, lengthMm: 3, k: 15600 },
} as const satisfies Record<string, Disc>;

export const BALL_DISC: Disc = DISCS['6x3 N35'];

/** Field on the axis of a disc at `faceMm` from its face: exact for uniform magnetisation. */
export function onAxisMt(disc: Disc, faceMm: number): number {
  const { radiusMm, lengthMm, k } = disc;
  const rr = radiusMm * radiusMm;
  const far = lengthMm + faceMm;
  // Half the remanence: k is Br·R²·L/4.
  const half = (2 * k) / (rr * lengthMm);
  return half * (far / Math.sqrt(rr + far * far) - faceMm / Math.sqrt(rr + faceMm * faceMm));
}

/** Beyond this distance from the disc's centre the dipole is right within 1 % and no longer corrected, mm. */
const NEAR_MM = 26;
/** Balls farther away than this in the plane are left out: under 0.01 mT. */
export const REACH_MM = 100;

/**
 * How much less than a dipole a real disc gives at this distance from its centre: exact on the axis, used at the same
 * distance off the axis too.
 */
export function discShare(disc: Disc, distanceMm: number): number {
  const half = disc.lengthMm / 2;
  if (distanceMm >= NEAR_MM) return 1;
  const face = Math.max(distanceMm - half, 0.2);
  const centre = face + half;
  const share = (onAxisMt(disc, face) * centre * centre * centre) / (2 * disc.k);
  // Fades out so that the field has no step at the border.
  const fade = distanceMm <= 20 ? 0 : (distanceMm - 20) / (NEAR_MM - 20);
  return share + (1 - share) * fade;
}

/** Where a ball's magnet is and which way it points; the axis carries the polarity. */
export interface Magnet {
  /** mT·mm³ of this ball's magnet. */
  k: number;
  x: number;
  y: number;
  z: number;
  axisX: number;
  axisY: number;
  axisZ: number;
}

/** Downward field of a magnet at the point (x, y, z), mT, as of a dipole. */
export function dipoleMt(magnet: Magnet, x: number, y: number, z: number): number {
  const dx = x - magnet.x;
  const dy = y - magnet.y;
  const dz = z - magnet.z;
  const rr = dx * dx + dy * dy + dz * dz;
  const r = Math.sqrt(rr);
  const along = magnet.axisX * dx + magnet.axisY * dy + magnet.axisZ * dz;
  return (-magnet.k * ((3 * along * dz) / rr - magnet.axisZ)) / (rr * r);
}

/** Reading of a collector's hall with the default magnet upright at the closed ball's height, mT. */
export const COLLECTOR_SEAT_MT = 12;
/** Height of a closed ball's magnet over the steel when it points straight down, mm. */
export const SEAT_GAP_MM = 4;
/** Radius within which the steel disc gathers the magnet's flux, mm. */
const COLLECTOR_RADIUS_MM = 21;
/** From about this height on, the collector sees the magnet as a dipole far away, mm. */
const COLLECTOR_FAR_MM = 20;

/** Share of a magnet's flux that a collector at sideways distance ρ gathers. */
export function collectorShare(rhoMm: number): number {
  const q = rhoMm / COLLECTOR_RADIUS_MM;
  const qq = q * q;
  return exp(-qq * qq * qq);
}

/**
 * Hall in the flux gap under the steel disc: even over the disc, by height with the power 1.5, with the third power far
 * above; what is not gathered is seen as a dipole.
 */
export function collectorMt(magnet: Magnet, x: number, y: number, z: number): number {
  const dx = x - magnet.x;
  const dy = y - magnet.y;
  const rho = Math.sqrt(dx * dx + dy * dy);
  const dipole = dipoleMt(magnet, x, y, z);
  if (rho > 1.6 * COLLECTOR_RADIUS_MM) return dipole;
  const gathered = collectorShare(rho);
  const gap = Math.max(magnet.z, 1);
  const near = SEAT_GAP_MM / gap;
  const far = gap / COLLECTOR_FAR_MM;
  const upright = -magnet.axisZ;
  const seat = (COLLECTOR_SEAT_MT * magnet.k) / BALL_DISC.k;
  const inGap = (seat * upright * near * Math.sqrt(near)) / Math.sqrt(1 + far * far * far);
  return gathered * inGap + (1 - gathered) * dipole;
}

/** One hall of a tile: how it sits. */
export interface HallPlace {
  readonly kind: 'hole' | 'collector';
  /** From the tile's centre, mm. */
  readonly x: number;
  readonly y: number;
  /** Below the tile top, mm. */
  readonly depthMm: number;
}

/** Depth of a hall in its hole: a seated open ball's magnet is then about 7 mm away. */
export const HOLE_DEPTH_MM = 4;

/** Halls of a tile by layout, in channel order. */
export function hallsOf(sensors: SensorLayout): readonly HallPlace[] {
  const collector: HallPlace = { kind: 'collector', x: 0, y: 0, depthMm: 3 };
  switch (sensors) {
    case 'axis':
      return [{ kind: 'hole', x: 0, y: 0, depthMm: HOLE_DEPTH_MM }];
    case 'collector':
      return [collector];
    case 'collector+offset':
      return [collector, { kind: 'hole', x: 11, y: 0, depthMm: HOLE_DEPTH_MM }];
    default:
      return sensors satisfies never;
  }
}

/** Field of one magnet at a hall whose own place is (x, y, z), mT. */
export function hallMt(kind: HallPlace['kind'], magnet: Magnet, x: number, y: number, z: number): number {
  return kind === 'collector' ? collectorMt(magnet, x, y, z) : holeMt(magnet, x, y, z);
}

/** The same for a hall in a hole of the steel, which sees no steel. */
export function holeMt(magnet: Magnet, x: number, y: number, z: number): number {
  const dx = x - magnet.x;
  const dy = y - magnet.y;
  const dz = z - magnet.z;
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return dipoleMt(magnet, x, y, z) * discShare(BALL_DISC, distance);
}
