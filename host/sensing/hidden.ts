import type { Arrival } from './arrivals.ts';
import { hallFor } from './blind.ts';
import type { Seen } from './evidence.ts';
import { WINDOWS } from './features.ts';
import type { SensorLayout } from './layout.ts';
import type { LiveRoll } from './live-roll.ts';
import type { Attribution } from './owners.ts';
import { movedMs } from './rest.ts';
import type { Sensing } from './state.ts';
import type { Tiles } from './tiles.ts';
import { fits, launchTrack, onTrack, type Runner, type Token, type Track } from './tracks.ts';
import { binAt, type Visit } from './visits.ts';

/** Density of a way that leads under another ball from which on it may have ended there (natural logarithm). */
const LEADS_THERE = -4;
/** A ball reaches a core from this long before the other one's opening is over. */
const BEFORE_MS = 20;
/** The other ball's own landing, in which a second one's would not be told. */
const OWN_LANDING_MS = 40;
/** Change of level within two bins, in seated reference balls, that a second magnet makes when it lands. */
const JOLT: Readonly<Record<SensorLayout, number>> = {
  axis: 0.03,
  collector: 0.15,
  'collector+offset': 0.15,
};
/** Its jolt comes within this before or after the time at which it was due. */
const JOLT_MS = 64;
const STEP_MS = 16;
/** Level of one ball alone on a flux collector, against its strength. */
const ALONE: readonly [number, number] = [0.68, 1.7];
/** Less of its own level than this no ball makes that stood whole on a core a moment before and has not left. */
const CANCELLED = 0.35;
/** A closed ball that rolls on makes less than this, either sign, in seated reference balls. */
const TURNED_OVER = 0.3;
/** Field of a contact that need not be a ball's, in seated reference balls. */
const NO_FIELD = 0.03;
/** Longest time that is looked through. */
const LONGEST_MS = 1200;

/** Whether something of this ball's own still stands on a tile. */
export function standsSomewhere(seen: readonly Seen[], shared: Attribution, ball: number): boolean {
  return seen.some(
    ({ visit, arrival }, i) =>
      shared.owner[i] === ball && visit.endMs === Infinity && arrival.leftMs === Infinity,
  );
}

/**
 * A ball's track up to the last that is seen of it. Contact without any field from `untilMs` on is left out: a hand or a
 * lifted tile touches so too, and is no sign that the ball went on.
 */
function trackOf(
  tiles: Tiles,
  runner: Runner,
  tokens: readonly Token[],
  shared: Attribution,
  ball: number,
  untilMs = Infinity,
): Track {
  let track = launchTrack(runner);
  for (const [i, token] of tokens.entries()) {
    if (shared.owner[i] !== ball || token.laid === 1) continue;
    if (token.atMs >= untilMs && Math.abs(token.peak) < NO_FIELD) continue;
    track = onTrack(tiles, track, token);
  }
  return track;
}

/** A ball that comes second to a tile and stays. */
function comingTo(cell: number, atMs: number): Token {
  return { cell, atMs, untilMs: Infinity, midMs: atMs, peak: 0, opened: 1, openedMs: atMs, nth: 1, laid: 0 };
}

/** Whether this ball's way leads to the cell at one of these times. */
export function leadsTo(
  tiles: Tiles,
  runner: Runner,
  tokens: readonly Token[],
  shared: Attribution,
  ball: number,
  cell: number,
  timesMs: readonly number[],
): boolean {
  const track = trackOf(tiles, runner, tokens, shared, ball);
  if (!(track.atMs > -Infinity)) return false;
  return timesMs.some((atMs) => fits(tiles, runner, track, comingTo(cell, atMs)) > LEADS_THERE);
}

/**
 * Whether a ball of which nothing is seen any more may lie on the core that the other ball holds (5.7.2.2): its way led
 * there, and the tile was not at rest when it came. Two magnets that land within the same moment, or that cancel on
 * one sensor, show no second step.
 */
export function maybeHidden(
  sensing: Sensing,
  runners: readonly Runner[],
  tokens: readonly Token[],
  seen: readonly Seen[],
  shared: Attribution,
  ball: number,
  toMs: number,
): boolean {
  const { live, tiles, contacts } = sensing;
  const runner = runners[ball];
  if (runner === undefined || live.balls.length < 2 || standsSomewhere(seen, shared, ball)) return false;
  for (const [i, { visit, arrival }] of seen.entries()) {
    const track = trackOf(tiles, runner, tokens, shared, ball, arrival.anchorMs - BEFORE_MS);
    // Neither launched nor seen: that is another doubt.
    if (!(track.atMs > -Infinity)) continue;
    if (shared.owner[i] === ball || !(visit.endMs === Infinity) || !held(live, visit.cell)) continue;
    if (!(arrival.score > 0.5) || track.last?.cell === visit.cell) continue;
    if (isTwoBalls(sensing, runners[1 - ball], { visit, arrival, nth: 0 })) return true;
    const from = Math.max(track.atMs, arrival.anchorMs - BEFORE_MS);
    const landed = arrival.anchorMs + OWN_LANDING_MS;
    const to = Math.max(landed, movedMs(visit, contacts, toMs));
    const plain = isOneBalls(sensing, runners[1 - ball], arrival);
    const least = JOLT[sensing.setting.layout.sensors];
    // A second ball in the blind ring of a single hall under the middle changes next to nothing.
    const blind = sensing.setting.layout.sensors === 'axis';
    const until = blind ? from + LONGEST_MS : Math.min(to, from + LONGEST_MS);
    for (let at = from; at <= until; at += STEP_MS) {
      const still =
        at <= landed ? plain : !jolted(visit, Math.max(landed, at - JOLT_MS), at + JOLT_MS, least);
      if (still && !blind) continue;
      if (fits(tiles, runner, track, comingTo(visit.cell, at)) > LEADS_THERE) return true;
    }
  }
  return false;
}

/**
 * Whether a standing level is what this ball makes alone. With a flux collector one ball reads within these bounds
 * wherever it stands on the core; two of one polarity read more, two of opposite ones next to nothing.
 */
function isOneBalls(sensing: Sensing, runner: Runner | undefined, arrival: Arrival): boolean {
  if (sensing.setting.layout.sensors === 'axis' || runner === undefined) return false;
  const share = arrival.level / runner.strength;
  if (runner.polarity !== 0 && share * runner.polarity < 0) return false;
  return Math.abs(share) > ALONE[0] && Math.abs(share) < ALONE[1];
}

/**
 * Whether a tile shows more than this ball alone can make there with a flux collector, wherever it stands: a level over
 * what its magnet is good for, or one that had risen under closed contact and then turned over or vanished for good. Then
 * something else has come, whatever its way was.
 */
function isTwoBalls(sensing: Sensing, runner: Runner | undefined, { visit, arrival }: Seen): boolean {
  const { live } = sensing;
  if (sensing.setting.layout.sensors === 'axis' || hallFor(live.sees[visit.cell] ?? 0) !== 0) return false;
  if (runner === undefined || arrival.windows < WINDOWS.length || arrival.leftMs < Infinity) return false;
  if (Math.abs(arrival.level) > ALONE[1] * runner.strength) return true;
  const { strength } = runner;
  // It stood whole on this core under closed contact, and its level has all but gone: a magnet of the other polarity came.
  if (Math.abs(arrival.peak) >= ALONE[0] * strength && Math.abs(arrival.level) < CANCELLED * strength)
    return true;
  if (!(Math.abs(arrival.level) >= TURNED_OVER)) return false;
  const last = binAt(visit, arrival.anchorMs + OWN_LANDING_MS);
  for (let i = binAt(visit, visit.contactMs); i <= last; i += 1) {
    if (arrival.level * (visit.level[i] ?? 0) < 0 && Math.abs(visit.level[i] ?? 0) >= TURNED_OVER)
      return true;
  }
  return false;
}

/** Whether the level changed by so much within two bins anywhere in [fromMs, toMs]. */
function jolted(visit: Visit, fromMs: number, toMs: number, least: number): boolean {
  for (let i = Math.max(1, binAt(visit, fromMs)); i <= binAt(visit, toMs) && i + 1 < visit.bins; i += 1) {
    if (Math.abs((visit.level[i + 1] ?? 0) - (visit.level[i - 1] ?? 0)) >= least) return true;
  }
  return false;
}

function held(live: LiveRoll, cell: number): boolean {
  return live.cores[cell] !== undefined;
}
