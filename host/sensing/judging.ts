import type { Side } from '../ids.ts';
import { isFelt, touchesNow } from './attached.ts';
import { type Seen, stands } from './evidence.ts';
import type { Block, Gates } from './gates.ts';
import { agree, begin, compare, createGrounds, type Grounds } from './grounds.ts';
import { latchHeard, latchUnheard, type Shaken } from './latch.ts';
import type { SensingLimits } from './limits.ts';
import type { Attribution } from './owners.ts';
import type { Runner } from './tracks.ts';
import { shookLittle, sureEnough } from './verdict.ts';

/**
 * What the last judgement of a roll under way was made from: most looks at a roll find nothing that would change what is
 * said of it. Only while it goes on and nothing is missing; final words and doubts are reckoned every time.
 */
export interface Judging {
  readonly grounds: Grounds;
  /** Blocks of each ball's near and far beam, which are laid anew whenever one of them changes. */
  readonly blocks: (readonly Block[] | undefined)[];
}

/** Two balls and the arrivals of a crowded roll. */
const ROOM = 512;

export function createJudging(): Judging {
  return { grounds: createGrounds(ROOM), blocks: [] };
}

/** Whatever comes next is judged. */
export function judgeAnew({ blocks }: Judging): void {
  blocks.length = 0;
}

/** What a judgement before the last word is made from. */
export interface Found extends Shaken {
  readonly limits: SensingLimits;
  readonly gates: Readonly<Record<Side, Gates>>;
  readonly runners: readonly Runner[];
  readonly shared: Attribution;
}

/** 0: no open; 1: a doubtful one; 2 and 3: an open, just so or better. */
function bandOf({ openNo, openYes }: SensingLimits, score: number): number {
  return score > openYes ? 3 : score === openYes ? 2 : score > openNo ? 1 : 0;
}

/** How many arrivals look more like an open than this one. */
function rankOf(seen: readonly Seen[], score: number): number {
  let rank = 0;
  for (const { arrival } of seen) if (arrival.score > score) rank += 1;
  return rank;
}

/** Compares what is said on the way of an arrival, of its visit, its tile and its owner: not how sure it is. */
function compareSeen(grounds: Grounds, found: Found, at: number, anyOpen: boolean): void {
  const { live, limits, seen, shared } = found;
  const one = seen[at];
  if (one === undefined) return;
  const { visit, arrival, nth } = one;
  const flag = (value: boolean): void => compare(grounds, value ? 1 : 0);
  const band = bandOf(limits, arrival.score);
  compare(grounds, shared.owner[at] ?? -1);
  flag((shared.sure[at] ?? 0) >= sureEnough(found));
  compare(grounds, visit.cell);
  compare(grounds, nth);
  compare(grounds, visit.startMs);
  compare(grounds, visit.contactMs);
  compare(grounds, arrival.atMs);
  compare(grounds, arrival.anchorMs);
  compare(grounds, live.magnets[visit.cell] ?? 0);
  compare(grounds, band);
  compare(grounds, band > 0 ? rankOf(seen, arrival.score) : 0);
  flag(band > 0 && shookLittle(arrival));
  flag(latchHeard(found, one));
  flag(latchUnheard(found, one));
  // What else a ball stands on matters once one has opened.
  flag(anyOpen && stands(one));
  flag(anyOpen && touchesNow(visit));
  flag(anyOpen && isFelt(arrival));
}

/** Whether the judgement of a roll under way, made before, is that of what is now known; what is known takes its place. */
export function isJudged({ grounds, blocks }: Judging, found: Found): boolean {
  const { gates, runners, seen, shared, limits, chatters } = found;
  let same = true;
  begin(grounds);
  compare(grounds, chatters ? 1 : 0);
  compare(grounds, shared.turned ? 1 : 0);
  compare(grounds, shared.byPolarity ? 1 : 0);
  for (let ball = 0; ball < runners.length; ball += 1) {
    const runner = runners[ball];
    if (runner === undefined) continue;
    const { near, far } = gates[runner.side];
    compare(grounds, runner.gatesKnown ? 1 : 0);
    compare(grounds, near.blockedMs);
    compare(grounds, far.blockedMs);
    if (blocks[2 * ball] !== near.blocks || blocks[2 * ball + 1] !== far.blocks) same = false;
    blocks[2 * ball] = near.blocks;
    blocks[2 * ball + 1] = far.blocks;
  }
  const anyOpen = seen.some(({ arrival }) => bandOf(limits, arrival.score) > 0);
  for (let at = 0; at < seen.length; at += 1) compareSeen(grounds, found, at, anyOpen);
  return agree(grounds) && same;
}
