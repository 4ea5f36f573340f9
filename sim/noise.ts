/** What a sensor shows besides the magnets: its own spread, noise, warmth, light and spikes. All in mT. */
import { exp } from '../host/exact.ts';
import { type Chance, hash32, hashNormal, hashUnit } from './random.ts';
import { MT_PER_COUNT } from './world.ts';

/** How one hall differs from the drawing. */
export interface HallSpread {
  /** Factor on every field, ±15 %. */
  readonly gain: number;
  /** Zero error, ±1.5 mT for a chopped sensor; earth's field included. */
  readonly offsetMt: number;
  /** Drift of the zero, mT/K; a chopped sensor has ±0.002 to 0.010. */
  readonly driftMtPerK: number;
  /** Field of the tile's LEDs at full white through ground and wires. */
  readonly lightMt: number;
}

/** How one tile differs from the drawing. */
export interface TileSpread {
  /** Sensors sit this much deeper, ±1 mm. */
  readonly depthMm: number;
  readonly halls: readonly HallSpread[];
  /** Its contact is one of the slow parts. */
  readonly slowContact: boolean;
}

export function drawTile(chance: Chance, halls: number): TileSpread {
  const sign = (): number => (chance.happens(0.5) ? 1 : -1);
  return {
    depthMm: chance.between(-1, 1),
    halls: Array.from({ length: halls }, () => ({
      gain: chance.between(0.85, 1.15),
      offsetMt: chance.between(-1.5, 1.5),
      driftMtPerK: sign() * chance.between(0.002, 0.01),
      lightMt: sign() * chance.between(0.1, 0.4),
    })),
    slowContact: chance.happens(0.05),
  };
}

/** How bad the surroundings are; ranges in the named constants below. */
export interface Disturbance {
  readonly whiteMt: number;
  /** Random walk, mT after one second. */
  readonly walkMtPerRootS: number;
  /** Share of samples hit by a spike of 10 to 60 counts, either sign. */
  readonly spikeShare: number;
  /** LED pattern that changes 60 times a second: largest shift, counts. 2 % of samples take half as much again. */
  readonly flickerCounts: number;
  /** A shift common to all sensors, counts. */
  readonly shiftCounts: number;
  /** Warming up after power on, K, with a time constant of 8 min. */
  readonly warmUpK: number;
  /** Room temperature, K/h. */
  readonly roomKPerHour: number;
}

/** A quiet room: sensors' own noise only. */
export const QUIET_ROOM: Disturbance = {
  whiteMt: 0.05,
  walkMtPerRootS: 0.002,
  spikeShare: 0,
  flickerCounts: 0,
  shiftCounts: 0,
  warmUpK: 8,
  roomKPerHour: 0,
};

/** Light show, spikes and a shifted zero at once. */
export const BAD_ROOM: Disturbance = {
  ...QUIET_ROOM,
  spikeShare: 0.002,
  flickerCounts: 3,
  shiftCounts: 6,
  roomKPerHour: 5,
};

/** Share of a magnet's moment lost a kelvin (NdFeB). */
export const MAGNET_PER_K = -0.00115;
const WARM_MS = 480_000;
const FRAME_US = 1_000_000 / 60;

/** Noise of a whole mat; `sensor` counts over all tiles. Any moment may be asked, in any order. */
export interface Noise {
  /** Everything that is added to the magnets' field of this sensor. */
  at(sensor: number, atUs: number): number;
  /** Kelvin above the temperature of calibration. */
  warmthAt(atUs: number): number;
  /** LED load of a sensor's side, 0 to 1, from now on. */
  setLight(sensor: number, load: number): void;
  disturb(disturbance: Disturbance): void;
}

/** `spreads` by sensor; `sides` says which sensors share one LED pattern. */
export function createNoise(seed: number, spreads: readonly HallSpread[], sides: readonly number[]): Noise {
  const whiteSeed = hash32(seed, 1, 0);
  const walkSeed = hash32(seed, 2, 0);
  const spikeSeed = hash32(seed, 3, 0);
  const flickerSeed = hash32(seed, 4, 0);
  let room = QUIET_ROOM;
  /** Walk at whole seconds, one list a sensor, made as far as it is asked for. */
  const walks: number[][] = spreads.map(() => [0]);
  const offsets = Float64Array.from(spreads, (s) => s.offsetMt);
  const drifts = Float64Array.from(spreads, (s) => s.driftMtPerK);
  const lights = new Float64Array(spreads.length);
  let warmSecond = -1;
  let warmth = 0;

  const warmthAt = (atUs: number): number => {
    const second = Math.floor(atUs / 1_000_000);
    if (second !== warmSecond) {
      warmSecond = second;
      const ms = second * 1000;
      warmth = room.warmUpK * (1 - exp(-ms / WARM_MS)) + (room.roomKPerHour * ms) / 3_600_000;
    }
    return warmth;
  };

  const walkAt = (sensor: number, atUs: number): number => {
    const walk = walks[sensor];
    if (walk === undefined) return 0;
    const second = Math.floor(atUs / 1_000_000);
    while (walk.length <= second + 1) {
      walk.push((walk.at(-1) ?? 0) + hashNormal(walkSeed, sensor, walk.length));
    }
    const before = walk[second] ?? 0;
    const part = atUs / 1_000_000 - second;
    return room.walkMtPerRootS * (before + ((walk[second + 1] ?? 0) - before) * part);
  };

  const impaired = (sensor: number, atUs: number): number => {
    let counts = room.shiftCounts;
    const draw = hashUnit(spikeSeed, sensor, atUs);
    if (draw < room.spikeShare) {
      // The place inside the share is even again: half of it chooses the sign, the rest the size.
      const place = draw / room.spikeShare;
      counts += place < 0.5 ? -(10 + 100 * place) : 10 + 100 * (place - 0.5);
    }
    if (room.flickerCounts > 0) {
      const level = 2 * hashUnit(flickerSeed, sides[sensor] ?? 0, Math.floor(atUs / FRAME_US)) - 1;
      counts += room.flickerCounts * level * (draw > 0.98 ? 1.5 : 1);
    }
    return counts * MT_PER_COUNT;
  };

  return {
    warmthAt,
    at(sensor, atUs) {
      let mt =
        (offsets[sensor] ?? 0) +
        (drifts[sensor] ?? 0) * warmthAt(atUs) +
        walkAt(sensor, atUs) +
        (lights[sensor] ?? 0) +
        room.whiteMt * hashNormal(whiteSeed, sensor, atUs);
      if (room.spikeShare > 0 || room.flickerCounts > 0 || room.shiftCounts !== 0) {
        mt += impaired(sensor, atUs);
      }
      return mt;
    },
    setLight(sensor, load) {
      lights[sensor] = load * (spreads[sensor]?.lightMt ?? 0);
    },
    disturb(disturbance) {
      room = disturbance;
      warmSecond = -1;
    },
  };
}
