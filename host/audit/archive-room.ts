import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  FilmOutline,
  FilmStretch,
  FilmTrace,
  LibraryAsk,
  LibraryPage,
  MakeAsk,
  MatchName,
  RemoveAsk,
  StretchAsk,
} from '../displays/archive-messages.ts';
import { TableFault } from '../fault.ts';
import type { Disk } from '../journal/disk.ts';
import { readSnapshot } from '../journal/snapshots.ts';
import { silentLog } from '../log.ts';
import type { Parts } from '../parts.ts';
import { eventLines } from './events.ts';
import { matchFile } from './export-match.ts';
import { type Film, openFilm } from './film.ts';
import { openLibrary, seenOf } from './library.ts';
import { makeBundle } from './make-bundle.ts';
import { type Match, matchesIn } from './matches.ts';
import { unpackMatch } from './opened-file.ts';
import { refuseRemoved } from './removal.ts';
import { pruneMatch, removeMatch } from './remove-match.ts';
import { reportOn } from './report.ts';
import { textOfReport } from './report-text.ts';
import { openSource, type Source } from './source.ts';

/** Names by which files go that were opened, in place of a table's. */
export const OPENED = /^file-[0-9a-f]{16}$/;
/** Films that stay open; each holds some ten MB. */
const FILMS_KEPT = 2;

const REPORT_TYPES = {
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
} as const;

/** A file that was made. */
export type MadeAt = { readonly path: string; readonly name: string; readonly type: string };

/** Everything that is done with recorded matches, one thing after the other. Knows no pages and no process. */
export interface ArchiveRoom {
  library(ask: LibraryAsk): Promise<LibraryPage>;
  outline(name: MatchName): Promise<FilmOutline>;
  stretch(name: MatchName, ask: StretchAsk): Promise<FilmStretch>;
  trace(name: MatchName, roll: string, ruledMs: number): Promise<FilmTrace>;
  make(ask: MakeAsk): Promise<MadeAt>;
  /** Opens a match file that lies there; it goes by that name of a table from now on. */
  open(path: string, table: string): Promise<MatchName>;
  /** The match to remove, as the journal has it, perhaps with its tombstone; refused when the id was not given twice. */
  toRemove(ask: RemoveAsk): Promise<Match>;
  /** Removes a match of a table that no host runs. */
  remove(ask: RemoveAsk): Promise<{ readonly records: number }>;
  /** Removes the records of a match whose tombstone is already safe. */
  prune(name: MatchName): Promise<{ readonly records: number }>;
}

export function openArchiveRoom(options: {
  readonly disk: Disk;
  readonly dataDir: string;
  /** Where files are made. */
  readonly madeDir: string;
  readonly parts: Parts;
  readonly nowMs: () => number;
  readonly wall: () => string;
}): ArchiveRoom {
  const { disk, dataDir, madeDir, parts, wall } = options;
  const library = openLibrary(disk, dataDir, options.nowMs);
  let films: { readonly key: string; readonly match: Match; readonly film: Film }[] = [];

  const filmOf = async (name: MatchName): Promise<{ readonly match: Match; readonly film: Film }> => {
    const { folder, match } = OPENED.test(name.table) ? await findOpened(name) : await library.find(name);
    const key = `${name.table}/${match.id}`;
    // A match that goes on has grown since.
    const known = films.find((one) => one.key === key && one.match.to === match.to);
    const found = known ?? { key, match, film: openFilm({ disk, folder, match, parts }) };
    films = [found, ...films.filter((one) => one.key !== key)].slice(0, FILMS_KEPT);
    return found;
  };

  /** The film that is open, without looking whether the match has grown: a stretch goes with its outline. */
  const openedFilm = async (name: MatchName): Promise<Film> => {
    const known = films.find((one) => one.key === `${name.table}/${name.match}`);
    return known?.film ?? (await filmOf(name)).film;
  };

  /** A match of a file that was opened, perhaps before this process began. */
  async function findOpened({ table, match }: MatchName) {
    const folder = join(madeDir, table);
    const found = (await matchesIn(disk, folder)).find((one) => one.id === match);
    if (found !== undefined) return { folder, match: found };
    throw new TableFault(
      'library/no-such-match',
      'This match file is not kept any longer.',
      'Open it again: drop it here or choose it.',
    );
  }

  const file = async (name: string): Promise<string> => {
    await mkdir(madeDir, { recursive: true });
    return join(madeDir, `${randomBytes(8).toString('hex')}-${name}`);
  };

  /** A match as a source of its own. */
  const sourceOf = async (
    name: MatchName,
  ): Promise<Source & { readonly match: NonNullable<Source['match']> }> => {
    const { folder, match } = await library.find(name);
    const path = await file(`${match.id}.match`);
    try {
      await pipeline(Readable.from(matchFile(disk, folder, match, parts)), createWriteStream(path));
      const source = await openSource(path);
      if (source.match === undefined)
        throw new TableFault('journal/unreadable', `${path} holds no match.`, '');
      return { ...source, match: source.match, snapshot: (seq) => readSnapshot(disk, folder, seq) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  };

  /** Looks at a match as a source that is gone afterwards, whatever comes of it. */
  const withSource = async <Value>(
    name: MatchName,
    use: (source: Awaited<ReturnType<typeof sourceOf>>) => Promise<Value>,
  ): Promise<Value> => {
    const source = await sourceOf(name);
    try {
      return await use(source);
    } finally {
      await rm(source.path, { force: true });
    }
  };

  /** Each match as a source named by its id, while it is looked at. */
  async function* matchesOneByOne(names: readonly MatchName[]): AsyncGenerator<Source> {
    for (const name of names) {
      const source = await sourceOf(name);
      try {
        // Rows of a report are named by the match, not by a file that is gone.
        yield { ...source, path: name.match };
      } finally {
        await rm(source.path, { force: true });
      }
    }
  }

  const written = async (
    name: string,
    text: string,
  ): Promise<{ readonly path: string; readonly name: string }> => {
    const path = await file(name);
    await writeFile(path, text);
    return { path, name };
  };

  const toRemove = async (ask: RemoveAsk): Promise<Match> => {
    const { match } = await library.find(ask);
    if (ask.confirm !== match.id) {
      throw new TableFault(
        'library/no-such-match',
        `${ask.confirm} is not the match to remove.`,
        'Type its id again.',
      );
    }
    refuseRemoved(match);
    return match;
  };

  const forget = (name: MatchName): void => {
    library.forget(name.table);
    films = films.filter((one) => !one.key.startsWith(`${name.table}/`));
  };

  return {
    library: (ask) => library.page(ask),
    async outline(name) {
      const { match, film } = await filmOf(name);
      return { ...(await film.outline()), match: seenOf(match) };
    },
    stretch: async (name, ask) => (await openedFilm(name)).stretch(ask),
    trace: async (name, roll, ruledMs) => (await openedFilm(name)).trace(roll, ruledMs),
    async make(ask) {
      switch (ask.make) {
        case 'match': {
          const { path } = await sourceOf(ask);
          return { path, name: `${ask.match}.match`, type: 'application/x-ndjson' };
        }
        case 'events': {
          const name = `${ask.match}.events.ndjson`;
          const path = await file(name);
          await withSource(ask, (source) =>
            pipeline(Readable.from(eventLines(source)), createWriteStream(path)),
          );
          return { path, name, type: 'application/x-ndjson' };
        }
        case 'bundle': {
          const { roll, video } = ask;
          const only = roll === undefined ? {} : { roll };
          const film = video === undefined ? {} : { video };
          const text = await withSource(ask, (source) => makeBundle(source, { parts, ...only, ...film }));
          const name = `${ask.match}${roll === undefined ? '' : `-${roll}`}.html`;
          return { ...(await written(name, text)), type: 'text/html; charset=utf-8' };
        }
        case 'report': {
          const report = await reportOn(matchesOneByOne(ask.matches), parts);
          const text = textOfReport(report, ask.form, ask.title);
          return { ...(await written(`report.${ask.form}`, text)), type: REPORT_TYPES[ask.form] };
        }
        default:
          return ask satisfies never;
      }
    },
    async open(path, table) {
      return { table, ...(await unpackMatch({ disk, path, folder: join(madeDir, table), parts })) };
    },
    toRemove,
    async remove(ask) {
      const match = await toRemove(ask);
      const { who, why, table } = ask;
      const removed = await removeMatch({
        disk,
        dataDir,
        table,
        match: match.id,
        who,
        why,
        wall,
        log: silentLog,
      });
      forget(ask);
      return removed;
    },
    async prune(name) {
      const { folder, match } = await library.find(name);
      const records = await pruneMatch(disk, folder, match);
      forget(name);
      return { records };
    },
  };
}
