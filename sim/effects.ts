/** What can be wrong with a table, each by name: how a roll is drawn, felt and heard then. */
import type { MatOptions } from './mat.ts';
import { BAD_ROOM, type Disturbance, QUIET_ROOM } from './noise.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import { CLEAN, type RollShares, WORN } from './shares.ts';
import {
  DAMAGING_WIRE,
  LOSSY_WIRE,
  LOST_LINES,
  REPEATING_WIRE,
  USUAL_WIRE,
  type WirePlan,
} from './wire-faults.ts';

/** Impairments of the usual kind: detection is expected to bear them. */
export const IMPAIRMENTS = {
  contacts: 'dead contacts in 5 % of rolls, dirty ones in 12 %, stuck ones in 1 %',
  leds: 'LED pattern 60 times a second, ±3 to ±6 counts, on top of a steady load',
  spikes: '0.1 to 1 % of samples off by 10 to 60 counts',
  shift: 'all zero levels off by 6 counts, either way',
  noise: 'white noise of 0.05 to 0.3 mT',
  drift: 'up to 8 K colder or warmer than at calibration, room drifting by 5 K/h',
  coupled: 'steel under the tiles carries 10 % of each field to the neighbours',
  'lost-lines': '2 % of the lines lost',
  'damaged-lines':
    'lines cut, joined, flipped, with NUL runs, terminal codes and wrong-baud junk: 1 % and in bad spells',
  clock: 'board clocks up to 0.5 % fast or slow',
  usb: 'lines held 1.1 to 1.5 ms with 1 ms of jitter, sometimes 8 to 16 ms',
  mqtt: 'every second line twice, some late by up to 3 s, clocks up to 3 % off',
  reset: 'one board starts anew in the middle of the roll',
} as const;
export type Impairment = keyof typeof IMPAIRMENTS;

/** Worse than is expected to be borne: doubt may grow, nothing may be invented. */
export const SEVERE = { lossy: '10 % of the lines lost' } as const;
export type Severe = keyof typeof SEVERE;

/** Effects that nothing was fitted on. */
export const UNSEEN = {
  crooked: 'magnets up to 15° crooked in their balls, both ways',
  worn: 'latches that open 5 to 40 ms late, or stay shut over a core',
  wobble: 'balls that rock by 1 to 3 mm at 4 to 12 Hz after their stop',
  displaced: 'tiles up to 2 mm from their places',
  hum: '50 Hz hum of 0.1 to 0.3 mT',
  unchopped: 'generic sensors without a chopper: zeros up to 8 mT off, drifting by 20 to 230 µT/K',
  wide: 'all properties of balls and sensors drawn from ranges 20 % wider at both ends',
} as const;
export type Unseen = keyof typeof UNSEEN;

/** What befalls a table after it was calibrated. */
export const TROUBLES = {
  warm: '8 K warmer than at calibration',
  turned: "the mat was turned in the earth's field",
  swapped: "one player's magnets have the other polarity",
  'dead-hall': 'one hall sensor stands at its lower end',
  'stuck-contact': 'one contact is always closed',
  evening:
    'a host started anew after an evening: 0 to 11 visits a tile since calibration left the steel magnetised',
} as const;
export type Trouble = keyof typeof TROUBLES;

export type Effect = Impairment | Severe | Unseen | Trouble;
export type Effects = readonly Effect[];

export const EFFECTS: Readonly<Record<Effect, string>> = {
  ...IMPAIRMENTS,
  ...SEVERE,
  ...UNSEEN,
  ...TROUBLES,
};

/** Tangent of 15°. */
const CROOKED = 0.2679;
const DISPLACED_MM = 2;
const WIDE = 0.2;
const COUPLING = 0.1;
/** Most visits that a tile has seen since calibration when a host starts anew after an evening. */
const EVENING_VISITS = 11;

/** How the things themselves are drawn: known to calibration. */
export function thingsUnder(effects: Effects): {
  readonly mat: MatOptions;
  readonly stretch: number;
  readonly crooked: number | undefined;
} {
  const stretch = effects.includes('wide') ? WIDE : 0;
  return {
    mat: {
      stretch,
      displacedMm: effects.includes('displaced') ? DISPLACED_MM : 0,
      coupling: effects.includes('coupled') ? COUPLING : 0,
      unchopped: effects.includes('unchopped'),
    },
    stretch,
    crooked: effects.includes('crooked') ? CROOKED : undefined,
  };
}

export function sharesUnder(effects: Effects): RollShares {
  const base = effects.includes('contacts') ? WORN : CLEAN;
  return {
    ...base,
    ...(effects.includes('worn') ? { endings: { ...base.endings, shut: 8 }, late: 0.5 } : {}),
    ...(effects.includes('wobble') ? { wobble: 0.6 } : {}),
    ...(effects.includes('wide') ? { stretch: WIDE } : {}),
  };
}

/** Visits that each of so many tiles has seen since it was calibrated, before roll `seed`. */
export function visitsUnder(effects: Effects, seed: number, tiles: number): readonly number[] {
  const chance = createChance(hash32(seed, 53, 0));
  const most = effects.includes('evening') ? EVENING_VISITS : 0;
  return Array.from({ length: tiles }, () => chance.below(most + 1));
}

/** The room of roll `seed`. */
export function roomUnder(effects: Effects, seed: number): Disturbance {
  const wide = effects.includes('wide');
  const chance = createChance(hash32(seed, 45, 0), wide ? WIDE : 0);
  const has = (effect: Effect): boolean => effects.includes(effect);
  const [flicker, spikes, white, warmer, drift, hum] = [
    chance.range(3, 6),
    chance.logRange(0.001, 0.01),
    chance.logRange(0.05, 0.3),
    chance.range(-8, 8),
    chance.happens(0.5) ? chance.most(5) : -chance.most(5),
    chance.range(0.1, 0.3),
  ];
  const shift = chance.happens(0.5) ? chance.most(BAD_ROOM.shiftCounts) : -chance.most(BAD_ROOM.shiftCounts);
  const own = createChance(hash32(seed, 52, 0), wide ? WIDE : 0);
  return {
    ...QUIET_ROOM,
    ...(wide ? wideRoom(own) : {}),
    ...(has('leds') ? { flickerCounts: flicker } : {}),
    ...(has('spikes') ? { spikeShare: spikes } : {}),
    ...(has('shift') ? { shiftCounts: shift } : {}),
    ...(has('noise') ? { whiteMt: white } : {}),
    ...(has('drift') ? { roomKPerHour: drift, extraK: CALIBRATED_K + warmer } : {}),
    ...(has('warm') ? { extraK: CALIBRATED_K + 8 } : {}),
    ...(has('hum') ? { humMt: hum } : {}),
  };
}

/** A quiet room of sensors and spikes beyond their usual ranges. */
function wideRoom(chance: Chance): Partial<Disturbance> {
  const { whiteMt, walkMtPerRootS, warmUpK, spikeCounts } = QUIET_ROOM;
  return {
    whiteMt: chance.range(whiteMt, whiteMt),
    walkMtPerRootS: chance.range(walkMtPerRootS, walkMtPerRootS),
    warmUpK: chance.range(warmUpK, warmUpK),
    spikeCounts: [chance.least(spikeCounts[0]), chance.most(spikeCounts[1])],
  };
}

/** A calibrated mat is warm by this much; a mat just switched on is not. */
const CALIBRATED_K = 8;

/** How the lines of a board come: what the wire does to them, how they are held up, how wrong its clock runs. */
export interface WireUnder {
  readonly plan: WirePlan;
  readonly delivery: 'prompt' | 'usb' | 'mqtt';
  /** Greatest error of a board's clock, as a share. */
  readonly clockError: number;
  readonly reset: boolean;
}

/** Every wire loses and damages as much as good ones were measured to. */
export function wireUnder(effects: Effects): WireUnder {
  const has = (effect: Effect): boolean => effects.includes(effect);
  const plan = has('mqtt') ? REPEATING_WIRE : has('damaged-lines') ? DAMAGING_WIRE : USUAL_WIRE;
  const lost = has('lossy') ? LOSSY_WIRE.lost : has('lost-lines') ? LOST_LINES : USUAL_WIRE.lost;
  return {
    plan: {
      ...plan,
      lost: Math.max(plan.lost, lost),
      damaged: Math.max(plan.damaged, USUAL_WIRE.damaged),
      spell: Math.max(plan.spell, USUAL_WIRE.spell),
    },
    delivery: has('mqtt') ? 'mqtt' : has('usb') ? 'usb' : 'prompt',
    clockError: has('mqtt') ? 0.03 : has('clock') ? 0.005 : 0,
    reset: has('reset'),
  };
}

/** True when a roll must be heard line by line for these effects to show. */
export function onTheWire(effects: Effects): boolean {
  return effects.some((e) =>
    ['lost-lines', 'lossy', 'damaged-lines', 'clock', 'usb', 'mqtt', 'reset'].includes(e),
  );
}
