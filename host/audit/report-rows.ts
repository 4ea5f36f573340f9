import type { BallRuling, Measure } from '../sensing/ruling.ts';
import { bakuganName } from './in-force.ts';
import type { RollCase } from './rolls.ts';
import { type Standing, standingOf } from './standing-result.ts';

/** One ball of one roll, with its measures. */
export interface ReportRow {
  readonly source: string;
  /** Id of the match; empty for captures. */
  readonly match: string;
  readonly game: number;
  readonly roll: string;
  readonly wallTime: string;
  readonly player: string;
  readonly side: string;
  readonly bakugan: string;
  /** As the sensors said; empty where they said nothing of this player's ball. */
  readonly opened: string;
  /** Attached to as the sensors said, joined by `+`. */
  readonly cores: string;
  /** What stands: `yes`, `no`, `undetermined`, or why nothing does: `again`, `no-brawl`, `withdrawn`. */
  readonly stands: string;
  readonly standsCores: string;
  /** What a judge's word was to that of the sensors: `confirmed`, `settled`, `overridden`, `withdrawn`; empty without. */
  readonly judged: string;
  readonly tile: string;
  /** Cores it certainly touched, joined by `+`. */
  readonly touched: string;
  readonly sureOfOpen: number;
  readonly releaseSkewMs: number | null;
  readonly releaseSkewPlusMinus: number | null;
  readonly releaseZoneMm: number | null;
  readonly speedMPerS: number | null;
  readonly speedPlusMinus: number | null;
  readonly bounces: number | null;
  readonly bouncesPlusMinus: number | null;
  /** `rolled`, `slid or spun`, or empty where it was not measurable. */
  readonly turning: string;
  /** Cells joined by `>`. */
  readonly path: string;
  readonly illegal: string;
  readonly doubts: string;
  /** What this version rules otherwise than it was recorded, as in `A opened: yes → no`; empty when it agrees. */
  readonly wouldRule: string;
  /** `kept`, or `no longer kept`: then it is told by its recorded ruling alone. */
  readonly lines: 'kept' | 'no longer kept';
}

/** A row a ball of a roll: what the sensors said and measured, and what stands. */
export function rowsOf(path: string, one: RollCase): readonly ReportRow[] {
  const { final } = one;
  const standing = standingOf(one);
  return (final?.balls ?? []).map((ball) => {
    const { audit, player } = ball;
    const expected = one.activity.balls.find((each) => each.player === player);
    const cores = [...ball.attached.sure, ...ball.attached.possible];
    const core = cores[0] ?? ball.contact.sure[0];
    const tile = one.activity.cores.find((on) => on.core === core)?.cell ?? audit.path.cells.at(-1) ?? '';
    return {
      source: path,
      match: one.match ?? '',
      game: one.game,
      roll: one.roll,
      wallTime: one.wallTime ?? '',
      player: player === 'undetermined' ? 'unclear' : one.players[player],
      side: player,
      bakugan: expected === undefined ? '' : bakuganName(one, expected.bakugan),
      opened: ball.opened,
      cores: cores.join('+'),
      ...standingIn(standing, ball),
      tile,
      touched: ball.contact.sure.join('+'),
      sureOfOpen: ball.confidence.opened,
      releaseSkewMs: measured(audit.releaseSkew),
      releaseSkewPlusMinus: audit.releaseSkew.measured ? audit.releaseSkew.plusMinus : null,
      releaseZoneMm: measured(audit.releaseZone),
      speedMPerS: measured(audit.speed),
      speedPlusMinus: audit.speed.measured ? audit.speed.plusMinus : null,
      bounces: measured(audit.bounces),
      bouncesPlusMinus: audit.bounces.measured ? audit.bounces.plusMinus : null,
      turning: audit.turning?.measured === true ? audit.turning.said : '',
      path: audit.path.cells.join('>'),
      illegal: (final?.illegal ?? []).map(({ code }) => code).join('+'),
      doubts: ball.reasons.flatMap(({ code }) => (code.startsWith('doubt/') ? [code] : [])).join('+'),
      wouldRule: one.wouldRule.join('; '),
      lines: one.told === undefined ? 'kept' : 'no longer kept',
    };
  });
}

function measured(measure: Measure): number | null {
  return measure.measured ? measure.value : null;
}

/** What stands of one ball. Of one whose player is unclear judges rule by player, on no ball of its own. */
function standingIn(
  { balls, instead, judged }: Standing,
  ball: BallRuling,
): Pick<ReportRow, 'stands' | 'standsCores' | 'judged'> {
  if (instead !== undefined) return { stands: instead, standsCores: '', judged: judged ?? '' };
  const own = balls.find((each) => each.player === ball.player);
  if (own === undefined) return { stands: ball.opened, standsCores: '', judged: '' };
  // A core that is in doubt still is one while nobody has ruled.
  const cores = own.judged === undefined ? [...own.cores, ...ball.attached.possible] : own.cores;
  return { stands: own.opened, standsCores: cores.join('+'), judged: own.judged ?? '' };
}
