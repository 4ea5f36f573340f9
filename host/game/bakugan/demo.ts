import type { BakuganOptions, FieldCell } from './options.ts';
import type { Team } from './team.ts';

const EMBER: Team = {
  name: 'Ember',
  // Pyrus Dragonoid, Pyrus Gorthion, Aquos Turtonium.
  characters: ['BB-343', 'BB-347', 'BB-296'],
  cores: [19, 6, 7, 11, 26, 35],
  deck: 40,
};

const GALE: Team = {
  name: 'Gale',
  // Haos Fangzor, Ventus Dragonoid, Darkus Fangzor.
  characters: ['BB-328', 'BB-359', 'BB-313'],
  cores: [24, 3, 7, 5, 47, 45],
  deck: 40,
};

/** Two legal teams on these cells (1.1.2, 1.2.3), cores laid by the game; for trying out. */
export function demoOptions(field: readonly FieldCell[], seed = 1): BakuganOptions {
  return {
    players: { A: EMBER, B: GALE },
    field: field.map(({ cell, q, r }) => ({ cell, q, r })),
    placement: 'automatic',
    seed,
  };
}
