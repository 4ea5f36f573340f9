/** Scores of one detector on one corpus: sums that can be added up over processes. */
import type { RollTruth } from '../../sim/truth.ts';
import { type Claims, setOf, wrongOf } from './detection-claims.ts';
import { freshTimes, scoreTimes, type TimeScore } from './detection-times.ts';
import { type Hits, hit } from './hits.ts';

export interface Score extends TimeScore {
  rolls: number;
  balls: number;
  wrong: { player: number; opened: number; attached: number; any: number };
  doubtful: number;
  unfinished: number;
  /** Rulings taken back; final ones are looked at in `watchedOn` rolls alone. */
  takenBack: { opens: number; otherProvisional: number; finals: number };
  watchedOn: number;
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
  /** The same of balls that opened and left, where an open was said of somebody who had none. */
  ownerOff: [right: number, of: number];
}

export function freshScore(): Score {
  return {
    rolls: 0,
    balls: 0,
    wrong: { player: 0, opened: 0, attached: 0, any: 0 },
    doubtful: 0,
    unfinished: 0,
    takenBack: { opens: 0, otherProvisional: 0, finals: 0 },
    watchedOn: 0,
    flips: 0,
    contact: [0, 0, 0],
    open: [0, 0, 0],
    attach: [0, 0, 0],
    off: [0, 0, 0],
    both: [0, 0, 0],
    confusion: {},
    owner: [0, 0],
    ownerOff: [0, 0],
    ...freshTimes(),
  };
}

const KINDS = ['one', 'two'] as const;

/** Counts one roll. Returns what was wrong or in doubt, a line a ball. */
export function scoreRoll(score: Score, truth: RollTruth, claims: Claims): string[] {
  const misses: string[] = [];
  score.rolls += 1;
  if (claims.finalMs === undefined) score.unfinished += 1;
  score.takenBack = addUp(score.takenBack, claims.takenBack);
  if (claims.watchedOn) score.watchedOn += 1;
  score.flips += claims.flips;
  scoreTimes(score, truth, claims);
  const touched = new Set(truth.balls.flatMap((ball) => ball.contact));
  const saidTouched = new Set(claims.balls.flatMap((claim) => claim.contact));
  for (const { core } of truth.cores) hit(score.contact, touched.has(core), saidTouched.has(core));
  const both = claims.balls[0]?.attached.some((core) => claims.balls[1]?.attached.includes(core)) ?? false;
  hit(score.both, truth.both !== undefined, both);
  scoreOwners(score, truth, claims);
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
    const kind = (opened: boolean, held: number): string =>
      !opened ? 'closed' : held === 0 ? 'off' : (KINDS[held - 1] ?? 'more');
    const key = `${kind(ball.opened, ball.attached.length)}>${claim.doubt ? '?' : kind(claim.opened === 'yes', claim.attached.length)}`;
    score.confusion[key] = (score.confusion[key] ?? 0) + 1;
    if (wrong.length > 0 || claim.doubt) {
      const said = claim.doubt
        ? `undetermined (${claim.opened})`
        : `said ${claim.opened} on ${setOf(claim.attached) || '-'}`;
      misses.push(
        `${truth.seed} ${ball.player} ${ball.ending} ${ball.mode}: ${said}, truly ${ball.opened ? 'yes' : 'no'} on ${setOf(ball.attached) || '-'}`,
      );
    }
  }
  return misses;
}

/** Whose what is held, and what opened and left, was said to be. */
function scoreOwners(score: Score, truth: RollTruth, claims: Claims): void {
  for (const [i, ball] of truth.balls.entries()) {
    if (truth.both === undefined) {
      for (const core of ball.attached) {
        const holders = claims.balls.filter((c) => c.attached.includes(core));
        if (holders.length === 0) continue;
        score.owner[1] += 1;
        if (holders.every((c) => c.player === ball.player)) score.owner[0] += 1;
      }
    }
    if (ball.offMs === undefined) continue;
    const own = claims.balls[i]?.opened === 'yes';
    // Another's open that is not true is taken for this one's under the wrong name.
    const others = claims.balls.some(
      (c, k) => k !== i && c.opened === 'yes' && truth.balls[k]?.opened === false,
    );
    if (!own && !others) continue;
    score.ownerOff[1] += 1;
    if (own) score.ownerOff[0] += 1;
  }
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
