import type { AtMs } from '../ids.ts';
import { LANDING_MS, LANDING_WINDOWS } from './arrivals.ts';
import { berthsOf, isOnlyHis } from './berths.ts';
import { splitClosePairs } from './close-pairs.ts';
import { launchedInSight } from './gates.ts';
import { judge, type Look, mayWord } from './judge.ts';
import { rollers } from './live-roll.ts';
import { lastMotionMs } from './motion.ts';
import { followVisits, nextLookMs } from './review.ts';
import { allOutMs, outMsOf, RIM_MM, wasAway } from './rolling.ts';
import { shareAgain } from './sharing.ts';
import { runnersOf, seenOf, tokensOf } from './sightings.ts';
import { gatesFitted, heardMs, type SenseOutput, type Sensing, stampsOnArrival } from './state.ts';
import { BIN_MS } from './visits.ts';

/** From the far gate to the rim of the first tile of its side, mm. */
function firstTileMm({ setting: { layout }, tiles }: Sensing): number {
  const outermost = tiles.y.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
  return layout.edgeToCentreMm - layout.gatesMm.far - outermost - RIM_MM;
}

/** Looks at the roll as of `atMs`, says what is new and settles when to look again. */
export function reviewRoll(sensing: Sensing, atMs: AtMs, out: SenseOutput[]): void {
  const { live, limits, tiles, gates } = sensing;
  const toMs = atMs - limits.lateMs;
  followVisits(sensing, toMs);
  const sides = rollers(live);
  const runners = runnersOf(sensing);
  let seen = seenOf(sensing);
  let tokens = tokensOf(sensing, seen);
  let shared = shareAgain(sensing.sharing, tiles, runners, tokens);
  if (splitClosePairs(sensing, runners, tokens, seen, shared)) {
    followVisits(sensing, toMs);
    seen = seenOf(sensing);
    tokens = tokensOf(sensing, seen);
    shared = shareAgain(sensing.sharing, tiles, runners, tokens);
  }
  const wayMm = firstTileMm(sensing);
  const launched = live.balls.map(({ player }) => launchedInSight(gates[player], live.fromMs, wayMm));
  const berths = berthsOf(sensing, runners, seen, tokens, shared, launched);
  const moved = lastMotionMs(sensing, seen, shared, berths, toMs);
  // What stands, and what opened and has gone: nothing that such a ball does later is an open.
  const away = wasAway(sensing);
  const settled = live.balls.map((_, ball) =>
    seen.some((one, i) => {
      if (shared.owner[i] !== ball) return isOnlyHis(sensing, berths, ball, one, toMs);
      if (one.visit.endMs === Infinity) return one.arrival.leftMs === Infinity;
      return !away && one.arrival.score >= limits.openYes;
    }),
  );
  const unseen = live.balls.map(
    ({ player }, ball) =>
      launched[ball] !== true && !shared.owner.includes(ball) && gatesFitted(sensing, player),
  );
  const start = live.firstSignMs >= 0 ? live.firstSignMs : live.fromMs;
  // A ball that nobody sees is waited for as long as it can still come to a tile.
  const coarse = stampsOnArrival(sensing);
  const rollsMs = Math.min(moved + limits.rollTimeoutMs, coarse || away ? Infinity : allOutMs(sensing));
  const outMs = Math.max(moved + limits.restMs, rollsMs);
  let due = (settled.every(Boolean) ? moved + limits.restMs : outMs) + limits.lateMs + BIN_MS;
  if (!(moved > -Infinity)) due = Math.max(due, start + limits.unseenLimitMs);
  for (const [ball, { player }] of live.balls.entries()) {
    if (unseen[ball] !== true) continue;
    // Thrown before the call it has come to whatever it comes to once its speed is spent; else it may still be thrown.
    const thrownMs = coarse || away ? Infinity : outMsOf(sensing, player) + limits.lateMs + BIN_MS;
    due = Math.max(due, Math.min(thrownMs, start + limits.unseenLimitMs));
  }
  // What has only just touched a tile may yet prove an open, though it were a dirty contact's: its landing is heard out.
  for (const { arrival } of seen) {
    if (arrival.windows >= LANDING_WINDOWS) continue;
    due = Math.max(due, arrival.anchorMs + LANDING_MS + limits.lateMs + BIN_MS);
  }
  // A board that starts anew is soon back, and says what still stands there.
  for (const side of sides) {
    const heard = heardMs(sensing, side);
    if (atMs - heard > limits.staleMs) due = Math.max(due, heard + limits.backMs);
  }
  live.finalDueMs = due;
  const final = atMs >= due;
  const look: Look = { atMs, toMs, dueMs: due, final, coarse, runners, seen, tokens, shared, launched };
  if (mayWord(live, limits, look)) judge(sensing, look, out);
  live.nextReviewMs = nextLookMs(sensing, atMs, due);
  if (final) live.finalDueMs = Infinity;
}
