import type { Launch } from './launch.ts';
import type { BallAudit, Measure } from './ruling.ts';
import type { Tiles } from './tiles.ts';

/** A stay of one ball on one tile, as the report needs it. */
export interface Stay {
  readonly cell: number;
  readonly atMs: number;
  readonly untilMs: number;
  /** Middle of its contact when it passed, NaN when it stayed. */
  readonly midMs: number;
  /** It came to the tile closed and rolled or slid over it. */
  readonly passed: boolean;
}

export const missing = (why: string): Measure => ({ measured: false, why });
export const NO_GATES = 'the board has no launch gates or they were not heard';

/** Two independent errors, each as good as evenly spread, at 95 %. */
const together = (a: number, b: number): number => Math.min(a + b, 1.1 * Math.sqrt(a * a + b * b));

/** Bounds wider than this say nothing of a skew. */
const WIDEST_SKEW_MS = 500;

/** Release of the own ball minus the other's, ms (5.7.1): each lies within what gates and first tile leave open. */
export function releaseSkew(own: Launch, other: Launch): Measure {
  if (own.release === undefined) return missing('the gates saw nothing of this release');
  if (other.release === undefined) return missing("the gates saw nothing of the other ball's release");
  const middle = ({ fromMs, toMs }: { fromMs: number; toMs: number }): number => (fromMs + toMs) / 2;
  const half = ({ fromMs, toMs }: { fromMs: number; toMs: number }): number => (toMs - fromMs) / 2;
  const errors = own.release.errorMs + other.release.errorMs + 1;
  const plusMinus = Math.ceil(together(half(own.release), half(other.release)) + errors);
  if (plusMinus > WIDEST_SKEW_MS) return missing('the gates leave more than half a second open');
  return {
    measured: true,
    value: Math.round(middle(own.release) - middle(other.release)),
    plusMinus,
    unit: 'ms',
    how: 'the moments in the hand are unseen: bounds by gates and first tile',
  };
}

/** First break of the far gates, own minus other, ms: exact, and not the release. */
export function crossingSkew(own: Launch, other: Launch): Measure {
  if (own.far === undefined) return missing('this ball did not cross its far gate');
  if (other.far === undefined) return missing('the other ball did not cross its far gate');
  return {
    measured: true,
    value: Math.round(10 * (own.far.fromMs - other.far.fromMs)) / 10,
    plusMinus: Math.ceil(10 * (own.far.errorMs + other.far.errorMs + 1)) / 10,
    unit: 'ms',
    how: 'first break of the far gates, by hand or ball',
  };
}

/** Fingers behind the ball's middle stay out of the beam while its front is in it by up to so much, mm. */
const BEHIND_MM = 20;

/**
 * How far from the own edge the ball's front was at most when it was let go (5.7.1.2): a ball alone in the far gate was
 * released before it, or with no more than its front in it.
 */
export function releaseZone(launch: Launch, farMm: number): Measure {
  switch (launch.kind) {
    case 'free':
      return {
        measured: true,
        value: farMm,
        plusMinus: BEHIND_MM,
        unit: 'mm',
        how: "an upper bound for the ball's front: it went through the far gate with no hand in it; where before that it was released is unseen",
      };
    case 'hand':
      return missing(
        launch.heldBeyond
          ? 'a hand held the ball in the far gate: released beyond it'
          : 'a hand was in the far gate with the ball: one beam does not tell whether it held it there or swung on after it',
      );
    case 'unclear':
      return missing(`${launch.why}: hand and ball cannot be told apart`);
    case 'unseen':
      return missing('the far gate saw nothing of this ball: the release is unseen');
    default:
      return launch.kind satisfies never;
  }
}

/** Way in the beam, mm: most balls 35 to 37, large ones to 43, up to a fifth more on slanting ways, less in flight. */
const CHORD = { middle: 40, half: 8 } as const;
/** Where on a tile a touch was, along the way, mm, at 95 %. */
const SPOT_MM = 17;

/** Speed past the far gate, m/s; where a hand was in it, over the first two tiles that it passed. */
export function launchSpeed(launch: Launch | undefined, tiles: Tiles, stays: readonly Stay[]): Measure {
  if (launch?.kind === 'free' && launch.far !== undefined) {
    const lasted = launch.far.toMs - launch.far.fromMs;
    const value = CHORD.middle / lasted;
    return speed(value, value * (CHORD.half / CHORD.middle + 0.5 / lasted), 'past the far gate');
  }
  for (let i = 1; i < stays.length; i += 1) {
    const [from, to] = [stays[i - 1], stays[i]];
    if (from === undefined || to === undefined || !from.passed || !to.passed) continue;
    const dx = (tiles.x[to.cell] ?? 0) - (tiles.x[from.cell] ?? 0);
    const dy = (tiles.y[to.cell] ?? 0) - (tiles.y[from.cell] ?? 0);
    const way = Math.sqrt(dx * dx + dy * dy);
    const took = to.midMs - from.midMs;
    if (!(took > 0) || way < 30) continue;
    const value = way / took;
    const names = `${tiles.cells[from.cell]?.cell ?? ''} to ${tiles.cells[to.cell]?.cell ?? ''}`;
    return speed(value, value * (SPOT_MM / way), `between the middles of its touches, ${names}`);
  }
  if (launch === undefined) return missing(`${NO_GATES}, and it did not pass over two tiles`);
  return missing('no free crossing of the far gate, and it did not pass over two tiles');
}

function speed(value: number, plusMinus: number, how: string): Measure {
  return {
    measured: true,
    value: Math.round(value * 100) / 100,
    plusMinus: Math.ceil(plusMinus * 100) / 100,
    unit: 'm/s',
    how,
  };
}

/** Cells in the order of touch, and the share of the way between first and last that lay over a tile then touched. */
export function pathOf(tiles: Tiles, stays: readonly Stay[]): BallAudit['path'] {
  const cells = stays.map((stay) => tiles.cells[stay.cell]?.cell ?? '');
  const first = stays[0];
  const last = stays.at(-1);
  if (first === undefined || last === undefined) return { cells: [], coverage: 0 };
  if (stays.length === 1) return { cells, coverage: 1 };
  const span = last.atMs - first.atMs;
  if (span <= 0) return { cells, coverage: 1 };
  let covered = 0;
  let end = first.atMs;
  for (const stay of stays) {
    const to = Math.min(stay.untilMs, last.atMs);
    covered += Math.max(0, to - Math.max(end, stay.atMs));
    end = Math.max(end, to);
  }
  return { cells, coverage: Math.round(Math.min(1, covered / span) * 100) / 100 };
}

/** Flights found over tiles, and gaps that may have been some. */
export interface Bounces {
  readonly sureMs: readonly number[];
  readonly doubtful: number;
}

/** Flights over single tiles (5.7.1.3). Bare mat feels nothing, and a flight from tile to tile is not told from rolling. */
export function bouncesOf(touched: boolean, { sureMs, doubtful }: Bounces): Measure {
  if (!touched) return missing('the ball touched no tile, and the bare mat feels nothing');
  const longest = Math.max(0, ...sureMs);
  return {
    measured: true,
    value: sureMs.length + doubtful / 2,
    plusMinus: doubtful / 2,
    unit: 'flights',
    how: `over single tiles only${longest > 0 ? `; the longest lasted ${Math.round(longest)} ms` : ''}${doubtful > 0 ? '; the contact may have failed instead' : ''}`,
  };
}

/** Height of a flight of this length, mm: g t² / 8. */
export const heightMm = (flightMs: number): number => (9.81e-3 / 8) * flightMs * flightMs;
