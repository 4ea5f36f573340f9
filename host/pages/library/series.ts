import type { MatchSeen } from '../../displays/archive-messages.ts';

/** What stands together in the list: one match of several games with its games, the first one first, or a game by itself. */
export type Entry = { readonly key: string; readonly games: readonly MatchSeen[]; readonly series: boolean };

/** Games of one match are brought together where its newest one stands; the order is kept else. */
export function entriesOf(matches: readonly MatchSeen[]): readonly Entry[] {
  const entries = new Map<string, MatchSeen[]>();
  for (const match of matches) {
    const key = `${match.table}/${match.series?.of ?? match.id}`;
    entries.set(key, [match, ...(entries.get(key) ?? [])]);
  }
  return [...entries].map(([key, games]) => ({ key, games, series: games[0]?.series !== undefined }));
}

/** How a match of several games stands by those of its games that are listed: `Aiko 2 – 1 Ben`. */
export function seriesLine(games: readonly MatchSeen[]): string {
  const newest = games.at(-1);
  if (newest === undefined) return '';
  const { players } = newest;
  // A game that was broken off and begun anew counts once, as it was played to its end.
  const last = new Map(games.map((game) => [game.series?.game ?? 0, game.winner]));
  const won = (side: 'A' | 'B'): number => [...last.values()].filter((winner) => winner === side).length;
  const score = `${players.A} ${won('A')} – ${won('B')} ${players.B}`;
  const ended = newest.series?.ended;
  if (ended === undefined) return score;
  return ended === 'A' || ended === 'B'
    ? `${score}, ended early: ${players[ended]} won the match`
    : `${score}, ended early without a winner`;
}
