import type { AtMs, Side } from '../ids.ts';
import { splitClosePairs } from './close-pairs.ts';
import { closedAt } from './contact.ts';
import type { Evidence, Launched, Seen } from './evidence.ts';
import { doubtedBy, missingIn, withDoubt } from './gaps.ts';
import { EARLY_MS, isBalls, launchedInSight } from './gates.ts';
import { maybeHidden } from './hidden.ts';
import { coarseLimits, type SensingLimits } from './limits.ts';
import { type LiveRoll, rollers } from './live-roll.ts';
import type { Attribution } from './owners.ts';
import { REASONS } from './reasons.ts';
import { lastMotionMs } from './rest.ts';
import { followVisits, nextLookMs } from './review.ts';
import { auditRoll } from './roll-audit.ts';
import { allOutMs, wasAway } from './rolling.ts';
import type { BallAudit, BallRuling, Reason, RollRuling } from './ruling.ts';
import { shareAgain } from './sharing.ts';
import { runnersOf, seenOf, tokensOf } from './sightings.ts';
import { gatesFitted, heardMs, type SenseOutput, type Sensing, stampsOnArrival } from './state.ts';
import type { Runner, Token } from './tracks.ts';
import { noteTurned } from './turned.ts';
import { judgeBall, shareDoubt } from './verdict.ts';
import { BIN_MS } from './visits.ts';

/** After a final ruling a late open may still contradict it for this long. */
const CONTRADICT_MS = 3000;

/** Stands in until a ruling is said. */
const NOT_YET = { measured: false, why: 'not measured yet' } as const;
const UNAUDITED: BallAudit = {
  releaseSkew: NOT_YET,
  releaseZone: NOT_YET,
  bounces: NOT_YET,
  speed: NOT_YET,
  path: { cells: [], coverage: 0 },
};

/** A ball that may lie on the core the other one holds: whether it opened there is for people to see. */
function underOther(ball: BallRuling): BallRuling {
  return {
    ...ball,
    opened: 'undetermined',
    confidence: { ...ball.confidence, opened: 0.5, attached: 0.5 },
    reasons: [REASONS.perhapsHidden, ...ball.reasons.filter(({ code }) => !code.startsWith('open/'))],
  };
}

/** From the middle of a tile to its rim and the skin of a ball, mm. */
const RIM_MM = 36;

/** From the far gate to the rim of the first tile of its side, mm. */
function firstTileMm({ setting: { layout }, tiles }: Sensing): number {
  const outermost = tiles.y.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
  return layout.edgeToCentreMm - layout.gatesMm.far - outermost - RIM_MM;
}

/** What a player's gates saw of a launch before this time. */
function launchBefore(sensing: Sensing, player: Side, atMs: AtMs): Launched {
  const { gates, live } = sensing;
  if (!gatesFitted(sensing, player)) return 'unknown';
  let found: Launched = 'none';
  for (const { blocks, blockedMs } of [gates[player].near, gates[player].far]) {
    if (blockedMs <= atMs) found = 'hand';
    for (const block of blocks) {
      if (block.fromMs > atMs || block.fromMs < live.fromMs - EARLY_MS) continue;
      if (isBalls(block)) return 'free';
      found = 'hand';
    }
  }
  return found;
}

/** Level of an arrival in what its ball alone makes when seated: NaN on the axis layout, or with company. */
function shareOf(sensing: Sensing, runners: readonly Runner[], seen: Seen, ball: number): number {
  if (sensing.setting.layout.sensors === 'axis') return Number.NaN;
  const stand = sensing.live.stands.find((one) => one.visit === seen.visit);
  if (stand === undefined || stand.arrived > 1) return Number.NaN;
  return seen.arrival.level / (runners[ball]?.strength ?? 1);
}

/** What of a ruling is worth saying anew. */
function gist(stage: string, balls: readonly BallRuling[], illegal: readonly Reason[]): string {
  const ball = (b: BallRuling): string =>
    [
      b.player,
      b.opened,
      b.attached.sure.join('+'),
      b.attached.possible.join('+'),
      b.contact.sure.length > 0,
    ].join();
  return `${stage};${balls.map(ball).join(';')};${illegal.map((r) => r.code).join()}`;
}

const PLACE = { A: 0, B: 1, undetermined: 2 } as const;

/** Whether a new ruling takes back what an earlier one has said. */
function contradicts(before: RollRuling, now: RollRuling): string | undefined {
  for (const ball of before.balls) {
    if (ball.opened === 'undetermined' || ball.player === 'undetermined') continue;
    const again = now.balls.find((b) => b.player === ball.player);
    if (again === undefined) return `It is no longer clear which ball is ${ball.player}'s.`;
    if (again.opened !== ball.opened) {
      return `Player ${ball.player}: open was ${ball.opened}, later samples say ${again.opened}.`;
    }
    if (before.stage === 'final' && again.attached.sure.join() !== ball.attached.sure.join()) {
      return `Player ${ball.player}: the cores it rests on were read anew.`;
    }
  }
  return undefined;
}

function say(sensing: Sensing, ruling: RollRuling, said: string, out: SenseOutput[]): void {
  const { live } = sensing;
  const before = live.last;
  if (before !== undefined) {
    const why = contradicts(before, ruling);
    if (why !== undefined) {
      out.push({ kind: 'retraction', roll: live.roll, revision: before.revision, atMs: ruling.atMs, why });
    }
  }
  live.revision = ruling.revision;
  live.last = ruling;
  live.said = said;
  out.push({ kind: 'ruling', ruling });
}

/** What a look at the roll has found, and when its final word is due. */
interface Look {
  readonly atMs: AtMs;
  readonly toMs: AtMs;
  readonly dueMs: AtMs;
  readonly final: boolean;
  /** A board stamps its times on arrival. */
  readonly coarse: boolean;
  readonly runners: readonly Runner[];
  readonly seen: readonly Seen[];
  readonly tokens: readonly Token[];
  readonly shared: Attribution;
  /** By ball. */
  readonly launched: readonly boolean[];
}

/**
 * Whether a look may have anything to say: while the roll goes on only of what was seen, and soon after the final word
 * only in contradiction of it.
 */
function mayWord({ last }: LiveRoll, limits: SensingLimits, { atMs, final, seen }: Look): boolean {
  if (last?.stage !== 'final') return final || seen.length > 0;
  return final && atMs < last.atMs + CONTRADICT_MS + limits.rollTimeoutMs;
}

/** Judges what was found and says what of it is new. */
function judge(sensing: Sensing, look: Look, out: SenseOutput[]): void {
  const { live, limits, tiles, contacts } = sensing;
  const { atMs, toMs, dueMs, final, coarse, runners, seen, tokens, shared, launched } = look;
  const asked = coarse ? coarseLimits(limits) : limits;
  const evidence: Evidence = {
    live,
    limits: asked,
    seen,
    shared,
    final,
    toMs,
    launchBefore: (ball, beforeMs) => launchBefore(sensing, live.balls[ball]?.player ?? 'A', beforeMs),
    shareAt: seen.map((s, i) => shareOf(sensing, runners, s, shared.owner[i] ?? 0)),
    near: tiles.near,
    touching: tiles.cells.map((_, cell) => live.stuck[cell] !== 1 && closedAt(contacts, cell, toMs)),
    chatters: !coarse,
  };
  const judged = live.balls.map((_, ball) => {
    const said = judgeBall(evidence, ball, UNAUDITED, launched[ball] === true);
    return final && said.opened === 'no' && maybeHidden(sensing, runners, tokens, seen, shared, ball, toMs)
      ? underOther(said)
      : said;
  });
  const missing = missingIn(sensing, atMs);
  const doubted = shareDoubt(evidence, judged).map((said, ball) =>
    withDoubt(said, doubtedBy(sensing, evidence, ball, said, missing)),
  );
  const order = doubted
    .map((_, i) => i)
    .sort((a, b) => PLACE[doubted[a]?.player ?? 'A'] - PLACE[doubted[b]?.player ?? 'A']);
  const balls = order.flatMap((i) => doubted[i] ?? []);
  const { last } = live;
  if (last?.stage !== 'final' || opensMore(last.balls, balls)) {
    // Offences are said once the roll is over: until then a ball may still come to its first tile.
    const audit = final ? auditRoll(sensing, seen, tokens, shared, toMs) : undefined;
    const illegal = audit?.illegal ?? [];
    const stage = final ? 'final' : 'provisional';
    const said = gist(stage, balls, illegal);
    if (said !== live.said) {
      // Measured only for what is said: most looks find nothing new.
      const { audits, marks } = audit ?? auditRoll(sensing, seen, tokens, shared, toMs);
      const measured = balls.map((ball, i) => {
        const which = order[i] ?? 0;
        const reasons = final ? [...ball.reasons, ...(marks[which] ?? [])] : ball.reasons;
        return { ...ball, audit: audits[which] ?? UNAUDITED, reasons };
      });
      const ruling: RollRuling = {
        roll: live.roll,
        revision: live.revision + 1,
        stage,
        balls: measured,
        atMs: final ? dueMs - limits.lateMs : toMs,
        window: { fromMs: live.fromMs, toMs },
        illegal,
      };
      say(sensing, ruling, said, out);
      if (final) noteTurned(sensing, shared);
    }
  }
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
  const moved = lastMotionMs(sensing, sides, seen, toMs);
  const launched = live.balls.map(({ player }) =>
    launchedInSight(gates[player], live.fromMs, firstTileMm(sensing)),
  );
  // What stands, and what opened and has gone: nothing that such a ball does later is an open.
  const away = wasAway(sensing);
  const settled = live.balls.map((_, ball) =>
    seen.some(
      ({ visit, arrival }, i) =>
        shared.owner[i] === ball &&
        (visit.endMs === Infinity ? arrival.leftMs === Infinity : !away && arrival.score >= limits.openYes),
    ),
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
  if (!(moved > -Infinity) || unseen.some(Boolean)) due = Math.max(due, start + limits.unseenLimitMs);
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

/** Only an open that was missed reopens a final ruling: hands that fetch the balls change everything else. */
function opensMore(before: readonly BallRuling[], now: readonly BallRuling[]): boolean {
  const opens = (balls: readonly BallRuling[]): number => balls.filter((b) => b.opened === 'yes').length;
  return opens(now) > opens(before);
}
