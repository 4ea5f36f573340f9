/** What a detector claims of a roll, in one form for all detectors that are compared. */
import type { CoreId, Side } from '../../host/ids.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { BallTruth } from '../../sim/truth.ts';
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
  /** When it was first said to have opened, ms. */
  readonly openSaidMs?: number;
}

export interface Claims {
  readonly balls: readonly Claim[];
  /** When the last word was said, ms; absent when none was. */
  readonly finalMs?: number;
  readonly retracted: boolean;
  /** Provisional rulings whose opened or attached the final one took back. */
  readonly flips: number;
}

const setOf = (cores: readonly string[]): string => [...cores].sort().join('+');

function firstOpenMs(said: readonly Said[], player: Side): number | undefined {
  for (const { output, outMs } of said) {
    if (output.kind !== 'ruling') continue;
    if (output.ruling.balls.some((b) => b.player === player && b.opened === 'yes')) return outMs;
  }
  return undefined;
}

/** Rulings as claims, ball by ball of those that rolled. A ball that no ruling names is in doubt. */
export function claimsOf(
  said: readonly Said[],
  final: RollRuling | undefined,
  rolled: readonly BallTruth[],
): Claims {
  const last = said.findLast((s) => s.output.kind === 'ruling' && s.output.ruling.stage === 'final');
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
  const balls = rolled.map(({ player }): Claim => {
    const ball = final?.balls.find((b) => b.player === player);
    const openSaidMs = firstOpenMs(said, player);
    const early = openSaidMs === undefined ? {} : { openSaidMs };
    if (ball === undefined) {
      return { player, opened: '?', contact: [], attached: [], doubt: true, confidence: 0, ...early };
    }
    const { opened, attached, confidence } = ball;
    const possible = attached.possible.length > 0;
    return {
      player,
      opened: opened === 'undetermined' ? '?' : opened,
      contact: ball.contact.sure,
      attached: attached.sure,
      doubt: opened === 'undetermined' || possible,
      confidence: Math.min(confidence.player, confidence.opened, confidence.attached),
      ...early,
    };
  });
  return {
    balls,
    ...(last === undefined ? {} : { finalMs: last.outMs }),
    retracted: said.some((s) => s.output.kind === 'retraction'),
    flips,
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
