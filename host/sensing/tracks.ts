import { log } from '../exact.ts';
import type { Side } from '../ids.ts';
import { type Gates, launchMs } from './gates.ts';
import type { Tiles } from './tiles.ts';

/** One arrival as attribution sees it. */
export interface Token {
  readonly cell: number;
  readonly atMs: number;
  /** When that stay ended, Infinity while it lasts. */
  readonly untilMs: number;
  /** Closest approach, in seated reference balls, sign as read. */
  readonly peak: number;
  /** Chance that it opened there, and when its field rose. */
  readonly opened: number;
  readonly openedMs: number;
  /** Middle of its contact for a pass, else its beginning. */
  readonly midMs: number;
  /** Number of the arrival within its visit: 1 is a second ball on a tile that holds one. */
  readonly nth: number;
  /** 1: its contact shook as under no latch, so that it may be a magnet that somebody laid down, and no ball. */
  readonly laid: number;
}

/** What is known of one ball before it reaches the tiles. */
export interface Runner {
  readonly side: Side;
  /** Sign of its field, 0 when calibration does not know it. */
  readonly polarity: 1 | -1 | 0;
  readonly strength: number;
  /** Odds that its magnet is not as calibrated (natural logarithm). */
  readonly exchanged: number;
  readonly gates: Gates;
  /** Times of this side's gates can be trusted. */
  readonly gatesKnown: boolean;
  /** y of its far gate. */
  readonly gateY: number;
  /** +1: its own edge is at +y. */
  readonly own: 1 | -1;
  /** Speed past the far gate, mm/ms, NaN when not seen. */
  readonly speed: number;
  /** Middle of the field across, mm. */
  readonly middleX: number;
}

/** Where a ball was last and how it moved; spreads are standard deviations. */
export interface Track {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  readonly vx: number;
  readonly vy: number;
  /** Spread of the place then, and how it grows by the way travelled, along and across. */
  readonly spread: number;
  readonly along: number;
  readonly across: number;
  /** Last token, none before the first. */
  readonly last: Token | undefined;
}

/** Rolling loss, mm/ms², usual (0.2 to 0.6 m/s²). */
const LOSS = 0.0004;
/** Place within a tile that a pass and a stay stand for, along and across, mm. */
const PASS_ALONG = 8;
const STAY_ALONG = 13;
const TOUCH_ACROSS = 11;
/** A ball that ran straight on would have touched the next tile and did not. */
const VANISHED = -2;
/** Place across the table that a launch stands for. */
const LAUNCH_SPREAD = 70;
/** Area that densities are counted against: a tile's. */
const AREA = log(22 * 22);
/** Natural logarithms of odds for what does not happen, and for what hardly does. */
export const NEVER = -12;
const TURNED = -5;
/** A ball that opens stops within this time. */
const STOPPED_MS = 90;
/** An open ball on two cores shows its opening on both within this; two openings are hardly one ball's. */
export const ONE_OPENING_MS = 28;
const TWICE = -7;
/** Odds of a gate whose time or speed misleads. */
const SPOILT = -3;
/** A ball that bounces or whose contact is dirty touches its tile again within this time. */
const AGAIN_MS = 200;
const AGAIN = -1;
/** Odds of something that was laid down, which came by no ball's way. */
export const LAID = -4;
/** Speed of a ball that comes off a core or off another ball, mm/ms. */
const LOOSE = 0.3;

/** Whether a token is a pass: its middle is where the ball was nearest to the tile's middle. */
function isPass(token: Token): boolean {
  return token.midMs > token.atMs;
}

/** Whether a token is taken for an opening. */
export function hasOpened(token: Token): boolean {
  return token.opened > 0.5;
}

/** The track of a ball from what its gates saw. */
export function launchTrack(runner: Runner): Track {
  const passed = runner.gates.far.blockedMs;
  const known = runner.gatesKnown && passed >= 0 && runner.speed > 0;
  // The beam breaks when the ball's skin reaches it, a radius early.
  return {
    x: runner.middleX,
    y: runner.gateY + 18 * runner.own,
    atMs: known ? passed : launchMs(runner.gates),
    vx: 0,
    vy: known ? -runner.own * runner.speed * 0.97 : Number.NaN,
    spread: 12,
    along: 0.14,
    across: 0.2,
    last: undefined,
  };
}

function density(along: number, across: number, spreadAlong: number, spreadAcross: number): number {
  const a = along / spreadAlong;
  const c = across / spreadAcross;
  return -0.5 * (a * a + c * c) - log(spreadAlong * spreadAcross) + AREA;
}

/** Density of a first token when the gates say little: its own half first, any time after the launch. */
function blindly(tiles: Tiles, runner: Runner, token: Token): number {
  const launched = launchMs(runner.gates);
  if (runner.gatesKnown && launched > token.atMs + 5) return NEVER;
  const unseen = runner.gatesKnown && !(runner.gates.far.blockedMs >= 0) ? -2 : 0;
  const y = (tiles.y[token.cell] ?? 0) * runner.own;
  return density(90 - y, (tiles.x[token.cell] ?? 0) - runner.middleX, 120, LAUNCH_SPREAD) + unseen;
}

/** Density of a token as the next on this track, as a natural logarithm. */
export function fits(tiles: Tiles, runner: Runner, track: Track, token: Token): number {
  const { last } = track;
  const x = tiles.x[token.cell] ?? 0;
  const y = tiles.y[token.cell] ?? 0;
  if (last === undefined && Number.isNaN(track.vy)) return blindly(tiles, runner, token);
  const dx = x - track.x;
  const dy = y - track.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  if (last !== undefined) {
    if (last.cell === token.cell && token.nth > 0 && last.untilMs > token.atMs + STOPPED_MS) return NEVER;
    const adjacent = way < 60;
    const overlap = last.untilMs - token.atMs;
    // Plates lie apart by more than a closed ball's foot: only an open one stands on two, from its opening on.
    const spread = hasOpened(last) && adjacent && token.atMs > last.openedMs - 25;
    if (overlap > 25 && !spread) return Math.max(NEVER, -overlap / 8);
    if (hasOpened(last)) {
      // A latch lets go once: what opened elsewhere at another moment is another ball.
      if (hasOpened(token) && Math.abs(token.openedMs - last.openedMs) > ONE_OPENING_MS) return TWICE;
      if (token.atMs < last.openedMs + STOPPED_MS) return adjacent || way < 1 ? -1 : NEVER;
      if (overlap > STOPPED_MS) return NEVER;
      return loosely(way, token.atMs - Math.min(last.untilMs, token.atMs), TURNED / 2);
    }
  }
  const dt = token.midMs - track.atMs;
  if (dt < -10) return NEVER;
  const speed = Math.sqrt(track.vx * track.vx + track.vy * track.vy);
  const stopMs = speed / LOSS;
  const t = Math.min(Math.max(dt, 0), stopMs);
  const far = speed * t - (LOSS * t * t) / 2;
  const hx = speed > 0 ? track.vx / speed : 0;
  const hy = speed > 0 ? track.vy / speed : -runner.own;
  // A stay begins at the rim, a touch's half before the middle.
  const early = isPass(token) ? 0 : 14;
  const along = dx * hx + dy * hy - far - early;
  const across = dx * hy - dy * hx;
  const own = isPass(token) ? PASS_ALONG : STAY_ALONG;
  const spreadAlong = Math.sqrt(track.spread * track.spread + own * own) + track.along * far;
  const spreadAcross = last === undefined ? LAUNCH_SPREAD : Math.SQRT2 * TOUCH_ACROSS + track.across * far;
  const straight = density(along, across, spreadAlong, spreadAcross);
  // A hand at the gate spoils its speed: then the place alone has to do.
  if (last === undefined) return Math.max(straight, blindly(tiles, runner, token) + SPOILT);
  if (last.cell === token.cell && dt < AGAIN_MS) return Math.max(straight, AGAIN);
  return Math.max(straight, loosely(way, token.atMs - last.atMs, TURNED), NEVER);
}

/** A ball thrown off its way comes anywhere near within the time, slowly. */
function loosely(way: number, ms: number, odds: number): number {
  const reach = 25 + LOOSE * Math.max(0, ms);
  return density(way, 0, reach, reach) + odds;
}

/** The track after this token was its own. Written out, since it is made for every sharing that is tried. */
export function onTrack(tiles: Tiles, track: Track, token: Token): Track {
  const x = tiles.x[token.cell] ?? 0;
  const y = tiles.y[token.cell] ?? 0;
  const atMs = token.midMs;
  const dt = atMs - track.atMs;
  let { vx, vy, along, across } = track;
  if (track.last === undefined) {
    // The launch's speed with the heading still open; the place across was not known.
    const blind = Number.isNaN(vy);
    const slowed = blind ? 0.6 : Math.max(0.08, Math.abs(vy) - LOSS * Math.max(0, dt));
    const sign = blind ? (y >= 0 ? -1 : 1) : vy < 0 ? -1 : 1;
    vx = 0;
    vy = sign * slowed;
    along = blind ? 0.6 : 0.18;
    across = 0.5;
  } else if (dt >= 8) {
    // Half of what these two places say, half of what was thought before.
    const sx = ((x - track.x) / dt + vx) / 2;
    const sy = ((y - track.y) / dt + vy) / 2;
    const slower = Math.max(0.3, 1 - (LOSS * dt) / Math.max(0.1, Math.sqrt(sx * sx + sy * sy)) / 2);
    vx = sx * slower;
    vy = sy * slower;
    along = 0.15;
    across = 0.3;
  }
  const spread = isPass(token) ? PASS_ALONG : STAY_ALONG;
  return { x, y, atMs, vx, vy, spread, along, across, last: token };
}

/**
 * Odds of a track that ends: a ball that passed over its last tile and would have come straight over the next one, fast
 * enough, must have touched that too.
 */
export function ends(tiles: Tiles, track: Track): number {
  const { last } = track;
  if (last === undefined || !isPass(last) || hasOpened(last)) return 0;
  const speed = Math.sqrt(track.vx * track.vx + track.vy * track.vy);
  if ((speed * speed) / (2 * LOSS) < 70) return 0;
  for (const n of tiles.near[last.cell] ?? []) {
    const dx = (tiles.x[n] ?? 0) - track.x;
    const dy = (tiles.y[n] ?? 0) - track.y;
    const along = (dx * track.vx + dy * track.vy) / speed;
    const across = Math.abs(dx * track.vy - dy * track.vx) / speed;
    if (along > 0 && across < 12) return VANISHED;
  }
  return 0;
}
