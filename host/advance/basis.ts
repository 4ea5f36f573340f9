import type { TableState } from './state.ts';

/**
 * Names a game as it stands: which game, how many steps, and a 32-bit digest of its state (FNV-1a). Two that are equal
 * mean that what was looked at is what is changed; it guards against haste, not against fraud.
 */
export function basisOf({ game, play }: Pick<TableState, 'game' | 'play'>): string {
  let digest = 0x811c9dc5;
  const text = JSON.stringify(play.state);
  for (let i = 0; i < text.length; i++) digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193);
  return `${game}.${play.seq}.${(digest >>> 0).toString(16)}`;
}
