/** The lines of one simulated roll through links and detector, to the last word on it. */
import type { Activity } from '../../host/sensing/activity.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import * as links from '../../host/sensing/links.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { LinkNotice } from '../../host/sensing/seen.ts';
import {
  createSensing,
  dueAt,
  hearFrame,
  hearNotice,
  type SenseOutput,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { type CapturedRoll, type CorpusOptions, captureRoll } from '../../sim/corpus.ts';
import type { Effects } from '../../sim/effects.ts';
import type { RollTruth } from '../../sim/truth.ts';
import { type Sighting, sightingsIn } from './detection-sightings.ts';
import type { Said } from './watch.ts';

export interface HeardRoll {
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
  readonly said: readonly Said[];
  /** The first final ruling. */
  readonly final: RollRuling | undefined;
  /** What it had seen on the tiles by then. */
  readonly sightings: readonly Sighting[];
  /** The final ruling was watched for as long as it may be taken back. */
  readonly watchedOn: boolean;
  readonly calibration: Calibration;
  /** Lines heard, where it was heard line by line. */
  readonly lines?: number;
  /** How long the boards spoke on after the samples of the roll, ms. */
  readonly afterMs?: number;
}

/** What the detector is given. */
export interface Known {
  readonly limits: Partial<SensingLimits>;
  readonly calibration: Calibration;
}

/** A roll that is not ruled by then is never ruled. */
export const LONGEST_MS = 30_000;
/**
 * Lines go on for so long after the samples of the roll, ms: at first, where the last word waits for a ball that left
 * the tiles, and where it waits for one that was never seen.
 */
export const AFTER_MS = [0, 2500, 20_500] as const;

/** How the lines of a roll come about. */
export type Capture = (seed: number, options: CorpusOptions) => CapturedRoll;

export function finalIn(said: readonly Said[]): RollRuling | undefined {
  for (const { output } of said) {
    if (output.kind === 'ruling' && output.ruling.stage === 'final') return output.ruling;
  }
  return undefined;
}

/** A roll line by line to the last word on it. */
export function hearWhole(
  seed: number,
  options: CorpusOptions,
  effects: Effects,
  known: Known,
  capture: Capture = captureRoll,
): HeardRoll {
  const hearFor = (afterMs: number) => {
    const captured = capture(seed, { ...options, afterMs });
    const { dry, ...heard } = hearLines(captured, effects, known, options.layout);
    return {
      dry,
      heard: { ...heard, calibration: known.calibration, lines: captured.lines.length, afterMs },
    };
  };
  // Most rolls are ruled soon after both balls rest; the others are heard again for longer.
  const [soon, later, last] = AFTER_MS;
  for (const afterMs of [soon, later]) {
    const { dry, heard } = hearFor(afterMs);
    if (!dry) return heard;
  }
  return hearFor(last).heard;
}

/** Lines of a captured roll through links and detector. */
export function hearLines(
  captured: CapturedRoll,
  effects: Effects,
  known: Known,
  layout: Layout = FIXED_12,
): Omit<HeardRoll, 'calibration'> & { readonly dry: boolean } {
  const { truth, activity, lines } = captured;
  const callMs = truth.fromMs;
  const wire = effects.includes('mqtt') ? links.MQTT_WIRE : links.SERIAL_WIRE;
  const heard = links.createLinks({
    layout,
    links: ['sim-a', 'sim-b'].map((link) => ({ link, wire })),
  });
  const sensing = createSensing({ layout, calibration: known.calibration, limits: known.limits });
  const said: Said[] = [];
  const out: SenseOutput[] = [];
  const notices: LinkNotice[] = [];
  let called = false;
  let final: RollRuling | undefined;
  const take = (outMs: number): void => {
    for (const output of out) {
      said.push({ output, outMs });
      if (output.kind === 'ruling' && output.ruling.stage === 'final') final = output.ruling;
    }
    out.length = 0;
  };
  const tell = (): void => {
    for (const notice of notices) hearNotice(sensing, notice, out);
    notices.length = 0;
  };
  const settleTo = (toMs: number): void => {
    for (;;) {
      const due = Math.min(links.dueAt(heard), dueAt(sensing) ?? Infinity);
      if (due > toMs) return;
      links.settleLinks(heard, due, notices);
      tell();
      settle(sensing, due, out);
      take(due);
    }
  };
  for (const line of lines) {
    if (!called && line.atMs >= callMs) {
      settleTo(callMs);
      called = true;
      setActivity(sensing, activity, callMs, out);
    }
    settleTo(line.atMs);
    const frame = links.hearLine(heard, line.via, line, line.atMs, {}, notices);
    tell();
    if (frame.kind === 'fresh' && frame.frame.kind !== 'answer') {
      hearFrame(sensing, frame.side, frame.frame, frame.atMs, frame.errorMs, out);
    }
    settleTo(line.atMs);
    take(line.atMs);
    if (final !== undefined) break;
  }
  // No line told the end: time passes, and boards fall silent.
  const dry = final === undefined;
  if (dry) settleTo(callMs + LONGEST_MS);
  return { truth, activity, said, final, sightings: sightingsIn(sensing), watchedOn: false, dry };
}
