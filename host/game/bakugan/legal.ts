import { type CoreId, opponentOf, SIDES, type Side } from '../../ids.ts';
import type { Ask, LegalInput } from '../ruleset.ts';
import { cellsToPlace } from './field.ts';
import { MOST_B_POWER, MOST_COST, MOST_DAMAGE } from './hand-entry.ts';
import { decisions, playable, shownFlip } from './legal-cards.ts';
import { legalForJudge } from './legal-judge.ts';
import { coresToPlace } from './set-up.ts';
import { coreOf, type GameState } from './state.ts';
import { HIGHEST_COST } from './tie-break.ts';
import { knownCard, titleOf } from './top.ts';

const LABEL: Ask = { field: 'label', kind: 'text', longest: 80 };

/** What a person may fill in for a card that the game does not know. */
export const MODIFIER_FIELDS: readonly Ask[] = [
  { field: 'bPower', kind: 'integer', min: -MOST_B_POWER, max: MOST_B_POWER },
  { field: 'damage', kind: 'integer', min: -MOST_DAMAGE, max: MOST_DAMAGE },
  LABEL,
];

function places(
  state: GameState,
  player: Side,
  cores: readonly CoreId[],
  rules: readonly string[],
): LegalInput[] {
  const cells = cellsToPlace(state);
  return cores.flatMap((core) => {
    // The cell it came from first: with few vacant cells it mostly goes back there.
    const from = coreOf(state, core)?.from;
    const order = [...cells].sort((a, b) => Number(b === from) - Number(a === from));
    return order.map((cell) => ({
      player,
      label: `Place core ${core} on ${cell}`,
      rules,
      input: { type: 'place', core, cell },
    }));
  });
}

function modifiers(state: GameState, player: Side): LegalInput[] {
  const own = state.players[player];
  const rules = ['6.2.1', '1.3.1'];
  const most = Math.min(MOST_COST, own.pool + own.charged.count);
  const cardFields: readonly Ask[] = [
    ...MODIFIER_FIELDS,
    { field: 'cost', kind: 'integer', min: 0, max: most },
  ];
  const list: LegalInput[] = [];
  for (const side of SIDES) {
    for (const bakugan of state.players[side].bakugan) {
      const title = titleOf(state, bakugan);
      const input = {
        type: 'modify',
        bakugan: bakugan.id,
        bPower: 100,
        damage: 0,
        until: 'turn',
        label: 'Card',
      };
      const ability = `Use an ability on ${title}`;
      list.push({ player, label: ability, rules, input, ask: MODIFIER_FIELDS, aside: true });
      if (own.hand.count === 0) continue;
      const card = `Play a card on ${title}`;
      list.push({ player, label: card, rules, input: { ...input, cost: 0 }, ask: cardFields, aside: true });
    }
  }
  return list;
}

function inWindow(state: GameState, player: Side): readonly LegalInput[] {
  const { window } = state;
  if (window === null || window.holder !== player) return [];
  return [
    { player, label: 'Pass', rules: ['1.14', '5.1.3'], input: { type: 'pass' } },
    ...playable(state, player),
    ...modifiers(state, player),
  ];
}

function energize(state: GameState, player: Side): LegalInput[] {
  if (state.acting !== player) return [];
  const rules = ['5.4.1', '5.4.2'];
  const { hand } = state.players[player];
  const none: LegalInput = {
    player,
    label: 'Do not energize',
    rules,
    input: { type: 'energize', energize: false },
  };
  if (hand.count === 0) return [none];
  const some = [...new Set(hand.known)].map(
    (card): LegalInput => ({
      player,
      label: `Energize ${knownCard(state, card)?.name ?? card}`,
      rules,
      input: { type: 'energize', energize: true, card },
    }),
  );
  if (hand.count > hand.known.length) {
    some.unshift({
      player,
      label: 'Energize a card from hand',
      rules,
      input: { type: 'energize', energize: true },
    });
  }
  return [...some, none];
}

function select(state: GameState, player: Side): LegalInput[] {
  const [head] = state.returning;
  if (head !== undefined) {
    return head.player === player ? places(state, player, head.cores, ['4.7.3', '5.6.1']) : [];
  }
  if (state.acting !== player) return [];
  return state.players[player].bakugan.flatMap((bakugan) =>
    bakugan.open
      ? []
      : [
          {
            player,
            label: `Choose ${titleOf(state, bakugan)}`,
            rules: ['5.6.1'],
            input: { type: 'select', bakugan: bakugan.id },
          },
        ],
  );
}

function tieFlips(state: GameState, player: Side): LegalInput[] {
  if (state.tie === null || state.tie[player] !== null || state.players[player].deck.count === 0) return [];
  const { deck } = state.players[player];
  if (deck.known.length === deck.count) {
    return [{ player, label: 'Turn the top card', rules: ['5.10.1', 'AM-03'], input: { type: 'tie-flip' } }];
  }
  const costs = ['X', ...Array.from({ length: HIGHEST_COST + 1 }, (_, cost) => cost)];
  return costs.map((cost) => ({
    player,
    label: `Turned a card of cost ${cost}`,
    rules: ['5.10.1', 'AM-03'],
    input: { type: 'tie-flip', cost },
  }));
}

function flips(state: GameState, player: Side): LegalInput[] {
  const { damage } = state;
  if (damage === null || damage.to !== player) return [];
  const most = Math.min(damage.amount - damage.flipped, state.players[player].deck.count);
  const { deck } = state.players[player];
  const isKnown = deck.known.length === deck.count;
  const list: LegalInput[] = [];
  // All at once first: the usual case.
  for (let count = most; count >= 1; count -= 1) {
    const cards = `${count} card${count === 1 ? '' : 's'}`;
    list.push({ player, label: `Flip ${cards}`, rules: ['5.11.1'], input: { type: 'flip', count } });
    if (isKnown) continue;
    for (const stop of [false, true]) {
      list.push({
        player,
        label: `Flip ${cards}; the last is a Flip card, played${stop ? ': Stop' : ''}`,
        rules: ['5.11.2', '5.11.2.1'],
        input: { type: 'flip', count, flipCard: 'Flip card', stop },
        ask: [{ field: 'flipCard', kind: 'text', longest: 80 }],
        aside: true,
      });
    }
  }
  return list;
}

function inState(state: GameState, player: Side): readonly LegalInput[] {
  const [placing] = state.returning;
  if (placing !== undefined && state.at !== 'ST-3' && state.at !== 'ST-12') {
    return placing.player === player ? places(state, player, placing.cores, ['4.7.3', '7.2.5']) : [];
  }
  if (state.decision !== null) return decisions(state, player);
  switch (state.at) {
    case 'SU-4':
      return state.acting === player
        ? places(state, player, coresToPlace(state, player), ['1.4.3', '4.7.3'])
        : [];
    case 'ST-2':
      return energize(state, player);
    case 'ST-3':
      return select(state, player);
    case 'ST-8t':
      return tieFlips(state, player);
    case 'ST-10':
      return flips(state, player);
    case 'ST-12': {
      const [head] = state.returning;
      return head?.player === player ? places(state, player, head.cores, ['4.7.3', '5.13.2', '5.13.3']) : [];
    }
    case 'ST-10f':
      return state.shown === null ? inWindow(state, player) : shownFlip(state, player);
    case 'ST-4':
    case 'ST-8':
    case 'ST-9':
    case 'ST-11':
    case 'ST-13':
      return inWindow(state, player);
    case 'ST-1':
    case 'ST-5':
    case 'ST-6':
    case 'ST-7':
    case 'ST-8r':
    case 'ST-14':
    case 'ST-15':
    case 'GO':
      return [];
    default:
      return state.at satisfies never;
  }
}

/**
 * Everything that a player or a judge may do now, with targets. Each entry is accepted as it stands; fields in `ask` may
 * be filled in otherwise. Rolls come from sensors and are not listed.
 */
export function legalFor(state: GameState, player: Side | 'judge'): readonly LegalInput[] {
  if (state.winner !== null) return [];
  if (player === 'judge') return legalForJudge(state);
  const concede: LegalInput = {
    player,
    label: `Concede: ${state.players[opponentOf(player)].name} wins`,
    rules: ['1.5'],
    input: { type: 'concede' },
    aside: true,
  };
  return [...inState(state, player), concede];
}
