/** One corpus of the detection bench: rolls heard by the detector and by the two plain ones, and scored. */
import { wireUnder } from '../../sim/effects.ts';
import { playRoll } from '../../sim/played.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import { densely } from '../../sim/sample.ts';
import { type AuditScore, freshAudit, scoreAudit } from './detection-audit.ts';
import { type Claims, claimsOf, forcedClaims, wrongOf } from './detection-claims.ts';
import { type CorpusAsk, type HeardRoll, hearRoll, optionsOf, type Variant } from './detection-hear.ts';
import { freshNoticed, isTrouble, type Noticed, noticeBefore, noticeIn } from './detection-noticed.ts';
import { naiveRecipe, type PlainRoll, plainThreshold } from './detection-plain.ts';
import { freshScore, type Score, scoreRoll } from './detection-score.ts';

export interface RunAsk extends CorpusAsk {
  readonly rolls: number;
  readonly firstSeed: number;
  readonly variant?: Variant;
  /** Every this many rolls the plain detectors hear it too; 2 by default, 0 never. */
  readonly plainEach?: number;
  /** Every this many rolls it is also judged without doubt, for the curve; 0 by default, never. */
  readonly forcedEach?: number;
}

export interface RunResult {
  readonly own: Score;
  readonly naive: Score;
  readonly plain: Score;
  readonly audit: AuditScore;
  /** Of troubles after calibration: what the table itself said of them. */
  readonly noticed?: Noticed;
  /** Of each ball judged without doubt: least confidence, and wrong (1) or right (0), one list after the other. */
  readonly forcedMs: readonly number[];
}

/** The health of the table before every this many rolls. */
const NOTICED_EACH = 10;

/** The final ruling of one in so many rolls is watched for as long as it may be taken back. */
const WATCHED_ON_EACH = 4;

export interface Missed {
  readonly seed: number;
  readonly lines: readonly string[];
  readonly heard: HeardRoll;
  readonly claims: Claims;
}

/** Runs the rolls; `missed` hears of each that was wrong or in doubt, `progress` of each done. */
export function runCorpus(
  ask: RunAsk,
  missed: (miss: Missed) => void = () => {},
  progress: (done: number) => void = () => {},
): RunResult {
  const own = freshScore();
  const naive = freshScore();
  const plain = freshScore();
  const audit = freshAudit();
  const forced: number[] = [];
  const noticed = isTrouble(ask) ? freshNoticed() : undefined;
  const plainEach = ask.plainEach ?? 2;
  const forcedEach = ask.forcedEach ?? 0;
  for (let i = 0; i < ask.rolls; i += 1) {
    const seed = ask.firstSeed + i;
    const heard = hearRoll(ask, seed, ask.variant ?? 'asIs', i % WATCHED_ON_EACH === 0);
    const said = claimsOf(heard, heard.truth.balls);
    const lines = scoreRoll(own, heard.truth, ask.variant === 'forced' ? forcedClaims(said) : said);
    if (lines.length > 0) missed({ seed, lines, heard, claims: said });
    if (heard.final !== undefined) scoreAudit(audit, heard.truth, heard.final);
    if (noticed !== undefined) {
      if (i % NOTICED_EACH === 0) noticeBefore(noticed, ask, seed);
      noticeIn(noticed, heard.final);
    }
    if (plainEach > 0 && i % plainEach === 0) {
      const roll = samplesOf(ask, seed, heard);
      const lost = lossOf(ask, seed);
      scoreRoll(naive, heard.truth, naiveRecipe(roll, lost));
      scoreRoll(plain, heard.truth, plainThreshold(roll, lost));
    }
    if (forcedEach > 0 && i % forcedEach === 0) {
      const run = hearRoll(ask, seed, 'forced');
      forced.push(...confidences(run.truth.balls, claimsOf(run, run.truth.balls)));
    }
    progress(i + 1);
  }
  return { own, naive, plain, audit, forcedMs: forced, ...(noticed === undefined ? {} : { noticed }) };
}

/** Samples of a roll, for plain detectors and pictures. */
export function samplesOf(ask: CorpusAsk, seed: number, heard: HeardRoll): PlainRoll {
  const { mat, truth, activity } = playRoll(seed, optionsOf(ask, seed));
  return {
    truth,
    activity,
    calibration: heard.calibration,
    ...densely(mat, Math.ceil(truth.toMs), truth.fromMs),
  };
}

/** Lost lines take eight samples with them. */
function lossOf(ask: CorpusAsk, seed: number): (ms: number) => boolean {
  const { lost } = wireUnder(ask.effects).plan;
  const stream = streamOf(hash32(seed, 50, 0), 1);
  return (ms) => lost > 0 && unitOf(stream, Math.floor(ms / 8)) < lost;
}

function confidences(balls: HeardRoll['truth']['balls'], claims: Claims): number[] {
  const forced = forcedClaims(claims).balls;
  return balls.flatMap((ball, i) => {
    const claim = forced[i];
    const before = claims.balls[i];
    if (claim === undefined || before === undefined) return [];
    const others = forced.filter((other) => other !== claim);
    const wrong = wrongOf(ball, claim, others).length > 0;
    // What is in doubt even then is the first to be asked about.
    if (before.doubt) return [0, wrong ? 1 : 0];
    return [claim.confidence, wrong ? 1 : 0];
  });
}
