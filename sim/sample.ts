/** One roll as samples or as frames, without lines: for the thousands of rolls on which detection is measured. */
import { INPUT, type UplinkFrame } from '../firmware-protocol/frame.ts';
import type { AtMs, Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { FIXED_12, type Layout } from '../host/sensing/layout.ts';
import type { Body } from './ball.ts';
import { calibrationOf } from './calibration.ts';
import { createInputLook } from './input-look.ts';
import type { Mat, MatTile } from './mat.ts';
import { bodiesOf, CALL_US, IMPAIRED_LOSS, matOf, playRoll, type SampleOptions } from './played.ts';
import { hash32, streamOf, unitOf } from './random.ts';
import { createScriptedBoard } from './scripted-board.ts';
import type { RollTruth } from './truth.ts';
import { countsOf } from './world.ts';

/** One contact, gate or stud edge as a board samples it, twice a millisecond. */
export interface SampledEdge {
  readonly atMs: AtMs;
  readonly kind: 'contact' | 'near-gate' | 'far-gate';
  /** Index into `tiles` for a contact. */
  readonly tile: number;
  readonly side: Side;
  readonly closed: boolean;
}

export interface SampledRoll {
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
  readonly calibration: Calibration;
  readonly layout: Layout;
  /** In the order of the layout's cells. */
  readonly tiles: readonly MatTile[];
  readonly halls: number;
  /** Time of the first sample; one each millisecond. */
  readonly fromMs: AtMs;
  readonly durationMs: number;
  /** Ten-bit counts: by millisecond, tile, hall. */
  readonly counts: Uint16Array;
  /** 1 closed: by millisecond, tile. */
  readonly contacts: Uint8Array;
  readonly edges: readonly SampledEdge[];
}

/** One frame of a side's board and when its line would have left it. */
export interface RollFrame {
  readonly atMs: AtMs;
  readonly side: Side;
  readonly frame: UplinkFrame;
}

/** The same mat for many rolls. */
export interface RollSource {
  readonly layout: Layout;
  readonly bodies: readonly Body[];
  readonly calibration: Calibration;
  /** Dense samples of roll `seed`. */
  samples(seed: number): SampledRoll;
  /** What the two boards say during roll `seed`, from two seconds before the call on. */
  frames(seed: number): {
    readonly truth: RollTruth;
    readonly activity: Activity & { readonly kind: 'roll' };
    readonly frames: readonly RollFrame[];
  };
}

/** The first sample of a roll comes this long before its call, µs. */
const LEAD_US = 100_000;

export function createRollSource(options: SampleOptions = {}): RollSource {
  const layout = options.layout ?? FIXED_12;
  const matSeed = options.matSeed ?? 1;
  const bodies = bodiesOf(options);
  const calibration = calibrationOf(matOf(options), bodies);

  return {
    layout,
    bodies,
    calibration,
    samples(seed) {
      const { mat, truth, activity } = playRoll(seed, options);
      return { truth, activity, calibration, layout, ...densely(mat, Math.ceil(truth.toMs), truth.fromMs) };
    },
    frames(seed) {
      const { mat, truth, activity } = playRoll(seed, options);
      const frames: RollFrame[] = [];
      const lose = lossy(options) ? IMPAIRED_LOSS : 0;
      for (const side of ['A', 'B'] as const) {
        const stream = streamOf(hash32(seed, 42, matSeed), side === 'A' ? 1 : 2);
        let said = 0;
        const board = createScriptedBoard({
          world: mat.world(side),
          side,
          tiles: mat.tiles.filter((tile) => tile.side === side).length,
          halls: mat.halls,
          device: side === 'A' ? 'A0000001' : 'B0000001',
          spell: false,
          onFrame: (frame, atUs) => {
            said += 1;
            if (unitOf(stream, said) >= lose) frames.push({ atMs: atUs / 1000, side, frame });
          },
        });
        board.runTo(Math.ceil(truth.toMs * 1000));
      }
      frames.sort((a, b) => a.atMs - b.atMs || (a.side < b.side ? -1 : a.side > b.side ? 1 : 0));
      return { truth, activity, frames };
    },
  };
}

/** Whether lines are lost on the way. */
function lossy(options: SampleOptions): boolean {
  return options.effects?.includes('lost-lines') ?? options.conditions === 'impaired';
}

/** Samples of one roll at once; for many rolls of one mat keep a source. */
export function sampleRoll(seed: number, options: SampleOptions = {}): SampledRoll {
  return createRollSource(options).samples(seed);
}

/** What the pins of a mat show from shortly before the call on, each millisecond up to `toMs`. */
export function densely(
  mat: Mat,
  toMs: number,
  callMs = CALL_US / 1000,
): Pick<SampledRoll, 'tiles' | 'halls' | 'fromMs' | 'durationMs' | 'counts' | 'contacts' | 'edges'> {
  const { tiles, halls } = mat;
  const firstUs = callMs * 1000 - LEAD_US;
  const fromMs = firstUs / 1000;
  const durationMs = toMs - fromMs;
  const width = tiles.length * halls;
  const counts = new Uint16Array(durationMs * width);
  const contacts = new Uint8Array(durationMs * tiles.length);
  const sensors = Int32Array.from({ length: width }, (_, i) => i);
  const fields = new Float64Array(width);
  for (let ms = 0; ms < durationMs; ms += 1) {
    mat.fieldsMt(sensors, firstUs + ms * 1000, fields);
    for (let s = 0; s < width; s += 1) {
      counts[ms * width + s] = countsOf(fields[s] ?? 0);
    }
  }
  const edges: SampledEdge[] = [];
  for (const side of SIDES) {
    const own = [...tiles.keys()].filter((t) => tiles[t]?.side === side);
    let atUs = firstUs;
    const looker = createInputLook(mat.world(side), own.length, false, (input, closed) => {
      const kind =
        input === INPUT.nearGateA ? 'near-gate' : input === INPUT.farGateA ? 'far-gate' : 'contact';
      edges.push({
        atMs: atUs / 1000,
        kind,
        tile: kind === 'contact' ? (own[input] ?? -1) : -1,
        side,
        closed,
      });
    });
    for (let half = 0; half < 2 * durationMs; half += 1) {
      atUs = firstUs + half * 500;
      const bits = looker.look(atUs);
      if (half % 2 !== 0 || bits === 0) continue;
      own.forEach((tile, i) => {
        if ((bits & (1 << i)) !== 0) contacts[(half / 2) * tiles.length + tile] = 1;
      });
    }
  }
  edges.sort((a, b) => a.atMs - b.atMs);
  return { tiles, halls, fromMs, durationMs, counts, contacts, edges };
}
