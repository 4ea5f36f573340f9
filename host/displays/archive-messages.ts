import { z } from 'zod';
import type { AtMs, RollId, TableId } from '../ids.ts';

/** What a tombstone says. */
export type MatchRemoval = {
  readonly who: string;
  readonly why: string;
  /** Wall time, ISO 8601; empty where it is not known. */
  readonly at: string;
};

/** One match as the library page lists it. */
export type MatchSeen = {
  readonly table: TableId;
  readonly id: string;
  /** Wall time of its start, ISO 8601. */
  readonly startedAt: string | null;
  readonly tookMs: number;
  readonly ruleset: string;
  readonly players: { readonly A: string; readonly B: string };
  readonly winner: string | null;
  readonly rolls: number;
  readonly undetermined: number;
  readonly corrections: number;
  /** The next match has begun, so that nothing is added to it. */
  readonly closed: boolean;
  readonly removed: boolean;
  /** Present where it was removed. */
  readonly removal?: MatchRemoval;
  /** The match of several games that it is one of: id of the first game, number in it, who was given it when it was ended. */
  readonly series?: { readonly of: string; readonly game: number; readonly ended?: string };
};

/** A page of the library, newest match first. */
export type LibraryPage = {
  readonly matches: readonly MatchSeen[];
  /** How many there are in all, and how many the words leave. */
  readonly all: number;
  readonly found: number;
  /** Place of the first one not shown; absent at the end. */
  readonly next?: number;
  /** Tables whose record cannot be read, each with the reason; absent when all can. */
  readonly unread?: readonly string[];
};

/** A moment of a match that a person may want to go to. */
export type FilmMark = {
  readonly atMs: AtMs;
  readonly kind: 'ruling' | 'undetermined' | 'judge' | 'correction' | 'turn' | 'over' | 'fault';
  readonly text: string;
  readonly roll?: RollId;
};

/** What a replay page knows of a match before it shows a moment of it. */
export type FilmOutline = {
  readonly match: MatchSeen;
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Moments at which the wall clock was noted, ms since 1970; times between follow from the table's own clock. */
  readonly walls: readonly { readonly atMs: AtMs; readonly wallMs: number }[];
  /** Stretches in which the host ran; between them nothing was heard. */
  readonly spans: readonly { readonly fromMs: AtMs; readonly toMs: AtMs }[];
  readonly marks: readonly FilmMark[];
  /** Why moments cannot be shown though the marks can. */
  readonly dark?: string;
};

/** A stretch of a match as pictures: a `snapshot` message of the feed, then `change` messages, each with its moment. */
export type FilmStretch = {
  readonly frames: readonly { readonly atMs: AtMs; readonly message: unknown }[];
  /** Up to here the stretch is complete; may be less than was asked for. */
  readonly toMs: AtMs;
};

/** What the tiles read in one roll, each as a picture (SVG). */
export type FilmTrace = {
  readonly roll: RollId;
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Share of a picture's width left of its first and right of its last moment. */
  readonly left: number;
  readonly right: number;
  readonly tiles: readonly { readonly cell: string; readonly picture: string }[];
};

/** Largest match file that a page may send, bytes. */
export const MOST_OPENED = 96 * 1024 * 1024;

/** A file that was made and waits to be fetched. */
export type MadeFile = { readonly url: string; readonly name: string; readonly bytes: number };

const table = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a table id such as "t1"');
const match = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}-\d{1,12}$/, 'the id of a match, as "t1-0"');
const roll = z.string().regex(/^[A-Za-z0-9._-]{1,32}$/, 'a roll such as "t3.1"');
const moment = z.coerce.number().min(0).max(1e12);
const one = z.strictObject({ table, match });

export const libraryAsk = z.strictObject({
  words: z.string().max(200).default(''),
  from: z.coerce.number().int().min(0).default(0),
  most: z.coerce.number().int().min(1).max(200).default(50),
});
export const stretchAsk = z.strictObject({
  fromMs: moment,
  toMs: moment,
  everyMs: z.coerce.number().min(20).max(10_000),
  seen: z.enum(['judge', 'public']).default('judge'),
});
export const traceAsk = z.strictObject({ roll, atMs: moment });
export const makeAsk = z.discriminatedUnion('make', [
  z.strictObject({
    make: z.literal('bundle'),
    ...one.shape,
    roll: roll.optional(),
    video: z.strictObject({ url: z.string().max(500), offsetS: z.number().min(-1e6).max(1e6) }).optional(),
  }),
  z.strictObject({ make: z.literal('match'), ...one.shape }),
  z.strictObject({ make: z.literal('events'), ...one.shape }),
  z.strictObject({
    make: z.literal('report'),
    form: z.enum(['html', 'csv', 'json']),
    title: z.string().max(120),
    // A match that is named twice would count twice in every rate.
    matches: z
      .array(one)
      .min(1)
      .max(500)
      .refine(
        (matches) => new Set(matches.map((named) => `${named.table} ${named.match}`)).size === matches.length,
        'name each match once',
      ),
  }),
]);
export const removeAsk = z.strictObject({
  ...one.shape,
  who: z.string().trim().min(1).max(80),
  why: z.string().trim().min(1).max(300),
  /** The id once more, typed by the person who removes it. */
  confirm: match,
});

export type LibraryAsk = z.infer<typeof libraryAsk>;
export type StretchAsk = z.infer<typeof stretchAsk>;
export type MakeAsk = z.infer<typeof makeAsk>;
export type RemoveAsk = z.infer<typeof removeAsk>;
/** A match of a table. */
export type MatchName = z.infer<typeof one>;
export const matchName = one;
