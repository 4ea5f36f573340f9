import type { Side } from '../../ids.ts';
import type { Audience } from '../ruleset.ts';
import { statsOf } from './bonus.ts';
import { corePrint } from './data/cores.ts';
import { type BakuganState, type CoreState, coresOf, type GameState, sideOf } from './state.ts';
import { heroesOf, knownCard, topOf } from './top.ts';
import type { BakuganSeen, BakuganView, CardSeen, CoreSeen, PlayerSeen, StateId } from './view.ts';
import { waitingFor } from './waiting.ts';

const STEPS: { readonly [id in StateId]: readonly [BakuganView['phase'], string] } = {
  'SU-4': ['Set-up', 'Placing BakuCores'],
  'ST-1': ['Start Phase', 'Draw Step'],
  'ST-2': ['Start Phase', 'Energize Step'],
  'ST-3': ['Roll Phase', 'Selection Step'],
  'ST-4': ['Roll Phase', 'Before the roll'],
  'ST-5': ['Roll Phase', 'Rolling Step'],
  'ST-6': ['Roll Phase', 'Judging the roll'],
  'ST-7': ['Roll Phase', 'Reveal'],
  'ST-8': ['Brawl Phase', 'Power Step'],
  'ST-8r': ['Brawl Phase', 'Reroll'],
  'ST-8t': ['Brawl Phase', 'Tie-break'],
  'ST-9': ['Brawl Phase', 'Victor Step'],
  'ST-10': ['Brawl Phase', 'Damage Step'],
  'ST-10f': ['Brawl Phase', 'Flip card'],
  'ST-11': ['Brawl Phase', 'After damage'],
  'ST-12': ['Brawl Phase', 'Retracting Step'],
  'ST-13': ['End Phase', 'Play Step'],
  'ST-14': ['End Phase', 'Charge Step'],
  'ST-15': ['End Phase', 'Reset Step'],
  GO: ['Game over', 'Game over'],
};

/**
 * A core lies type side up (1.12): its print is known to its owner and to officials, to everyone else from the first
 * time that it was picked up.
 */
function seesPrint(audience: Audience, core: CoreState): boolean {
  if (core.known) return true;
  switch (audience.kind) {
    case 'player':
      return audience.player === sideOf(core.core);
    case 'judge':
    case 'operator':
      return true;
    case 'venue':
    case 'public':
      return false;
    default:
      return audience satisfies never;
  }
}

function coreSeen(audience: Audience, core: CoreState): CoreSeen {
  return {
    core: core.core,
    owner: sideOf(core.core),
    type: corePrint(core.print)?.type ?? 'FT',
    ...(seesPrint(audience, core) ? { print: core.print } : {}),
    ...(core.cell === null ? {} : { cell: core.cell }),
    heldBy: core.heldBy,
  };
}

// The toy lies on its Character card in plain sight, so who it is and what is printed is open to all (1.4.1, AM-32).
function bakuganSeen(state: GameState, bakugan: BakuganState): BakuganSeen {
  const card = topOf(state, bakugan);
  const stats = statsOf(state, bakugan);
  return {
    id: bakugan.id,
    name: card.name,
    ...(bakugan.evos.length > 0 ? { evos: bakugan.evos.map((evo) => cardSeen(state, evo.card)) } : {}),
    faction: card.factions[0] ?? 'Pyrus',
    open: bakugan.open,
    selected: state.selected[sideOf(bakugan.id)] === bakugan.id,
    revealed: bakugan.revealed,
    cores: coresOf(state, bakugan.id).map((core) => core.core),
    bPower: stats.bPower,
    bPowerParts: stats.bPowerParts,
    damage: stats.damage,
    damageParts: stats.damageParts,
    keywords: [
      ...(stats.frostStrike > 0 ? [`FrostStrike ${stats.frostStrike}`] : []),
      ...(stats.doubleStrike ? ['DoubleStrike'] : []),
      ...(stats.shadowStrike ? ['ShadowStrike'] : []),
    ],
  };
}

function cardSeen(state: GameState, id: string): CardSeen {
  const card = knownCard(state, id);
  if (card === undefined) return { id, name: id };
  const { name, type, cost } = card;
  return { id, name, type, ...(cost === undefined ? {} : { cost }) };
}

// Hands and face-down Energy are seen by their owner alone (D-1.45); decks by nobody.
function ownCards(state: GameState, side: Side): Pick<PlayerSeen, 'cards' | 'energy'> {
  const { hand, charged, uncharged } = state.players[side];
  const energy = [...charged.known, ...uncharged.known];
  return {
    ...(hand.known.length > 0 ? { cards: hand.known.map((id) => cardSeen(state, id)) } : {}),
    ...(energy.length > 0 ? { energy: energy.map((id) => cardSeen(state, id)) } : {}),
  };
}

function playerSeen(state: GameState, side: Side, audience: Audience): PlayerSeen {
  const player = state.players[side];
  const heroes = heroesOf(state, side).map((hero) => cardSeen(state, hero.card));
  return {
    side,
    name: player.name,
    deck: player.deck.count,
    hand: player.hand.count,
    discard: player.discard.count,
    energyCharged: player.charged.count,
    energyUncharged: player.uncharged.count,
    ...(player.pool > 0 ? { energyPool: player.pool } : {}),
    ...(heroes.length > 0 ? { heroes } : {}),
    ...(player.discard.known.length > 0
      ? { discarded: player.discard.known.map((id) => cardSeen(state, id)) }
      : {}),
    ...(audience.kind === 'player' && audience.player === side ? ownCards(state, side) : {}),
    bakugan: player.bakugan.map((bakugan) => bakuganSeen(state, bakugan)),
  };
}

function rollSeen(state: GameState): Pick<BakuganView, 'roll'> {
  const { roll } = state;
  if (roll === null) return {};
  return {
    roll: {
      id: roll.id,
      attempt: roll.attempt,
      results: roll.results.map(({ player, opened, cores, possible }) => ({
        player,
        opened,
        cores,
        ...(possible.length > 0 ? { possible } : {}),
      })),
      ...(roll.judge === null ? {} : { judge: roll.judge }),
    },
  };
}

/** What one audience sees. Decks and the game's chance are in no view, a hand only in its owner's; else piles are counts. */
export function seenBy(state: GameState, audience: Audience): BakuganView {
  const [phase, step] = STEPS[state.at];
  const { window, damage, victor, winner } = state;
  return {
    ruleset: 'bakugan',
    turn: state.turn,
    state: state.at,
    phase,
    step,
    ...(state.turn > 0 ? { startingPlayer: state.startingPlayer } : {}),
    ...(window === null
      ? {}
      : {
          window: { id: state.at, holder: window.holder, passes: window.passes },
          batch: window.batch.map(({ controller, label }) => ({ controller, label })),
        }),
    ...(state.shown === null ? {} : { flipCard: cardSeen(state, state.shown) }),
    waitingFor: waitingFor(state),
    players: { A: playerSeen(state, 'A', audience), B: playerSeen(state, 'B', audience) },
    cores: state.cores.map((core) => coreSeen(audience, core)),
    ...rollSeen(state),
    ...(victor === null ? {} : { victor }),
    teamAttack: state.teamAttack,
    ...(damage === null
      ? {}
      : {
          damage: {
            to: damage.to,
            amount: damage.amount,
            flipped: damage.flipped,
            ...(damage.frostStrike > 0 ? { frostStrike: damage.frostStrike } : {}),
          },
        }),
    ...(winner === null ? {} : { winner }),
    log: state.log,
  };
}
