import type { CardData } from './cards/vocabulary.ts';

/**
 * What a version of these rules does otherwise than the newest. A match is pinned to its version at set-up and is played
 * and replayed by these details for good, whatever later versions change. A change of what an input leads to, of a card's
 * data or of an option's default is a new version: it gets a line in `VERSIONS`, and every older line says what was.
 * Sentences, and which rules an event names, may change without one.
 */
export type VersionDetails = {
  /** A card that was put away after it happened counts as discarded: texts of discarded cards see it. */
  readonly putAwayIsDiscarded: boolean;
  /** A text that copies a discarded Action may copy another such text. */
  readonly copiesCopies: boolean;
  /** Fields of an input that no step reads. */
  readonly extraFields: 'refused' | 'ignored';
  /** Cards whose data was another; they stand in front of those that come with the game. */
  readonly cards: readonly CardData[];
};

/** The version that new matches are played under. */
export const NEWEST = '2.1.0';

const VERSIONS: ReadonlyMap<string, VersionDetails> = new Map([
  [NEWEST, { putAwayIsDiscarded: false, copiesCopies: false, extraFields: 'refused', cards: [] }],
  ['2.0.0', { putAwayIsDiscarded: false, copiesCopies: false, extraFields: 'ignored', cards: [] }],
  ['1.0.0', { putAwayIsDiscarded: true, copiesCopies: true, extraFields: 'ignored', cards: [] }],
]);

/** Versions that can be played and replayed, the newest first. */
export const PLAYABLE: readonly string[] = [...VERSIONS.keys()];

/** Details of a version. Throws a RangeError that names those there are. */
export function detailsOf(version: string): VersionDetails {
  const found = VERSIONS.get(version);
  if (found !== undefined) return found;
  throw new RangeError(`There are no rules bakugan ${version} here; there are ${PLAYABLE.join(', ')}.`);
}
