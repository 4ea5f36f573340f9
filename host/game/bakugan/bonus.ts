import { opponentOf, type Side } from '../../ids.ts';
import { type CharacterCard, characterCard } from './data/characters.ts';
import { type CorePrint, corePrint } from './data/cores.ts';
import type { CardText, Grant } from './data/text.ts';
import { type BakuganState, type CoreState, coresOf, type GameState, sideOf } from './state.ts';
import type { Bonus } from './view.ts';

/** A Bakugan's values now, every addend named (digest of 5.17.1, 1.9.1.2). */
export type Stats = {
  /** May be below 0 when compared (AM-36). */
  readonly bPower: number;
  readonly bPowerParts: readonly Bonus[];
  /** May be below 0; dealt as 0 (1.8.1.1.1). */
  readonly damage: number;
  readonly damageParts: readonly Bonus[];
  readonly frostStrike: number;
  readonly doubleStrike: boolean;
  readonly shadowStrike: boolean;
};

/** BakuCores that a player's Bakugan hold; one that both players hold counts for both (AM-08). */
export function coresHeldBy(state: GameState, side: Side): number {
  let count = 0;
  for (const core of state.cores) if (core.heldBy.some((id) => sideOf(id) === side)) count += 1;
  return count;
}

function holdsNow(
  state: GameState,
  side: Side,
  cores: readonly CorePrint[],
  text: CardText,
): Grant | undefined {
  switch (text.when) {
    case 'always':
      return text.gives;
    case 'holds':
      return cores.some((core) => text.types.includes(core.type)) ? text.gives : undefined;
    case 'domination':
      return coresHeldBy(state, side) > coresHeldBy(state, opponentOf(side)) ? text.gives : undefined;
    case 'opens':
    case 'victor':
      return undefined;
    default:
      return text satisfies never;
  }
}

function iconLabel(text: CardText): string {
  switch (text.when) {
    case 'holds':
      return `[${text.types.join(' or ')}]`;
    case 'domination':
      return 'Domination';
    default:
      return 'Card text';
  }
}

function addend(
  parts: Bonus[],
  protectedNow: boolean,
  source: string,
  label: string,
  amount: number,
): number {
  if (amount === 0) return 0;
  if (amount < 0 && protectedNow) {
    parts.push({ source, label: `${label} (${amount} kept off by ShadowStrike)`, amount: 0 });
    return 0;
  }
  parts.push({ source, label, amount });
  return amount;
}

function coreGives(core: CorePrint, card: CharacterCard): { bPower: number; damage: number } {
  const extra = core.ifFaction;
  const met = extra !== undefined && card.factions.some((faction) => extra.factions.includes(faction));
  return {
    bPower: core.bPower + (met ? (extra.bPower ?? 0) : 0),
    damage: core.damage + (met ? (extra.damage ?? 0) : 0),
  };
}

const printsOf = (cores: readonly CoreState[]): readonly CorePrint[] =>
  cores.map((core) => corePrint(core.print)).filter((print) => print !== undefined);

/** B-Power, Damage Rating and keywords of a Bakugan as it lies there. */
export function statsOf(state: GameState, bakugan: BakuganState): Stats {
  const card = characterCard(bakugan.card);
  if (card === undefined) throw new RangeError(`There is no Character card ${bakugan.card}.`);
  const side = sideOf(bakugan.id);
  const cores = printsOf(coresOf(state, bakugan.id));
  let frostStrike = 0;
  let doubleStrike = false;
  let shadowStrike = false;
  const granted: { readonly label: string; readonly gives: Grant }[] = [];
  for (const text of card.text) {
    const gives = holdsNow(state, side, cores, text);
    if (gives === undefined) continue;
    granted.push({ label: iconLabel(text), gives });
    frostStrike += gives.frostStrike ?? 0;
    doubleStrike ||= gives.doubleStrike === true;
    shadowStrike ||= gives.shadowStrike === true;
  }
  for (const core of cores) {
    frostStrike += core.frostStrike ?? 0;
    shadowStrike ||= core.shadowStrike === true;
  }
  const bSafe = shadowStrike && state.options.rules.shadowStrike === 'both';
  const bPowerParts: Bonus[] = [{ source: 'printed', label: card.name, amount: card.bPower }];
  const damageParts: Bonus[] = [{ source: 'printed', label: card.name, amount: card.damage }];
  let bPower = card.bPower;
  let damage = card.damage;
  const add = (source: string, label: string, b: number, d: number) => {
    bPower += addend(bPowerParts, bSafe, source, label, b);
    damage += addend(damageParts, shadowStrike, source, label, d);
  };
  for (const core of cores) {
    const gives = coreGives(core, card);
    add('core', `BakuCore #${core.no}`, gives.bPower, gives.damage);
  }
  for (const { label, gives } of granted) add('icon', label, gives.bPower ?? 0, gives.damage ?? 0);
  for (const one of bakugan.modifiers) add(one.source, one.label, one.bPower, one.damage);
  return { bPower, bPowerParts, damage, damageParts, frostStrike, doubleStrike, shadowStrike };
}

/** The Bakugan's name with its Faction, for sentences. */
export function titleOf(bakugan: BakuganState): string {
  const card = characterCard(bakugan.card);
  return card === undefined ? bakugan.card : `${card.factions.join('/')} ${card.name}`;
}

/** Printed facts of a Bakugan's Character card. Throws a RangeError for a card that options would have refused. */
export function cardOf(bakugan: BakuganState): CharacterCard {
  const card = characterCard(bakugan.card);
  if (card === undefined) throw new RangeError(`There is no Character card ${bakugan.card}.`);
  return card;
}
