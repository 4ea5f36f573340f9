import type { CoreId, Side } from '../../ids.ts';
import type { GameInput, Refusal } from '../ruleset.ts';
import { cellsToPlace, fieldHasCores } from './field.ts';
import { type Move, nameOf, patchCore, refuse, say } from './move.ts';
import { textIn } from './read-input.ts';

/** Lays one of these cores on a legal cell (4.7.3), one of `open`. Returns the core, or why it cannot be. */
export function placeCore(
  move: Move,
  input: GameInput,
  player: Side,
  cores: readonly CoreId[],
  open = cellsToPlace(move.state),
): { readonly core: CoreId } | Refusal {
  const core = textIn(input, 'core');
  const cell = textIn(input, 'cell');
  if (core === undefined || !cores.includes(core)) {
    return refuse(
      'place/not-that-core',
      `You have to place one of these cores: ${cores.join(', ')}.`,
      '4.7.3',
    );
  }
  if (cell === undefined || !move.state.options.field.some((one) => one.cell === cell)) {
    return refuse('place/no-such-cell', 'There is no such cell on this mat.', '4.7.3');
  }
  if (move.state.cores.some((one) => one.cell === cell)) {
    return refuse('place/taken', `Another core lies on ${cell}.`, '4.7.3');
  }
  if (!open.includes(cell)) {
    return fieldHasCores(move.state)
      ? refuse('place/not-adjacent', 'A core must lie side to side with another core of the field.', '4.7.3')
      : refuse(
          'place/not-in-the-middle',
          'The first core lies midway between the players.',
          '1.4.3',
          'AM-21',
        );
  }
  patchCore(move, core, { cell, heldBy: [] });
  const text = `${nameOf(move, player)} places core ${core} on ${cell}.`;
  say(move, 'field/placed', ['4.7.3'], text, { player, core, cell });
  return { core };
}
