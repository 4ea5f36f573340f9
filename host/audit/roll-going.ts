import type { Output } from '../advance/input.ts';
import type { AtMs, Json, RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Refold } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import { linksSeen } from '../sensing/links.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import type { Mark, RollTrace, TraceTaker } from './trace.ts';

export type RollActivity = Activity & { readonly kind: 'roll' };

/** A roll while its records are read. */
export interface Going {
  readonly activity: RollActivity;
  readonly calledMs: AtMs;
  readonly fromSeq: number;
  readonly game: number;
  /** Starts of the host without a match to go on with, so far. */
  readonly starts: number;
  readonly wallTime: string | undefined;
  readonly faults: { atMs: AtMs; code: string; text: string }[];
  rulings: RollRuling[];
  retractions: { revision: number; why: string }[];
  taker: TraceTaker | undefined;
  trace: RollTrace | undefined;
  marks: readonly Mark[] | undefined;
  links: readonly LinkSeen[];
  readonly linksBefore: readonly LinkSeen[];
  /** Whether a record of it could not be run again. */
  isTold: boolean;
  rulingSeqs: readonly number[];
  decidedMs: AtMs | undefined;
}

/** A roll at its call. */
export function beginRoll(
  begun: Pick<Going, 'activity' | 'fromSeq' | 'wallTime' | 'taker' | 'isTold' | 'starts'>,
  { state }: Refold,
): Going {
  return {
    ...begun,
    calledMs: state.atMs,
    game: state.game,
    faults: [],
    rulings: [],
    retractions: [],
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

/** Takes what the table said into the rolls that it speaks of. */
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

/** Names of the players, as options of the rules give them. */
export function namesOf(options: Json): { readonly A: string; readonly B: string } {
  const players = isObject(options) && isObject(options.players) ? options.players : {};
  const name = (side: 'A' | 'B'): string => {
    const player = players[side];
    return isObject(player) && typeof player.name === 'string' ? player.name : `Player ${side}`;
  };
  return { A: name('A'), B: name('B') };
}
