import type { CardData, Clause } from '../cards/vocabulary.ts';
import type { CoreType, Faction } from '../view.ts';
import { always, domination, holds, MAY_ENERGIZE, when } from './text.ts';

/** A Character card as facts. */
export type CharacterCard = CardData & {
  readonly type: 'Character';
  readonly bPower: number;
  readonly damage: number;
  /** The two BakuCore indicators (2.11). */
  readonly indicators: readonly [CoreType, CoreType];
};

type Row = readonly [
  no: number,
  name: string,
  faction: Faction,
  bPower: number,
  damage: number,
  first: CoreType,
  second: CoreType,
  ...text: Clause[],
];

// Battle Brawlers 282 to 374, read from the prints: number, name, Faction, B-Power, Damage Rating, indicators, text.
// biome-ignore format: one card a line
const ROWS: readonly Row[] = [
  [282, 'Cyndeous Ultra', 'Aquos', 300, 4, 'FT', 'HE', always({ frostStrike: 1 })],
  [283, 'Dragonoid', 'Aquos', 400, 3, 'SD', 'FT'],
  [284, 'Fangzor', 'Aquos', 600, 1, 'FF', 'FT'],
  [285, 'Garganoid Ultra', 'Aquos', 300, 5, 'FF', 'HE'],
  [286, 'Krakelios Ultra', 'Haos', 400, 4, 'SD', 'FT'],
  [287, 'Hydorous', 'Aquos', 200, 6, 'SD', 'HE'],
  [288, 'Hydorous Ultra', 'Aquos', 400, 4, 'SD', 'SD'],
  [289, 'Krakelios Ultra', 'Aquos', 500, 1, 'SD', 'FT', holds(['FT'], { bPower: 200 })],
  [290, 'Mantonoid Ultra', 'Aquos', 400, 3, 'MS', 'FT'],
  [291, 'Nillious', 'Aquos', 300, 4, 'MS', 'SD', holds(['MS'], { bPower: 200, frostStrike: 2 })],
  [292, 'Pegatrix', 'Aquos', 500, 2, 'SD', 'SD', holds(['SD'], { bPower: 100, damage: 3 })],
  [293, 'Serpenteze', 'Aquos', 300, 4, 'SD', 'FT'],
  [294, 'Serpenteze Ultra', 'Aquos', 100, 5, 'MS', 'FT', always({ frostStrike: 2 })],
  [295, 'Trox', 'Aquos', 200, 7, 'MS', 'SD'],
  [296, 'Turtonium', 'Aquos', 500, 2, 'SD', 'SD', holds(['SD'], { frostStrike: 2 })],
  [297, 'Trox Ultra', 'Aquos', 400, 4, 'FT', 'FT', holds(['FT'], { bPower: 200, damage: 2 })],
  [298, 'Dragonoid', 'Aurelus', 400, 6, 'MS', 'FF'],
  [299, 'Fangzor', 'Aurelus', 700, 2, 'SD', 'SD', holds(['SD'], { damage: 5 })],
  [300, 'Fangzor Ultra', 'Aurelus', 700, 3, 'SD', 'FF'],
  [301, 'Garganoid Ultra', 'Aurelus', 700, 3, 'FF', 'FT', holds(['FF'], { bPower: 400 })],
  [302, 'Howlkor Ultra', 'Aurelus', 500, 5, 'MS', 'SD', holds(['MS'], { damage: 4 })],
  [303, 'Hydorous', 'Aurelus', 400, 5, 'HE', 'HE'],
  [304, 'Hydorous Ultra', 'Aurelus', 200, 2, 'SD', 'HE'],
  [305, 'Mantonoid', 'Aurelus', 300, 1, 'MS', 'SD'],
  [306, 'Maxotaur Ultra', 'Aurelus', 600, 1, 'SD', 'HE', holds(['HE'], { bPower: 200, damage: 2 })],
  [307, 'Nillious', 'Aurelus', 500, 5, 'SD', 'FT'],
  [308, 'Pegatrix', 'Aurelus', 600, 4, 'FT', 'FT', holds(['FT'], { bPower: 300 })],
  [309, 'Trox Ultra', 'Aurelus', 800, 1, 'HE', 'HE'],
  [310, 'Turtonium', 'Aurelus', 200, 6, 'MS', 'FF', holds(['MS'], { shadowStrike: true }), holds(['FF'], { frostStrike: 2 })],
  [311, 'Cyndeous Ultra', 'Darkus', 300, 1, 'SD', 'HE', when('victor', { do: 'discard', n: 1, who: 'opponent' })],
  [312, 'Dragonoid', 'Darkus', 400, 4, 'FF', 'SD'],
  [313, 'Fangzor', 'Darkus', 400, 3, 'FT', 'FT', always({ shadowStrike: true })],
  [314, 'Fangzor Ultra', 'Darkus', 600, 1, 'MS', 'SD', always({ shadowStrike: true })],
  [315, 'Garganoid Ultra', 'Darkus', 300, 5, 'SD', 'FT'],
  [316, 'Krakelios Ultra', 'Ventus', 600, 2, 'FT', 'FT'],
  [317, 'Howlkor Ultra', 'Darkus', 300, 2, 'SD', 'HE'],
  [318, 'Hydorous', 'Darkus', 300, 4, 'FT', 'FT'],
  [319, 'Hydorous Ultra', 'Darkus', 800, 1, 'FF', 'FT', holds(['FF'], { damage: 3 })],
  [320, 'Mantonoid Ultra', 'Darkus', 300, 4, 'MS', 'SD'],
  [321, 'Nillious', 'Darkus', 500, 2, 'FT', 'HE'],
  [322, 'Nillious Ultra', 'Darkus', 200, 6, 'SD', 'SD', holds(['SD'], { bPower: 400 })],
  [323, 'Pegatrix', 'Darkus', 200, 5, 'SD', 'FT'],
  [324, 'Serpenteze', 'Darkus', 400, 3, 'FF', 'FT', holds(['FF'], { bPower: 200, damage: 3 })],
  [325, 'Trox', 'Darkus', 700, 1, 'SD', 'HE'],
  [326, 'Turtonium Ultra', 'Darkus', 500, 3, 'MS', 'FT'],
  [327, 'Dragonoid', 'Haos', 400, 3, 'FT', 'HE'],
  [328, 'Fangzor', 'Haos', 100, 7, 'SD', 'FT', domination({ bPower: 400 })],
  [329, 'Garganoid Ultra', 'Haos', 400, 3, 'SD', 'FT'],
  [330, 'Gorthion Ultra', 'Haos', 600, 2, 'MS', 'SD'],
  [331, 'Howlkor Ultra', 'Haos', 300, 4, 'HE', 'HE', holds(['HE'], { damage: 4 })],
  [332, 'Hydorous', 'Haos', 200, 3, 'SD', 'SD', always({ frostStrike: 1 })],
  [333, 'Hydorous Ultra', 'Haos', 200, 4, 'SD', 'SD'],
  [334, 'Mantonoid', 'Haos', 500, 2, 'FT', 'FT'],
  [335, 'Mantonoid Ultra', 'Haos', 500, 3, 'MS', 'FT'],
  [336, 'Maxotaur Ultra', 'Haos', 100, 7, 'SD', 'FT'],
  [337, 'Nillious', 'Haos', 300, 5, 'MS', 'FF'],
  [338, 'Nillious Ultra', 'Haos', 400, 5, 'SD', 'FT'],
  [339, 'Pegatrix', 'Haos', 500, 2, 'FT', 'FT', holds(['FT'], { bPower: 200, damage: 2 })],
  [340, 'Serpenteze', 'Haos', 300, 3, 'SD', 'FF'],
  [341, 'Serpenteze Ultra', 'Haos', 500, 1, 'SD', 'SD', holds(['SD'], { damage: 4 })],
  [342, 'Trox', 'Haos', 300, 3, 'MS', 'HE', holds(['MS'], { frostStrike: 3 })],
  [343, 'Dragonoid', 'Pyrus', 200, 5, 'FF', 'FT'],
  [344, 'Fangzor', 'Pyrus', 400, 1, 'FT', 'FT', holds(['FT'], { damage: 1, doubleStrike: true })],
  [345, 'Fangzor Ultra', 'Pyrus', 400, 4, 'HE', 'HE'],
  [346, 'Garganoid Ultra', 'Pyrus', 300, 4, 'SD', 'FT'],
  [347, 'Gorthion', 'Pyrus', 200, 4, 'FT', 'FT', holds(['FT'], { bPower: 100, damage: 2 })],
  [348, 'Gorthion Ultra', 'Pyrus', 400, 4, 'SD', 'FT'],
  [349, 'Howlkor Ultra', 'Pyrus', 100, 2, 'MS', 'MS'],
  [350, 'Hydorous', 'Pyrus', 400, 3, 'MS', 'SD'],
  [351, 'Hydorous Ultra', 'Pyrus', 300, 5, 'SD', 'HE'],
  [352, 'Cyndeous Ultra', 'Pyrus', 200, 6, 'SD', 'SD', holds(['SD'], { bPower: 200 })],
  [353, 'Mantonoid Ultra', 'Pyrus', 600, 2, 'FT', 'FT'],
  [354, 'Maxotaur Ultra', 'Pyrus', 100, 4, 'FF', 'FT', holds(['FF'], { damage: 2 })],
  [355, 'Serpenteze Ultra', 'Pyrus', 300, 5, 'FF', 'FT'],
  [356, 'Trox', 'Pyrus', 500, 1, 'SD', 'HE', when('victor', { do: 'energy', n: 1 })],
  [357, 'Dragonoid Ultra', 'Pyrus', 500, 5, 'MS', 'FF'],
  [358, 'Gorthion Ultra', 'Ventus', 200, 4, 'FF', 'FT'],
  [359, 'Dragonoid', 'Ventus', 200, 4, 'HE', 'HE', holds(['HE'], { bPower: 400 })],
  [360, 'Fangzor', 'Ventus', 300, 3, 'SD', 'FF', when('opens', { do: 'add', to: 'opposing', damage: -1, until: 'turn' })],
  [361, 'Fangzor Ultra', 'Ventus', 100, 1, 'SD', 'FT', holds(['SD', 'FT'], { bPower: 500, damage: 5 })],
  [362, 'Garganoid Ultra', 'Ventus', 400, 3, 'MS', 'FT'],
  [363, 'Gorthion', 'Ventus', 300, 6, 'SD', 'SD'],
  [364, 'Howlkor Ultra', 'Ventus', 500, 2, 'SD', 'FF'],
  [365, 'Mantonoid', 'Ventus', 500, 2, 'SD', 'FT'],
  [366, 'Mantonoid Ultra', 'Ventus', 600, 1, 'FT', 'HE'],
  [367, 'Maxotaur Ultra', 'Ventus', 300, 5, 'SD', 'FT'],
  [368, 'Nillious', 'Ventus', 400, 4, 'SD', 'FT'],
  [369, 'Pegatrix', 'Ventus', 300, 4, 'MS', 'SD', holds(['MS'], { bPower: 200 })],
  [370, 'Serpenteze', 'Ventus', 600, 2, 'FT', 'FT', holds(['FT'], { damage: 4 })],
  [371, 'Serpenteze Ultra', 'Ventus', 400, 3, 'MS', 'FT'],
  [372, 'Trox', 'Ventus', 500, 1, 'MS', 'HE'],
  [373, 'Trox Ultra', 'Ventus', 300, 1, 'SD', 'HE', when('victor', MAY_ENERGIZE)],
  [374, 'Serpenteze', 'Aurelus', 300, 7, 'SD', 'FT'],
];

function characterOfRow([no, name, faction, bPower, damage, first, second, ...text]: Row): CharacterCard {
  return {
    id: `BB-${no}`,
    name,
    type: 'Character',
    factions: [faction],
    bPower,
    damage,
    indicators: [first, second],
    text,
  };
}

/** All 93 Characters of Battle Brawlers, in order of number. */
export const CHARACTERS: readonly CharacterCard[] = ROWS.map(characterOfRow);
