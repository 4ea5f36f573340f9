import type { TableState } from '../advance/state.ts';
import type { AtMs } from '../ids.ts';
import { inputOf } from '../journal/records.ts';
import type { JournalRecord } from '../record.ts';
import type { Refold } from '../refold.ts';
import type { Activity } from '../sensing/activity.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { SensingLimits } from '../sensing/limits.ts';
import {
  dropped,
  hearLine,
  type Links,
  linkDown,
  dueAt as linksDueAt,
  linkUp,
  loadLinks,
  saveLinks,
  settleLinks,
} from '../sensing/links.ts';
import { recalibrated } from '../sensing/recalibrate.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkNotice } from '../sensing/seen.ts';
import {
  hearFrame,
  hearNotice,
  interruptRoll,
  loadSensing,
  type SenseOutput,
  type Sensing,
  saveSensing,
  setActivity,
  settle,
} from '../sensing/sensing.ts';

/** What a detector is set to otherwise than it was recorded. */
export interface OtherDetector {
  readonly calibration?: Calibration;
  readonly limits?: Partial<SensingLimits>;
}

/** A second pair of links and detector that hears the lines of a record and rules for itself. */
export interface Shadow {
  take(record: JournalRecord): void;
  /** Told what goes on in play. A roll that play has left is judged to its end all the same. */
  know(state: TableState): void;
  /** Its own last word on the roll that it hears. */
  readonly final: RollRuling | undefined;
  readonly sensing: Sensing;
}

/** Begins where a table that is run again stands now. */
export function beginShadow(refold: Refold, otherwise: OtherDetector): Shadow {
  const { setting, state } = refold;
  let calibration = state.calibration;
  const links: Links = loadLinks({ links: setting.links, layout: setting.layout }, saveLinks(state.links));
  let sensing: Sensing = loadSensing(
    {
      layout: setting.layout,
      calibration: otherwise.calibration ?? calibration,
      limits: { ...setting.limits, ...otherwise.limits },
    },
    saveSensing(state.sensing),
  );
  const notices: LinkNotice[] = [];
  const sensed: SenseOutput[] = [];
  let final: RollRuling | undefined;
  let known: Activity = state.activity;
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
    get sensing() {
      return sensing;
    },
    take(record) {
      const input = inputOf(record);
      if (input === undefined) return;
      if (input.kind === 'link' && input.restarted === true) interruptRoll(sensing, input.atMs);
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
      } else if (input.kind === 'dropped') {
        dropped(links, input.link, input.count, input.atMs, notices);
        tellNotices();
      }
    },
    know({ activity, atMs, calibration: inForce }) {
      if (inForce !== calibration) {
        // A start reads the same calibration once more.
        const isOther = JSON.stringify(inForce) !== JSON.stringify(calibration);
        calibration = inForce;
        if (isOther && otherwise.calibration === undefined) {
          sensing = recalibrated(sensing, inForce, atMs);
        }
      }
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
