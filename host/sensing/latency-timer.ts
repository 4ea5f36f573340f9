import type { LinkId } from '../ids.ts';
import type { HealthFinding } from './health-finding.ts';

/** Share of gaps near a multiple of the timer that gives it away, and gaps needed to say so. */
const TIMER_SHARE = 0.85;
const TIMER_GAPS = 60;
const TIMER_MS = 16;
const NEAR_MS = 1.5;

/** Gaps kept of each wire. */
const KEPT_GAPS = 80;

/** Times between the arrivals of quiet lines on one wire. */
export interface QuietGaps {
  lastMs: number;
  /** Gaps so far, and the newest of them by number modulo its length, ms. */
  count: number;
  readonly gaps: Float64Array;
}

export function noGaps(): QuietGaps {
  return { lastMs: Number.NEGATIVE_INFINITY, count: 0, gaps: new Float64Array(KEPT_GAPS) };
}

/** A quiet line arrived. */
export function noteQuiet(quiet: QuietGaps, atMs: number): void {
  if (quiet.lastMs !== Number.NEGATIVE_INFINITY) {
    quiet.gaps[quiet.count % KEPT_GAPS] = atMs - quiet.lastMs;
    quiet.count += 1;
  }
  quiet.lastMs = atMs;
}

/** Whether the newest gaps give a latency timer away. */
export function isHeldBack(quiet: QuietGaps): boolean {
  return heldByLatencyTimer([...quiet.gaps.subarray(0, Math.min(quiet.count, KEPT_GAPS))]);
}

/**
 * Whether a USB-serial chip holds data back for 16 ms (its latency timer): quiet lines leave a board every 20 ms and
 * then arrive 16 or 32 ms apart. `gapsMs` are the times between the arrivals of quiet lines of one board, in any order.
 */
export function heldByLatencyTimer(gapsMs: readonly number[]): boolean {
  const gaps = gapsMs.filter((gap) => gap > TIMER_MS / 2);
  if (gaps.length < TIMER_GAPS) return false;
  const held = gaps.filter((gap) => {
    const times = Math.round(gap / TIMER_MS);
    return Math.abs(gap - times * TIMER_MS) < NEAR_MS * times;
  }).length;
  return held >= TIMER_SHARE * gaps.length;
}

/** The finding for a way in whose chip holds data back. */
export function latencyTimerFinding(link: LinkId): HealthFinding {
  return {
    code: 'health/usb-latency-timer',
    blocks: false,
    link,
    text: `The USB chip on ${link} holds lines back for up to 16 ms.`,
    remedy:
      "Set its latency timer to 1: on Linux write 1 to /sys/bus/usb-serial/devices/ttyUSB0/latency_timer, on Windows in the port's advanced settings.",
  };
}
