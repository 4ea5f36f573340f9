/** What a sensor shows besides the magnets: its own spread, noise, warmth, light and spikes. All in mT. */
import { exp, sin } from '../host/exact.ts';
import { addNormals, type Chance, hash32, normalOf, streamOf, unitOf } from './random.ts';
import { MT_PER_COUNT } from './world.ts';

/** How one hall differs from the drawing. */
export interface HallSpread {
  /** Factor on every field, ±15 %. */
  readonly gain: number;
  /** Zero error, ±1.5 mT for a chopped sensor, ±8 mT for another; earth's field included. */
  readonly offsetMt: number;
  /** Drift of the zero, mT/K; a chopped sensor has ±0.002 to 0.010, another (A1302, SS49E) ±0.020 to 0.230. */
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

export function drawTile(chance: Chance, halls: number, unchopped = false): TileSpread {
  const offsetMt = unchopped ? 8 : 1.5;
  const [leastDrift, mostDrift] = unchopped ? [0.02, 0.23] : [0.002, 0.01];
  const sign = (): number => (chance.happens(0.5) ? 1 : -1);
  return {
    depthMm: chance.range(-1, 1),
    halls: Array.from({ length: halls }, () => ({
      gain: 1 + chance.range(-0.15, 0.15),
      offsetMt: chance.range(-offsetMt, offsetMt),
      driftMtPerK: sign() * chance.range(leastDrift, mostDrift),
      lightMt: sign() * chance.range(0.1, 0.4),
    })),
    slowContact: chance.happens(0.05),
  };
}

/** How bad the surroundings are; ranges in the named constants below. */
export interface Disturbance {
  readonly whiteMt: number;
  /** Random walk, mT after one second. */
  readonly walkMtPerRootS: number;
  /** Share of samples hit by a spike, either sign, and the least and greatest of those, counts. */
  readonly spikeShare: number;
  readonly spikeCounts: readonly [least: number, most: number];
  /** LED pattern that changes 60 times a second: largest shift, counts. 2 % of samples take half as much again. */
  readonly flickerCounts: number;
  /** A shift common to all sensors, counts. */
  readonly shiftCounts: number;
  /** Warming up after power on, K, with a time constant of 8 min. */
  readonly warmUpK: number;
  /** Room temperature, K/h. */
  readonly roomKPerHour: number;
  /** Temperature besides, from the beginning on, K. */
  readonly extraK: number;
  /** Mains hum at 50 Hz, mT at its peak. */
  readonly humMt: number;
}

/** A quiet room: sensors' own noise only. */
export const QUIET_ROOM: Disturbance = {
  whiteMt: 0.05,
  walkMtPerRootS: 0.002,
  spikeShare: 0,
  spikeCounts: [10, 60],
  flickerCounts: 0,
  shiftCounts: 0,
  warmUpK: 8,
  roomKPerHour: 0,
  extraK: 0,
  humMt: 0,
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
const BLOCK_US = 16_000;

/** Noise of a whole mat; `sensor` counts over all tiles. Any moment may be asked, in any order. */
export interface Noise {
  /** Everything that is added to the magnets' field of this sensor. */
  at(sensor: number, atUs: number): number;
  /** Adds the same to each of these sensors' fields. */
  addTo(out: Float64Array, sensors: Int32Array, atUs: number): void;
  /** Kelvin above the temperature of calibration. */
  warmthAt(atUs: number): number;
  /** LED load of a sensor's side, 0 to 1, from now on. */
  setLight(sensor: number, load: number): void;
  disturb(disturbance: Disturbance): void;
}

/** `spreads` by sensor; `sides` says which sensors share one LED pattern. */
export function createNoise(seed: number, spreads: readonly HallSpread[], sides: readonly number[]): Noise {
  const streams = (kind: number): Int32Array =>
    Int32Array.from(spreads, (_, sensor) => streamOf(hash32(seed, kind, 0), sensor));
  const white = streams(1);
  const walkSteps = streams(2);
  const spikes = streams(3);
  const sideOf = Int32Array.from(sides);
  /** Each side's LED pattern, and what it adds to the side's sensors in the frame that it shows now, counts. */
  const patterns = Int32Array.from({ length: 1 + Math.max(...sides) }, (_, side) =>
    streamOf(hash32(seed, 4, 0), side),
  );
  const flicker = new Float64Array(patterns.length);
  let frame = -1;
  let room = QUIET_ROOM;
  let disturbed = false;
  /** Walk at whole seconds, one list a sensor, made as far as it is asked for. */
  const walks: number[][] = spreads.map(() => [0]);
  const offsets = Float64Array.from(spreads, (s) => s.offsetMt);
  const drifts = Float64Array.from(spreads, (s) => s.driftMtPerK);
  const lights = new Float64Array(spreads.length);
  /** Everything slow, kept for a block of some 16 ms: which block, and its value. */
  const slowBlock = new Float64Array(spreads.length).fill(-1);
  const slow = new Float64Array(spreads.length);
  let warmSecond = -1;
  let warmth = 0;

  const warmthAt = (atUs: number): number => {
    const second = Math.floor(atUs / 1_000_000);
    if (second !== warmSecond) {
      warmSecond = second;
      const ms = second * 1000;
      warmth = room.warmUpK * (1 - exp(-ms / WARM_MS)) + (room.roomKPerHour * ms) / 3_600_000 + room.extraK;
    }
    return warmth;
  };

  const walkAt = (sensor: number, atUs: number): number => {
    const walk = walks[sensor];
    if (walk === undefined) return 0;
    const second = Math.floor(atUs / 1_000_000);
    while (walk.length <= second + 1) {
      walk.push((walk.at(-1) ?? 0) + normalOf(walkSteps[sensor] ?? 0, walk.length));
    }
    const before = walk[second] ?? 0;
    const part = atUs / 1_000_000 - second;
    return room.walkMtPerRootS * (before + ((walk[second + 1] ?? 0) - before) * part);
  };

  const showFrame = (atUs: number): void => {
    const now = Math.floor(atUs / FRAME_US);
    if (now === frame) return;
    frame = now;
    for (let side = 0; side < patterns.length; side += 1) {
      flicker[side] = room.flickerCounts * (2 * unitOf(patterns[side] ?? 0, frame) - 1);
    }
  };

  /** Of the frame shown. */
  const impaired = (sensor: number, atUs: number): number => {
    let counts = room.shiftCounts;
    const draw = unitOf(spikes[sensor] ?? 0, atUs);
    if (draw < room.spikeShare) {
      // The place inside the share is even again: half of it chooses the sign, the rest the size.
      const place = draw / room.spikeShare;
      const [least, most] = room.spikeCounts;
      const size = least + 2 * (most - least) * (place < 0.5 ? place : place - 0.5);
      counts += place < 0.5 ? -size : size;
    }
    if (room.flickerCounts > 0) counts += (flicker[sideOf[sensor] ?? 0] ?? 0) * (draw > 0.98 ? 1.5 : 1);
    const hum =
      room.humMt === 0 ? 0 : room.humMt * sin(0.0003141592653589793 * (atUs % 20_000) + 0.4 * (sensor % 5));
    return counts * MT_PER_COUNT + hum;
  };

  const renew = (sensor: number, block: number): void => {
    slowBlock[sensor] = block;
    const midUs = block * BLOCK_US;
    slow[sensor] = (offsets[sensor] ?? 0) + (drifts[sensor] ?? 0) * warmthAt(midUs) + walkAt(sensor, midUs);
  };

  const at = (sensor: number, atUs: number): number => {
    const block = Math.floor(atUs / BLOCK_US);
    if (slowBlock[sensor] !== block) renew(sensor, block);
    const mt =
      (slow[sensor] ?? 0) + (lights[sensor] ?? 0) + room.whiteMt * normalOf(white[sensor] ?? 0, atUs);
    if (!disturbed) return mt;
    showFrame(atUs);
    return mt + impaired(sensor, atUs);
  };

  return {
    warmthAt,
    at,
    addTo(out, sensors, atUs) {
      const block = Math.floor(atUs / BLOCK_US);
      for (let i = 0; i < sensors.length; i += 1) {
        const sensor = sensors[i] ?? 0;
        if (slowBlock[sensor] !== block) renew(sensor, block);
        out[i] = (out[i] ?? 0) + (slow[sensor] ?? 0) + (lights[sensor] ?? 0);
      }
      addNormals(out, white, sensors, atUs, room.whiteMt);
      if (!disturbed) return;
      showFrame(atUs);
      for (let i = 0; i < sensors.length; i += 1) out[i] = (out[i] ?? 0) + impaired(sensors[i] ?? 0, atUs);
    },
    setLight(sensor, load) {
      lights[sensor] = load * (spreads[sensor]?.lightMt ?? 0);
    },
    disturb(disturbance) {
      room = disturbance;
      disturbed = room.spikeShare > 0 || room.flickerCounts > 0 || room.shiftCounts !== 0 || room.humMt > 0;
      warmSecond = -1;
      frame = -1;
      slowBlock.fill(-1);
    },
  };
}
