import { nothing, type SVGTemplateResult, svg } from 'lit';
import type { Scene } from '../../scene/scene.ts';
import { frameOf, hexagon, ledsAt, spotsOf } from '../field/hexes.ts';

const PLATE = hexagon(23.6);
const LEDS = ledsAt(20);

/** The mat from above with its lights as they shine; the tile to touch next stands out. */
export function matMap(scene: Scene): SVGTemplateResult {
  const spots = spotsOf(scene);
  const frame = frameOf(spots);
  const target = scene.calibrating?.cell;
  return svg`
    <svg class="mat" viewBox="${frame.left} ${frame.top} ${frame.width} ${frame.height}" role="img"
      aria-label=${target === null || target === undefined ? 'The mat' : `The mat; the tile to touch is ${target}`}>
      <text class="mat-side" x="0" y=${frame.top + 14}>Player B</text>
      <text class="mat-side" x="0" y=${frame.top + frame.height - 6}>Player A</text>
      ${spots.map(({ cell, x, y }) => {
        const light = scene.lights.find((one) => one.cell === cell);
        const reads = scene.levels.find((one) => one.cell === cell);
        const lit = (light?.level ?? 0) > 0;
        const mt = reads?.fieldMt[0] ?? 0;
        return svg`
          <g class="mat-tile ${cell === target ? 'mat-target' : ''} ${lit ? 'mat-lit' : ''}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">
            <title>${cell}</title>
            <polygon points=${PLATE}></polygon>
            ${LEDS.map((led) => svg`<circle class="mat-led" cx=${led.x.toFixed(1)} cy=${led.y.toFixed(1)} r="1.6"></circle>`)}
            <text class="mat-name" y="-3">${cell}</text>
            <text class="mat-mt" y="9">${milliteslaWords(mt)}</text>
            ${reads?.contact === true ? svg`<circle class="mat-contact" cx="0" cy="14.5" r="2.6"></circle>` : nothing}
          </g>`;
      })}
    </svg>`;
}

/** A field with one decimal place; nothing is 0.0 without a sign. */
export function milliteslaWords(mt: number): string {
  return Math.abs(mt) < 0.05 ? '0.0' : mt.toFixed(1).replace('-', '−');
}
