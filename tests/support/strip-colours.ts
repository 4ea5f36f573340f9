import type { Scene } from '../../host/scene/scene.ts';
import type { Layout } from '../../host/sensing/layout.ts';

const LEDS_PER_TILE = 6;

/** What the firmware makes of a colour byte at a brightness (lights.h, `scaled`). */
function scaled(value: number, level: number): number {
  return (value * (level + 1)) >> 8;
}

/** Cells whose six LEDs do not show what the scene says, among those that stand still; empty when all agree. */
export function strangeCells(
  scene: Scene,
  layout: Layout,
  ledsOf: (side: 'A' | 'B') => Uint32Array,
): readonly string[] {
  return scene.lights.flatMap((light, i) => {
    const place = layout.cells[i];
    if (place === undefined || light.animation !== 'steady') return [];
    const rgb = Number.parseInt(light.rgb.slice(1), 16);
    const wanted = [16, 8, 0].reduce(
      (sum, shift) => sum | (scaled((rgb >> shift) & 255, light.level) << shift),
      0,
    );
    const shown = ledsOf(place.side).subarray(place.tile * LEDS_PER_TILE, (place.tile + 1) * LEDS_PER_TILE);
    return shown.length === LEDS_PER_TILE && shown.every((colour) => colour === wanted) ? [] : [light.cell];
  });
}
