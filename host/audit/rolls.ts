import type { AtMs, RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Hole } from '../journal/read.ts';
import type { Parts } from '../parts.ts';
import { type Refold, resumes } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import { type Correction, correctionIn, rollsTouched } from './corrections.ts';
import { flipsBetween } from './flips.ts';
import type { InForce } from './in-force.ts';
import { isJudged, matchIdOf } from './match-draft.ts';
import { begins } from './matches.ts';
import type { QuietTile } from './quiet-tiles.ts';
import { type Retracted, retractionIn, rulingIn } from './recorded-words.ts';
import {
  beginRoll,
  finalOf,
  type Going,
  type RollActivity,
  takeBack,
  takeOutput,
  takeRecorded,
  unknownRoll,
} from './roll-going.ts';
import { stretchOf } from './roll-stretch.ts';
import { runOrFollow } from './run-or-follow.ts';
import type { Source } from './source.ts';
import { cropped, LATE_MS, LEAD_MS, type RollTrace, takeTrace } from './trace.ts';

export type { Correction };

/** One roll with everything that its result rests on. */
export interface RollCase extends InForce {
  readonly roll: RollId;
  /** Id of its match; absent in captures. */
  readonly match: string | undefined;
  /** Game of the table, from 1: counted anew from each start that resumes nothing. */
  readonly game: number;
  readonly activity: RollActivity;
  /** Tiles at rest, as they read at the call; none where that is no longer kept. */
  readonly quiet: readonly QuietTile[];
  readonly calledMs: AtMs;
  /** Records from the call to the decision. */
  readonly fromSeq: number;
  readonly toSeq: number;
  /** As they were recorded; of a source that records none, as this host rules. */
  readonly rulings: readonly RollRuling[];
  /** Numbers of the records that hold them. */
  readonly rulingSeqs: readonly number[];
  /** The last word of sensing, whatever judges said later; undefined when sensing never decided the roll. */
  readonly final: RollRuling | undefined;
  /**
   * What this host rules otherwise than it was recorded, as in `A opened: yes → no`; empty when it agrees, and when it
   * cannot be told since records are gone.
   */
  readonly wouldRule: readonly string[];
  readonly retractions: readonly Retracted[];
  /** What links told of in this time. */
  readonly faults: readonly { readonly atMs: AtMs; readonly code: string; readonly text: string }[];
  /** Links at the ruling, with their counts of this roll only. */
  readonly links: readonly LinkSeen[];
  readonly corrections: readonly Correction[];
  readonly trace: RollTrace | undefined;
  readonly wallTime: string | undefined;
  /**
   * Absent where all of the roll was run again. Where lines from before it or of it are no longer kept: its rulings are the
   * recorded ones, and so many of its records are gone.
   */
  readonly told?: { readonly gone: number };
}

/** Rolls to which rulings and corrections may still belong. */
const OPEN_KEPT = 64;

export interface RollsAsk {
  readonly parts: Parts;
  /** Only rolls of this name: no more of the records is run again than they rest on. */
  readonly only?: RollId;
  /** Traces are taken of rolls for which this holds; of none without it. */
  readonly traceOf?: (roll: RollId, game: number) => boolean;
  readonly each: (roll: RollCase) => void;
  /** Told of what judges did to no roll, as a count of a pile. */
  readonly other?: (correction: Correction, game: number) => void;
}

/** Runs records again and tells every roll with its rulings, marks and corrections, in order of the calls. */
export async function rollsOf(source: Source, ask: RollsAsk): Promise<void> {
  const open: Going[] = [];
  let taking: Going[] = [];
  /** The newest roll of each name, by game: what a judge says is of it. */
  const newest = new Map<string, Going>();
  let recordsRulings = false;
  let answered: Correction | undefined;
  let lastSeq: number | undefined;
  const done: { going: Going; refold: Refold; toSeq: number }[] = [];
  let current: Going | undefined;
  let wall: { at: number; atMs: number } | undefined;
  let last: Refold | undefined;
  let match = source.match?.match;

  const finish = (going: Going, refold: Refold, seq: number): void => {
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    going.taker = undefined;
    done.push({ going, refold, toSeq: seq });
  };

  const stretch = ask.only === undefined ? undefined : await stretchOf(source, ask.only, ask.parts);
  const from = stretch?.from;
  if (from !== undefined) {
    wall = { at: Date.parse(from.wallTime), atMs: from.atMs };
    match = from.match;
  }

  /** Records that are no longer kept, by runs of them. */
  const holes: Hole[] = [];
  /** Whether the table comes from a kept state just now: a roll that it stands in was called before. */
  let isBackFrom = true;
  let carried: RollId | undefined;

  await runOrFollow(source, {
    parts: ask.parts,
    ...(from === undefined ? {} : { from }),
    until({ seq }) {
      const isOver = current?.activity.roll !== ask.only && taking.length === 0;
      return stretch === undefined || seq <= stretch.lastSeq || !isOver;
    },
    hole: (hole) => holes.push(hole),
    each({ record, outputs, refold, how }) {
      last = refold;
      // After a gap the table is run from a kept state again: only of the roll that it fell into something is missing.
      if (current !== undefined && lastSeq !== undefined) current.isHeard &&= record.seq === lastSeq + 1;
      lastSeq = record.seq;
      if (begins(record)) match = matchIdOf(record);
      // Games are counted from 1 again, and no word is of a roll before.
      if (record.kind === 'open' && !resumes(record)) newest.clear();
      if (isObject(record.data) && typeof record.data.wallTime === 'string') {
        wall = { at: Date.parse(record.data.wallTime), atMs: record.atMs };
      }
      const { state } = refold;
      const activity = how === 'unsure' ? IDLE : state.activity;
      const isTold = how !== 'run';
      if (isBackFrom && !isTold && begins(record)) carried = rollIn(state.activity);
      isBackFrom = isTold;
      if (rollIn(activity) !== carried) carried = undefined;
      // Before a roll is called anew: what is taken back is the one before it.
      if (isJudged(record)) answered?.seqs.push(record.seq);
      if (record.kind === 'command') answered = undefined;
      const made = correctionIn(record, outputs, () => wallAt(wall, record.atMs));
      if (made !== undefined) {
        answered = made;
        const rolls = rollsTouched(record, outputs);
        if (rolls.length === 0) ask.other?.(made, state.game);
        for (const roll of rolls) newest.get(`${state.game}/${roll}`)?.corrections.push(made);
      }
      for (const output of outputs) {
        if (output.kind !== 'retraction') continue;
        const { roll, revision, why } = output;
        newest.get(`${state.game}/${roll}`)?.retractions.push({ revision, why });
      }
      const call = (activity: RollActivity): Going => {
        const isTraced = !isTold && ask.traceOf?.(activity.roll, state.game);
        const taker = isTraced ? takeTrace(state, state.atMs - LEAD_MS) : undefined;
        const wallTime = wallAt(wall, state.atMs);
        const going = beginRoll({ activity, fromSeq: record.seq, match, wallTime, taker, isTold }, refold);
        open.push(going);
        newest.set(`${state.game}/${activity.roll}`, going);
        if (open.length > OPEN_KEPT) open.shift();
        if (taker !== undefined) taking.push(going);
        return going;
      };
      if (activity.kind === 'roll' && ![carried, current?.activity.roll].includes(activity.roll)) {
        if (current !== undefined) finish(current, refold, record.seq);
        current = call(activity);
      }
      if (current !== undefined && isTold) current.isTold = true;
      const recorded = rulingIn(record);
      if (how === 'unsure' && recorded !== undefined) {
        const known = newest.get(`${state.game}/${recorded.roll}`);
        if (known === undefined || !open.includes(known))
          finish(call(unknownRoll(recorded.roll)), refold, record.seq);
      }
      for (const output of outputs) takeOutput(output, open, current, refold);
      if (recorded !== undefined) {
        recordsRulings = true;
        const going = open.findLast((one) => one.activity.roll === recorded.roll);
        if (going !== undefined) takeRecorded(going, recorded, record.seq, refold);
      }
      const back = retractionIn(record);
      if (back !== undefined) takeBack(back, open);
      taking = taking.filter((going) => going.taker !== undefined);
      for (const going of taking) {
        going.taker?.look(state);
        if (
          going.taker !== undefined &&
          going.decidedMs !== undefined &&
          state.atMs > going.decidedMs + LEAD_MS + LATE_MS
        ) {
          going.trace = going.taker.end(state, going.decidedMs + LEAD_MS);
          going.taker = undefined;
        }
      }
      if (current !== undefined && activity.kind !== 'roll') {
        const going = current;
        current = undefined;
        if (going.taker === undefined) finish(going, refold, record.seq);
        else done.push({ going, refold, toSeq: record.seq });
      }
    },
  });
  if (current !== undefined && last !== undefined) finish(current, last, lastSeq ?? 0);
  for (const { going, refold, toSeq } of done) {
    if (ask.only !== undefined && going.activity.roll !== ask.only) continue;
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    const { activity, calledMs, fromSeq, match, game, inForce, faults, links, trace, wallTime } = going;
    const rulings = recordsRulings ? going.recorded : going.rulings;
    const final = finalOf(rulings);
    const canTell = recordsRulings && going.isHeard && !going.isTold;
    ask.each({
      roll: activity.roll,
      match,
      game,
      activity,
      quiet: going.quiet,
      calledMs,
      fromSeq,
      toSeq,
      rulings,
      rulingSeqs: going.rulingSeqs,
      final,
      wouldRule: canTell ? flipsBetween(final, finalOf(going.rulings)) : [],
      retractions: recordsRulings ? going.recordedBack : going.retractions,
      faults,
      links: going.isTold ? [] : links,
      corrections: going.corrections,
      trace: trace === undefined ? undefined : cropped({ ...trace, marks: going.marks ?? trace.marks }),
      ...inForce,
      wallTime,
      ...(going.isTold ? { told: { gone: goneIn(holes, fromSeq, toSeq) } } : {}),
    });
  }
}

const IDLE: Activity = { kind: 'idle' };

function rollIn(activity: Activity): RollId | undefined {
  return activity.kind === 'roll' ? activity.roll : undefined;
}

/** How many records between two are no longer kept. */
function goneIn(holes: readonly Hole[], from: number, to: number): number {
  return holes.reduce((sum, hole) => sum + Math.max(0, Math.min(hole.to, to) - Math.max(hole.from, from)), 0);
}

function wallAt(wall: { readonly at: number; readonly atMs: number } | undefined, atMs: AtMs) {
  return wall === undefined ? undefined : new Date(wall.at + atMs - wall.atMs).toISOString();
}
