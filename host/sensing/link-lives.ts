/**
 * To which life of its board a line belongs. A life ends with each reset: its line numbers and its clock start anew.
 * A late copy of an old life must not look like a reset, and a reset must not look like a late copy.
 */
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { hostOf, isAhead, latenessOf, unwrapped } from './link-clock.ts';
import { type Board, SILENT_MS, type Way } from './link-state.ts';
import { numberOf, type Place, placeOf, type Stream } from './link-stream.ts';

/** On an ordered wire a line that was missing and comes this late is not that line. */
const ORDERED_LATE_MS = 1000;
/** The clock of a board does not go back by this much between one line and a later one. */
const CLOCK_BACK_MS = 2000;
/** First lines of a life that come again after this long are the first lines of another. */
const REBIRTH_MS = 60_000;
const REBIRTH_LINES = 64;
/** So many lines in a row that are too old to be told apart are a new life. */
const STALE_RUN = 50;
/** Boots by which a late copy from before may lag. */
const BOOTS_BACK = 16;
/** How far ahead of the present life's clock a line may be without doubt. */
const SOON_MS = 60;
/** A life that goes on for this long after another began is a second board with the same id. */
const RIVAL_MS = 300;
const RIVAL_LATE_MS = 500;

/** Where a line belongs. */
export type Life =
  | { readonly kind: 'known'; readonly stream: Stream; readonly seen: Sighting }
  /** A life not heard before. `sameBoot`: the boot counter did not move. */
  | { readonly kind: 'born'; readonly sameBoot: boolean }
  /** Of the present life by its number, but its clock jumped. */
  | { readonly kind: 'clock'; readonly stream: Stream; readonly seen: Sighting }
  /** An older life goes on although a newer one began: two boards with one id. */
  | { readonly kind: 'rival'; readonly stream: Stream; readonly seen: Sighting }
  | { readonly kind: 'stale' };

/** A line as one life would see it. */
export interface Sighting {
  readonly deviceMs: number;
  readonly number: number;
  readonly place: Place;
}

/** A line as this life would see it. */
export function sight(stream: Stream, frame: UplinkFrame, sum: number, atMs: AtMs): Sighting {
  const deviceMs = unwrapped(stream.clock, frame.deviceUs, atMs);
  const number = numberOf(stream, frame.seq, deviceMs);
  return { deviceMs, number, place: placeOf(stream, number, sum) };
}

/** Finds the life; changes nothing but the run of stale lines. */
export function lifeOf(board: Board, way: Way, frame: UplinkFrame, sum: number, atMs: AtMs): Life {
  const present = board.streams[0];
  if (present === undefined) return { kind: 'born', sameBoot: false };
  const { ordered } = way.wire;
  if (!ordered) {
    // A copy is a copy, also of a life before with the same boot byte, whose numbers the present one has not reached.
    for (const stream of board.streams) {
      if (stream.boot !== frame.boot) continue;
      const seen = sight(stream, frame, sum, atMs);
      if (seen.place === 'repeat') return { kind: 'known', stream, seen };
    }
  }
  let soon: Life | undefined;
  for (const stream of board.streams) {
    if (stream.boot !== frame.boot) continue;
    const seen = sight(stream, frame, sum, atMs);
    const lateMs = latenessOf(stream.clock, seen.deviceMs, atMs);
    if (seen.place === 'repeat') {
      // An ordered wire does not send the first line of a life again after others.
      if (
        ordered &&
        stream === present &&
        seen.number === 0 &&
        stream.highest > 0 &&
        stream.bornOn === way.link
      ) {
        continue;
      }
      return { kind: 'known', stream, seen };
    }
    if (seen.place !== 'next' && seen.place !== 'late') continue;
    if (isAhead(stream.clock, seen.deviceMs, atMs)) continue;
    if (ordered && seen.place === 'late' && lateMs > ORDERED_LATE_MS) continue;
    if (seen.place === 'next' && seen.deviceMs < stream.highestDeviceMs - CLOCK_BACK_MS) continue;
    if (stream === present) {
      if (lateMs >= -SOON_MS) return { kind: 'known', stream, seen };
      // Ahead of a clock that is hardly known: of a life before with this boot byte, if one has room for it.
      soon = { kind: 'known', stream, seen };
      continue;
    }
    const happenedMs = hostOf(stream.clock, seen.deviceMs);
    if (happenedMs <= present.bornMs + RIVAL_MS) return { kind: 'known', stream, seen };
    if (soon === undefined && lateMs < RIVAL_LATE_MS) return { kind: 'rival', stream, seen };
  }
  if (soon !== undefined) return soon;
  return present.boot === frame.boot
    ? ofThisBoot(present, ordered, frame, sum, atMs)
    : ofAnotherBoot(board, present, ordered, frame, atMs);
}

/** The boot byte is the present one's and nothing fitted: a reset that did not count, a jump of the clock, or old. */
function ofThisBoot(stream: Stream, ordered: boolean, frame: UplinkFrame, sum: number, atMs: AtMs): Life {
  const seen = sight(stream, frame, sum, atMs);
  const back = seen.deviceMs < stream.highestDeviceMs - CLOCK_BACK_MS;
  if (seen.place === 'next' && !back) return { kind: 'clock', stream, seen };
  if (ordered || seen.place === 'next' || seen.place === 'clash') return { kind: 'born', sameBoot: true };
  if (seen.place === 'late') return { kind: 'clock', stream, seen };
  const lateMs = latenessOf(stream.clock, seen.deviceMs, atMs);
  if (frame.seq < REBIRTH_LINES && lateMs > REBIRTH_MS) return { kind: 'born', sameBoot: true };
  stream.staleRun++;
  return stream.staleRun >= STALE_RUN ? { kind: 'born', sameBoot: true } : { kind: 'stale' };
}

/** The boot byte is another: a reset, or a late copy of a life that was never heard or is long past. */
function ofAnotherBoot(
  board: Board,
  present: Stream,
  ordered: boolean,
  frame: UplinkFrame,
  atMs: AtMs,
): Life {
  const lag = (present.boot - frame.boot) & 0xff;
  const alive = atMs - board.lastMs < SILENT_MS;
  if (!ordered && alive && lag <= BOOTS_BACK) return { kind: 'stale' };
  return { kind: 'born', sameBoot: false };
}
