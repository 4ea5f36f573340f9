import type { Output } from '../advance/input.ts';
import type { AtMs, RollId } from '../ids.ts';
import type { Refold } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import { linksSeen } from '../sensing/links.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import type { Correction } from './corrections.ts';
import { flipsBetween } from './flips.ts';
import { type InForce, inForceNow } from './in-force.ts';
import { leadPlay } from './lead.ts';
import { linksSince } from './links-since.ts';
import { type QuietTile, quietTiles } from './quiet-tiles.ts';
import type { Retracted } from './recorded-words.ts';
import type { Mark, RollTrace, TraceTaker } from './trace.ts';

export type RollActivity = Activity & { readonly kind: 'roll' };

/** A roll while its records are read: what this host says of it, and what was recorded. */
export interface Going {
  readonly activity: RollActivity;
  /** Tiles at rest, as they read at the call. */
  readonly quiet: readonly QuietTile[];
  readonly calledMs: AtMs;
  readonly fromSeq: number;
  readonly match: string | undefined;
  readonly game: number;
  readonly inForce: InForce;
  readonly wallTime: string | undefined;
  /** No file that is damaged hides records of it. */
  isHeard: boolean;
  /** Whether a record of it could not be run again, since lines are no longer kept. */
  isTold: boolean;
  readonly corrections: Correction[];
  readonly faults: { atMs: AtMs; code: string; text: string }[];
  /** As this host rules and takes back. */
  rulings: RollRuling[];
  readonly retractions: Retracted[];
  /** As it was recorded. */
  readonly recorded: RollRuling[];
  readonly recordedBack: Retracted[];
  taker: TraceTaker | undefined;
  trace: RollTrace | undefined;
  marks: readonly Mark[] | undefined;
  links: readonly LinkSeen[];
  readonly linksBefore: readonly LinkSeen[];
  readonly rulingSeqs: number[];
  decidedMs: AtMs | undefined;
}

/** A roll at its call. */
export function beginRoll(
  begun: Pick<Going, 'activity' | 'fromSeq' | 'match' | 'wallTime' | 'taker' | 'isTold'>,
  refold: Refold,
): Going {
  const { state } = refold;
  return {
    ...begun,
    // What sensors read where lines are no longer kept is not known.
    quiet: begun.isTold ? [] : quietTiles(state.sensing, state.atMs),
    calledMs: state.atMs,
    game: state.game,
    inForce: inForceNow(refold),
    isHeard: true,
    corrections: [],
    faults: [],
    rulings: [],
    retractions: [],
    recorded: [],
    recordedBack: [],
    trace: undefined,
    marks: undefined,
    links: [],
    linksBefore: linksSeen(state.links),
    rulingSeqs: [],
    decidedMs: undefined,
  };
}

/** A roll of which nothing is known but that it was ruled. */
export function unknownRoll(roll: RollId): RollActivity {
  return { kind: 'roll', roll, balls: [], cores: [] };
}

export function finalOf(rulings: readonly RollRuling[]): RollRuling | undefined {
  return rulings.findLast((one) => one.stage === 'final');
}

/** What was recorded holds: play goes on as it did, so that what this host rules otherwise carries no later roll away. */
export function takeRecorded(going: Going, recorded: RollRuling, seq: number, refold: Refold): void {
  going.recorded.push(recorded);
  going.rulingSeqs.push(seq);
  if (recorded.stage !== 'final') return;
  going.decidedMs = recorded.atMs;
  const own = finalOf(going.rulings);
  if (flipsBetween(recorded, own).length === 0) return;
  if (own === undefined && going.taker !== undefined) going.marks = going.taker.marks(refold.state);
  leadPlay(refold.state, refold.setting, recorded);
}

export function takeOutput(
  output: Output,
  open: readonly Going[],
  current: Going | undefined,
  refold: Refold,
): void {
  if (output.kind === 'ruling') {
    const going = open.findLast((one) => one.activity.roll === output.ruling.roll);
    if (going === undefined) return;
    going.rulings = [...going.rulings, output.ruling];
    going.links = linksSince(refold.state.links, going.linksBefore);
    if (output.ruling.stage === 'final') {
      going.decidedMs = output.ruling.atMs;
      // What the detector took note of is gone when the next roll is called.
      if (going.taker !== undefined) going.marks = going.taker.marks(refold.state);
    }
  }
  if (output.kind === 'fault' && current !== undefined) {
    current.faults.push({ atMs: output.atMs, code: output.code, text: output.text });
  }
}

/** A recorded retraction is of the newest roll of this name that has such a ruling: another may be called by now. */
export function takeBack(
  { roll, retracted }: { readonly roll: RollId; readonly retracted: Retracted },
  open: readonly Going[],
): void {
  const named = open.filter((one) => one.activity.roll === roll);
  const ruled = named.findLast((one) => one.recorded.some(({ revision }) => revision === retracted.revision));
  (ruled ?? named.at(-1))?.recordedBack.push(retracted);
}
