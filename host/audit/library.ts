import { join } from 'node:path';
import type { LibraryAsk, LibraryPage, MatchName, MatchSeen } from '../displays/archive-messages.ts';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import { DAMAGE_REMEDY, type Damage, damageText } from '../journal/damage.ts';
import type { Disk } from '../journal/disk.ts';
import { segmentsIn } from '../journal/segments.ts';
import { searchMatches } from './match-search.ts';
import { INDEX_FILE, type Match, matchesIn } from './matches.ts';
import { removalOf } from './removal.ts';

/** The list of a table whose match goes on is not made anew more often than this, ms. */
const FRESH_MS = 3000;

/** Every recorded match below a data folder. Lists are kept, and made anew when a journal has changed. */
export interface Library {
  page(ask: LibraryAsk): Promise<LibraryPage>;
  /** The match of that id with its table's folder. Throws a TableFault `library/no-such-match`. */
  find(name: MatchName): Promise<{ readonly folder: string; readonly match: Match }>;
  /** Forgets what was read of a table. */
  forget(table: string): void;
}

type Listed = {
  readonly state: string;
  readonly atMs: number;
  readonly matches: readonly Match[];
  /** Segments that cannot be unpacked: what they hide of matches is missing. */
  readonly damages: readonly Damage[];
};

export function openLibrary(disk: Disk, dataDir: string, nowMs: () => number): Library {
  const known = new Map<string, Listed>();
  let merged: { readonly from: readonly Listed[]; readonly all: readonly Match[] } | undefined;

  const listOf = async (table: string): Promise<Listed | undefined> => {
    const folder = join(dataDir, table);
    const was = known.get(table);
    if (was !== undefined && nowMs() - was.atMs < FRESH_MS) return was;
    const state = await stateOf(disk, folder);
    if (state === undefined) return undefined;
    if (was?.state === state) {
      const still = { ...was, atMs: nowMs() };
      known.set(table, still);
      return still;
    }
    // A folder that was copied from elsewhere goes by its own name here.
    const damages: Damage[] = [];
    const found = await matchesIn(disk, folder, (damage) => damages.push(damage));
    const matches = found.map((match) => ({ ...match, table }));
    const listed = { state, atMs: nowMs(), matches, damages };
    known.set(table, listed);
    return listed;
  };

  /** Newest first; sorted again only when a list has changed. One table that cannot be read hides no other. */
  const all = async (unread: string[]): Promise<readonly Match[]> => {
    const lists: Listed[] = [];
    for (const table of await tablesIn(disk, dataDir)) {
      try {
        const listed = await listOf(table);
        if (listed !== undefined) lists.push(listed);
        for (const damage of listed?.damages ?? []) {
          unread.push(`${table}: matches may be missing. ${damageText(damage)} ${DAMAGE_REMEDY}`);
        }
      } catch (error) {
        // A file is no table; anything else is said.
        if (systemCodeOf(error) !== 'ENOTDIR') unread.push(`${table}: ${wordsOf(error)}`);
      }
    }
    const same =
      merged?.from.length === lists.length &&
      lists.every(({ matches }, i) => merged?.from[i]?.matches === matches);
    if (!same || merged === undefined) {
      const sorted = lists
        .flatMap(({ matches }) => matches.filter(isWorthListing))
        .sort((a, b) => later(a, b));
      merged = { from: lists, all: sorted };
    }
    return merged.all;
  };

  return {
    async page({ words, from, most }) {
      const unread: string[] = [];
      const every = await all(unread);
      const wanted = words.split(/\s+/).filter((word) => word !== '');
      const found = wanted.length === 0 ? every : searchMatches(every, wanted);
      const shown = found.slice(from, from + most);
      return {
        matches: shown.map(seenOf),
        all: every.length,
        found: found.length,
        ...(from + shown.length < found.length ? { next: from + shown.length } : {}),
        ...(unread.length === 0 ? {} : { unread }),
      };
    },
    async find({ table, match }) {
      const folder = join(dataDir, table);
      const found = (await listOf(table))?.matches.find((one) => one.id === match);
      if (found !== undefined) return { folder, match: found };
      throw new TableFault('library/no-such-match', `There is no match ${match} of table ${table}.`, '');
    },
    forget(table) {
      known.delete(table);
    },
  };
}

/** A game that was begun and replaced at once holds nothing to look at. */
function isWorthListing(match: Match): boolean {
  return match.rolls > 0 || !match.closed || match.toMs - match.fromMs > 5000 || match.removed !== undefined;
}

export function seenOf(match: Match): MatchSeen {
  const { table, id, startedAt, ruleset, players, winner, rolls, undetermined, corrections, closed } = match;
  const removal = removalOf(match);
  return {
    ...{ table, id, startedAt, ruleset, players, winner, rolls, undetermined, corrections, closed },
    tookMs: match.toMs - match.fromMs,
    removed: removal !== undefined,
    ...(removal === undefined ? {} : { removal }),
    ...(match.series === undefined ? {} : { series: match.series }),
  };
}

function later(a: Match, b: Match): number {
  const [one, other] = [a.startedAt ?? '', b.startedAt ?? ''];
  if (one !== other) return one < other ? 1 : -1;
  return b.from - a.from;
}

/** Folders that hold a journal. */
async function tablesIn(disk: Disk, dataDir: string): Promise<readonly string[]> {
  const names = await disk.list(dataDir);
  return names.filter((name) => /^[a-z0-9][a-z0-9_-]{0,31}$/.test(name));
}

/** What tells one state of a journal from another; undefined where there is none. */
async function stateOf(disk: Disk, folder: string): Promise<string | undefined> {
  const segments = await segmentsIn(disk, folder);
  const last = segments.at(-1);
  if (last === undefined) {
    const index = await disk.size(join(folder, INDEX_FILE)).catch(() => undefined);
    return index === undefined ? undefined : `list ${index}`;
  }
  const bytes = await disk.size(last.path).catch(() => 0);
  return `${segments.length} ${last.firstSeq} ${bytes}`;
}
