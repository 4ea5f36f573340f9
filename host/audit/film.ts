import { decidedIn, knownOf } from '../advance/known.ts';
import type { TableState } from '../advance/state.ts';
import type { FilmOutline, FilmStretch, FilmTrace, StretchAsk } from '../displays/archive-messages.ts';
import { SceneChannel } from '../displays/feed-channel.ts';
import { TableFault } from '../fault.ts';
import type { Audience } from '../game/ruleset.ts';
import type { AtMs } from '../ids.ts';
import type { Disk } from '../journal/disk.ts';
import type { Parts } from '../parts.ts';
import type { Refold } from '../refold.ts';
import { composeScene } from '../scene/compose.ts';
import type { Scene } from '../scene/scene.ts';
import { filmHeads, type Head } from './film-heads.ts';
import { type Outlined, outlineOf } from './film-outline.ts';
import type { Match } from './matches.ts';
import { removalOf, removalWords } from './removal.ts';
import { segmentReader } from './segment-reader.ts';
import { cropped, LATE_MS, LEAD_MS, type Mark, type TraceTaker, takeTrace } from './trace.ts';
import { isEventful, PLOT_LEFT, PLOT_RIGHT, tracePicture } from './trace-picture.ts';

/** Pictures in one answer, and characters of them. */
const MOST_FRAMES = 400;
const MOST_CHARACTERS = 4_000_000;
/** Runs that stand ready where somebody looked last. */
const RUNS_KEPT = 2;
/** How far before its ruling a roll may have been called, ms. */
const LONGEST_ROLL_MS = 90_000;
/** A run is gone on with rather than begun anew when it is at most this far behind, ms. */
const GO_ON_MS = 30_000;

/** A match that can be looked at again at any moment, run through the live code. */
export interface Film {
  outline(): Promise<Omit<FilmOutline, 'match'>>;
  stretch(ask: StretchAsk): Promise<FilmStretch>;
  /** What the tiles read in a roll, by the moment of one of its rulings. */
  trace(roll: string, ruledMs: AtMs): Promise<FilmTrace>;
}

export function openFilm(options: {
  readonly disk: Disk;
  readonly folder: string;
  readonly match: Match;
  readonly parts: Parts;
}): Film {
  const { match } = options;
  const reader = segmentReader(options.disk, options.folder);
  let outline: Promise<Outlined> | undefined;
  let runs: Head[] = [];

  const outlined = (): Promise<Outlined> => {
    outline ??= outlineOf(reader, match);
    return outline;
  };
  const snapshots = async () => (await outlined()).snapshots;
  const heads = filmHeads({ ...options, reader, snapshots });

  /** A run that stands at this moment. */
  const runAt = async (atMs: AtMs): Promise<Head> => {
    const ready = runs.find((one) => one.atMs <= atMs && atMs - one.atMs <= GO_ON_MS);
    const run = ready ?? (await heads.before(atMs));
    runs = [run, ...runs.filter((one) => one !== run)].slice(0, RUNS_KEPT);
    await run.runTo(atMs);
    return run;
  };

  return {
    async outline() {
      const { snapshots: _, ...rest } = await outlined();
      const removal = removalOf(match);
      return removal === undefined
        ? rest
        : { ...rest, dark: `This match was removed ${removalWords(removal)}.` };
    },
    async stretch({ fromMs, toMs, everyMs, seen }) {
      const audience: Audience = { kind: seen };
      const channel = new SceneChannel(match.table, audience);
      const frames: { atMs: AtMs; message: unknown }[] = [];
      let characters = 0;
      let lastMs = fromMs;
      const run = await runAt(fromMs);
      for (let atMs = fromMs; atMs <= toMs || atMs === fromMs; atMs += everyMs) {
        const more = await run.runTo(atMs);
        lastMs = atMs;
        const before = channel.revision;
        if (channel.take(sceneAt(run.refold, audience), atMs)) {
          const text =
            before === 0
              ? channel.snapshot({ audience, may: { command: false, sim: false }, missed: 0 })
              : channel.changeSince(before);
          characters += text.length;
          frames.push({ atMs, message: JSON.parse(text) });
        }
        if (!more) {
          lastMs = Math.max(atMs, toMs);
          break;
        }
        if (frames.length >= MOST_FRAMES || characters > MOST_CHARACTERS) break;
      }
      return { frames, toMs: lastMs };
    },
    async trace(roll, ruledMs) {
      const { marks } = await outlined();
      const ruled = marks.filter((mark) => mark.kind === 'ruling' || mark.kind === 'undetermined');
      const at = ruled.findIndex((mark) => mark.roll === roll && Math.abs(mark.atMs - ruledMs) < 1);
      const mark = ruled[at];
      if (mark === undefined) throw noSuchRoll(match, roll);
      const fromMs = Math.max((ruled[at - 1]?.atMs ?? match.fromMs) - 1, mark.atMs - LONGEST_ROLL_MS);
      const run = await heads.before(fromMs);
      await run.runTo(fromMs);
      const taken = await takeRoll(run, roll, mark.atMs);
      if (taken === undefined) throw noSuchRoll(match, roll);
      const { activity, trace } = taken;
      const coreOn = (cell: string) => activity.cores.find((on) => on.cell === cell)?.core;
      return {
        roll,
        fromMs: trace.fromMs,
        toMs: trace.toMs,
        left: PLOT_LEFT,
        right: PLOT_RIGHT,
        tiles: trace.cells.filter(isEventful).map((cell) => ({
          cell: cell.cell,
          picture: tracePicture(trace, cell, coreOn(cell.cell), mark.atMs),
        })),
      };
    },
  };
}

/** The scene as it was, but that nothing may be done in it. */
function sceneAt({ state, setting }: Refold, audience: Audience): Scene {
  return composeScene({ ...knownOf(state, decidedIn(state), setting), legal: () => [] }, audience);
}

type RollActivity = Extract<TableState['activity'], { readonly kind: 'roll' }>;

async function takeRoll(run: Head, roll: string, decidedMs: AtMs) {
  let taker: TraceTaker | undefined;
  let activity: RollActivity | undefined;
  let marks: readonly Mark[] = [];
  const endMs = decidedMs + LEAD_MS;
  await run.runTo(endMs + LATE_MS, (state) => {
    if (state.activity.kind === 'roll' && state.activity.roll === roll) {
      activity = state.activity;
      taker ??= takeTrace(state, state.atMs - LEAD_MS);
      // What the detector took note of is gone when the next roll is called.
      marks = taker.marks(state);
    }
    taker?.look(state);
    return true;
  });
  if (taker === undefined || activity === undefined) return undefined;
  return { activity, trace: cropped({ ...taker.end(run.refold.state, endMs), marks }) };
}

function noSuchRoll(match: Match, roll: string): TableFault {
  return new TableFault('library/no-such-match', `Match ${match.id} has no ruled roll ${roll}.`, '');
}
