import type { AtMs, Side } from '../ids.ts';
import { shareOf } from './berths.ts';
import { closedAt } from './contact.ts';
import type { Evidence, Launched, Seen } from './evidence.ts';
import { type Doubts, doubtedBy, missingIn, withDoubt } from './gaps.ts';
import { EARLY_MS, isBalls } from './gates.ts';
import { maybeHidden } from './hidden.ts';
import { isJudged, judgeAnew } from './judging.ts';
import { coarseLimits, type SensingLimits } from './limits.ts';
import type { LiveRoll } from './live-roll.ts';
import type { Attribution } from './owners.ts';
import { REASONS } from './reasons.ts';
import { auditRoll } from './roll-audit.ts';
import type { BallAudit, BallRuling, Reason, RollRuling } from './ruling.ts';
import { gatesFitted, type SenseOutput, type Sensing } from './state.ts';
import type { Runner, Token } from './tracks.ts';
import { noteTurned } from './turned.ts';
import { judgeBall, shareDoubt } from './verdict.ts';

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

/** Only an open that was missed reopens a final ruling: hands that fetch the balls change everything else. */
function opensMore(before: readonly BallRuling[], now: readonly BallRuling[]): boolean {
  const opens = (balls: readonly BallRuling[]): number => balls.filter((b) => b.opened === 'yes').length;
  return opens(now) > opens(before);
}

/** What a look at the roll has found, and when its final word is due. */
export interface Look {
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
export function mayWord({ last }: LiveRoll, limits: SensingLimits, { atMs, final, seen }: Look): boolean {
  if (last?.stage !== 'final') return final || seen.length > 0;
  return final && atMs < last.atMs + CONTRADICT_MS + limits.rollTimeoutMs;
}

/** Whether a look can only find what the last one judged has found, so that there is nothing new to say. */
function isOld(sensing: Sensing, look: Look, limits: SensingLimits, missing: Doubts): boolean {
  const { live, gates, judging, tiles } = sensing;
  if (look.final || missing.A.length + missing.B.length > 0) {
    judgeAnew(judging);
    return false;
  }
  const { runners, seen, shared, coarse } = look;
  const found = { live, limits, gates, runners, seen, shared, near: tiles.near, chatters: !coarse };
  return isJudged(judging, found) && live.said !== '';
}

/** Judges what was found and says what of it is new. */
export function judge(sensing: Sensing, look: Look, out: SenseOutput[]): void {
  const { live, limits, tiles, contacts } = sensing;
  const { atMs, toMs, dueMs, final, coarse, runners, seen, tokens, shared, launched } = look;
  const asked = coarse ? coarseLimits(limits) : limits;
  const missing = missingIn(sensing, atMs);
  if (isOld(sensing, look, asked, missing)) return;
  const evidence: Evidence = {
    live,
    limits: asked,
    seen,
    shared,
    final,
    toMs,
    launchBefore: (ball, beforeMs) => launchBefore(sensing, live.balls[ball]?.player ?? 'A', beforeMs),
    shareAt: seen.map((s, i) => shareOf(sensing, runners[shared.owner[i] ?? 0], s)),
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
    const audit = final ? auditRoll(sensing, seen, tokens, shared, toMs, final) : undefined;
    const illegal = audit?.illegal ?? [];
    const stage = final ? 'final' : 'provisional';
    const said = gist(stage, balls, illegal);
    if (said !== live.said) {
      // Measured only for what is said: most looks find nothing new.
      const { audits, marks } = audit ?? auditRoll(sensing, seen, tokens, shared, toMs, final);
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
