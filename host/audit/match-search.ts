import type { Match } from './matches.ts';

/** Matches in which every word is found: in id, players, ruleset, start, winner, `undetermined`, `corrected`, `removed`. */
export function searchMatches(matches: readonly Match[], words: readonly string[]): readonly Match[] {
  const wanted = words.map((word) => word.toLowerCase());
  return matches.filter((match) => {
    const { id, players, ruleset, startedAt, winner, undetermined, corrections } = match;
    const text = [
      id,
      players.A,
      players.B,
      ruleset,
      startedAt ?? '',
      winner === null ? 'unfinished' : `winner ${winner}`,
      undetermined > 0 ? 'undetermined' : '',
      corrections > 0 ? 'corrected' : '',
      match.removed === undefined ? '' : 'removed',
    ]
      .join('\u0000')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
