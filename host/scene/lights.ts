import type { Cue } from '../game/ruleset.ts';
import type { CellId, Side } from '../ids.ts';
import type { Layout } from '../sensing/layout.ts';
import type { Glow, Theme } from './theme.ts';

/** What one cell shows. */
export type CellLight = {
  readonly cell: CellId;
  readonly rgb: number;
  readonly level: number;
  readonly animation: Glow['animation'];
};

const DARK: Glow = { rgb: 0, level: 0, animation: 'steady', priority: 0 };

/**
 * Colour of every cell of the layout for these cues, in layout order. Light is asked for, never set: each cue asks
 * with a priority and the highest wins, so that nothing sticks when a cue ends.
 */
export function lightsAt(cues: readonly Cue[], layout: Layout, theme: Theme): readonly CellLight[] {
  const asked = new Map<CellId, Glow>();
  const ask = (cell: CellId, glow: Glow): void => {
    const was = asked.get(cell);
    if (was === undefined || glow.priority > was.priority) asked.set(cell, glow);
  };
  for (const cue of cues) {
    for (const { cells, glow } of areaOf(cue, cues, layout, theme)) for (const cell of cells) ask(cell, glow);
  }
  return layout.cells.map(({ cell }) => {
    const glow = asked.get(cell) ?? DARK;
    return { cell, rgb: glow.rgb, level: glow.level, animation: glow.animation };
  });
}

/** Light of the tile that is wanted, and of the full pattern, as strong as the budget lets it be. */
const TOUCH_LEVEL = 120;
const PATTERN_LEVEL = 255;

/** White where a calibration wants it and dark elsewhere; still, since every strip write costs samples. */
export function calibrationLights(
  layout: Layout,
  lit: ReadonlySet<CellId>,
  all: boolean,
): readonly CellLight[] {
  return layout.cells.map(({ cell }) => ({
    cell,
    rgb: lit.has(cell) ? 0xffffff : 0,
    level: lit.has(cell) ? (all ? PATTERN_LEVEL : TOUCH_LEVEL) : 0,
    animation: 'steady',
  }));
}

type Area = { readonly cells: readonly CellId[]; readonly glow: Glow };

/** Cells that hold cores of this player. */
function coresOf(player: Side, cues: readonly Cue[]): readonly CellId[] {
  return cues.flatMap((cue) => (cue.cue === 'core' && cue.owner === player ? [cue.cell] : []));
}

function areaOf(cue: Cue, cues: readonly Cue[], layout: Layout, theme: Theme): readonly Area[] {
  const every = (): readonly CellId[] => layout.cells.map((c) => c.cell);
  switch (cue.cue) {
    case 'rolling':
      // One still frame, set before the boards are armed: no strip is written while a ball rolls.
      return [{ cells: every(), glow: { rgb: 0xffffff, level: 14, animation: 'steady', priority: 30 } }];
    case 'judge-needed':
      return [{ cells: every(), glow: { rgb: 0xb000ff, level: 70, animation: 'breathe', priority: 70 } }];
    case 'game-over':
      return cue.winner === 'draw'
        ? [{ cells: every(), glow: { rgb: 0xffffff, level: 60, animation: 'breathe', priority: 80 } }]
        : [
            {
              cells: every(),
              glow: { rgb: theme.player[cue.winner], level: 120, animation: 'chase', priority: 80 },
            },
          ];
    case 'acts': {
      // Whoever is waited for sees the own cores breathe; the other player's rest.
      const glow: Glow = { rgb: theme.player[cue.player], level: 60, animation: 'breathe', priority: 20 };
      return [{ cells: coresOf(cue.player, cues), glow }];
    }
    case 'victor': {
      const glow = theme.glowOf(cue);
      return glow === undefined ? [] : [{ cells: cue.cells, glow }];
    }
    default: {
      const glow = theme.glowOf(cue);
      return glow === undefined ? [] : [{ cells: [cue.cell], glow }];
    }
  }
}

/** Full white of one WS2812, mA on each of its three dies. Source: WS2812B data sheet, 20 mA a die at most. */
const MA_PER_DIE = 20;
const LEDS_PER_TILE = 6;

/** Most current that these lights draw, mA, without the idle current of the parts: animations only dim. */
export function currentMa(lights: readonly CellLight[]): number {
  let steps = 0;
  for (const { rgb, level } of lights) {
    // As the board dims: lights.h of the firmware.
    for (const shift of [16, 8, 0]) steps += (((rgb >> shift) & 255) * (level + 1)) >> 8;
  }
  return (steps / 255) * MA_PER_DIE * LEDS_PER_TILE;
}

/** The same lights dimmed together until they draw no more than the budget. */
export function withinBudget(lights: readonly CellLight[], budgetMa: number): readonly CellLight[] {
  let dimmed = lights;
  for (let drawn = currentMa(dimmed); drawn > Math.max(0, budgetMa); drawn = currentMa(dimmed)) {
    const share = Math.max(0, budgetMa) / drawn;
    // Floored to a whole level, so that every round dims something.
    dimmed = dimmed.map((light) => ({ ...light, level: Math.floor(light.level * share) }));
  }
  return dimmed;
}
