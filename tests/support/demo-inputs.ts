import type { LegalInput } from '../../host/game/ruleset.ts';
import type { Side } from '../../host/ids.ts';

/** An input that a player or the judge may give now, with what is asked of them. */
export function legal(
  player: Side | 'judge',
  label: string,
  rules: readonly string[],
  input: LegalInput['input'],
  ask: LegalInput['ask'] = [],
): LegalInput {
  return { player, label, rules, input, ask };
}

/** A window of the Brawl Phase: pass or play a card, conceding aside. */
export const PASSES: readonly LegalInput[] = [
  legal('A', 'Pass', ['5.1.3'], { type: 'pass' }),
  {
    ...legal(
      'A',
      'Play a card on Dragonoid Ultra',
      ['6.2.1', '1.3.1'],
      { type: 'modify', bakugan: 'A/1', bPower: 100, damage: 0, until: 'turn', label: 'Card', cost: 0 },
      [
        { field: 'bPower', kind: 'integer', min: -5000, max: 5000 },
        { field: 'damage', kind: 'integer', min: -50, max: 50 },
        { field: 'label', kind: 'text', longest: 80 },
        { field: 'cost', kind: 'integer', min: 0, max: 2 },
      ],
    ),
    aside: true,
  },
  { ...legal('A', 'Concede: Jonas wins', ['1.5'], { type: 'concede' }), aside: true },
  { ...legal('B', 'Concede: Mira wins', ['1.5'], { type: 'concede' }), aside: true },
];

/** As the ruleset lists them: every set of cores each ball may hold, a new roll, and corrections aside. */
export const JUDGING: readonly LegalInput[] = [
  ...(['A', 'B'] as const).flatMap((player) =>
    [undefined, [], ['A3'], ['B3'], ['A3', 'B3'], ['B1'], ['A4'], ['B2'], ['A4', 'B2']].map((cores) =>
      legal(
        'judge',
        cores === undefined
          ? `${player} did not open`
          : `${player} opened and holds ${cores.join(' and ') || 'no core'}`,
        ['5.7.2', 'AM-39'],
        {
          type: 'judge-roll',
          roll: 't3.2',
          reason: 'Judge ruling',
          results: [{ player, opened: cores === undefined ? 'no' : 'yes', cores: cores ?? [] }],
        },
        [{ field: 'reason', kind: 'text', longest: 200 }],
      ),
    ),
  ),
  legal('judge', 'Both roll again', ['5.7.2', 'AM-39'], {
    type: 'judge-roll',
    roll: 't3.2',
    reason: 'Judge ruling',
    verdict: 'again',
  }),
  {
    ...legal(
      'judge',
      "Correct Mira's deck",
      ['AM-39'],
      { type: 'count', player: 'A', zone: 'deck', count: 24, reason: 'Judge ruling' },
      [
        { field: 'count', kind: 'integer', min: 0, max: 60 },
        { field: 'reason', kind: 'text', longest: 200 },
      ],
    ),
    aside: true,
  },
];
