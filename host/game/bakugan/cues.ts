import { type CellId, SIDES } from '../../ids.ts';
import type { Cue } from '../ruleset.ts';
import { cellsToPlace } from './field.ts';
import { brawlerOf, coreOf, coresOf, type GameState, sideOf } from './state.ts';
import { actingPlayers } from './waiting.ts';

function fieldCues(state: GameState): readonly Cue[] {
  return state.options.field.map(({ cell }): Cue => {
    const core = state.cores.find((one) => one.cell === cell);
    return core === undefined ? { cue: 'vacant', cell } : { cue: 'core', cell, owner: sideOf(core.core) };
  });
}

/** Cells from which the Bakugan of this Brawl took their cores, and cores they opened on without staying. */
function brawlCues(state: GameState): readonly Cue[] {
  const cues: Cue[] = [];
  for (const player of SIDES) {
    const bakugan = brawlerOf(state, player);
    if (bakugan === undefined) continue;
    const cells = coresOf(state, bakugan.id).flatMap(({ from }) => (from === null ? [] : [from]));
    for (const cell of cells) cues.push({ cue: 'attached', cell, player });
    if (cells.length === 0) {
      const touched = state.roll?.results.find((result) => result.player === player)?.touched ?? [];
      for (const core of touched) {
        const cell = coreOf(state, core)?.cell;
        if (cell !== null && cell !== undefined) cues.push({ cue: 'opened', cell, player });
      }
    }
    if (state.victor === player) cues.push({ cue: 'victor', player, cells });
  }
  return cues;
}

function placeCues(state: GameState): readonly Cue[] {
  const player = state.returning[0]?.player ?? (state.at === 'SU-4' ? state.acting : null);
  if (player === null) return [];
  return cellsToPlace(state).map((cell: CellId): Cue => ({ cue: 'may-place', cell, player }));
}

/** What light and screens may show now. */
export function cuesOf(state: GameState): readonly Cue[] {
  const cues: Cue[] = [...fieldCues(state), ...brawlCues(state), ...placeCues(state)];
  if (state.at === 'ST-5' || state.at === 'ST-8r') cues.push({ cue: 'rolling' });
  if (state.at === 'ST-6') cues.push({ cue: 'judge-needed' });
  for (const player of actingPlayers(state)) cues.push({ cue: 'acts', player });
  if (state.winner !== null) cues.push({ cue: 'game-over', winner: state.winner });
  return cues;
}
