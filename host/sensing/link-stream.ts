/**
 * The lines of one life (boot) of one board: which were heard, which are missing, and since when. A line is known by
 * its number and its checksum, so that a number that comes back with other content is seen to be another life.
 */
import type { AtMs, LinkId } from '../ids.ts';
import type { DeviceClock } from './link-clock.ts';

/** Lines that are remembered one by one: 8 s at 500 lines a second. */
const WINDOW = 4096;
/** First lines of a life that are remembered for as long as it is: a reset begins there. */
const BIRTH = 64;
/** How far below the first line heard a late one may lie. */
const EARLIER = 64;

/** Numbers missing, from `from` to `to`, both counted without wrap. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** How many are still missing. */
  missing: number;
  /** Host time from which they count as lost. */
  readonly dueMs: AtMs;
  /** Host time not covered by what was heard before and after. */
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Link of the line that showed the gap. */
  readonly link: LinkId;
}

/** One life of one board. Plain data and typed arrays; owned by the links. */
export interface Stream {
  /** Low byte of the boot counter. */
  readonly boot: number;
  readonly bornMs: AtMs;
  /** Link on which this life was first heard. */
  readonly bornOn: LinkId;
  readonly clock: DeviceClock;
  /** Greatest number heard, without wrap; -1 before the first. */
  highest: number;
  /** Device time of that line, ms. */
  highestDeviceMs: number;
  /** Number of the first line expected: 0, or the first heard when the host joined late. */
  readonly joined: number;
  /** Host time up to which samples are accounted for. */
  coveredMs: AtMs;
  /** Old lines in a row that cannot be told apart from a new life. */
  staleRun: number;
  /** Checksum of each number heard, by number modulo WINDOW, or -1. */
  readonly heard: Int32Array;
  readonly birth: Int32Array;
  gaps: Gap[];
}

/** A life of which nothing was heard yet; `firstSeq` is the number expected first. */
export function createStream(
  boot: number,
  bornMs: AtMs,
  bornOn: LinkId,
  clock: DeviceClock,
  firstSeq: number,
): Stream {
  return {
    boot,
    bornMs,
    bornOn,
    clock,
    highest: firstSeq - 1,
    highestDeviceMs: Number.NEGATIVE_INFINITY,
    joined: firstSeq,
    coveredMs: bornMs,
    staleRun: 0,
    heard: new Int32Array(WINDOW).fill(-1),
    birth: new Int32Array(BIRTH).fill(-1),
    gaps: [],
  };
}

/**
 * What a line is to a life. `next` continues it, `late` was missing, `repeat` was heard, `clash` has the number of
 * another line, `stale` is too old to say.
 */
export type Place = 'next' | 'late' | 'repeat' | 'clash' | 'stale';

/** Number of a line without wrap, by what is nearest to the newest, or by the clock after a long gap. */
export function numberOf(stream: Stream, seq: number, deviceMs: number): number {
  if (stream.highest < 0) return seq;
  const ahead = (seq - stream.highest) & 0xffff;
  const nearest = ahead < 0x8000 ? ahead : ahead - 0x10000;
  // Far back by number but later by the clock: thousands of lines were missed.
  if (nearest <= -WINDOW && deviceMs > stream.highestDeviceMs) return stream.highest + ahead;
  return stream.highest + nearest;
}

/** Where a line belongs; changes nothing. `sum` is the line's checksum. */
export function placeOf(stream: Stream, number: number, sum: number): Place {
  if (number > stream.highest) return 'next';
  if (number >= 0 && number < BIRTH) {
    const born = stream.birth[number] ?? -1;
    if (born >= 0) return born === sum ? 'repeat' : 'clash';
  }
  if (number < stream.joined - EARLIER || number < 0 || number <= stream.highest - WINDOW) return 'stale';
  const known = stream.heard[number % WINDOW] ?? -1;
  if (known < 0) return 'late';
  return known === sum ? 'repeat' : 'clash';
}

/**
 * Takes in a line whose place is `next` or `late`. Returns the numbers newly missing before it as a gap, already on
 * the stream's list, or undefined.
 */
export function takeLine(
  stream: Stream,
  number: number,
  sum: number,
  deviceMs: number,
  span: { readonly startMs: AtMs; readonly endMs: AtMs },
  link: LinkId,
  dueMs: AtMs,
): Gap | undefined {
  let gap: Gap | undefined;
  if (number > stream.highest) {
    const from = stream.highest + 1;
    for (let skipped = Math.max(from, number - WINDOW + 1); skipped < number; skipped++) {
      stream.heard[skipped % WINDOW] = -1;
    }
    if (number > from) {
      gap = {
        from,
        to: number - 1,
        missing: number - from,
        dueMs,
        fromMs: Math.min(stream.coveredMs, span.startMs),
        toMs: span.startMs,
        link,
      };
      stream.gaps.push(gap);
    }
    stream.highest = number;
    stream.highestDeviceMs = deviceMs;
  }
  if (span.endMs > stream.coveredMs) stream.coveredMs = span.endMs;
  stream.heard[number % WINDOW] = sum;
  if (number < BIRTH) stream.birth[number] = sum;
  stream.staleRun = 0;
  return gap;
}

/** What became of a late line's number: it closed part of an open gap, or had been given up, or was never due. */
export function fillGap(stream: Stream, number: number): 'open' | 'given-up' | 'before' {
  for (let i = 0; i < stream.gaps.length; i++) {
    const gap = stream.gaps[i];
    if (gap === undefined || number < gap.from || number > gap.to) continue;
    gap.missing--;
    if (gap.missing === 0) stream.gaps.splice(i, 1);
    return 'open';
  }
  return number < stream.joined ? 'before' : 'given-up';
}
