import type { AtMs, RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Hole } from '../journal/read.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import { type Refold, resumes } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Layout } from '../sensing/layout.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import { type Correction, correctionIn, rollsTouched } from './corrections.ts';
import { begins } from './matches.ts';
import { beginRoll, type Going, namesOf, type RollActivity, takeOutput, unknownRoll } from './roll-going.ts';
import { stretchOf } from './roll-stretch.ts';
import { runOrFollow } from './run-or-follow.ts';
import type { Source } from './source.ts';
import { cropped, LATE_MS, LEAD_MS, type RollTrace, takeTrace } from './trace.ts';

export type { Correction };

/** One roll with everything that its result rests on. */
export interface RollCase {
  readonly roll: RollId;
  /** Match of the table, from 1, as the journal counts games. */
  readonly game: number;
  readonly activity: RollActivity;
  readonly calledMs: AtMs;
  /** Records from the call to the decision. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly rulings: readonly RollRuling[];
  /** Numbers of the records that hold them. */
  readonly rulingSeqs: readonly number[];
  /** The ruling that stands; undefined when the roll was never decided by sensing. */
  readonly final: RollRuling | undefined;
  readonly retractions: readonly { readonly revision: number; readonly why: string }[];
  /** What links told of in this time. */
  readonly faults: readonly { readonly atMs: AtMs; readonly code: string; readonly text: string }[];
  /** Links at the ruling, with their counts of this roll only. */
  readonly links: readonly LinkSeen[];
  readonly corrections: readonly Correction[];
  readonly trace: RollTrace | undefined;
  readonly layout: Layout;
  readonly calibration: Calibration;
  /** Names of the players, as the match has them. */
  readonly players: { readonly A: string; readonly B: string };
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
  const corrections = new Map<string, Correction[]>();
  const done: { going: Going; refold: Refold; toSeq: number }[] = [];
  let current: Going | undefined;
  let wall: { at: number; atMs: number } | undefined;
  let last: Refold | undefined;
  let lastSeq = 0;

  const finish = (going: Going, refold: Refold, seq: number): void => {
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    going.taker = undefined;
    done.push({ going, refold, toSeq: seq });
  };

  const stretch = ask.only === undefined ? undefined : await stretchOf(source, ask.only, ask.parts);
  const from = stretch?.from;
  if (from !== undefined) wall = { at: Date.parse(from.wallTime), atMs: from.atMs };

  /** Records that are no longer kept, by runs of them. */
  const holes: Hole[] = [];
  /** Whether the table comes from a kept state just now: a roll that it stands in was called before. */
  let isBackFrom = true;
  let carried: RollId | undefined;
  /** Journals begin to count games anew at each start without a match to go on with. */
  let starts = 0;

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
      lastSeq = record.seq;
      if (isObject(record.data) && typeof record.data.wallTime === 'string') {
        wall = { at: Date.parse(record.data.wallTime), atMs: record.atMs };
      }
      const { state } = refold;
      const activity = how === 'unsure' ? IDLE : state.activity;
      const isTold = how !== 'run';
      if (isBackFrom && !isTold && begins(record)) carried = rollIn(state.activity);
      isBackFrom = isTold;
      if (rollIn(activity) !== carried) carried = undefined;
      if (record.kind === 'open' && !resumes(record)) starts += 1;
      const call = (called: RollActivity): Going => {
        const isTraced = !isTold && ask.traceOf?.(called.roll, state.game);
        const taker = isTraced ? takeTrace(state, state.atMs - LEAD_MS) : undefined;
        const wallTime = wallAt(wall, state.atMs);
        const going = beginRoll(
          { activity: called, fromSeq: record.seq, wallTime, taker, isTold, starts },
          refold,
        );
        open.push(going);
        if (open.length > OPEN_KEPT) open.shift();
        if (taker !== undefined) taking.push(going);
        return going;
      };
      if (activity.kind === 'roll' && ![carried, current?.activity.roll].includes(activity.roll)) {
        if (current !== undefined) finish(current, refold, record.seq);
        current = call(activity);
      }
      if (current !== undefined && isTold) current.isTold = true;
      const ruled = how === 'unsure' ? rulingIn(record) : undefined;
      if (
        ruled !== undefined &&
        !open.some((one) => one.activity.roll === ruled && one.game === state.game)
      ) {
        finish(call(unknownRoll(ruled)), refold, record.seq);
      }
      for (const output of outputs) takeOutput(output, open, current, refold);
      const recorded = rulingIn(record);
      if (recorded !== undefined) {
        const going = open.findLast((one) => one.activity.roll === recorded);
        if (going !== undefined) going.rulingSeqs = [...going.rulingSeqs, record.seq];
      }
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
      const made = correctionIn(record, outputs, () => wallAt(wall, record.atMs));
      if (made !== undefined) {
        const rolls = rollsTouched(record, outputs);
        if (rolls.length === 0) ask.other?.(made, state.game);
        for (const roll of rolls) {
          const key = `${starts}/${state.game}/${roll}`;
          corrections.set(key, [...(corrections.get(key) ?? []), made]);
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
  if (current !== undefined && last !== undefined) finish(current, last, lastSeq);
  for (const { going, refold, toSeq } of done) {
    if (ask.only !== undefined && going.activity.roll !== ask.only) continue;
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    const { activity, calledMs, fromSeq, game, rulings, retractions, faults, links, trace, wallTime } = going;
    ask.each({
      roll: activity.roll,
      game,
      activity,
      calledMs,
      fromSeq,
      toSeq,
      rulings,
      rulingSeqs: going.rulingSeqs,
      final: rulings.findLast((one) => one.stage === 'final'),
      retractions,
      faults,
      links: going.isTold ? [] : links,
      corrections: corrections.get(`${going.starts}/${game}/${activity.roll}`) ?? [],
      trace: trace === undefined ? undefined : cropped({ ...trace, marks: going.marks ?? trace.marks }),
      layout: refold.setting.layout,
      calibration: refold.state.calibration,
      players: namesOf(refold.setting.rulesetOptions),
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

/** Roll of a recorded ruling. */
function rulingIn(record: JournalRecord): RollId | undefined {
  if (record.kind !== 'ruling' || !isObject(record.data) || !isObject(record.data.ruling)) return undefined;
  const { roll } = record.data.ruling;
  return typeof roll === 'string' ? roll : undefined;
}

function wallAt(wall: { readonly at: number; readonly atMs: number } | undefined, atMs: AtMs) {
  return wall === undefined ? undefined : new Date(wall.at + atMs - wall.atMs).toISOString();
}
