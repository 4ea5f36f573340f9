/** What a detector claims of a roll, in one form for all detectors that are compared. */
import type { CoreId, Side } from '../../host/ids.ts';
import type { BallRuling } from '../../host/sensing/ruling.ts';
import type { BallTruth } from '../../sim/truth.ts';
import type { HeardRoll } from './detection-lines.ts';
import { openedAt, touchesOf } from './detection-sightings.ts';
import type { Said } from './watch.ts';

/** Of one ball. `maybe`: cores that may belong to it besides. */
export interface Claim {
  readonly player: Side;
  readonly opened: 'yes' | 'no' | '?';
  readonly contact: readonly CoreId[];
  readonly attached: readonly CoreId[];
  /** Undetermined in player, opened or attached. */
  readonly doubt: boolean;
  /** Least of its confidences in player, opened and attached, 0 to 1. */
  readonly confidence: number;
  /** When it is taken to have touched each core first, and to have opened, ms. */
  readonly touchedMs: ReadonlyMap<CoreId, number>;
  readonly openedMs?: number;
  /** When it was first said to have touched a core, to have opened, and to stand on each core, be it as possible, ms. */
  readonly touchSaidMs?: number;
  readonly openSaidMs?: number;
  readonly attachSaidMs: ReadonlyMap<CoreId, number>;
}

/** Rulings that were taken back by a retraction. */
export interface TakenBack {
  /** Provisional ones that had said of a ball that it opened, and the ruling after it no longer does. */
  readonly opens: number;
  /** Other provisional ones. */
  readonly otherProvisional: number;
  /** Final ones. */
  readonly finals: number;
}

export interface Claims {
  readonly balls: readonly Claim[];
  /** When the last word was said, ms; absent when none was. */
  readonly finalMs?: number;
  readonly takenBack: TakenBack;
  /** The final ruling was watched for as long as it may be taken back. */
  readonly watchedOn: boolean;
  /** Provisional rulings with an open or a core that the final one does not have. */
  readonly flips: number;
}

const setOf = (cores: readonly string[]): string => [...cores].sort().join('+');

/** When a player's ball was first spoken of so, ms. */
function firstSaidMs(said: readonly Said[], player: Side, so: (ball: BallRuling) => boolean) {
  for (const { output, outMs } of said) {
    if (output.kind === 'ruling' && output.ruling.balls.some((b) => b.player === player && so(b)))
      return outMs;
  }
  return undefined;
}

export const NOTHING_BACK: TakenBack = { opens: 0, otherProvisional: 0, finals: 0 };

/** What was taken back. A retraction names the revision that no longer holds; the ruling after it takes its place. */
export function takenBackIn(said: readonly Said[]): TakenBack {
  const back = { ...NOTHING_BACK };
  for (const [i, { output }] of said.entries()) {
    if (output.kind !== 'retraction') continue;
    const rulings = (from: readonly Said[]) =>
      from.flatMap((s) =>
        s.output.kind === 'ruling' && s.output.ruling.roll === output.roll ? [s.output.ruling] : [],
      );
    const before = rulings(said.slice(0, i)).findLast(({ revision }) => revision === output.revision);
    const [after] = rulings(said.slice(i));
    if (before === undefined) continue;
    const still = (player: string): boolean =>
      after?.balls.some((b) => b.player === player && b.opened === 'yes') ?? false;
    if (before.stage === 'final') back.finals += 1;
    else if (before.balls.some((b) => b.opened === 'yes' && !still(b.player))) back.opens += 1;
    else back.otherProvisional += 1;
  }
  return back;
}

function flipsIn({ said, final }: Pick<HeardRoll, 'said' | 'final'>): number {
  let flips = 0;
  for (const { output } of said) {
    if (output.kind !== 'ruling' || output.ruling.stage === 'final' || final === undefined) continue;
    const turned = output.ruling.balls.some((b) => {
      const end = final.balls.find((f) => f.player === b.player);
      if (end === undefined || b.player === 'undetermined') return false;
      const opened = b.opened === 'yes' && end.opened === 'no';
      return opened || b.attached.sure.some((core) => !end.attached.sure.includes(core));
    });
    if (turned) flips += 1;
  }
  return flips;
}

/** Rulings as claims, ball by ball of those that rolled. A ball that no ruling names is in doubt. */
export function claimsOf(
  heard: Pick<HeardRoll, 'said' | 'final' | 'sightings' | 'watchedOn'>,
  rolled: readonly BallTruth[],
): Claims {
  const { said, final, sightings, watchedOn } = heard;
  const balls = rolled.map(({ player }): Claim => {
    const ball = final?.balls.find((b) => b.player === player);
    const openSaidMs = firstSaidMs(said, player, (b) => b.opened === 'yes');
    const touchSaidMs = firstSaidMs(said, player, (b) => b.contact.sure.length > 0);
    const openedMs = openedAt(sightings, player);
    const times = {
      touchedMs: touchesOf(sightings, player),
      attachSaidMs: new Map(
        (ball?.attached.sure ?? []).map((core): [CoreId, number] => [
          core,
          firstSaidMs(said, player, ({ attached: { sure, possible } }) =>
            [...sure, ...possible].includes(core),
          ) ?? NaN,
        ]),
      ),
      ...(openSaidMs === undefined ? {} : { openSaidMs }),
      ...(touchSaidMs === undefined ? {} : { touchSaidMs }),
      ...(openedMs === undefined ? {} : { openedMs }),
    };
    if (ball === undefined) {
      return { player, opened: '?', contact: [], attached: [], doubt: true, confidence: 0, ...times };
    }
    const { opened, attached, confidence } = ball;
    return {
      player,
      opened: opened === 'undetermined' ? '?' : opened,
      contact: ball.contact.sure,
      attached: attached.sure,
      doubt: opened === 'undetermined' || attached.possible.length > 0,
      confidence: Math.min(confidence.player, confidence.opened, confidence.attached),
      ...times,
    };
  });
  const last = said.find((s) => s.output.kind === 'ruling' && s.output.ruling.stage === 'final');
  return {
    balls,
    ...(last === undefined ? {} : { finalMs: last.outMs }),
    takenBack: takenBackIn(said),
    watchedOn,
    flips: flipsIn(heard),
  };
}

/** Doubt taken for a no: what a detector says that may not doubt. */
export function forcedClaims(claims: Claims): Claims {
  const balls = claims.balls.map((claim): Claim => {
    return { ...claim, doubt: false, opened: claim.opened === '?' ? 'no' : claim.opened };
  });
  return { ...claims, balls };
}

/** What is wrong with a claim, by field; empty when it is right or in doubt. */
export function wrongOf(
  truth: BallTruth,
  claim: Claim,
  others: readonly Claim[],
): readonly ('player' | 'opened' | 'attached')[] {
  if (claim.doubt) return [];
  const out: ('player' | 'opened' | 'attached')[] = [];
  if (claim.opened !== (truth.opened ? 'yes' : 'no')) out.push('opened');
  if (setOf(claim.attached) !== setOf(truth.attached)) out.push('attached');
  if (out.length > 0 && truth.opened) {
    // Its core was given to the other ball, which has no part in it.
    const lost = truth.attached.some((core) => others.some((o) => o.attached.includes(core)));
    if (lost && !truth.attached.some((core) => claim.attached.includes(core))) out.push('player');
  }
  return out;
}

export { setOf };
