/** One roll as samples or as frames, without lines: for the thousands of rolls on which detection is measured. */
import type { UplinkFrame } from '../firmware-protocol/frame.ts';
import type { AtMs, Side } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { FIXED_12, type Layout } from '../host/sensing/layout.ts';
import type { Body } from './ball.ts';
import { drawBodies } from './bodies.ts';
import { calibrationOf, ownCores } from './calibration.ts';
import { createMat, type Mat, type MatTile } from './mat.ts';
import { BAD_ROOM, QUIET_ROOM } from './noise.ts';
import { perform } from './perform.ts';
import { createChance, hash32, streamOf, unitOf } from './random.ts';
import { drawRoll } from './roll.ts';
import { createScriptedBoard } from './scripted-board.ts';
import { CLEAN, type RollShares, WORN } from './shares.ts';
import type { RollTruth } from './truth.ts';
import { voltsOf } from './world.ts';

/**
 * `clean`: sound contacts, quiet room. `worn`: dirty, dead and stuck contacts. `impaired`: worn, and LED steps, spikes,
 * a shifted zero and 2 % of the frames lost.
 */
export type Conditions = 'clean' | 'worn' | 'impaired';

export interface SampleOptions {
  readonly layout?: Layout;
  /** Which mat: its spread, balls and calibration. Rolls of one mat share them. 1 by default. */
  readonly matSeed?: number;
  readonly conditions?: Conditions;
  /** Shares other than those of the conditions. */
  readonly shares?: RollShares;
  /** Cells left without a core, drawn for each roll; 0 to 3 by default. */
  readonly vacantCells?: number;
  readonly samePolarity?: boolean;
}

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

/** The call of every sampled roll, and when its first sample is taken, µs. */
const CALL_US = 3_000_000;
const FIRST_US = 2_900_000;
const LOST_SHARE = 0.02;

export function createRollSource(options: SampleOptions = {}): RollSource {
  const layout = options.layout ?? FIXED_12;
  const matSeed = options.matSeed ?? 1;
  const conditions = options.conditions ?? 'clean';
  const shares = options.shares ?? (conditions === 'clean' ? CLEAN : WORN);
  const bodies = drawBodies({ seed: matSeed, samePolarity: options.samePolarity ?? false });
  const calibration = calibrationOf(createMat(layout, matSeed), bodies);

  const played = (seed: number): { mat: Mat; truth: RollTruth; activity: Activity & { kind: 'roll' } } => {
    const mat = createMat(layout, matSeed, seed);
    mat.disturb(conditions === 'impaired' ? BAD_ROOM : QUIET_ROOM);
    const chance = createChance(hash32(seed, 41, matSeed));
    const empty = options.vacantCells ?? chance.below(4);
    const left = new Set(Array.from({ length: empty }, () => chance.below(mat.tiles.length)));
    const cores = ownCores(mat).filter((_, i) => !left.has(i));
    const own = (side: Side): Body => chance.pick(bodies.filter((body) => body.player === side));
    const pair = [own('A'), own('B')];
    const roll = `t${seed}.1`;
    const plan = drawRoll(mat, { roll, seed, startUs: CALL_US, bodies: pair, cores, shares });
    const truth = perform(mat, plan);
    const balls = pair.map((body) => ({ player: body.player, bakugan: body.bakugan }));
    return { mat, truth, activity: { kind: 'roll', roll, balls, cores } };
  };

  return {
    layout,
    bodies,
    calibration,
    samples(seed) {
      const { mat, truth, activity } = played(seed);
      return { truth, activity, calibration, layout, ...densely(mat, Math.ceil(truth.toMs)) };
    },
    frames(seed) {
      const { mat, truth, activity } = played(seed);
      const frames: RollFrame[] = [];
      const lose = conditions === 'impaired' ? LOST_SHARE : 0;
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

/** Samples of one roll at once; for many rolls of one mat keep a source. */
export function sampleRoll(seed: number, options: SampleOptions = {}): SampledRoll {
  return createRollSource(options).samples(seed);
}

function densely(
  mat: Mat,
  toMs: number,
): Pick<SampledRoll, 'tiles' | 'halls' | 'fromMs' | 'durationMs' | 'counts' | 'contacts' | 'edges'> {
  const { tiles, halls } = mat;
  const fromMs = FIRST_US / 1000;
  const durationMs = toMs - fromMs;
  const width = tiles.length * halls;
  const counts = new Uint16Array(durationMs * width);
  const contacts = new Uint8Array(durationMs * tiles.length);
  const sensors = Int32Array.from({ length: width }, (_, i) => i);
  const fields = new Float64Array(width);
  for (let ms = 0; ms < durationMs; ms += 1) {
    mat.fieldsMt(sensors, FIRST_US + ms * 1000, fields);
    for (let s = 0; s < width; s += 1) {
      counts[ms * width + s] = Math.min(1023, Math.floor(voltsOf(fields[s] ?? 0) * 204.8));
    }
  }
  const edges: SampledEdge[] = [];
  const order = [...tiles.keys()].sort((a, b) =>
    (tiles[a]?.side ?? 'A') < (tiles[b]?.side ?? 'A') ? -1 : 1,
  );
  const world = mat.world('both');
  const lines = [
    ...order.map((tile, i) => ({
      kind: 'contact' as const,
      tile,
      side: tiles[tile]?.side ?? 'A',
      read: (atUs: number): boolean => world.contact(i, atUs),
    })),
    ...(['A', 'B'] as const).flatMap((side, s) =>
      (['near-gate', 'far-gate'] as const).map((kind, g) => ({
        kind,
        tile: -1,
        side,
        read: (atUs: number): boolean => world.gate(2 * s + g, atUs),
      })),
    ),
  ];
  for (const line of lines) {
    let before = false;
    for (let half = 0; half < 2 * durationMs; half += 1) {
      const atUs = FIRST_US + half * 500;
      const closed = line.read(atUs);
      if (closed !== before) {
        edges.push({ atMs: atUs / 1000, kind: line.kind, tile: line.tile, side: line.side, closed });
        before = closed;
      }
      if (closed && line.tile >= 0 && half % 2 === 0) contacts[(half / 2) * tiles.length + line.tile] = 1;
    }
  }
  edges.sort((a, b) => a.atMs - b.atMs);
  return { tiles, halls, fromMs, durationMs, counts, contacts, edges };
}
