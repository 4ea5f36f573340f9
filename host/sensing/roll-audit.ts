/** The roll report of each ball: what its gates, contacts and tiles let be measured. */
import type { AtMs, Side } from '../ids.ts';
import {
  type Bounces,
  bouncesOf,
  crossingSkew,
  launchSpeed,
  missing,
  NO_GATES,
  pathOf,
  releaseSkew,
  releaseZone,
} from './audit.ts';
import type { Touch } from './crossing.ts';
import { doubtsIn, hiddenIn } from './doubts.ts';
import type { Seen } from './evidence.ts';
import { flightsOver } from './flights.ts';
import { EARLY_MS, type Launch, type LaunchAsk, launchOf } from './launch.ts';
import { marksOn, offencesIn, type Released } from './offences.ts';
import type { Attribution } from './owners.ts';
import type { BallAudit, Measure, Reason, RollOffence } from './ruling.ts';
import { gatesFitted, heardMs, type Sensing } from './state.ts';
import type { Tiles } from './tiles.ts';
import type { Token } from './tracks.ts';
import { type TurningStay, turningOf } from './turning.ts';

/** An open ball reaches over two tiles: what came to the next one within this time may have been the same ball. */
const ONE_BALL_MS = 100;
/** A ball that stands is looked at for so long after it came. */
const LOOK_MS = 1000;

/** What was measured of one ball. */
interface Measured extends Released {
  readonly stays: readonly TurningStay[];
}

/** Everything measured of a roll, by ball in the order of `live.balls`. */
export interface RollAudit {
  readonly audits: readonly BallAudit[];
  /** Reasons that mark the report and change nothing. */
  readonly marks: readonly (readonly Reason[])[];
  readonly illegal: readonly RollOffence[];
}

/** Another ball on the tile of a token or beside it, at its time. */
function crowded(
  tiles: Tiles,
  tokens: readonly Token[],
  shared: Attribution,
  token: Token,
  ball: number,
): boolean {
  return tokens.some((other, at) => {
    const beside = other.cell === token.cell || tiles.near[other.cell]?.includes(token.cell) === true;
    const meanwhile = other.atMs - ONE_BALL_MS < token.atMs && token.atMs < other.untilMs;
    return beside && meanwhile && shared.owner[at] !== ball;
  });
}

function staysOf(
  { tiles }: Sensing,
  seen: readonly Seen[],
  tokens: readonly Token[],
  shared: Attribution,
  ball: number,
): TurningStay[] {
  return seen.flatMap(({ visit, arrival }, i) => {
    const token = tokens[i];
    if (token === undefined || shared.owner[i] !== ball) return [];
    const passed = token.midMs > token.atMs;
    return [
      {
        cell: visit.cell,
        atMs: token.atMs,
        untilMs: passed ? token.untilMs : Math.min(visit.endMs, arrival.leftMs),
        midMs: passed ? token.midMs : NaN,
        passed,
        opened: token.opened,
        peak: token.peak,
        alone: !crowded(tiles, tokens, shared, token, ball),
      },
    ];
  });
}

/** First tile whose owner is beyond doubt, with no other ball on it or beside it. */
function touchOf(
  sensing: Sensing,
  tokens: readonly Token[],
  shared: Attribution,
  ball: number,
): Touch | undefined {
  const { live, tiles, setting, limits } = sensing;
  const { edgeToCentreMm, gatesMm } = setting.layout;
  const own = live.balls[ball]?.player === 'B' ? -1 : 1;
  const i = tokens.findIndex((_, at) => shared.owner[at] === ball);
  const token = tokens[i];
  if (token === undefined || (shared.sure[i] ?? 0) < limits.ownerSure) return undefined;
  if (crowded(tiles, tokens, shared, token, ball)) return undefined;
  return {
    atMs: token.atMs,
    wayMm: edgeToCentreMm - gatesMm.far - own * (tiles.y[token.cell] ?? 0),
    sure: shared.sure[i] ?? 0,
    leastSpeed: leastSpeed(sensing, tokens, shared, ball, token),
  };
}

/** Ways over two tiles lie askew by no more than this, and the middle of a contact is known to within that, mm. */
const ASKEW_MM = 36;
const MIDDLE_MM = 4;

/** Least speed of a ball from the first tile that it passed to another that was surely passed by it, mm/ms; 0 when unknown. */
function leastSpeed(
  sensing: Sensing,
  tokens: readonly Token[],
  shared: Attribution,
  ball: number,
  first: Token,
): number {
  const { tiles, limits } = sensing;
  let least = 0;
  if (!(first.midMs > first.atMs)) return least;
  tokens.forEach((token, i) => {
    if (shared.owner[i] !== ball || (shared.sure[i] ?? 0) < limits.ownerSure) return;
    if (!(token.midMs > token.atMs) || crowded(tiles, tokens, shared, token, ball)) return;
    const dx = (tiles.x[token.cell] ?? 0) - (tiles.x[first.cell] ?? 0);
    const dy = (tiles.y[token.cell] ?? 0) - (tiles.y[first.cell] ?? 0);
    const way = Math.sqrt(Math.max(0, dx * dx + dy * dy - ASKEW_MM * ASKEW_MM)) - MIDDLE_MM;
    const took = token.midMs - first.midMs;
    if (took > 0) least = Math.max(least, way / took);
  });
  return least;
}

/** Flights over each tile, taken together over all stays of the ball there. */
function flightsOf({ contacts, limits }: Sensing, stays: readonly TurningStay[]): Bounces {
  const sureMs: number[] = [];
  let doubtful = 0;
  for (const cell of new Set(stays.map((stay) => stay.cell))) {
    const there = stays.filter((stay) => stay.cell === cell);
    const fromMs = Math.min(...there.map((stay) => stay.atMs));
    const last = Math.max(...there.map((stay) => stay.atMs));
    const toMs = Math.min(Math.max(...there.map((stay) => stay.untilMs)), last + LOOK_MS);
    const found = flightsOver(contacts, cell, fromMs - 1, toMs, limits.flightFromMs, limits.flightToMs);
    sureMs.push(...found.sureMs);
    doubtful += found.doubtful;
  }
  return { sureMs, doubtful };
}

/** Whether this player's beams were unheard for long enough, up to the ball's first touch, to hide its launch. */
function gatesMissed(sensing: Sensing, player: Side, untilMs: number): boolean {
  const { live, limits, doubts } = sensing;
  const fromMs = live.fromMs - EARLY_MS;
  if (heardMs(sensing, player) < untilMs - limits.staleMs) return true;
  return doubtsIn(doubts, player, fromMs, untilMs).some(
    (doubt) => doubt.code !== 'doubt/clock' && hiddenIn(doubt, fromMs, untilMs) >= limits.staleMs,
  );
}

function skewOf(launches: readonly (Launch | undefined)[], ball: number, of: typeof releaseSkew): Measure {
  if (launches.length !== 2) return missing('only one ball rolls');
  const own = launches[ball];
  const other = launches[1 - ball];
  return own === undefined || other === undefined ? missing(NO_GATES) : of(own, other);
}

/**
 * Measures a roll as heard up to `toMs`. `tokens` are the arrivals in `seen`, shared out to the balls by `shared`. Marks and
 * offences are only told of a roll that is over.
 */
export function auditRoll(
  sensing: Sensing,
  seen: readonly Seen[],
  tokens: readonly Token[],
  shared: Attribution,
  toMs: AtMs,
  final: boolean,
): RollAudit {
  const { live, gates, setting, limits, tiles } = sensing;
  const { edgeToCentreMm, gatesMm } = setting.layout;
  const { near, far } = gatesMm;
  const asks = live.balls.map(({ player }, ball): LaunchAsk | undefined => {
    const touch = touchOf(sensing, tokens, shared, ball);
    if (!gatesFitted(sensing, player)) return undefined;
    if (gatesMissed(sensing, player, touch?.atMs ?? toMs)) return undefined;
    const betweenMm = far - near;
    return {
      gates: gates[player],
      fromMs: live.fromMs,
      betweenMm,
      acrossMm: 2 * (edgeToCentreMm - far),
      touch,
      // Named here already: on Node 20 an object that a spread and a further key make has a shape of its own.
      other: undefined,
    };
  });
  const alone = asks.map((ask) => (ask === undefined ? undefined : launchOf(ask)));
  const measured = live.balls.map(({ player }, ball): Measured => {
    const stays = staysOf(sensing, seen, tokens, shared, ball);
    const ask = asks[ball];
    const other = alone[1 - ball];
    const launch = ask === undefined || other === undefined ? alone[ball] : launchOf({ ...ask, other });
    return { player, launch, stays, bounces: flightsOf(sensing, stays) };
  });
  const launches = measured.map(({ launch }) => launch);
  const skews = measured.map((_, ball) => skewOf(launches, ball, releaseSkew));
  const audits = measured.map(({ launch, stays, bounces }, ball): BallAudit => {
    return {
      releaseSkew: skews[ball] ?? missing(NO_GATES),
      crossingSkew: skewOf(launches, ball, crossingSkew),
      releaseZone: launch === undefined ? missing(NO_GATES) : releaseZone(launch, far),
      bounces: bouncesOf(stays.length > 0, bounces),
      speed: launchSpeed(launch, tiles, stays),
      turning: turningOf(tiles, stays),
      path: pathOf(tiles, stays),
    };
  });
  if (!final) return { audits, marks: [], illegal: [] };
  return {
    audits,
    marks: measured.map((one, ball) => marksOn(one, skews[ball] ?? missing(NO_GATES), live.fromMs, limits)),
    illegal: offencesIn(measured, skews[0], live.fromMs, limits),
  };
}
