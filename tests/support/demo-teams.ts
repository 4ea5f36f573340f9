import type { BakuganSeen, CoreSeen, CoreType, Faction } from '../../host/game/bakugan/view.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

const CORE_PRINTS: Readonly<Record<string, readonly [CoreType, number]>> = {
  A1: ['FT', 4],
  A2: ['FF', 18],
  A3: ['SD', 24],
  A4: ['MS', 39],
  A5: ['HE', 47],
  A6: ['FT', 12],
  B1: ['SD', 26],
  B2: ['MS', 38],
  B3: ['FF', 19],
  B4: ['HE', 43],
  B5: ['FT', 7],
  B6: ['SD', 32],
};

/** All twelve cores: on their cells, or held by the Bakugan that are named. */
export function coresWith(held: Readonly<Record<string, readonly string[]>>): readonly CoreSeen[] {
  return Object.entries(CORE_PRINTS).map(([core, [type, print]], i) => {
    const cell = FIXED_12.cells[i]?.cell;
    const holders = held[core] ?? [];
    const base = { core, owner: core.startsWith('A') ? ('A' as const) : ('B' as const), type, print };
    return holders.length > 0 || cell === undefined
      ? { ...base, heldBy: holders }
      : { ...base, cell, heldBy: [] };
  });
}

/** The cell on which a core was placed. */
export function cellOf(core: string): string {
  return FIXED_12.cells[Object.keys(CORE_PRINTS).indexOf(core)]?.cell ?? 'q0r0';
}

type Toy = readonly [id: string, name: string, faction: Faction, bPower: number, damage: number];
/** Mira's Bakugan. */
export const TEAM_A: readonly Toy[] = [
  ['A/1', 'Dragonoid Ultra', 'Pyrus', 500, 5],
  ['A/2', 'Fangzor', 'Haos', 100, 7],
  ['A/3', 'Trox Ultra', 'Aurelus', 800, 1],
];
/** Jonas's Bakugan. */
export const TEAM_B: readonly Toy[] = [
  ['B/1', 'Turtonium', 'Aquos', 500, 2],
  ['B/2', 'Hydorous', 'Darkus', 300, 4],
  ['B/3', 'Fangzor Ultra', 'Ventus', 100, 1],
];

/** A Bakugan as it is seen; its sums are those of its parts. */
export function bakugan(toy: Toy, more: Partial<BakuganSeen> = {}): BakuganSeen {
  const [id, name, faction, printedB, printedD] = toy;
  const bPowerParts = [
    { source: 'printed', label: 'Printed', amount: printedB },
    ...(more.bPowerParts ?? []),
  ];
  const damageParts = [
    { source: 'printed', label: 'Printed', amount: printedD },
    ...(more.damageParts ?? []),
  ];
  const sum = (parts: readonly { readonly amount: number }[]): number =>
    parts.reduce((total, part) => total + part.amount, 0);
  return {
    id,
    name,
    faction,
    open: false,
    selected: false,
    revealed: more.open ?? false,
    cores: [],
    keywords: [],
    ...more,
    bPower: sum(bPowerParts),
    bPowerParts,
    damage: sum(damageParts),
    damageParts,
  };
}

/** Mira's first Bakugan, open on two cores. */
export const OPEN_DRAGONOID: Partial<BakuganSeen> = {
  open: true,
  selected: true,
  cores: ['A3', 'B3'],
  bPowerParts: [
    { source: 'core', label: 'BakuCore #24', amount: 200 },
    { source: 'core', label: 'BakuCore #19', amount: 250 },
  ],
  damageParts: [{ source: 'core', label: 'BakuCore #19', amount: 3 }],
};
/** Jonas's first Bakugan, open on one core. */
export const OPEN_TURTONIUM: Partial<BakuganSeen> = {
  open: true,
  selected: true,
  cores: ['B1'],
  keywords: ['FrostStrike +2'],
  bPowerParts: [
    { source: 'core', label: 'BakuCore #26', amount: 300 },
    { source: 'icon', label: 'Shield icon', amount: 100 },
  ],
};
