import { type CoreId, opponentOf, SIDES, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { roll } from './chance.ts';
import { cellsToPlace } from './field.ts';
import { type Move, type Next, nameOf, patch, patchPlayer, refuse, say, startMove, takeTop } from './move.ts';
import type { CheckedOptions } from './options.ts';
import type { Phase } from './phase.ts';
import { mixed } from './piles.ts';
import { placeCore } from './placing.ts';
import { playerIn } from './read-input.ts';
import {
  type BakuganState,
  type CoreState,
  type GameState,
  type PlayerState,
  sideOf,
  type Zone,
} from './state.ts';
import type { Team } from './team.ts';
import { detailsOf } from './versions.ts';

/** Cards drawn before the first turn (SU-5). */
const OPENING_HAND = 5;

// A registered deck that the game deals is known in full; one shuffled on the table is known as a list only.
function deckOf(deck: Team['deck'], hands: CheckedOptions['hands']): Zone {
  if (typeof deck === 'number') return { count: deck, known: [] };
  return { count: deck.length, known: hands === 'dealt' ? deck : [] };
}

function playerAt(options: CheckedOptions, side: Side): PlayerState {
  const team = options.players[side];
  const none = { count: 0, known: [] };
  const bakugan = (place: number): BakuganState => ({
    id: `${side}/${place}`,
    card: team.characters[place - 1] ?? '',
    open: false,
    revealed: false,
    modifiers: [],
    evos: [],
    openedIn: 0,
  });
  return {
    name: team.name,
    deck: deckOf(team.deck, options.hands),
    hand: none,
    discard: none,
    charged: none,
    uncharged: none,
    pool: 0,
    played: [],
    discarded: [],
    nextCost: 0,
    frozen: 0,
    attack: [],
    bakugan: [bakugan(1), bakugan(2), bakugan(3)],
  };
}

function coresAt(options: CheckedOptions): readonly CoreState[] {
  return SIDES.flatMap((side) =>
    options.players[side].cores.map((print, index) => ({
      core: `${side}${index + 1}`,
      print,
      cell: null,
      heldBy: [],
      from: null,
      known: false,
    })),
  );
}

/** SU-1 to SU-3: teams checked, placing player chosen (1.4.2), Characters face down (1.4.1), no core laid yet. */
export function setUp(options: CheckedOptions, version: string): Move {
  const state: GameState = {
    version,
    options,
    chance: options.seed,
    at: 'SU-4',
    turn: 0,
    startingPlayer: 'A',
    acting: null,
    players: { A: playerAt(options, 'A'), B: playerAt(options, 'B') },
    cores: coresAt(options),
    selected: { A: null, B: null },
    window: null,
    objects: 0,
    decision: null,
    resolving: null,
    frames: [],
    triggered: [],
    watches: [],
    heroes: [],
    cards: [...options.cards, ...detailsOf(version).cards],
    used: [],
    copies: { A: 0, B: 0 },
    compare: 'bPower',
    rolled: { A: null, B: null },
    rerolls: 0,
    roll: null,
    tie: null,
    victor: null,
    teamAttack: false,
    damage: null,
    flip: null,
    shown: null,
    returning: [],
    timeCalled: false,
    winner: null,
    log: [],
  };
  const move = startMove(state);
  const first = options.placing === 'random' ? (roll(move, 2) === 0 ? 'A' : 'B') : options.placing;
  patch(move, { acting: first });
  say(move, 'setup/placing-player', ['1.4.2', '7.5'], `${nameOf(move, first)} places the first core.`, {
    player: first,
  });
  return move;
}

/** The player's cores that are not laid yet, in set-up. */
export function coresToPlace(state: GameState, player: Side): readonly CoreId[] {
  return state.cores
    .filter((core) => core.cell === null && sideOf(core.core) === player)
    .map((core) => core.core);
}

/** After a core was laid: the other player's turn, or the opening hands (SU-5) and the first turn (SU-6). */
function afterPlacing(move: Move, player: Side): Next {
  if (move.state.cores.some((core) => core.cell === null)) {
    patch(move, { acting: opponentOf(player) });
    return 'stay';
  }
  patch(move, { acting: null, startingPlayer: player });
  for (const side of SIDES) {
    const deck = mixed(move, move.state.players[side].deck);
    const taken = takeTop(deck, OPENING_HAND);
    const hand = { count: taken.cards.length, known: taken.cards.filter((card) => card !== '') };
    patchPlayer(move, side, { deck: taken.zone, hand });
  }
  if (move.state.options.mode === 'full') {
    say(move, 'setup/opening-hands', ['1.4'], `Both players shuffle and draw ${OPENING_HAND} cards.`);
  }
  const text = `${nameOf(move, player)} placed the last core and starts.`;
  say(move, 'setup/starting-player', ['1.14.1', 'AM-01'], text, { player });
  return 'ST-1';
}

/** SU-4: players lay their cores in turn, the first one in the middle, the others side to side (1.4.3, 4.7.3). */
export const settingUp: Phase = {
  rules: ['1.4.3', '4.7.3'],
  enter(move) {
    if (move.state.options.placement === 'by-hand') return 'stay';
    let next: Next = 'stay';
    while (next === 'stay') {
      const player = move.state.acting ?? 'A';
      const cores = coresToPlace(move.state, player);
      const cells = cellsToPlace(move.state);
      const core = cores[roll(move, cores.length)] ?? '';
      const cell = cells[roll(move, cells.length)] ?? '';
      const input = { type: 'place', by: { role: 'automatic' }, core, cell } as const;
      const laid = placeCore(move, input, player, cores, cells);
      if ('code' in laid) throw new RangeError(`Cores cannot be laid on this field: ${laid.message}`);
      next = afterPlacing(move, player);
    }
    return typeof next === 'string' ? next : 'stay';
  },
  takes: {
    place(move: Move, input: GameInput): Next {
      const player = playerIn(input);
      if (typeof player !== 'string') return player;
      if (player !== move.state.acting) {
        return refuse('place/not-your-turn', 'The other player places the next core.', '1.4.3');
      }
      const laid = placeCore(move, input, player, coresToPlace(move.state, player));
      return 'code' in laid ? laid : afterPlacing(move, player);
    },
  },
};
