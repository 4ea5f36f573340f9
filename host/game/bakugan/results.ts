import type { CoreId, Json, Side } from '../../ids.ts';
import type { Actor, Refusal } from '../ruleset.ts';
import { refuse } from './move.ts';
import { isList, sideIn } from './read-input.ts';
import { type BallResult, coreOf, type GameState } from './state.ts';

/** Most cores that one ball holds after a roll. */
export const MOST_CORES = 2;

/** A result of which nothing is known: still rolling, or in doubt. */
export function openResult(player: Side, opened: 'pending' | 'undetermined'): BallResult {
  return { player, opened, cores: [], possible: [], touched: [], judged: false };
}

function coreList(state: GameState, value: Json | undefined): readonly CoreId[] | Refusal {
  if (value === undefined) return [];
  if (!isList(value)) return refuse('roll/bad-cores', 'Cores are given as a list.', '5.7.2');
  const cores: CoreId[] = [];
  for (const one of value) {
    const core = typeof one === 'string' ? coreOf(state, one) : undefined;
    if (core === undefined || cores.includes(core.core)) {
      return refuse('roll/bad-cores', 'A core is unknown or named twice.', '5.7.2');
    }
    if (core.cell === null) {
      const message = `Core ${core.core} does not lie on the field; its cell counts as table.`;
      return refuse('roll/core-not-on-field', message, '5.7.1.4', '5.7.1.4.1');
    }
    cores.push(core.core);
  }
  return cores;
}

function resultOf(state: GameState, value: Json): BallResult | Refusal {
  if (typeof value !== 'object' || value === null || isList(value)) {
    return refuse('roll/bad-result', 'A result names a player, whether it opened, and its cores.', '5.7.2');
  }
  const player = sideIn(value.player);
  const { opened } = value;
  if (player === undefined || (opened !== 'yes' && opened !== 'no' && opened !== 'undetermined')) {
    return refuse(
      'roll/bad-result',
      'A result names a player and whether it opened: yes, no or undetermined.',
      '5.7.2',
    );
  }
  const cores = coreList(state, value.cores);
  if ('code' in cores) return cores;
  const possible = coreList(state, value.possible);
  if ('code' in possible) return possible;
  const touched = coreList(state, value.touched);
  if ('code' in touched) return touched;
  if (opened !== 'yes' && (cores.length > 0 || possible.length > 0)) {
    return refuse(
      'roll/attached-but-closed',
      'Only a Bakugan that opened can hold a core.',
      '5.7.2',
      '5.7.2.3',
    );
  }
  if (cores.length > MOST_CORES) {
    return refuse('roll/too-many-cores', `A ball holds at most ${MOST_CORES} cores.`, '5.7.2');
  }
  const doubtful = possible.filter((one) => !cores.includes(one));
  return { player, opened, cores, possible: doubtful, touched, judged: false };
}

/** The results in an input, each player at most once, or why they cannot be used. */
export function resultsIn(
  state: GameState,
  value: Json | Actor | undefined,
): readonly BallResult[] | Refusal {
  if (!isList(value) || value.length === 0) {
    return refuse('roll/no-results', 'Say for each player whether their Bakugan opened.', '5.7.2');
  }
  const results: BallResult[] = [];
  for (const one of value) {
    const result = resultOf(state, one);
    if ('code' in result) return result;
    if (results.some((other) => other.player === result.player)) {
      return refuse('roll/player-twice', 'A player has one result in a roll.', '5.7.2');
    }
    results.push(result);
  }
  return results;
}

/** Whether nothing about a result is open any more. */
export function isSettled(result: BallResult): boolean {
  return (result.opened === 'yes' || result.opened === 'no') && result.possible.length === 0;
}

/** Players named as offenders in a ruling, and whether an offence names nobody. */
export function offendersIn(value: Json | Actor | undefined): {
  readonly players: readonly Side[];
  readonly nobody: boolean;
  readonly text: string;
} {
  const players = new Set<Side>();
  let nobody = false;
  const texts: string[] = [];
  for (const one of isList(value) ? value : []) {
    if (typeof one !== 'object' || one === null || isList(one)) continue;
    const player = sideIn(one.player);
    if (player === undefined) nobody = true;
    else players.add(player);
    if (typeof one.text === 'string') texts.push(one.text);
  }
  return { players: [...players], nobody, text: texts.join(' ') };
}
