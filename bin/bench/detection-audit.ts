/** The measures of the roll report against the truth: how often each is given, and how often its interval holds. */
import type { BallAudit, Measure, RollRuling } from '../../host/sensing/ruling.ts';
import type { BallTruth, RollTruth } from '../../sim/truth.ts';
import { type Hits, hit } from './hits.ts';
import { LEAD_MS } from './watch.ts';

/** Truths within the stated interval, of all that were measured. */
export type Within = [inside: number, of: number];

export interface AuditScore {
  /** Release skew against the moments at which the balls left the hands. */
  skewErrorMs: number[];
  skewWithin: Within;
  skewUnmeasured: number;
  /** Breaks of the far gates against each other. */
  crossingWithin: Within;
  /**
   * Release said to be within the far gate and truly so, to within the stated error; said so wrongly; truly so and not
   * said. The front of the ball counts, which is what the beam sees.
   */
  zone: Hits;
  /** Releases beyond it that make the roll void: found, invented, missed. */
  beyond: Hits;
  /** Releases within the limit that made the roll void, of all. */
  legalVoid: [voided: number, of: number];
  /** Releases left to the judge: of those beyond the limit, and of those within. */
  perhapsBeyond: [beyond: number, within: number];
  early: Hits;
  /** Releases more than T_sync apart, as offences, by roll. */
  apart: Hits;
  /** Flights over single tiles: balls with some, found, invented, missed; and those high enough to void a roll. */
  bounce: Hits;
  bounceWithin: Within;
  flightVoid: Hits;
  /** Balls that bounced anywhere: most do so where nothing feels it. */
  bouncedAnywhere: number;
  speedWithin: Within;
  speedUnmeasured: number;
  /** Rolled or slid: said rightly, wrongly, not measurable. */
  turning: Hits;
  /** Edits between said and true path, and cells of true paths. */
  path: [edits: number, cells: number];
}

export function freshAudit(): AuditScore {
  return {
    skewErrorMs: [],
    skewWithin: [0, 0],
    skewUnmeasured: 0,
    crossingWithin: [0, 0],
    zone: [0, 0, 0],
    beyond: [0, 0, 0],
    legalVoid: [0, 0],
    perhapsBeyond: [0, 0],
    early: [0, 0, 0],
    apart: [0, 0, 0],
    bounce: [0, 0, 0],
    bounceWithin: [0, 0],
    flightVoid: [0, 0, 0],
    bouncedAnywhere: 0,
    speedWithin: [0, 0],
    speedUnmeasured: 0,
    turning: [0, 0, 0],
    path: [0, 0],
  };
}

const FAR_MM = 177.8;
/** T_sync (AM-10). */
const SYNC_MS = 1000;
/** Flights that a contact can tell from bounce, and those of 5 mm, ms. */
const FLIGHT_MS = [10, 80] as const;
const VOID_MS = 64;

function within(of: Within, measure: Measure, truth: number): number {
  if (!measure.measured) return 0;
  const error = Math.abs(measure.value - truth);
  of[1] += 1;
  if (error <= measure.plusMinus) of[0] += 1;
  return error;
}

/** Flights that began and ended on one tile, ms: those that its contact can show. */
export function flightsOf(ball: BallTruth): number[] {
  if (ball.bounces === 0) return [];
  return ball.path.flatMap((visit) => {
    const next = ball.path.find((other) => other.cell === visit.cell && other.fromMs > visit.fromMs);
    const gap = (next?.fromMs ?? Infinity) - (visit.toMs ?? Infinity);
    return gap >= FLIGHT_MS[0] && gap <= FLIGHT_MS[1] ? [gap] : [];
  });
}

/** Speed at a moment of its way before anything met it, m/s. */
const speedAt = (ball: BallTruth, atMs: number): number =>
  Math.max(0, ball.releaseMPerS - (ball.lossMPerS2 * (atMs - ball.releaseMs)) / 1000);

/** True speed where the measure says that it took it; undefined when it was not so measured. */
function trueSpeed(ball: BallTruth, measure: Measure): number | undefined {
  if (!measure.measured) return undefined;
  if (measure.how?.startsWith('past') === true) {
    return ball.farGateMs === undefined ? undefined : speedAt(ball, ball.farGateMs);
  }
  const middles = [...(measure.how ?? '').matchAll(/q-?\d+r-?\d+/g)].flatMap(([cell]) => {
    const visit = ball.path.find((v) => v.cell === cell && v.toMs !== undefined);
    return visit === undefined ? [] : [(visit.fromMs + (visit.toMs ?? 0)) / 2];
  });
  const [from, to] = middles;
  return from === undefined || to === undefined ? undefined : speedAt(ball, (from + to) / 2);
}

function scoreBall(score: AuditScore, truth: RollTruth, ball: BallTruth, audit: BallAudit): void {
  const other = truth.balls.find((b) => b !== ball);
  if (other !== undefined) {
    const { releaseSkew, crossingSkew } = audit;
    if (releaseSkew.measured) {
      const error = within(score.skewWithin, releaseSkew, ball.releaseMs - other.releaseMs);
      score.skewErrorMs.push(Math.round(error * 10) / 10);
    } else score.skewUnmeasured += 1;
    // A beam that was broken before anything was heard tells no time.
    const heardMs = truth.fromMs - LEAD_MS;
    const crossed = [ball, other].every(({ farGateMs }) => farGateMs !== undefined && farGateMs > heardMs);
    if (
      crossed &&
      crossingSkew !== undefined &&
      ball.farGateMs !== undefined &&
      other.farGateMs !== undefined
    ) {
      within(score.crossingWithin, crossingSkew, ball.farGateMs - other.farGateMs);
    }
  }
  const { releaseZone, bounces, speed, path } = audit;
  const limitMm = releaseZone.measured ? releaseZone.value + releaseZone.plusMinus : FAR_MM;
  hit(score.zone, frontMm(ball) <= limitMm, releaseZone.measured);
  const flights = flightsOf(ball);
  if (ball.bounces > 0) score.bouncedAnywhere += 1;
  hit(score.bounce, flights.length > 0, bounces.measured && bounces.value > bounces.plusMinus);
  within(score.bounceWithin, bounces, flights.length);
  const real = trueSpeed(ball, speed);
  if (real === undefined) score.speedUnmeasured += 1;
  else within(score.speedWithin, speed, real);
  const { turning } = audit;
  if (turning?.measured !== true) score.turning[2] += 1;
  else score.turning[(turning.said === 'rolled') === (ball.mode === 'rolled') ? 0 : 1] += 1;
  const cells = dropRepeats(ball.path.map((visit) => visit.cell));
  score.path[0] += edits(cells, dropRepeats(path.cells));
  score.path[1] += cells.length;
}

/** How far the front of the ball had come when it was let go, mm from the own table edge. */
const frontMm = (ball: BallTruth): number => ball.releaseMm + ball.radiusMm;

/** Counts the roll report of one final ruling. */
export function scoreAudit(score: AuditScore, truth: RollTruth, final: RollRuling): void {
  const said = (code: string, player?: string): boolean =>
    final.illegal.some((one) => one.code === code && (player === undefined || one.player === player));
  const early = truth.balls.some((ball) => ball.releaseMs < truth.fromMs);
  hit(score.early, early, said('illegal/early'));
  if (truth.skewMs !== undefined) {
    hit(score.apart, Math.abs(truth.skewMs) > SYNC_MS, said('illegal/not-together'));
  }
  for (const ball of truth.balls) {
    const beyond = frontMm(ball) > FAR_MM;
    const voided = said('illegal/beyond-zone', ball.player);
    hit(score.beyond, beyond, voided);
    if (!beyond) {
      score.legalVoid[1] += 1;
      if (voided) score.legalVoid[0] += 1;
    }
    const reasons = final.balls.find((b) => b.player === ball.player)?.reasons ?? [];
    if (reasons.some(({ code }) => code === 'audit/perhaps-beyond')) score.perhapsBeyond[beyond ? 0 : 1] += 1;
    const high = flightsOf(ball).some((flight) => flight >= VOID_MS);
    hit(score.flightVoid, high, said('illegal/bounced', ball.player));
    const audit = final.balls.find((b) => b.player === ball.player)?.audit;
    if (audit !== undefined) scoreBall(score, truth, ball, audit);
  }
}

function dropRepeats(cells: readonly string[]): string[] {
  return cells.filter((cell, i) => cell !== cells[i - 1]);
}

/** Levenshtein's distance of two lists. */
export function edits(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  a.forEach((from, i) => {
    let corner = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + (from === b[j] ? 0 : 1));
      corner = above;
      return left;
    });
  });
  return row.at(-1) ?? a.length;
}
