import type { CoreType, Faction } from '../view.ts';

/** What a BakuCore adds only for Bakugan of one of two Factions. */
export type FactionBonus = {
  readonly factions: readonly [Faction, Faction];
  readonly bPower?: number;
  readonly damage?: number;
};

/** One print of the BakuCores of Battle Brawlers: facts of the effect side. */
export type CorePrint = {
  /** Print number, 1 to 52. */
  readonly no: number;
  readonly type: CoreType;
  readonly bPower: number;
  readonly damage: number;
  readonly ifFaction?: FactionBonus;
  readonly shadowStrike?: true;
  readonly frostStrike?: number;
};

type Extra = FactionBonus | { readonly shadowStrike: true } | { readonly frostStrike: number };
type Row = readonly [no: number, type: CoreType, bPower: number, damage: number, extra?: Extra];

// Number, type, B-Power, Damage, and what else the print says; read from the prints.
const ROWS: readonly Row[] = [
  [1, 'FT', 0, 1],
  [2, 'FT', 0, 2],
  [3, 'FT', 0, 3],
  [4, 'FT', 50, 1],
  [5, 'FT', 50, 2],
  [6, 'FT', 150, 1],
  [7, 'FT', 150, 2],
  [8, 'FT', 0, -1],
  [9, 'FT', 0, -2],
  [10, 'FT', 0, -3],
  [11, 'FT', 100, 0, { factions: ['Pyrus', 'Darkus'], damage: 3 }],
  [12, 'FT', 100, 0, { factions: ['Pyrus', 'Haos'], damage: 3 }],
  [13, 'FT', 100, 0, { factions: ['Darkus', 'Aquos'], damage: 3 }],
  [14, 'FT', 100, 0, { factions: ['Aquos', 'Ventus'], damage: 3 }],
  [15, 'FT', 100, 0, { factions: ['Ventus', 'Haos'], damage: 3 }],
  [16, 'FF', 0, 5],
  [17, 'FF', 0, 6],
  [18, 'FF', 150, 4],
  [19, 'FF', 250, 3],
  [20, 'FF', 0, -4],
  [21, 'FF', 0, -5],
  [22, 'SD', 100, 0],
  [23, 'SD', 150, 0],
  [24, 'SD', 200, 0],
  [25, 'SD', 250, 0],
  [26, 'SD', 300, 0],
  [27, 'SD', 50, 1],
  [28, 'SD', 150, 1],
  [29, 'SD', -100, 0],
  [30, 'SD', -200, 0],
  [31, 'SD', -300, 0],
  [32, 'SD', 0, 0, { factions: ['Aquos', 'Ventus'], bPower: 400 }],
  [33, 'SD', 0, 0, { factions: ['Haos', 'Ventus'], bPower: 400 }],
  [34, 'SD', 0, 0, { factions: ['Aquos', 'Darkus'], bPower: 400 }],
  [35, 'SD', 0, 0, { factions: ['Pyrus', 'Darkus'], bPower: 400 }],
  [36, 'SD', 0, 0, { factions: ['Haos', 'Pyrus'], bPower: 400 }],
  [37, 'MS', 500, 0],
  [38, 'MS', 550, 0],
  [39, 'MS', 600, 0],
  [40, 'MS', 650, 0],
  [41, 'MS', -400, 0],
  [42, 'MS', -500, 0],
  [43, 'HE', 500, -1],
  [44, 'HE', -100, 4],
  [45, 'HE', -200, 5],
  [46, 'HE', 600, -3],
  [47, 'HE', 300, 3],
  [48, 'HE', -100, -3],
  [49, 'HE', -200, -2],
  [50, 'HE', -300, -1],
  [51, 'HE', 0, 0, { shadowStrike: true }],
  [52, 'HE', 0, 0, { frostStrike: 1 }],
];

function printOf([no, type, bPower, damage, extra]: Row): CorePrint {
  const base = { no, type, bPower, damage };
  if (extra === undefined) return base;
  return 'factions' in extra ? { ...base, ifFaction: extra } : { ...base, ...extra };
}

const PRINTS: readonly CorePrint[] = ROWS.map(printOf);

/** All 52 prints, in order of number. */
export const CORE_PRINTS: readonly CorePrint[] = PRINTS;

/** The print with this number, or undefined outside 1 to 52. */
export function corePrint(no: number): CorePrint | undefined {
  return PRINTS[no - 1];
}
