/** Scores of one detector on one corpus: sums that can be added up over processes. */
import type { RollTruth } from '../../sim/truth.ts';
import { type Claims, setOf, wrongOf } from './detection-claims.ts';

/** True positives, false positives, misses. */
export type Hits = [right: number, invented: number, missed: number];

export interface Score {
  rolls: number;
  balls: number;
  wrong: { player: number; opened: number; attached: number; any: number };
  doubtful: number;
  unfinished: number;
  retracted: number;
  flips: number;
  contact: Hits;
  open: Hits;
  attach: Hits;
  off: Hits;
  both: Hits;
  /** Truth > said, of `closed`, `off`, `one`, `two` and `?`. */
  confusion: Record<string, number>;
  /** Right owner, of all with a core that somebody was said to hold. */
  owner: [right: number, of: number];
  /** ms from the touch of the core that opened it to the first word of it. */
  openMs: number[];
  /** ms from both at rest on tiles to the final ruling. */
  finalMs: number[];
}

export function freshScore(): Score {
  return {
    rolls: 0,
    balls: 0,
    wrong: { player: 0, opened: 0, attached: 0, any: 0 },
    doubtful: 0,
    unfinished: 0,
    retracted: 0,
    flips: 0,
    contact: [0, 0, 0],
    open: [0, 0, 0],
    attach: [0, 0, 0],
    off: [0, 0, 0],
    both: [0, 0, 0],
    confusion: {},
    owner: [0, 0],
    openMs: [],
    finalMs: [],
  };
}

export function hit(of: Hits, truth: boolean, said: boolean): void {
  if (truth && said) of[0] += 1;
  else if (said) of[1] += 1;
  else if (truth) of[2] += 1;
}

const KINDS = ['one', 'two'] as const;

/** Counts one roll. Returns what was wrong or in doubt, a line a ball. */
export function scoreRoll(score: Score, truth: RollTruth, claims: Claims): string[] {
  const misses: string[] = [];
  score.rolls += 1;
  if (claims.finalMs === undefined) score.unfinished += 1;
  if (claims.retracted) score.retracted += 1;
  score.flips += claims.flips;
  const touched = new Set(truth.balls.flatMap((ball) => ball.contact));
  const saidTouched = new Set(claims.balls.flatMap((claim) => claim.contact));
  for (const { core } of truth.cores) hit(score.contact, touched.has(core), saidTouched.has(core));
  const both = claims.balls[0]?.attached.some((core) => claims.balls[1]?.attached.includes(core)) ?? false;
  hit(score.both, truth.both !== undefined, both);
  for (const [i, ball] of truth.balls.entries()) {
    const claim = claims.balls[i];
    if (claim === undefined) continue;
    score.balls += 1;
    const others = claims.balls.filter((other) => other !== claim);
    const wrong = wrongOf(ball, claim, others);
    for (const field of wrong) score.wrong[field] += 1;
    if (wrong.length > 0) score.wrong.any += 1;
    if (claim.doubt) score.doubtful += 1;
    hit(score.open, ball.opened, claim.opened === 'yes');
    hit(score.off, ball.offMs !== undefined, claim.opened === 'yes' && claim.attached.length === 0);
    const cores = new Set([...ball.attached, ...claim.attached]);
    for (const core of cores) hit(score.attach, ball.attached.includes(core), claim.attached.includes(core));
    if (truth.both === undefined) {
      for (const core of ball.attached) {
        const holders = claims.balls.filter((c) => c.attached.includes(core));
        if (holders.length === 0) continue;
        score.owner[1] += 1;
        if (holders.every((c) => c.player === ball.player)) score.owner[0] += 1;
      }
    }
    const kind = (opened: boolean, held: number): string =>
      !opened ? 'closed' : held === 0 ? 'off' : (KINDS[held - 1] ?? 'more');
    const key = `${kind(ball.opened, ball.attached.length)}>${claim.doubt ? '?' : kind(claim.opened === 'yes', claim.attached.length)}`;
    score.confusion[key] = (score.confusion[key] ?? 0) + 1;
    const onto = ball.path.find(
      (v) => v.cell === ball.latchCell && (v.toMs ?? Infinity) >= (ball.latchMs ?? 0),
    );
    if (ball.opened && onto !== undefined && claim.openSaidMs !== undefined) {
      score.openMs.push(Math.round(claim.openSaidMs - onto.fromMs));
    }
    if (wrong.length > 0 || claim.doubt) {
      const said = claim.doubt
        ? `undetermined (${claim.opened})`
        : `said ${claim.opened} on ${setOf(claim.attached) || '-'}`;
      misses.push(
        `${truth.seed} ${ball.player} ${ball.ending} ${ball.mode}: ${said}, truly ${ball.opened ? 'yes' : 'no'} on ${setOf(ball.attached) || '-'}`,
      );
    }
  }
  const standing = truth.balls.every((b) => b.path.some((v) => v.toMs === undefined));
  if (standing && claims.finalMs !== undefined) {
    score.finalMs.push(Math.round(claims.finalMs - Math.max(...truth.balls.map((b) => b.restMs))));
  }
  return misses;
}

/** Adds `more` to `sum`, both of the same shape; lists of times, ending in `Ms`, are joined. */
export function addUp<T extends object>(sum: T, more: T): T {
  const out = { ...sum };
  for (const key of keysOf(more)) out[key] = added(String(key), out[key], more[key]);
  return out;
}

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[];
}

function added<V>(key: string, sum: V, more: V): V {
  if (sum === undefined) return more;
  if (typeof sum === 'number') return ((sum as number) + Number(more)) as V;
  if (Array.isArray(sum) && Array.isArray(more)) {
    const joined = key.endsWith('Ms') ? [...sum, ...more] : sum.map((x, i) => Number(x) + Number(more[i]));
    return joined as V;
  }
  return typeof sum === 'object' && sum !== null && typeof more === 'object' && more !== null
    ? (addUp(sum, more) as V)
    : sum;
}
