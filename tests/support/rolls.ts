/** Simulated rolls with ground truth, fed to the detector as samples: for tests, the fit and the bench. */
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import {
  createSensing,
  hearFrame,
  type SenseOutput,
  type Sensing,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { type Body, standing } from '../../sim/ball.ts';
import { drawBodies } from '../../sim/bodies.ts';
import { createMat, type Mat } from '../../sim/mat.ts';
import { type Disturbance, QUIET_ROOM } from '../../sim/noise.ts';
import { perform } from '../../sim/perform.ts';
import { createChance, hash32 } from '../../sim/random.ts';
import { drawRoll } from '../../sim/roll.ts';
import { createScriptedBoard } from '../../sim/scripted-board.ts';
import { CLEAN, type RollShares } from '../../sim/shares.ts';
import type { RollTruth } from '../../sim/truth.ts';
import { MT_PER_COUNT } from '../../sim/world.ts';

/** A frame, the host time of its device time and the moment it arrives, ms. */
export interface Arrived {
  readonly frame: UplinkFrame;
  readonly atMs: number;
  readonly arriveMs: number;
}

export interface RollSetting {
  readonly seed: number;
  readonly layout?: Layout;
  readonly shares?: RollShares;
  readonly room?: Disturbance;
  readonly limits?: Partial<SensingLimits>;
  readonly samePolarity?: boolean;
  /** Sees every frame before the detector does; returns false to lose it. */
  readonly wire?: (arrived: Arrived, side: 'A' | 'B') => boolean;
  /** Ends soonest at the final ruling, latest after this. */
  readonly longestMs?: number;
}

/** An output with the moment at which it came out. */
export interface Said {
  readonly output: SenseOutput;
  readonly outMs: number;
}

export interface RollRun {
  readonly truth: RollTruth;
  readonly said: readonly Said[];
  readonly final: RollRuling | undefined;
  readonly sensing: Sensing;
  readonly samples: number;
}

const CALL_MS = 400;
/** From a frame's making to its arrival: the line itself and the wire, ms. */
const LINE_MS = 3;

/** What a calibration of this mat with perfect readings gives: a reference ball seated open on each tile in turn. */
export function calibrate(mat: Mat, bodies: readonly Body[]): Calibration {
  const { layout, halls } = mat;
  const reference: Body = {
    player: 'A',
    bakugan: 'A/9',
    radiusMm: 18,
    polarity: 1,
    strength: 1,
    latchMm: 7,
  };
  const seatedAt = mat.tiles.map((tile) => {
    mat.put(standing(reference, 0, tile.x, tile.y));
    const read = (cell: string, h: number): number => mat.cleanMt(cell, h, 600_000);
    const own = Array.from({ length: halls }, (_, h) => read(tile.cell, h));
    const others = mat.tiles.map((other) => read(other.cell, 0));
    mat.take(reference.bakugan);
    return { own, others };
  });
  return {
    version: 1,
    layout: layout.name,
    layoutHash: '',
    tiles: mat.tiles.map((tile, t) => ({
      tile: `${tile.side}${tile.tile}`,
      halls: Array.from({ length: halls }, (_, h) => {
        const spread = tile.spread.halls[h];
        return {
          restCounts: 512 + (spread?.offsetMt ?? 0) / MT_PER_COUNT,
          noiseCounts: 0.6,
          seatedCounts: ((seatedAt[t]?.own[h] ?? 0) * (spread?.gain ?? 1)) / MT_PER_COUNT,
          ledCounts: 0,
        };
      }),
      neighbours: Object.fromEntries(
        mat.tiles
          .map(
            (other, o) =>
              [
                `${other.side}${other.tile}`,
                (seatedAt[o]?.others[t] ?? 0) / (seatedAt[o]?.own[0] ?? 1),
              ] as const,
          )
          .filter(([, share], o) => o !== t && Math.abs(share) > 0.001),
      ),
      contactWorks: true,
    })),
    balls: Object.fromEntries(
      bodies.map((body) => [body.bakugan, { polarity: body.polarity, strength: body.strength }]),
    ),
  };
}

/** Cores for a roll: the cells of a side hold its player's, up to three cells are vacant. */
export function layCores(layout: Layout, seed: number): RollTruth['cores'] {
  const chance = createChance(hash32(seed, 5, 0));
  const vacant = chance.below(4);
  const cells = [...layout.cells];
  for (let i = 0; i < vacant; i += 1) cells.splice(chance.below(cells.length), 1);
  return cells.map((cell) => ({ cell: cell.cell, core: `${cell.side}${cell.tile + 1}` }));
}

/** Draws, performs and judges one roll on a mat of its own. */
export function runRoll(setting: RollSetting): RollRun {
  const { seed } = setting;
  const layout = setting.layout ?? FIXED_12;
  const mat = createMat(layout, hash32(seed, 1, 0));
  mat.disturb(setting.room ?? QUIET_ROOM);
  const bodies = drawBodies({ seed, each: 1, samePolarity: setting.samePolarity ?? false });
  const calibration = calibrate(mat, bodies);
  const cores = layCores(layout, seed);
  const roll = 't1.1';
  const plan = drawRoll(mat, {
    roll,
    seed,
    startUs: CALL_MS * 1000,
    bodies,
    cores,
    shares: setting.shares ?? CLEAN,
  });
  const truth = perform(mat, plan);
  const limits = setting.limits;
  const sensing = createSensing({ layout, calibration, ...(limits === undefined ? {} : { limits }) });
  const pending: { arrived: Arrived; side: 'A' | 'B' }[] = [];
  let samples = 0;
  const boards = (['A', 'B'] as const).map((side) => {
    const tiles = layout.cells.filter((cell) => cell.side === side).length;
    return createScriptedBoard({
      world: mat.world(side),
      side,
      tiles,
      halls: mat.halls,
      device: side === 'A' ? '0000000A' : '0000000B',
      silenceMs: 0,
      spell: false,
      onFrame(frame, atUs) {
        if (frame.kind === 'burst') samples += frame.samples.length;
        const arrived = { frame, atMs: frame.deviceUs / 1000, arriveMs: atUs / 1000 + LINE_MS };
        if (setting.wire?.(arrived, side) !== false) pending.push({ arrived, side });
      },
    });
  });
  const said: Said[] = [];
  const out: SenseOutput[] = [];
  const take = (outMs: number): void => {
    for (const output of out) said.push({ output, outMs });
    out.length = 0;
  };
  const settleAt = (toMs: number): void => {
    settle(sensing, toMs, out);
    take(toMs);
  };
  let called = false;
  let final: RollRuling | undefined;
  const endMs = CALL_MS + (setting.longestMs ?? 30_000);
  for (let ms = 8; ms < endMs && final === undefined; ms += 8) {
    for (const board of boards) board.runTo(ms * 1000);
    pending.sort((a, b) => a.arrived.arriveMs - b.arrived.arriveMs);
    while ((pending[0]?.arrived.arriveMs ?? Infinity) <= ms) {
      const next = pending.shift();
      if (next === undefined) break;
      if (!called && next.arrived.arriveMs >= CALL_MS) {
        called = true;
        setActivity(
          sensing,
          { kind: 'roll', roll, balls: bodies.map(({ player, bakugan }) => ({ player, bakugan })), cores },
          CALL_MS,
          out,
        );
      }
      settleDues(sensing, next.arrived.arriveMs, settleAt);
      hearFrame(sensing, next.side, next.arrived.frame, next.arrived.atMs, 0.5, out);
      settleDues(sensing, next.arrived.arriveMs, settleAt);
      take(next.arrived.arriveMs);
    }
    const last = said.at(-1)?.output;
    if (last?.kind === 'ruling' && last.ruling.stage === 'final') final = last.ruling;
  }
  return { truth, said, final, sensing, samples };
}

/** Settles in one go; outputs are dated with the due moment they came at, or now when that is past. */
function settleDues(sensing: Sensing, toMs: number, settleAt: (toMs: number) => void): void {
  for (;;) {
    const live = sensing.live;
    const due = Math.min(live.nextReviewMs, live.finalDueMs);
    if (sensing.activity.kind !== 'roll' || !(due <= toMs)) return;
    settleAt(due);
  }
}
