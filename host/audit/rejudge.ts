import { TableFault } from '../fault.ts';
import type { RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import { type Parts, rulesetUnder, versionsOf } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import { type Refold, resumes } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import { flipsBetween } from './flips.ts';
import { leadPlay } from './lead.ts';
import { matchIdOf } from './match-draft.ts';
import { begins } from './matches.ts';
import { type OtherRules, playOtherwise } from './other-rules.ts';
import { runOrFollow, type Step } from './run-or-follow.ts';
import { beginShadow, type OtherDetector, type Shadow } from './shadow.ts';
import type { Source } from './source.ts';
import { LATE_MS, LEAD_MS, type RollTrace, type TraceTaker, takeTrace } from './trace.ts';

/** What is judged otherwise than it was recorded; nothing: the code of today on the setting of then. */
export interface Otherwise extends OtherDetector {
  /** Another version of the rules that were played. */
  readonly rules?: string;
  /** Takes the traces of rolls that flip, or of all. */
  readonly traces?: 'flips' | 'all';
}

/** One roll judged twice on the very same lines. */
export interface Rejudged {
  readonly roll: RollId;
  readonly game: number;
  /** Id of its match; absent in captures. */
  readonly match?: string;
  /** As it was recorded. */
  readonly before: RollRuling | undefined;
  readonly after: RollRuling | undefined;
  /** What flips, as in `A opened: yes → undetermined`; empty when the rulings agree. */
  readonly flips: readonly string[];
  /** Its lines, or some before them, are no longer kept: it was not judged anew. */
  readonly notJudged?: true;
  /** What the tiles read, when traces are asked for. */
  readonly trace?: RollTrace;
  /** Which cores lay where. */
  readonly cores?: CoresAt;
}

type CoresAt = Extract<Activity, { readonly kind: 'roll' }>['cores'];

interface Going {
  readonly roll: RollId;
  readonly game: number;
  readonly match: string | undefined;
  before: RollRuling | undefined;
  /** Its own word, for sources that record no rulings. */
  own: RollRuling | undefined;
  readonly rules: string[];
  readonly taker: TraceTaker | undefined;
  readonly cores: CoresAt;
}

/**
 * Judges every recorded roll once more, each on its own: play goes as it was recorded, so one flipped roll does not carry
 * the rolls after it away. `each` is told roll by roll. Throws a TableFault when the source cannot be read, or has rules
 * of which this host lacks the other version.
 */
export async function rejudge(
  source: Source,
  parts: Parts,
  otherwise: Otherwise,
  each: (roll: Rejudged) => void,
  progress?: (records: number) => void,
): Promise<void> {
  let shadow: Shadow | undefined;
  /** The run that it hears. */
  let heard: Refold | undefined;
  let rules: OtherRules | undefined;
  let records = 0;
  let recordsRulings = false;
  let going: Going | undefined;
  /** Rolls that were told, by game. */
  const told = new Set<string>();
  let match = source.match?.match;
  let atMs = 0;
  const seen = (): Parameters<TraceTaker['look']>[0] | undefined =>
    shadow === undefined ? undefined : { sensing: shadow.sensing, atMs };
  const finish = (): void => {
    const state = seen();
    if (going === undefined || shadow === undefined || state === undefined) return;
    const { roll, game, taker, own, cores } = going;
    const before = recordsRulings ? going.before : own;
    const after = shadow.final;
    const flips = [...flipsBetween(before, after), ...going.rules];
    const wanted = flips.length > 0 || otherwise.traces === 'all';
    const trace = wanted ? taker?.end(state, endOf(before, after, atMs)) : undefined;
    const where = { roll, game, ...inMatch(going.match) };
    told.add(`${game} ${roll}`);
    each({ ...where, before, after, flips, ...(trace === undefined ? {} : { trace, cores }) });
    going = undefined;
  };
  /** The newest roll that is not judged anew, until nothing more can be ruled of it. */
  let passed: Rejudged | undefined;
  const passOver = ({ record, refold }: Step): void => {
    // The detector that heard the last roll heard no more of it; what was ruled by then stands.
    if (going?.before !== undefined) finish();
    going = undefined;
    shadow = undefined;
    const before = finalIn(record);
    const { game } = refold.state;
    if (before === undefined || told.has(`${game} ${before.roll}`)) return;
    const { roll } = before;
    if (passed?.roll !== roll || passed.game !== game) tellPassed();
    passed = { roll, game, ...inMatch(match), before, after: undefined, flips: [], notJudged: true };
  };
  const tellPassed = (): void => {
    if (passed !== undefined) each(passed);
    passed = undefined;
  };
  await runOrFollow(source, {
    parts,
    each(step) {
      const { record, outputs, refold } = step;
      records += 1;
      if (begins(record)) {
        tellPassed();
        told.clear();
        match = matchIdOf(record);
      }
      if (progress !== undefined && records % 4096 === 0) progress(records);
      if (step.how !== 'run') {
        passOver(step);
        return;
      }
      if (shadow === undefined || heard !== refold || (record.kind === 'open' && !resumes(record))) {
        // The detector that heard the last roll has said its last word.
        finish();
        shadow = beginShadow(refold, otherwise);
        heard = refold;
        rules = otherRules(refold, parts, otherwise.rules);
      } else shadow.take(record);
      atMs = refold.state.atMs;
      for (const output of outputs) {
        if (output.kind === 'ruling' && output.ruling.stage === 'final' && output.ruling.roll === going?.roll)
          going.own = output.ruling;
      }
      const recorded = finalIn(record);
      if (recorded !== undefined) {
        recordsRulings = true;
        if (going?.roll === recorded.roll) {
          going.before = recorded;
          if (flipsBetween(recorded, going.own).length > 0) leadPlay(refold.state, refold.setting, recorded);
        }
      }
      const { activity, game } = refold.state;
      if (activity.kind === 'roll' && going?.roll !== activity.roll) {
        finish();
        const state = seen();
        const taker =
          otherwise.traces !== undefined && state !== undefined
            ? takeTrace(state, atMs - LEAD_MS)
            : undefined;
        going = {
          roll: activity.roll,
          game,
          match,
          before: undefined,
          own: undefined,
          rules: [],
          taker,
          cores: activity.cores,
        };
      }
      shadow.know(refold.state);
      const state = seen();
      if (state !== undefined) going?.taker?.look(state);
      for (const { roll, flip } of rules?.look(refold.state.play, game) ?? []) {
        if (going !== undefined) going.rules.push(flip);
        else each({ roll, game, ...inMatch(match), before: undefined, after: undefined, flips: [flip] });
      }
    },
  });
  finish();
  tellPassed();
}

function inMatch(match: string | undefined): { readonly match?: string } {
  return match === undefined ? {} : { match };
}

function endOf(before: RollRuling | undefined, after: RollRuling | undefined, nowMs: number): number {
  return Math.max(before?.atMs ?? 0, after?.atMs ?? 0, nowMs - LATE_MS * 20) + LEAD_MS;
}

/** The final ruling that a record tells of. */
function finalIn(record: JournalRecord): RollRuling | undefined {
  if (record.kind !== 'ruling' || !isObject(record.data) || !isObject(record.data.ruling)) return undefined;
  const { ruling } = record.data;
  // The chain vouches for its form: the host wrote it.
  return ruling.stage === 'final' ? (ruling as unknown as RollRuling) : undefined;
}

function otherRules(refold: Refold, parts: Parts, version: string | undefined): OtherRules | undefined {
  if (version === undefined) return undefined;
  const { ruleset } = refold.setting;
  const other = rulesetUnder(parts, ruleset.name, version);
  if (other !== undefined) return playOtherwise(ruleset, other);
  throw new TableFault(
    'config/unknown-part',
    `There are no rules ${ruleset.name} ${version} here.`,
    `Give one of ${versionsOf(parts, ruleset.name).join(', ')}.`,
  );
}
