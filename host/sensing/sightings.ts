import { type Arrival, LANDING_HEARD_MS } from './arrivals.ts';
import { hallFor, SEES } from './blind.ts';
import { lastClosedMs } from './contact.ts';
import { doubtsIn } from './doubts.ts';
import type { Seen } from './evidence.ts';
import { WINDOWS } from './features.ts';
import { farSpeed, gatesOfLaunch } from './gates.ts';
import { isLaid } from './latch.ts';
import { STRONG } from './review.ts';
import { gatesFitted, type Sensing, stampsOnArrival } from './state.ts';
import { ONE_OPENING_MS, type Runner, type Token } from './tracks.ts';
import { exchangedOdds } from './turned.ts';
import type { Visit } from './visits.ts';

/** A field without contact is a ball's from this level on where the contact works and said nothing. */
const STRONG_ALONE = 0.3;
/** The same where it rose at once and stands: it may be one. */
const STANDS_ALONE = 0.1;
/** Least field of an open ball's second core. */
const BESIDE = 0.08;
/** A second arrival counts from this score on. */
const SECOND_SCORE = 0.5;
/** Longer contact than this is no pass. */
const LONGEST_PASS_MS = 500;
/** A hand: at least so many bins of contact, and less field than a ball with its magnet up has, mT. */
const HAND_BINS = 10;
const FAINT_MT = 0.03;
/** Noise up to which so faint a field can be told, counts. */
const QUIET_COUNTS = 0.8;

/** Whether a visit with its arrival is a ball's: what only the contact or only a weak field shows may not be. */
function isBall(sensing: Sensing, visit: Visit, arrival: Arrival, nth: number): boolean {
  // Of a second ball on one tile only its open can be seen.
  if (nth > 0) return visit.endMs === Infinity && arrival.score >= SECOND_SCORE;
  if (Number.isNaN(visit.contactMs)) {
    const least = sensing.tiles.contactWorks[visit.cell] === 0 ? STRONG : STRONG_ALONE;
    return (
      Math.abs(arrival.peak) >= least || mayStand(visit, arrival) || openedBeside(sensing, visit, arrival)
    );
  }
  return !isHand(sensing, visit);
}

/**
 * Whether a field without contact came at once and stands: a ball on two cores makes no more on a tile whose contact has
 * died since calibration. That it is no ball is not known.
 */
function mayStand(visit: Visit, arrival: Arrival): boolean {
  if (visit.endMs < Infinity || arrival.windows < WINDOWS.length || arrival.leftMs < Infinity) return false;
  return Math.abs(arrival.level) >= STANDS_ALONE && arrival.rise >= STANDS_ALONE / 2;
}

/**
 * Whether a steady field without contact came with an opening next door: an open ball that stands on two cores, of
 * which one has a dead contact.
 */
function openedBeside({ live, tiles }: Sensing, visit: Visit, arrival: Arrival): boolean {
  if (Math.abs(arrival.peak) < BESIDE || visit.endMs < Infinity) return false;
  for (let i = 0; i < live.count; i += 1) {
    const other = live.stands[i];
    const first = other?.arrivals[0];
    if (other === undefined || first === undefined || other.arrived === 0 || other.visit === visit) continue;
    if (!(first.score > 0.5) || Number.isNaN(other.visit.contactMs)) continue;
    if (Math.abs(first.anchorMs - arrival.anchorMs) > ONE_OPENING_MS) continue;
    if (tiles.near[visit.cell]?.includes(other.visit.cell) === true) return true;
  }
  return false;
}

/**
 * A hand or sleeve: contact for longer than a ball takes to pass, and not even the faint field of a ball with its
 * magnet up on any hall. Where the noise hides a faint field it stays a ball.
 */
function isHand(sensing: Sensing, visit: Visit): boolean {
  const { tiles, limits, live } = sensing;
  const at = visit.cell * tiles.halls;
  if ((tiles.noise[at] ?? 1) > QUIET_COUNTS || live.sees[visit.cell] !== SEES.both) return false;
  let bins = 0;
  let first = 0;
  let second = 0;
  let most = 0;
  for (let i = 0; i < visit.bins; i += 1) {
    if ((visit.touch[i] ?? 0) < 0.9) continue;
    const level = visit.level[i] ?? 0;
    const mt = level * (tiles.seated[at] ?? 1) * limits.mtPerCount;
    const side = visit.side[i] ?? 0;
    if (Number.isNaN(mt) || Number.isNaN(side)) continue;
    bins += 1;
    first += mt;
    second += side;
    most = Math.max(most, Math.abs(mt), Math.abs(side));
  }
  if (bins < HAND_BINS || most > 3 * FAINT_MT) return false;
  return Math.abs(first / bins) < FAINT_MT && Math.abs(second / bins) < FAINT_MT;
}

/** When a ball came onto the tile: its contact where there is one, since a field shows a ball that is still beside it. */
function cameMs({ visit, arrival, nth }: Seen): number {
  return nth === 0 && visit.contactMs > arrival.atMs ? visit.contactMs : arrival.atMs;
}

/** Every arrival of the roll in order of time. */
export function seenOf(sensing: Sensing): readonly Seen[] {
  const { live } = sensing;
  const seen: Seen[] = [];
  for (let i = 0; i < live.count; i += 1) {
    const stand = live.stands[i];
    if (stand === undefined || !stand.visit.confirmed) continue;
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      if (arrival === undefined || !isBall(sensing, stand.visit, arrival, k)) continue;
      seen.push({ visit: stand.visit, arrival, nth: k });
    }
  }
  return seen.sort((a, b) => cameMs(a) - cameMs(b) || a.visit.cell - b.visit.cell);
}

/** Whether no line is missing from a landing: a shaking that was lost on the way is no silence of a latch. */
function heardWhole({ doubts, tiles }: Sensing, { visit, arrival }: Seen): boolean {
  const side = tiles.cells[visit.cell]?.side ?? 'A';
  const [before, after] = LANDING_HEARD_MS;
  return doubtsIn(doubts, side, arrival.anchorMs + before, arrival.anchorMs + after).length === 0;
}

export function tokensOf(sensing: Sensing, seen: readonly Seen[]): readonly Token[] {
  const { contacts, live, tiles } = sensing;
  const chatters = !stampsOnArrival(sensing);
  const shaken = { chatters, live, seen, near: tiles.near };
  return seen.map((one) => {
    const { visit, arrival, nth } = one;
    const opened = Number.isNaN(arrival.score) ? 0 : arrival.score;
    const passed = visit.endMs < Infinity && opened < 0.5 && nth === 0;
    const touched = cameMs({ visit, arrival, nth });
    const closed = passed ? lastClosedMs(contacts, visit.cell, visit.startMs, visit.endMs) : -Infinity;
    const until = closed > touched ? closed : Math.max(touched, visit.endMs);
    return {
      cell: visit.cell,
      atMs: touched,
      untilMs: Math.max(touched, Math.min(until, arrival.leftMs)),
      midMs: passed && until - touched < LONGEST_PASS_MS ? (touched + until) / 2 : touched,
      // Off the centre the sign of a field tells where the ball stands, not whose it is.
      peak: hallFor(live.sees[visit.cell] ?? 0) === 0 ? arrival.peak : 0,
      opened,
      openedMs: arrival.anchorMs,
      nth,
      laid: isLaid(shaken, one) && heardWhole(sensing, one) ? 1 : 0,
    };
  });
}

/** The balls of the roll with their launch and calibration. */
export function runnersOf(sensing: Sensing): readonly Runner[] {
  const { live, gates, setting, tiles } = sensing;
  const { layout, calibration } = setting;
  return live.balls.map(({ player, bakugan }) => {
    const ball = calibration.balls[bakugan];
    const own = player === 'A' ? 1 : -1;
    const launch = gatesOfLaunch(gates[player], live.fromMs);
    return {
      side: player,
      polarity: ball?.polarity ?? 0,
      strength: ball?.strength ?? 1,
      exchanged: exchangedOdds(sensing, bakugan),
      gates: launch,
      gatesKnown: gatesFitted(sensing, player),
      gateY: own * (layout.edgeToCentreMm - layout.gatesMm.far),
      own,
      speed: farSpeed(launch),
      middleX: tiles.middleX,
    };
  });
}
