import { loadPlay, savePlay } from '../game/play.ts';
import type { Json } from '../ids.ts';
import { loadLinks, saveLinks } from '../sensing/links.ts';
import { loadSensing, saveSensing } from '../sensing/sensing.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

/** Version of the saved form. */
const SAVED = 1;

/** A table as JSON text. Loading it gives a table that goes on exactly as this one would. */
export function saveTable(state: TableState): string {
  const { links, sensing, play, boards, ...plain } = state;
  return JSON.stringify({
    saved: SAVED,
    links: saveLinks(links),
    sensing: saveSensing(sensing),
    play: savePlay(play),
    boards: [...boards],
    plain,
  });
}

type Saved = {
  readonly saved: number;
  readonly links: Json;
  readonly sensing: Json;
  readonly play: string;
  readonly boards: readonly (readonly [string, Parameters<TableState['boards']['set']>[1]])[];
  readonly plain: Omit<TableState, 'links' | 'sensing' | 'play' | 'boards'>;
};

/**
 * A saved table under the same setting. Throws a RangeError with a plain sentence when the text is no saved table or
 * was saved by another version.
 */
export function loadTable(setting: TableSetting, text: string): TableState {
  const saved = parse(text);
  const linkSetting = { links: setting.links, layout: setting.layout };
  const sensingSetting = {
    layout: setting.layout,
    calibration: setting.calibration,
    limits: setting.limits,
  };
  return {
    ...saved.plain,
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
