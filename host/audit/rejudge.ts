import type { AtMs, RollId } from '../ids.ts';
import { inputOf } from '../journal/records.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import { type Refold, resumes } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { Calibration } from '../sensing/calibration.ts';
import { isCalibration } from '../sensing/check-calibration.ts';
import type { SensingLimits } from '../sensing/limits.ts';
import {
  createLinks,
  dropped,
  hearLine,
  type Links,
  linkDown,
  dueAt as linksDueAt,
  linkUp,
  settleLinks,
} from '../sensing/links.ts';
import { recalibrated } from '../sensing/recalibrate.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkNotice } from '../sensing/seen.ts';
import {
  createSensing,
  hearFrame,
  hearNotice,
  type SenseOutput,
  type Sensing,
  setActivity,
  settle,
} from '../sensing/sensing.ts';
import { replaySource } from './replay.ts';
import type { Source } from './source.ts';

/** What is judged otherwise than it was recorded. */
export interface Otherwise {
  readonly calibration?: Calibration;
  readonly limits?: Partial<SensingLimits>;
}

/** One roll judged twice on the very same lines. */
export interface Rejudged {
  readonly roll: RollId;
  readonly game: number;
  readonly before: RollRuling | undefined;
  readonly after: RollRuling | undefined;
  /** What flips, as in `A opened: yes → undetermined`; empty when the rulings agree. */
  readonly flips: readonly string[];
}

/**
 * Judges every recorded roll once more under another setting, each on its own: play goes as it was recorded, so one
 * flipped roll does not carry the rolls after it away. `each` is told roll by roll.
 */
export async function rejudge(
  source: Source,
  parts: Parts,
  otherwise: Otherwise,
  each: (roll: Rejudged) => void,
  progress?: (records: number) => void,
): Promise<void> {
  let shadow: Shadow | undefined;
  let records = 0;
  let going: { roll: RollId; game: number; before: RollRuling | undefined } | undefined;
  const finish = (): void => {
    if (going === undefined || shadow === undefined) return;
    const after = shadow.final;
    each({ ...going, after, flips: flipsBetween(going.before, after) });
    going = undefined;
  };
  await replaySource(source, {
    parts,
    each(record, outputs, refold) {
      records += 1;
      if (progress !== undefined && records % 4096 === 0) progress(records);
      if (shadow === undefined || (record.kind === 'open' && !resumes(record)))
        shadow = beginShadow(refold, otherwise);
      shadow.take(record);
      for (const output of outputs) {
        if (
          output.kind === 'ruling' &&
          output.ruling.stage === 'final' &&
          going?.roll === output.ruling.roll
        ) {
          going.before = output.ruling;
        }
      }
      const { activity, game } = refold.state;
      if (activity.kind === 'roll' && going?.roll !== activity.roll) {
        finish();
        going = { roll: activity.roll, game, before: undefined };
      }
      shadow.know(activity, refold.state.atMs);
      return undefined;
    },
  });
  finish();
}

interface Shadow {
  take(record: JournalRecord): void;
  know(activity: Activity, atMs: AtMs): void;
  readonly final: RollRuling | undefined;
}

/** A second pair of links and detector that hears the same lines. */
function beginShadow(refold: Refold, otherwise: Otherwise): Shadow {
  const { setting } = refold;
  const links: Links = createLinks({ links: setting.links, layout: setting.layout });
  let sensing: Sensing = createSensing({
    layout: setting.layout,
    calibration: otherwise.calibration ?? setting.calibration,
    limits: { ...setting.limits, ...otherwise.limits },
  });
  const notices: LinkNotice[] = [];
  const sensed: SenseOutput[] = [];
  let final: RollRuling | undefined;
  let known: Activity = { kind: 'idle' };
  let waiting: Activity | undefined;

  const tellNotices = (): void => {
    for (const notice of notices) hearNotice(sensing, notice, sensed);
    notices.length = 0;
  };
  const settleTo = (atMs: AtMs): void => {
    for (let due = linksDueAt(links); due <= atMs; due = linksDueAt(links)) {
      settleLinks(links, due, notices);
      tellNotices();
      settle(sensing, due, sensed);
    }
    settle(sensing, atMs, sensed);
    for (const said of sensed) {
      if (said.kind === 'ruling' && said.ruling.stage === 'final') final = said.ruling;
    }
    sensed.length = 0;
    // The roll is over for play; the detector is let go once it has said its own last word.
    if (waiting !== undefined && final !== undefined) {
      known = waiting;
      waiting = undefined;
      setActivity(sensing, known, atMs, sensed);
    }
  };
  return {
    get final() {
      return final;
    },
    take(record) {
      const input = inputOf(record);
      if (input === undefined) return;
      settleTo(input.atMs);
      if (input.kind === 'line') {
        const from = {
          ...(input.device === undefined ? {} : { device: input.device }),
          ...(input.retained === undefined ? {} : { retained: input.retained }),
        };
        const heard = hearLine(links, input.link, input.raw, input.atMs, from, notices);
        tellNotices();
        if (heard.kind === 'fresh' && heard.frame.kind !== 'answer') {
          hearFrame(sensing, heard.side, heard.frame, heard.atMs, heard.errorMs, sensed);
        }
      } else if (input.kind === 'link') {
        if (input.up) linkUp(links, input.link, input.atMs, notices);
        else linkDown(links, input.link, input.atMs, input.reason, input.remedy, notices);
        tellNotices();
      } else if (input.kind === 'command' && otherwise.calibration === undefined) {
        const { command } = input;
        const used = command.do === 'use-calibration' ? command.calibration : undefined;
        if (used !== undefined && isCalibration(used, setting.layout)) {
          sensing = recalibrated(sensing, used, input.atMs);
        }
      } else if (input.kind === 'dropped') {
        dropped(links, input.link, input.count, input.atMs, notices);
        tellNotices();
      }
    },
    know(activity, atMs) {
      if (activity.kind === 'roll') {
        if (known.kind === 'roll' && known.roll === activity.roll && waiting === undefined) return;
        waiting = undefined;
        known = activity;
        final = undefined;
        setActivity(sensing, activity, atMs, sensed);
        return;
      }
      if (known.kind === 'roll' && final === undefined) waiting = activity;
      else if (JSON.stringify(known) !== JSON.stringify(activity)) {
        known = activity;
        setActivity(sensing, activity, atMs, sensed);
      }
    },
  };
}

/** What two rulings of one roll say differently, in words. */
export function flipsBetween(
  before: RollRuling | undefined,
  after: RollRuling | undefined,
): readonly string[] {
  // A roll that play left before it was ruled, as by a new game, has nothing that could flip.
  if (before === undefined) return [];
  if (after === undefined) return [`${stageOf(before)} → ${stageOf(after)}`];
  const flips: string[] = [];
  const players = new Set([...before.balls, ...after.balls].map(({ player }) => player));
  for (const player of players) {
    const was = before.balls.find((ball) => ball.player === player);
    const is = after.balls.find((ball) => ball.player === player);
    const change = (what: string, a: string | undefined, b: string | undefined): void => {
      if (a !== b) flips.push(`${player} ${what}: ${a ?? 'nothing'} → ${b ?? 'nothing'}`);
    };
    change('opened', was?.opened, is?.opened);
    change('holds', was?.attached.sure.join('+'), is?.attached.sure.join('+'));
  }
  const illegal = (ruling: RollRuling): string => ruling.illegal.map(({ code }) => code).join('+');
  if (illegal(before) !== illegal(after))
    flips.push(`offences: ${illegal(before) || 'none'} → ${illegal(after) || 'none'}`);
  return flips;
}

function stageOf(ruling: RollRuling | undefined): string {
  return ruling === undefined ? 'no ruling' : ruling.stage;
}
