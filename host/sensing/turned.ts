import type { BakuganId } from '../ids.ts';
import type { HealthFinding } from './health-finding.ts';
import type { Attribution } from './owners.ts';
import type { Sensing } from './state.ts';

/** Odds that a ball's magnet is not as calibrated: two balls were exchanged, or one was opened (natural logarithm). */
const EXCHANGED = -4.5;
/** Once it has read the other way round, either is as likely until it reads as calibrated again. */
const SUSPECTED = 0;
/** Least chance of its owner at which what a ball read is remembered. */
const SURE = 0.9;

/** Odds that this Bakugan's magnet does not read as calibrated. */
export function exchangedOdds({ turned }: Sensing, bakugan: BakuganId): number {
  return turned.includes(bakugan) ? SUSPECTED : EXCHANGED;
}

/** Remembers from a final ruling which balls read the other way round, and forgets those that read as calibrated. */
export function noteTurned(sensing: Sensing, { owner, sure, reads }: Attribution): void {
  for (const [ball, { bakugan }] of sensing.live.balls.entries()) {
    const read = reads[ball] ?? 0;
    if (read === 0 || owner.some((of, i) => of === ball && !((sure[i] ?? 0) >= SURE))) continue;
    const others = sensing.turned.filter((known) => known !== bakugan);
    sensing.turned = read < 0 ? [...others, bakugan] : others;
  }
}

/** What is to be said of such balls while nobody rolls. */
export function turnedFindings({ turned }: Sensing): readonly HealthFinding[] {
  return turned.map((bakugan) => ({
    code: 'health/ball-turned',
    blocks: false,
    text: `The magnet of ${bakugan} read the other way round than at calibration: whose ball it is has to be told by its way alone.`,
    remedy: 'Look whether two balls were exchanged, or calibrate this one anew.',
  }));
}
