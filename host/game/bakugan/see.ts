import type { Side } from '../../ids.ts';
import type { Audience } from '../ruleset.ts';
import { cardOf, statsOf } from './bonus.ts';
import { corePrint } from './data/cores.ts';
import { type BakuganState, type CoreState, coresOf, type GameState, sideOf } from './state.ts';
import type { BakuganSeen, BakuganView, CoreSeen, PlayerSeen, StateId } from './view.ts';
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
  const card = cardOf(bakugan);
  const stats = statsOf(state, bakugan);
  return {
    id: bakugan.id,
    name: card.name,
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

function playerSeen(state: GameState, side: Side): PlayerSeen {
  const player = state.players[side];
  return {
    side,
    name: player.name,
    deck: player.deck.count,
    hand: player.hand.count,
    discard: player.discard.count,
    energyCharged: player.charged.count,
    energyUncharged: player.uncharged.count,
    ...(player.pool > 0 ? { energyPool: player.pool } : {}),
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

/** What one audience sees. Hands, decks and the game's chance are in no view; piles are counts. */
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
    waitingFor: waitingFor(state),
    players: { A: playerSeen(state, 'A'), B: playerSeen(state, 'B') },
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
