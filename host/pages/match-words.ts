import type { BakuganView } from '../game/bakugan/view.ts';
import type { MatchSeen } from '../scene/scene.ts';
import { nameOf } from './bakugan-scene.ts';

/** How a match of several games stands: `Game 2 of 3, 1–0`. */
export function matchScore({ game, bestOf, won }: MatchSeen): string {
  return `Game ${game} of ${bestOf}, ${won.A}–${won.B}`;
}

/** What there is to say of a match after one of its games, or once it was ended. */
export function matchLine(match: MatchSeen, view: BakuganView | undefined): string {
  const score = `${match.won.A}–${match.won.B}`;
  if (match.ended !== undefined) return endedLine(match, match.ended, view);
  if (match.winner === null) {
    const next =
      match.chooser === undefined
        ? 'The next game waits to be begun.'
        : `${nameOf(view, match.chooser)} says who begins the next one.`;
    return `${matchScore(match)}. ${next}`;
  }
  if (match.winner === 'draw') return `The match is drawn, ${score}.`;
  return `The match goes to ${nameOf(view, match.winner)}, ${score}.`;
}

function endedLine(
  match: MatchSeen,
  { by, why }: NonNullable<MatchSeen['ended']>,
  view: BakuganView | undefined,
): string {
  const score = `${match.won.A}–${match.won.B} in games`;
  if (by.role === 'player') return `${nameOf(view, by.player ?? 'A')} concedes the match, ${score}.`;
  const who = by.name ?? (by.role === 'judge' ? 'A judge' : 'The operator');
  return `${who} ended the match, ${score}: ${why}`;
}

/**
 * Games as an evening of rounds counts them: who was given a match that was not played out is counted the wins that were
 * missing.
 */
export function countedGames({ won, winner, ended }: MatchSeen): { readonly A: number; readonly B: number } {
  if (ended === undefined || winner === null) return won;
  if (winner === 'draw') return { A: Math.max(won.A, won.B), B: Math.max(won.A, won.B) };
  return winner === 'A' ? { A: 2, B: won.B } : { A: won.A, B: 2 };
}
