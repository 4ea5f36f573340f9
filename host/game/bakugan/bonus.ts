import type { Modifier, Source } from './batch.ts';
import type { Clause, Grant } from './cards/vocabulary.ts';
import { amountOf, countedCores, isMet, type Reading, typesOf } from './conditions.ts';
import { type CorePrint, corePrint } from './data/cores.ts';
import { type BakuganState, bakuganOf, type GameState, sideOf } from './state.ts';
import { cardIn, factionsOf, topOf } from './top.ts';
import type { Bonus, Faction } from './view.ts';

export { coresHeldBy } from './conditions.ts';

/** A Bakugan's values now (digest of 5.17.1, 1.9.1.2). */
export type Values = {
  /** May be below 0 when compared (AM-36). */
  readonly bPower: number;
  /** May be below 0; dealt as 0 (1.8.1.1.1). */
  readonly damage: number;
  readonly frostStrike: number;
  readonly doubleStrike: boolean;
  readonly shadowStrike: boolean;
};

/** The same with every addend named, for people. */
export type Stats = Values & {
  readonly bPowerParts: readonly Bonus[];
  readonly damageParts: readonly Bonus[];
};

type Given = { readonly source: string; readonly label: string; readonly gives: GivenValues };
type GivenValues = {
  readonly bPower: number;
  readonly damage: number;
  readonly frostStrike: number;
  readonly doubleStrike: boolean;
  readonly shadowStrike: boolean;
};

function valuesOf(state: GameState, reading: Reading, grant: Grant, times: number): GivenValues {
  return {
    bPower: amountOf(state, reading, grant.bPower) * times,
    damage: amountOf(state, reading, grant.damage) * times,
    frostStrike: amountOf(state, reading, grant.frostStrike) * times,
    doubleStrike: grant.doubleStrike === true,
    shadowStrike: grant.shadowStrike === true,
  };
}

function labelOf(clause: Extract<Clause, { gives: Grant }>): string {
  const { if: condition } = clause;
  if (condition === undefined) return 'Card text';
  if (typeof condition === 'string') return `${condition.charAt(0).toUpperCase()}${condition.slice(1)}`;
  return 'holds' in condition ? `[${condition.holds.join(' or ')}]` : 'Card text';
}

// How often an icon text counts: once, or by option for each core of its types (AM-23).
function timesOf(state: GameState, bakugan: BakuganState, clause: Extract<Clause, { gives: Grant }>): number {
  const { if: condition } = clause;
  if (state.options.rules.iconText === 'once') return 1;
  if (typeof condition !== 'object' || !('holds' in condition)) return 1;
  return typesOf(state, bakugan).filter((type) => condition.holds.includes(type)).length;
}

function ownTexts(state: GameState, bakugan: BakuganState): Given[] {
  const top = topOf(state, bakugan);
  if (top.text.length === 0) return [];
  const owner = sideOf(bakugan.id);
  const from: Source = { card: top.id, owner, hero: null, bakugan: bakugan.id };
  const reading: Reading = { you: owner, from, facts: null, stats: valuesAt };
  const given: Given[] = [];
  for (const clause of top.text) {
    if (!('gives' in clause) || (clause.to !== undefined && clause.to !== 'this')) continue;
    if (clause.if !== undefined && !isMet(state, reading, clause.if)) continue;
    const gives = valuesOf(state, reading, clause.gives, timesOf(state, bakugan, clause));
    given.push({ source: 'icon', label: labelOf(clause), gives });
  }
  return given;
}

type FactionLimit = { readonly factions?: readonly Faction[]; readonly not?: readonly Faction[] };

/** Whether a Bakugan is among the Factions that a text is limited to. */
export function inLimit(state: GameState, bakugan: BakuganState, limit: FactionLimit): boolean {
  if (limit.factions === undefined && limit.not === undefined) return true;
  const own = factionsOf(state, bakugan);
  if (limit.factions !== undefined && !own.some((one) => limit.factions?.includes(one))) return false;
  return limit.not === undefined || !own.some((one) => limit.not?.includes(one));
}

function heroTexts(state: GameState, bakugan: BakuganState): Given[] {
  const side = sideOf(bakugan.id);
  const given: Given[] = [];
  for (const hero of state.heroes) {
    const card = cardIn(state, hero.card);
    for (const clause of card.text) {
      if (!('gives' in clause)) continue;
      const reaches =
        clause.to === 'all' ||
        (clause.to === 'all-own' && hero.controller === side) ||
        (clause.to === 'all-opposing' && hero.controller !== side);
      if (!reaches || !inLimit(state, bakugan, clause)) continue;
      const from: Source = { card: card.id, owner: hero.owner, hero: hero.id, bakugan: null };
      const reading: Reading = { you: hero.controller, from, facts: null, stats: valuesAt };
      if (clause.if !== undefined && !isMet(state, reading, clause.if)) continue;
      given.push({ source: 'hero', label: card.name, gives: valuesOf(state, reading, clause.gives, 1) });
    }
  }
  return given;
}

function coreGives(core: CorePrint, factions: readonly Faction[]): { bPower: number; damage: number } {
  const extra = core.ifFaction;
  const met = extra !== undefined && factions.some((faction) => extra.factions.includes(faction));
  return {
    bPower: core.bPower + (met ? (extra.bPower ?? 0) : 0),
    damage: core.damage + (met ? (extra.damage ?? 0) : 0),
  };
}

/** Whether a change still counts: one that hangs on a card in play ends when that card leaves (or is covered). */
export function isOn(state: GameState, modifier: Modifier): boolean {
  const { hangsOn } = modifier;
  if (modifier.until !== 'source' || hangsOn === undefined) return true;
  const [id = '', card] = hangsOn.split(' ');
  if (card === undefined) return state.heroes.some((hero) => hero.id === id);
  const bakugan = bakuganOf(state, id);
  return bakugan !== undefined && topOf(state, bakugan).id === card;
}

/** B-Power, Damage Rating and keywords of a Bakugan as it lies there, every addend named. */
export function statsOf(state: GameState, bakugan: BakuganState): Stats {
  const bPowerParts: Bonus[] = [];
  const damageParts: Bonus[] = [];
  const values = added(state, bakugan, { bPower: bPowerParts, damage: damageParts });
  return { ...values, bPowerParts, damageParts };
}

/** The same values without the addends: the rules compare them often and people never see those. */
export function valuesAt(state: GameState, bakugan: BakuganState): Values {
  return added(state, bakugan, null);
}

type Parts = { readonly bPower: Bonus[]; readonly damage: Bonus[] };

function added(state: GameState, bakugan: BakuganState, parts: Parts | null): Values {
  const card = topOf(state, bakugan);
  const cores = countedCores(state, bakugan);
  const given = ownTexts(state, bakugan);
  if (state.heroes.length > 0) given.push(...heroTexts(state, bakugan));
  let frostStrike = 0;
  let doubleStrike = false;
  let shadowStrike = false;
  let base = card.bPower ?? 0;
  for (const { gives } of given) {
    frostStrike += gives.frostStrike;
    doubleStrike ||= gives.doubleStrike;
    shadowStrike ||= gives.shadowStrike;
  }
  for (const core of cores) {
    const print = corePrint(core.print);
    frostStrike += print?.frostStrike ?? 0;
    shadowStrike ||= print?.shadowStrike === true;
  }
  for (const one of bakugan.modifiers) {
    if (!isOn(state, one)) continue;
    frostStrike += one.frostStrike ?? 0;
    doubleStrike ||= one.doubleStrike === true;
    shadowStrike ||= one.shadowStrike === true;
    base = one.setBPower ?? base;
  }
  const bSafe = shadowStrike && state.options.rules.shadowStrike === 'both';
  let bPower = base;
  let damage = card.damage ?? 0;
  parts?.bPower.push({ source: 'printed', label: card.name, amount: base });
  parts?.damage.push({ source: 'printed', label: card.name, amount: damage });
  const add = (source: string, label: string, b: number, d: number) => {
    bPower += addend(parts?.bPower, bSafe, source, label, b);
    damage += addend(parts?.damage, shadowStrike, source, label, d);
  };
  const factions = cores.length > 0 ? factionsOf(state, bakugan) : [];
  for (const core of cores) {
    const print = corePrint(core.print);
    if (print === undefined) continue;
    const gives = coreGives(print, factions);
    add('core', parts === null ? '' : `BakuCore ${core.core}`, gives.bPower, gives.damage);
  }
  for (const { source, label, gives } of given) add(source, label, gives.bPower, gives.damage);
  for (const one of bakugan.modifiers) {
    if (isOn(state, one)) add(one.source, one.label, one.bPower, one.damage);
  }
  if (state.options.rules.bPowerFloor === 'zero' && bPower < 0) bPower = 0;
  return { bPower, damage, frostStrike: Math.max(0, frostStrike), doubleStrike, shadowStrike };
}

function addend(
  parts: Bonus[] | undefined,
  isSafe: boolean,
  source: string,
  label: string,
  amount: number,
): number {
  if (amount === 0) return 0;
  if (amount < 0 && isSafe) {
    parts?.push({ source, label: `${label} (${amount} kept off by ShadowStrike)`, amount: 0 });
    return 0;
  }
  parts?.push({ source, label, amount });
  return amount;
}
