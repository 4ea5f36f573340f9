/** The physical table: tiles with their spread, balls that stand or move, hands; read by the boards' pins. */
import type { CellId } from '../host/ids.ts';
import { centreOf, type Layout } from '../host/sensing/layout.ts';
import { createPose, type Pose, poseAt, type Track } from './ball.ts';
import { collectorMt, hallsOf, holeMt, REACH_MM } from './field.ts';
import type { Mat, MatOptions, MatTile } from './mat-parts.ts';
import { createNoise, drawTile, type HallSpread, MAGNET_PER_K } from './noise.ts';
import { createChance, hash32, normalOf, streamOf } from './random.ts';
import { createShoves } from './shoves.ts';
import { createWires } from './wires.ts';

export type { Mat, MatOptions, MatTile } from './mat-parts.ts';

/** Standard deviation of the steel's remanence after one visit, mT. */
const REMANENCE_MT = 0.3;

/** Where a ball was at one moment. */
interface Posed {
  readonly pose: Pose;
  atUs: number;
  present: boolean;
}

/** Poses kept of a ball; a power of two. */
const POSES = 16;

function posedAt({ track, poses }: Standing, atUs: number): Posed | undefined {
  const posed = poses[Math.floor(atUs / 1000) & (POSES - 1)];
  if (posed !== undefined && posed.atUs !== atUs) {
    posed.present = poseAt(track, atUs, posed.pose);
    posed.atUs = atUs;
  }
  return posed?.present === true ? posed : undefined;
}

/** A ball on the mat with what is known of it already. */
interface Standing {
  track: Track;
  /** Its poses of the last moments, by their millisecond: two boards ask for the same ones, one after the other. */
  poses: readonly Posed[];
  /** Field at every sensor once it rests, made when first asked for. */
  rest: Float64Array | undefined;
}

/** `seed` draws the hardware's spread; `noiseSeed` its noise, so that one mat can see many days. */
export function createMat(layout: Layout, seed: number, noiseSeed = seed, options: MatOptions = {}): Mat {
  const places = hallsOf(layout.sensors);
  const halls = places.length;
  const drawn = createChance(hash32(seed, 11, 0), options.stretch);
  const laid = createChance(hash32(seed, 14, 0));
  const off = options.displacedMm ?? 0;
  const tiles: readonly MatTile[] = layout.cells.map((cell) => {
    const centre = centreOf(layout, cell);
    return {
      ...cell,
      x: centre.x + laid.between(-off, off),
      y: centre.y + laid.between(-off, off),
      spread: drawTile(drawn, halls, options.unchopped),
    };
  });
  const sensors = tiles.length * halls;
  const spreads: HallSpread[] = [];
  const sides: number[] = [];
  const sensorX = new Float64Array(sensors);
  const sensorY = new Float64Array(sensors);
  const sensorZ = new Float64Array(sensors);
  const gains = new Float64Array(sensors);
  const collects = new Uint8Array(sensors);
  const dead = new Float64Array(sensors).fill(Number.NaN);
  /** Remanence of each sensor: moments and the sum from each on. */
  const kept: { atUs: number; mt: number }[][] = Array.from({ length: sensors }, () => []);
  const remanenceDeviationMt = REMANENCE_MT * (1 + (options.stretch ?? 0));
  /** Whether there was ever any remanence, or a hall that does not read. */
  let magnetised = false;
  let anyDead = false;
  tiles.forEach((tile, t) => {
    places.forEach((place, h) => {
      const sensor = t * halls + h;
      const spread = tile.spread.halls[h];
      if (spread === undefined) return;
      spreads.push(spread);
      sides.push(tile.side === 'A' ? 0 : 1);
      sensorX[sensor] = tile.x + place.x;
      sensorY[sensor] = tile.y + place.y;
      sensorZ[sensor] = -(place.depthMm + tile.spread.depthMm);
      gains[sensor] = spread.gain;
      collects[sensor] = place.kind === 'collector' ? 1 : 0;
    });
  });
  const noise = createNoise(hash32(noiseSeed, 12, seed), spreads, sides);
  const shoves = createShoves();
  const wires = createWires(layout, tiles, hash32(noiseSeed, 13, seed), options.stretch);
  let balls: Standing[] = [];

  const coupling = options.coupling ?? 0;
  /** Sensors of the same kind next door, by sensor. */
  const next: readonly (readonly number[])[] = tiles.map((tile) =>
    tiles.flatMap((other, o) => {
      const dx = other.x - tile.x;
      const dy = other.y - tile.y;
      const near = dx * dx + dy * dy < 1.7 * layout.pitchMm * layout.pitchMm;
      return near && other !== tile ? [o] : [];
    }),
  );
  const magnetMt = (magnet: Pose, sensor: number): number => {
    const own = directMt(magnet, sensor);
    if (coupling === 0) return own;
    let carried = 0;
    for (const tile of next[Math.floor(sensor / halls)] ?? []) {
      carried += directMt(magnet, tile * halls + (sensor % halls));
    }
    return own + coupling * carried;
  };

  const directMt = (magnet: Pose, sensor: number): number => {
    const x = sensorX[sensor] ?? 0;
    const y = sensorY[sensor] ?? 0;
    const dx = x - magnet.x;
    const dy = y - magnet.y;
    if (dx * dx + dy * dy > REACH_MM * REACH_MM) return 0;
    return collects[sensor] === 1
      ? collectorMt(magnet, x, y, sensorZ[sensor] ?? 0)
      : holeMt(magnet, x, y, sensorZ[sensor] ?? 0);
  };

  const restField = (ball: Standing): Float64Array => {
    const pose = createPose();
    // 400 ms after the last change every exponential of a settling ball has died away.
    poseAt(ball.track, ball.track.restUs + 400_000, pose);
    return Float64Array.from({ length: sensors }, (_, sensor) => magnetMt(pose, sensor));
  };

  const magnetsMt = (sensor: number, atUs: number): number => {
    let sum = 0;
    for (const ball of balls) {
      if (atUs >= ball.track.goneUs) continue;
      if (atUs >= ball.track.restUs + 400_000) {
        ball.rest ??= restField(ball);
        sum += ball.rest[sensor] ?? 0;
        continue;
      }
      const posed = posedAt(ball, atUs);
      if (posed !== undefined) sum += magnetMt(posed.pose, sensor);
    }
    return sum;
  };

  const remanenceMt = (sensor: number, atUs: number): number => {
    const list = kept[sensor];
    if (list === undefined || list.length === 0) return 0;
    for (let i = list.length - 1; i >= 0; i -= 1) {
      const entry = list[i];
      if (entry !== undefined && entry.atUs <= atUs) return entry.mt;
    }
    return 0;
  };

  const fieldMt = (sensor: number, atUs: number): number => {
    const stuck = dead[sensor] ?? Number.NaN;
    if (!Number.isNaN(stuck)) return stuck;
    let magnets = balls.length === 0 ? 0 : magnetsMt(sensor, atUs);
    if (magnets !== 0) magnets *= (1 + MAGNET_PER_K * noise.warmthAt(atUs)) * (gains[sensor] ?? 1);
    return (
      magnets +
      noise.at(sensor, atUs) +
      remanenceMt(sensor, atUs) +
      shoves.atMt(Math.floor(sensor / halls), atUs)
    );
  };

  /** As `fieldMt` for all sensors of a board at once. */
  const fieldsMt = (map: Int32Array, atUs: number, out: Float64Array): void => {
    for (let i = 0; i < map.length; i += 1) out[i] = 0;
    let present = false;
    for (const ball of balls) if (addBall(ball, map, atUs, out)) present = true;
    if (present) {
      const warm = 1 + MAGNET_PER_K * noise.warmthAt(atUs);
      for (let i = 0; i < map.length; i += 1) out[i] = (out[i] ?? 0) * warm * (gains[map[i] ?? 0] ?? 1);
    }
    noise.addTo(out, map, atUs);
    const shoved = shoves.any();
    if (!magnetised && !shoved && !anyDead) return;
    for (let i = 0; i < map.length; i += 1) {
      const sensor = map[i] ?? 0;
      if ((kept[sensor]?.length ?? 0) > 0) out[i] = (out[i] ?? 0) + remanenceMt(sensor, atUs);
      if (shoved) out[i] = (out[i] ?? 0) + shoves.atMt(Math.floor(sensor / halls), atUs);
      const stuck = dead[sensor] ?? Number.NaN;
      if (!Number.isNaN(stuck)) out[i] = stuck;
    }
  };

  /** False when the ball is not on the table. */
  const addBall = (ball: Standing, map: Int32Array, atUs: number, out: Float64Array): boolean => {
    if (atUs >= ball.track.goneUs) return false;
    if (atUs >= ball.track.restUs + 400_000) {
      ball.rest ??= restField(ball);
      const rest = ball.rest;
      for (let i = 0; i < map.length; i += 1) out[i] = (out[i] ?? 0) + (rest[map[i] ?? 0] ?? 0);
      return true;
    }
    const posed = posedAt(ball, atUs);
    if (posed === undefined) return false;
    const { pose } = posed;
    const { x, y } = pose;
    for (let i = 0; i < map.length; i += 1) {
      const sensor = map[i] ?? 0;
      const dx = (sensorX[sensor] ?? 0) - x;
      const dy = (sensorY[sensor] ?? 0) - y;
      if (dx * dx + dy * dy > REACH_MM * REACH_MM) continue;
      out[i] = (out[i] ?? 0) + magnetMt(pose, sensor);
    }
    return true;
  };

  const indexOf = (cell: CellId): number => {
    const index = tiles.findIndex((tile) => tile.cell === cell);
    if (index < 0) throw new RangeError(`the mat has no cell ${cell}: use one of the layout ${layout.name}`);
    return index;
  };

  return {
    layout,
    seed,
    tiles,
    halls,
    options,
    wires,
    world(side) {
      const own = tiles.flatMap((tile, t) => (side === 'both' || tile.side === side ? [t] : []));
      const map = Int32Array.from(own.flatMap((t) => Array.from({ length: halls }, (_, h) => t * halls + h)));
      return {
        fieldMt: (sensor, atUs) => fieldMt(map[sensor] ?? -1, atUs),
        fieldsMt: (atUs, out) => fieldsMt(map, atUs, out),
        ...wires.world(own, side === 'both' ? ['A', 'B'] : [side]),
      };
    },
    put(track) {
      const next: Standing = {
        track,
        poses: Array.from({ length: POSES }, () => ({ pose: createPose(), atUs: -1, present: false })),
        rest: undefined,
      };
      balls = [...balls.filter((b) => b.track.body.bakugan !== track.body.bakugan), next];
      wires.roll(track);
    },
    take(bakugan) {
      balls = balls.filter((b) => b.track.body.bakugan !== bakugan);
      wires.forget(bakugan);
    },
    track: (bakugan) => balls.find((b) => b.track.body.bakugan === bakugan)?.track,
    tracks: () => balls.map((b) => b.track),
    hand: (cell, span) => wires.hand(indexOf(cell), span),
    handInGate: wires.handInGate,
    press: wires.press,
    spoil: (cell, fault, span) => wires.spoil(indexOf(cell), fault, span),
    heal: (cell, atUs) => wires.heal(indexOf(cell), atUs),
    kill(cell, hall, mt) {
      dead[indexOf(cell) * halls + hall] = mt ?? Number.NaN;
      anyDead = true;
    },
    magnetise(cell, atUs) {
      magnetised = true;
      for (let h = 0; h < halls; h += 1) {
        const sensor = indexOf(cell) * halls + h;
        const list = kept[sensor];
        const mt =
          (list?.at(-1)?.mt ?? 0) + remanenceDeviationMt * normalOf(streamOf(seed, 1000 + sensor), atUs);
        list?.push({ atUs, mt });
      }
    },
    shove: (cell, span, mt) => shoves.add(indexOf(cell), span, mt),
    disturb: noise.disturb,
    light(side, load) {
      tiles.forEach((tile, t) => {
        if (tile.side !== side) return;
        for (let h = 0; h < halls; h += 1) noise.setLight(t * halls + h, load);
      });
    },
    fieldsMt,
    cleanMt: (cell, hall, atUs) => magnetsMt(indexOf(cell) * halls + hall, atUs),
  };
}
