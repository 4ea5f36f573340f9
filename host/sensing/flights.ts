/**
 * Flights of a ball over one tile, as the contact shows them (5.7.1.3): the plate is free while the ball is in the air
 * and is struck for a moment when it comes down. A dirty contact is free now and then too, but nothing strikes it.
 */
import { type ContactTrack, EDGES_KEPT } from './contact.ts';

/** Gaps shorter than this are electrical bounce or the chatter of a latch. */
const MERGE_MS = 3.5;
/** A ball that comes down and flies on touches the plate for no longer. */
const STRIKE_MS = 4;
/** Each flight is 0.3 to 0.6 of the one before; the contact shows a little less of the short ones. */
const RATIO = [0.15, 0.75] as const;

export interface Flights {
  /** Sure flights, ms each. */
  readonly sureMs: readonly number[];
  /** Gaps that may have been flights or a contact that failed. */
  readonly doubtful: number;
}

/** Times for which the contact was closed within [fromMs, toMs], short gaps closed. */
function closedTimes(track: ContactTrack, cell: number, fromMs: number, toMs: number): [number, number][] {
  const row = cell * EDGES_KEPT;
  const out: [number, number][] = [];
  let closed = NaN;
  const add = (from: number, to: number): void => {
    const last = out.at(-1);
    if (last !== undefined && from - last[1] < MERGE_MS) last[1] = to;
    else out.push([from, to]);
  };
  for (let place = 0; place < (track.counts[cell] ?? 0); place += 1) {
    const at = track.times[row + place] ?? 0;
    if (at < fromMs) continue;
    if (at > toMs) break;
    if (track.levels[row + place] === 1) closed = Number.isNaN(closed) ? at : closed;
    else if (!Number.isNaN(closed)) {
      add(closed, at);
      closed = NaN;
    }
  }
  if (!Number.isNaN(closed)) add(closed, toMs);
  return out;
}

/** Flights of `leastMs` to `mostMs` over a tile within [fromMs, toMs], while one ball was about it. */
export function flightsOver(
  track: ContactTrack,
  cell: number,
  fromMs: number,
  toMs: number,
  leastMs: number,
  mostMs: number,
): Flights {
  const times = closedTimes(track, cell, fromMs, toMs);
  const sureMs: number[] = [];
  let doubtful = 0;
  for (let i = 1; i < times.length; i += 1) {
    const [, left] = times[i - 1] ?? [0, 0];
    const [down] = times[i] ?? [0, 0];
    const gap = down - left;
    if (gap < leastMs || gap > mostMs) continue;
    if (isFlight(times, i, gap)) sureMs.push(gap);
    else doubtful += 1;
  }
  return { sureMs, doubtful };
}

/** Struck at its end and followed by a shorter flight, or begun by a strike after a longer one, or struck at both ends. */
function isFlight(times: readonly (readonly [number, number])[], i: number, gap: number): boolean {
  const gapAt = (k: number): number => (times[k]?.[0] ?? NaN) - (times[k - 1]?.[1] ?? NaN);
  const struck = (k: number): boolean => (times[k]?.[1] ?? NaN) - (times[k]?.[0] ?? NaN) < STRIKE_MS;
  const within = (ratio: number): boolean => ratio >= RATIO[0] && ratio <= RATIO[1];
  if (struck(i) && within(gapAt(i + 1) / gap)) return true;
  if (struck(i - 1) && within(gap / gapAt(i - 1))) return true;
  return struck(i) && struck(i - 1);
}
