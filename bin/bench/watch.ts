/** Two scripted boards and a detector that hears them in virtual time: what every detection test stands on. */
import type { BoardSide, UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import type { Layout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import {
  createSensing,
  dueAt,
  hearFrame,
  type SenseOutput,
  type Sensing,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { createScriptedBoard } from '../../sim/scripted-board.ts';
import type { BoardWorld } from '../../sim/world.ts';

/** A frame, the host time of its device time and the moment it arrives, ms. */
export interface Arrived {
  readonly frame: UplinkFrame;
  readonly atMs: number;
  readonly arriveMs: number;
}

export interface WatchAsk {
  readonly layout: Layout;
  readonly calibration: Calibration;
  readonly limits?: Partial<SensingLimits>;
  readonly worlds: Readonly<Record<'A' | 'B', BoardWorld>>;
  readonly halls: number;
  readonly activity: Activity;
  /** The call: the activity holds from here on. */
  readonly callMs: number;
  /** So long before the call the boards begin to speak, ms; 500 by default. */
  readonly leadMs?: number;
  /** Ends at the final ruling unless `goOn`, and latest then. */
  readonly untilMs: number;
  readonly goOn?: boolean;
  /** The first final ruling is watched for so long: it may be taken back. 0 by default, ms. */
  readonly afterFinalMs?: number;
  /** Sees every frame as it is made; false loses it. */
  readonly wire?: (arrived: Arrived, side: BoardSide) => boolean;
  /** Settles only right before the next frame, as a busy host would. */
  readonly lateSettle?: boolean;
  /** Called before each frame is heard; what it returns goes on in the detector's place. */
  readonly before?: (sensing: Sensing, atMs: number, out: SenseOutput[]) => Sensing;
}

/** An output with the moment at which it came out. */
export interface Said {
  readonly output: SenseOutput;
  readonly outMs: number;
}

export interface Watched {
  readonly said: readonly Said[];
  readonly final: RollRuling | undefined;
  readonly sensing: Sensing;
  /** Dense samples that reached the detector. */
  readonly samples: number;
}

/** From a frame's making to its arrival: the line itself and the wire, ms. */
const LINE_MS = 3;
/** Boards are heard from so long before the call, ms. */
export const LEAD_MS = 500;

export function watchTable(ask: WatchAsk): Watched {
  const { layout, calibration, callMs } = ask;
  const silenceMs = callMs - (ask.leadMs ?? LEAD_MS);
  let sensing = createSensing({
    layout,
    calibration,
    ...(ask.limits === undefined ? {} : { limits: ask.limits }),
  });
  const pending: { arrived: Arrived; side: 'A' | 'B' }[] = [];
  let samples = 0;
  const boards = (['A', 'B'] as const).map((side) =>
    createScriptedBoard({
      world: ask.worlds[side],
      side,
      tiles: layout.cells.filter((cell) => cell.side === side).length,
      halls: ask.halls,
      device: side === 'A' ? 'A0000001' : 'B0000001',
      silenceMs,
      spell: false,
      onFrame(frame, atUs) {
        const arrived = { frame, atMs: silenceMs + frame.deviceUs / 1000, arriveMs: atUs / 1000 + LINE_MS };
        if (ask.wire?.(arrived, side) === false) return;
        if (frame.kind === 'burst') samples += frame.samples.length;
        pending.push({ arrived, side });
      },
    }),
  );
  const said: Said[] = [];
  const out: SenseOutput[] = [];
  const take = (outMs: number): void => {
    for (const output of out) said.push({ output, outMs });
    out.length = 0;
  };
  const settleTo = (toMs: number): void => {
    for (;;) {
      const due = dueAt(sensing);
      if (due === undefined || due > toMs) return;
      settle(sensing, ask.lateSettle === true ? toMs : due, out);
      take(due);
    }
  };
  let called = false;
  let final: RollRuling | undefined;
  let finalMs = Infinity;
  const after = ask.afterFinalMs ?? 0;
  const goesOn = (ms: number): boolean =>
    final === undefined || ask.goOn === true || ms < finalMs + Math.max(after, 1);
  for (let ms = silenceMs; ms < ask.untilMs && goesOn(ms); ms += 8) {
    for (const board of boards) board.runTo(ms * 1000);
    pending.sort((a, b) => a.arrived.arriveMs - b.arrived.arriveMs);
    while ((pending[0]?.arrived.arriveMs ?? Infinity) <= ms) {
      const next = pending.shift();
      if (next === undefined) break;
      const { arrived, side } = next;
      if (!called && arrived.arriveMs >= callMs) {
        called = true;
        setActivity(sensing, ask.activity, callMs, out);
      }
      settleTo(arrived.arriveMs);
      if (ask.before !== undefined) sensing = ask.before(sensing, arrived.arriveMs, out);
      hearFrame(sensing, side, arrived.frame, arrived.atMs, 0.5, out);
      if (ask.lateSettle !== true) settleTo(arrived.arriveMs);
      take(arrived.arriveMs);
    }
    const last = said.findLast((s) => s.output.kind === 'ruling')?.output;
    if (last?.kind === 'ruling' && last.ruling.stage === 'final') {
      final = last.ruling;
      finalMs = Math.min(finalMs, ms);
    }
  }
  // Time passes with no frame: silence settles too.
  if (final === undefined || ask.goOn === true) settleTo(ask.untilMs);
  const last = said.findLast((s) => s.output.kind === 'ruling')?.output;
  if (last?.kind === 'ruling' && last.ruling.stage === 'final') final = last.ruling;
  return { said, final, sensing, samples };
}
