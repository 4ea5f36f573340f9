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
} from './archive-messages.ts';

/** A file made of recorded matches, where it lies. */
export type Made = {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
};

/**
 * Recorded matches as the pages see them. Everything rejects with a TableFault that names place and remedy. None of it
 * runs on the loop of the live tables.
 */
export interface FeedArchive {
  library(ask: LibraryAsk): Promise<LibraryPage>;
  outline(match: MatchName): Promise<FilmOutline>;
  stretch(match: MatchName, ask: StretchAsk): Promise<FilmStretch>;
  trace(match: MatchName, roll: string, ruledMs: number): Promise<FilmTrace>;
  make(ask: MakeAsk): Promise<Made>;
  /**
   * Opens a match file that somebody brought: it is looked at under the name that this gives, until other files have been
   * opened since or the host stops. Rejects with a TableFault that says why it is none.
   */
  open(file: AsyncIterable<Uint8Array>): Promise<MatchName>;
  /** Removes a match for good, with a tombstone record. Gives the number of records that went. */
  remove(ask: RemoveAsk): Promise<{ readonly records: number }>;
  /** The page that checks records without a network. */
  verifyPage(): Promise<string | undefined>;
  close(): Promise<void>;
}
