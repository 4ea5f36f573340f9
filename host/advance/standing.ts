import type { Cue, GameInput, LegalInput, Refusal } from '../game/ruleset.ts';
import type { CellId } from '../ids.ts';

/** What sensors say against laying a core on a cell. */
export type InTheWay = {
  /** Cells on which a ball stands. */
  readonly standing: readonly CellId[];
  /** Cells whose tile reports no core side to side with it. */
  readonly alone: readonly CellId[];
};

/** Whether sensors say nothing against laying a core anywhere, which is the usual case. */
export function isFree({ standing, alone }: InTheWay): boolean {
  return standing.length === 0 && alone.length === 0;
}

/**
 * Cells where a core may be laid by the rules and sensors say that it cannot: a ball stands in the way, or no core lies
 * beside that tile. Empty when no other cell is left: then people have to say how it is.
 */
export function blockedCells(cues: readonly Cue[], { standing, alone }: InTheWay): ReadonlySet<CellId> {
  const open = cues.flatMap((cue) => (cue.cue === 'may-place' ? [cue.cell] : []));
  const blocked = open.filter((cell) => standing.includes(cell) || alone.includes(cell));
  return new Set(blocked.length < open.length ? blocked : []);
}

/** Cells that hold a core by these cues. */
export function coresIn(cues: readonly Cue[]): ReadonlySet<CellId> {
  return new Set(cues.flatMap((cue) => (cue.cue === 'core' ? [cue.cell] : [])));
}

/** Cells whose core is held elsewhere. */
export function vacantIn(cues: readonly Cue[]): ReadonlySet<CellId> {
  return new Set(cues.flatMap((cue) => (cue.cue === 'vacant' ? [cue.cell] : [])));
}

/** The cues without places where no core can be laid. */
export function cuesFree(cues: readonly Cue[], blocked: ReadonlySet<CellId>): readonly Cue[] {
  return blocked.size === 0 ? cues : cues.filter((cue) => cue.cue !== 'may-place' || !blocked.has(cue.cell));
}

/** What may be done, without laying a core where none can be. */
export function legalFree(legal: readonly LegalInput[], blocked: ReadonlySet<CellId>): readonly LegalInput[] {
  if (blocked.size === 0) return legal;
  return legal.filter(({ input }) => typeof input.cell !== 'string' || !blocked.has(input.cell));
}

/** Why this input cannot be: sensors say that no core can be laid there. A judge may, who sees that they are wrong. */
export function cannotLie(
  input: GameInput,
  blocked: ReadonlySet<CellId>,
  { standing }: InTheWay,
): Refusal | undefined {
  const { cell, by } = input;
  if (typeof cell !== 'string' || !blocked.has(cell) || by.role === 'judge') return undefined;
  if (!standing.includes(cell)) {
    const message = `The tile of ${cell} reports no core side to side with it: set it beside a core of the field, choose another cell, or ask a judge.`;
    return { code: 'place/reported-alone', message, rules: ['4.7.3'] };
  }
  const message = `A ball stands on ${cell}: take it off the mat first, or choose another cell.`;
  return { code: 'place/ball-stands', message, rules: ['4.7.3'] };
}
