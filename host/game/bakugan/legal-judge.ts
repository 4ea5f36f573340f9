import { type CoreId, SIDES, type Side } from '../../ids.ts';
import type { Ask, LegalInput } from '../ruleset.ts';
import { MOST_B_POWER, MOST_DAMAGE } from './hand-entry.ts';
import { COUNTED, MOST_CARDS } from './judge.ts';
import { type GameState, rerollerOf } from './state.ts';
import { titleOf } from './top.ts';

const REASON: Ask = { field: 'reason', kind: 'text', longest: 200 };
const WHY = 'Judge ruling';

/** Sets of cores that a ball may hold: none, one, or two that lie side to side. */
function coreSets(state: GameState): readonly (readonly CoreId[])[] {
  const onField = state.cores.flatMap(({ core, cell }) => (cell === null ? [] : [{ core, cell }]));
  const pairs = onField.flatMap((one, index) => {
    const near = state.options.field.find(({ cell }) => cell === one.cell)?.near ?? [];
    return onField
      .slice(index + 1)
      .filter((other) => near.includes(other.cell))
      .map((other) => [one.core, other.core]);
  });
  return [[], ...onField.map(({ core }) => [core]), ...pairs];
}

function rollRulings(state: GameState): LegalInput[] {
  const { roll } = state;
  if (roll === null) return [];
  const entry = (label: string, fields: LegalInput['input']): LegalInput => ({
    player: 'judge',
    label,
    rules: ['5.7.2', 'AM-39'],
    input: fields,
    ask: [REASON],
  });
  const base = { type: 'judge-roll', roll: roll.id, reason: WHY };
  const sets = coreSets(state);
  const reroller = rerollerOf(state);
  const rollers = reroller === null ? SIDES : [reroller];
  const results = rollers.flatMap((player: Side) => {
    const { name } = state.players[player];
    return [
      entry(`${name} did not open`, { ...base, results: [{ player, opened: 'no', cores: [] }] }),
      ...sets.map((cores) =>
        entry(`${name} opened and holds ${cores.length === 0 ? 'no core' : cores.join(' and ')}`, {
          ...base,
          results: [{ player, opened: 'yes', cores }],
        }),
      ),
    ];
  });
  return [
    ...results,
    entry('Both roll again', { ...base, verdict: 'again' }),
    entry('Go on without a Brawl', { ...base, verdict: 'no-brawl' }),
  ];
}

function counts(state: GameState): LegalInput[] {
  return SIDES.flatMap((player) =>
    COUNTED.map(
      (zone): LegalInput => ({
        player: 'judge',
        label: `Correct ${state.players[player].name}'s ${zone}`,
        rules: ['AM-39'],
        input: { type: 'count', player, zone, count: state.players[player][zone].count, reason: WHY },
        ask: [{ field: 'count', kind: 'integer', min: 0, max: MOST_CARDS }, REASON],
        aside: true,
      }),
    ),
  );
}

function corrections(state: GameState): LegalInput[] {
  return SIDES.flatMap((side) => state.players[side].bakugan).map(
    (bakugan): LegalInput => ({
      player: 'judge',
      label: `Correct the values of ${titleOf(state, bakugan)}`,
      rules: ['AM-39'],
      input: { type: 'modify', bakugan: bakugan.id, bPower: 100, damage: 0, until: 'turn', label: WHY },
      ask: [
        { field: 'bPower', kind: 'integer', min: -MOST_B_POWER, max: MOST_B_POWER },
        { field: 'damage', kind: 'integer', min: -MOST_DAMAGE, max: MOST_DAMAGE },
        { field: 'label', kind: 'text', longest: 80 },
      ],
      aside: true,
    }),
  );
}

/** Everything that a judge may do now: rule on a live or doubtful roll, and correct counts and values. */
export function legalForJudge(state: GameState): readonly LegalInput[] {
  const rolls = state.at === 'ST-5' || state.at === 'ST-6' || state.at === 'ST-8r' ? rollRulings(state) : [];
  const time: LegalInput = {
    player: 'judge',
    label: 'Call time',
    rules: ['D-8.3'],
    input: { type: 'time' },
    aside: true,
  };
  return [...rolls, ...(state.timeCalled ? [] : [time]), ...counts(state), ...corrections(state)];
}
