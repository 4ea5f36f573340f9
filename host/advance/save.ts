import { loadPlay, savePlay } from '../game/play.ts';
import type { Json } from '../ids.ts';
import { loadCalibrator, saveCalibrator } from '../sensing/calibrate-save.ts';
import type { Calibration } from '../sensing/calibration.ts';
import { loadLinks, saveLinks } from '../sensing/links.ts';
import type { Pack } from '../sensing/save-bytes.ts';
import { loadSensing, saveSensing } from '../sensing/sensing.ts';
import { freshMatch } from './best-of.ts';
import { BEGUN } from './match-start.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';
import type { Calibrating } from './state-parts.ts';

/** Version of the saved form. */
const SAVED = 1;

/** A table as JSON text. Loading it gives a table that goes on exactly as this one would. */
export function saveTable(state: TableState): string {
  return JSON.stringify(savedTable(state));
}

/**
 * What `saveTable` writes, before it is text. Shares its parts with the table: it is to be written before the next step.
 * `pack` may be a quicker way to the text of `packBytes`.
 */
export function savedTable(state: TableState, pack?: Pack): { readonly [key: string]: unknown } {
  const { links, sensing, play, boards, calibrating, alone, match, ...plain } = state;
  return {
    saved: SAVED,
    links: saveLinks(links),
    sensing: saveSensing(sensing, pack),
    play: savePlay(play),
    boards: [...boards],
    calibrating:
      calibrating === null ? null : { ...calibrating, calibrator: saveCalibrator(calibrating.calibrator) },
    // Only where there is something to say: what other tables save stays as it was.
    plain: {
      ...plain,
      ...(alone.length === 0 ? {} : { alone }),
      ...(match.bestOf === 1 ? {} : { match }),
    },
  };
}

type Saved = {
  readonly saved: number;
  readonly links: Json;
  readonly sensing: Json;
  readonly play: string;
  readonly boards: readonly (readonly [string, Parameters<TableState['boards']['set']>[1]])[];
  readonly calibrating?: (Omit<Calibrating, 'calibrator'> & { readonly calibrator: Json }) | null;
  /** Older snapshots lack what later hosts added. */
  readonly plain: Omit<TableState, 'links' | 'sensing' | 'play' | 'boards' | 'calibrating' | Later> &
    Partial<Pick<TableState, Later>>;
};

type Later = 'calibration' | 'start' | 'alone' | 'match';

/**
 * A saved table under the same setting; `calibration` is in force from now on in place of the saved one. Throws a
 * RangeError with a plain sentence when the text is no saved table or was saved by another version.
 */
export function loadTable(setting: TableSetting, text: string, calibration?: Calibration): TableState {
  const saved = parse(text);
  try {
    return tableOf(setting, saved, calibration);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // Parts that this version looks for are missing.
    throw new RangeError('This table was saved in a form that this version does not know.', { cause: error });
  }
}

function tableOf(setting: TableSetting, saved: Saved, calibration: Calibration | undefined): TableState {
  const inForce = calibration ?? saved.plain.calibration ?? setting.calibration;
  const linkSetting = { links: setting.links, layout: setting.layout };
  const sensingSetting = {
    layout: setting.layout,
    calibration: inForce,
    limits: setting.limits,
  };
  return {
    ...saved.plain,
    // A table that was saved before this was looked for begins to look.
    standing: saved.plain.standing ?? [],
    alone: saved.plain.alone ?? [],
    match: saved.plain.match ?? freshMatch(1),
    start: saved.plain.start ?? BEGUN,
    calibration: inForce,
    calibrating:
      saved.calibrating === undefined || saved.calibrating === null
        ? null
        : {
            ...saved.calibrating,
            calibrator: loadCalibrator(setting.layout, inForce, saved.calibrating.calibrator),
          },
    links: loadLinks(linkSetting, saved.links),
    sensing: loadSensing(sensingSetting, saved.sensing),
    play: loadPlay(setting.ruleset, saved.play),
    boards: new Map(saved.boards),
  };
}

function parse(text: string): Saved {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RangeError('This is no saved table: it is not JSON.');
  }
  if (!isSaved(value)) throw new RangeError(`This is no saved table of version ${SAVED}.`);
  return value;
}

function isSaved(value: unknown): value is Saved {
  return typeof value === 'object' && value !== null && 'saved' in value && value.saved === SAVED;
}
