import type { CellId } from '../../ids.ts';
import type { GameState } from './state.ts';

/**
 * Cells where a core may be laid now: vacant and side to side with a core of the field (4.7.3). On an empty field, the
 * cells nearest to the middle between the players (1.4.3, AM-21).
 */
export function cellsToPlace(state: GameState): readonly CellId[] {
  const { field, middle } = state.options;
  const taken = new Set<CellId>();
  for (const core of state.cores) if (core.cell !== null) taken.add(core.cell);
  if (taken.size === 0) return middle;
  const open: CellId[] = [];
  for (const one of field) {
    if (!taken.has(one.cell) && one.near.some((near) => taken.has(near))) open.push(one.cell);
  }
  return open;
}

/** Whether any core lies on the field. */
export function fieldHasCores(state: GameState): boolean {
  return state.cores.some((core) => core.cell !== null);
}
