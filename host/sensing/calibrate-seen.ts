import type { BakuganId, CellId, Side } from '../ids.ts';
import { beamsWork, type Calibrator, calibrationMade, promptOf } from './calibrate.ts';
import { calibrationReport, type TileReport } from './calibration-report.ts';

/** A calibration in the making as a person sees it. */
export type CalibratingSeen = {
  readonly step: 'empty' | 'lit' | 'seat' | 'leave' | 'gates' | 'done';
  /** Number of the step, from 1, and how many there are. */
  readonly at: number;
  readonly of: number;
  /** Cell to touch next and ball to take; null where no ball is wanted. */
  readonly cell: CellId | null;
  readonly ball: BakuganId | null;
  /** What to do now, and what is in the way; one sentence each. */
  readonly text: string;
  readonly problem: string;
  /** Share that is done, 0 to 1. */
  readonly progress: number;
  /** Times since it began, ms. */
  readonly tookMs: number;
  /** One row a tile, once every step is done. */
  readonly report: readonly TileReport[];
  /** Launch gates that were tried, and whether both beams of each work; once every step is done. */
  readonly gates: readonly { readonly side: Side; readonly work: boolean }[];
  /** Side whose gates are tried now; null otherwise. */
  readonly side: Side | null;
  /** Asked to be kept, and not kept yet. */
  readonly saving: boolean;
};

/** What a person is shown of a calibration in the making. */
export function calibratingSeen(c: Calibrator, tookMs: number, saving: boolean): CalibratingSeen {
  const prompt = promptOf(c);
  const { step } = prompt;
  const made = c.leaving ? undefined : calibrationMade(c);
  return {
    step: c.leaving ? 'leave' : step.kind,
    at: Math.min(c.at + (c.leaving ? 0 : 1), c.steps.length - 1),
    of: c.steps.length - 1,
    cell: (c.leaving ? undefined : prompt.cell) ?? null,
    ball: step.kind === 'seat' && !c.leaving ? step.ball : null,
    text: prompt.text,
    problem: prompt.problem,
    progress: prompt.progress,
    tookMs: Math.round(tookMs / 1000) * 1000,
    report: made === undefined ? [] : calibrationReport(c.ask.layout, made),
    gates: made === undefined ? [] : (c.ask.gates ?? []).map((side) => ({ side, work: beamsWork(c, side) })),
    side: step.kind === 'gates' && !c.leaving ? step.side : null,
    saving,
  };
}
