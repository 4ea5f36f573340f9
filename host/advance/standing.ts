import type { Cue, GameInput, LegalInput, Refusal } from '../game/ruleset.ts';
import type { CellId } from '../ids.ts';

/**
 * Cells where a core may be laid by the rules and a ball stands in the way. Empty when no other cell is left: then
 * people have to say how it is.
 */
export function blockedCells(cues: readonly Cue[], standing: readonly CellId[]): ReadonlySet<CellId> {
  const open = cues.flatMap((cue) => (cue.cue === 'may-place' ? [cue.cell] : []));
  const blocked = open.filter((cell) => standing.includes(cell));
  return new Set(blocked.length < open.length ? blocked : []);
}

/** The cues without places on which a ball stands. */
export function cuesFree(cues: readonly Cue[], blocked: ReadonlySet<CellId>): readonly Cue[] {
  return blocked.size === 0 ? cues : cues.filter((cue) => cue.cue !== 'may-place' || !blocked.has(cue.cell));
}

/** What may be done, without laying a core where a ball stands. */
export function legalFree(legal: readonly LegalInput[], blocked: ReadonlySet<CellId>): readonly LegalInput[] {
  if (blocked.size === 0) return legal;
  return legal.filter(({ input }) => typeof input.cell !== 'string' || !blocked.has(input.cell));
}

/** Why this input cannot be: it lays something where a ball stands. A judge may, who sees that the sensors are wrong. */
export function ballInTheWay(input: GameInput, blocked: ReadonlySet<CellId>): Refusal | undefined {
  const { cell, by } = input;
  if (typeof cell !== 'string' || !blocked.has(cell) || by.role === 'judge') return undefined;
  const message = `A ball stands on ${cell}: take it off the mat first, or choose another cell.`;
  return { code: 'place/ball-stands', message, rules: ['4.7.3'] };
}
