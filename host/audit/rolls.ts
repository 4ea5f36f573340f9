import type { Output } from '../advance/input.ts';
import type { AtMs, Json, RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import type { Refold } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Layout } from '../sensing/layout.ts';
import { linksSeen } from '../sensing/links.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import { type Correction, correctionIn, rollsTouched } from './corrections.ts';
import { type QuietTile, quietTiles } from './quiet-tiles.ts';
import { replaySource } from './replay.ts';
import { stretchOf } from './roll-stretch.ts';
import type { Source } from './source.ts';
import { cropped, LATE_MS, LEAD_MS, type Mark, type RollTrace, type TraceTaker, takeTrace } from './trace.ts';

export type { Correction };

/** One roll with everything that its result rests on. */
export interface RollCase {
  readonly roll: RollId;
  /** Match of the table, from 1, as the journal counts games. */
  readonly game: number;
  readonly activity: Activity & { readonly kind: 'roll' };
  /** Tiles at rest, as they read at the call. */
  readonly quiet: readonly QuietTile[];
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
}

/** Rolls to which rulings and corrections may still belong. */
const OPEN_KEPT = 64;

interface Going {
  readonly activity: RollCase['activity'];
  readonly quiet: readonly QuietTile[];
  readonly calledMs: AtMs;
  readonly fromSeq: number;
  readonly game: number;
  readonly wallTime: string | undefined;
  readonly faults: { atMs: AtMs; code: string; text: string }[];
  rulings: RollRuling[];
  retractions: { revision: number; why: string }[];
  taker: TraceTaker | undefined;
  trace: RollTrace | undefined;
  marks: readonly Mark[] | undefined;
  links: readonly LinkSeen[];
  readonly linksBefore: readonly LinkSeen[];
  rulingSeqs: readonly number[];
  decidedMs: AtMs | undefined;
}

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

  const finish = (going: Going, refold: Refold, seq: number): void => {
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    going.taker = undefined;
    done.push({ going, refold, toSeq: seq });
  };

  const stretch = ask.only === undefined ? undefined : await stretchOf(source, ask.only, ask.parts);
  const from = stretch?.from;
  if (from !== undefined) wall = { at: Date.parse(from.wallTime), atMs: from.atMs };

  await replaySource(source, {
    parts: ask.parts,
    ...(from === undefined ? {} : { from }),
    until({ seq }) {
      const isOver = current?.activity.roll !== ask.only && taking.length === 0;
      return stretch === undefined || seq <= stretch.lastSeq || !isOver;
    },
    each(record, outputs, refold) {
      last = refold;
      if (isObject(record.data) && typeof record.data.wallTime === 'string') {
        wall = { at: Date.parse(record.data.wallTime), atMs: record.atMs };
      }
      const { state } = refold;
      const { activity } = state;
      if (activity.kind === 'roll' && current?.activity.roll !== activity.roll) {
        if (current !== undefined) finish(current, refold, record.seq);
        current = {
          activity,
          quiet: quietTiles(state.sensing, state.atMs),
          calledMs: state.atMs,
          fromSeq: record.seq,
          game: state.game,
          wallTime: wallAt(wall, state.atMs),
          faults: [],
          rulings: [],
          retractions: [],
          taker: ask.traceOf?.(activity.roll, state.game)
            ? takeTrace(state, state.atMs - LEAD_MS)
            : undefined,
          trace: undefined,
          marks: undefined,
          links: [],
          linksBefore: linksSeen(state.links),
          rulingSeqs: [],
          decidedMs: undefined,
        };
        open.push(current);
        if (open.length > OPEN_KEPT) open.shift();
        if (current.taker !== undefined) taking.push(current);
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
          const key = `${state.game}/${roll}`;
          corrections.set(key, [...(corrections.get(key) ?? []), made]);
        }
      }
      if (current !== undefined && activity.kind !== 'roll') {
        const going = current;
        current = undefined;
        if (going.taker === undefined) finish(going, refold, record.seq);
        else done.push({ going, refold, toSeq: record.seq });
      }
      return undefined;
    },
  });
  if (current !== undefined && last !== undefined) finish(current, last, 0);
  for (const { going, refold, toSeq } of done) {
    if (ask.only !== undefined && going.activity.roll !== ask.only) continue;
    going.trace ??= going.taker?.end(refold.state, refold.state.atMs);
    const { activity, calledMs, fromSeq, game, rulings, retractions, faults, links, trace, wallTime } = going;
    ask.each({
      roll: activity.roll,
      game,
      activity,
      quiet: going.quiet,
      calledMs,
      fromSeq,
      toSeq,
      rulings,
      rulingSeqs: going.rulingSeqs,
      final: rulings.findLast((one) => one.stage === 'final'),
      retractions,
      faults,
      links,
      corrections: corrections.get(`${game}/${activity.roll}`) ?? [],
      trace: trace === undefined ? undefined : cropped({ ...trace, marks: going.marks ?? trace.marks }),
      layout: refold.setting.layout,
      calibration: refold.state.calibration,
      players: namesOf(refold.setting.rulesetOptions),
      wallTime,
    });
  }
}

function takeOutput(
  output: Output,
  open: readonly Going[],
  current: Going | undefined,
  refold: Refold,
): void {
  if (output.kind === 'ruling') {
    const going = open.findLast((one) => one.activity.roll === output.ruling.roll);
    if (going === undefined) return;
    going.rulings = [...going.rulings, output.ruling];
    going.links = linksSeen(refold.state.links).map((link) => since(link, going.linksBefore));
    if (output.ruling.stage === 'final') {
      going.decidedMs = output.ruling.atMs;
      // What the detector took note of is gone when the next roll is called.
      if (going.taker !== undefined) going.marks = going.taker.marks(refold.state);
    }
  }
  if (output.kind === 'retraction') {
    const going = open.findLast((one) => one.activity.roll === output.roll);
    if (going !== undefined)
      going.retractions = [...going.retractions, { revision: output.revision, why: output.why }];
  }
  if (output.kind === 'fault' && current !== undefined) {
    current.faults.push({ atMs: output.atMs, code: output.code, text: output.text });
  }
}

/** A link with what was counted since it was looked at before. */
function since(link: LinkSeen, before: readonly LinkSeen[]): LinkSeen {
  const was = before.find((one) => one.link === link.link)?.counts ?? {};
  const counts = Object.entries(link.counts)
    .map(([name, count]) => [name, count - (was[name] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return { ...link, counts: Object.fromEntries(counts) };
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

function namesOf(options: Json): { readonly A: string; readonly B: string } {
  const players = isObject(options) && isObject(options.players) ? options.players : {};
  const name = (side: 'A' | 'B'): string => {
    const player = players[side];
    return isObject(player) && typeof player.name === 'string' ? player.name : `Player ${side}`;
  };
  return { A: name('A'), B: name('B') };
}
