import { nothing, type SVGTemplateResult, svg } from 'lit';
import type { CoreSeen } from '../../game/bakugan/view.ts';
import type { CellLevel } from '../../sensing/seen.ts';
import { CORE_COLOUR, CORE_NAME, coreMark } from '../marks.ts';
import { hexagon, ledsAt, type Spot } from './hexes.ts';

const OUTER = hexagon(24.9);
const RIM = hexagon(22.6);
const PLATE = hexagon(18.4);
const CHIP = hexagon(12.6);
const LEDS = ledsAt(20.4);
/** Field change drawn as a full bar, mT. */
const FULL_MT = 25;
const BAR = 19;

export type TileSeen = {
  readonly spot: Spot;
  readonly rgb: string;
  readonly level: number;
  readonly animation: string;
  readonly core: CoreSeen | undefined;
  readonly vacant: boolean;
  readonly mayPlace: boolean;
  readonly covered: boolean;
  readonly aimed: boolean;
  readonly reads: CellLevel | undefined;
  /** Present when something may be done here. */
  readonly tap: (() => void) | undefined;
};

/** One tile: its LEDs as they shine, the core in it, what its sensors read. */
export function tile(seen: TileSeen): SVGTemplateResult {
  const { spot, level, tap } = seen;
  const press = (event: KeyboardEvent): void => {
    if (tap === undefined || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    tap();
  };
  // The eye sees brightness about as its square root, a linear picture would show dim tiles as dark.
  const shine = Math.sqrt(Math.min(255, Math.max(0, level)) / 255);
  const lit = shine > 0.02;
  return svg`
    <g class="tile ${seen.aimed ? 'aimed' : ''} ${seen.mayPlace ? 'may-place' : ''} ${tap === undefined ? '' : 'tap'}"
       role=${tap === undefined ? nothing : 'button'} tabindex=${tap === undefined ? nothing : 0}
       @click=${() => tap?.()} @keydown=${press}
       transform="translate(${spot.x.toFixed(2)} ${spot.y.toFixed(2)})" data-cell=${spot.cell}>
      <title>${titleOf(seen)}</title>
      <polygon class="tile-base" points=${OUTER}></polygon>
      <g class="lit lit-${seen.animation}" fill=${seen.rgb} stroke=${seen.rgb}>
        ${
          lit
            ? svg`
              <polygon class="tile-bleed" points=${RIM} stroke="none" fill-opacity=${(shine * 0.5).toFixed(3)}></polygon>
              <polygon class="tile-rim" points=${RIM} fill="none" stroke-opacity=${Math.min(1, shine * 1.15).toFixed(3)}></polygon>`
            : nothing
        }
      </g>
      <polygon class="tile-plate" points=${PLATE}></polygon>
      <g class="lit lit-${seen.animation}" fill=${lit ? seen.rgb : '#1b2741'}>
        ${LEDS.map(
          (led) => svg`
            <circle cx=${led.x.toFixed(2)} cy=${led.y.toFixed(2)} r="3.4" fill-opacity=${(shine * 0.35).toFixed(3)}></circle>
            <circle cx=${led.x.toFixed(2)} cy=${led.y.toFixed(2)} r="1.25" fill-opacity=${(0.4 + shine * 0.6).toFixed(3)}></circle>`,
        )}
      </g>
      ${seen.core === undefined ? empty(seen) : seen.covered ? nothing : chip(seen.core)}
    </g>`;
}

function chip(core: CoreSeen): SVGTemplateResult {
  return svg`
    <g class="core core-${core.owner}" transform="translate(0 -2)">
      <polygon class="core-face" points=${CHIP} fill=${CORE_COLOUR[core.type]}></polygon>
      <polygon class="core-ring" points=${CHIP}></polygon>
      <g class="core-mark" transform="translate(-6.600 -9) scale(0.550)">${coreMark(core.type)}</g>
      <text class="core-print" y="8.800">${core.core}</text>
    </g>`;
}

function empty(seen: TileSeen): SVGTemplateResult | typeof nothing {
  if (seen.covered) return nothing;
  return svg`
    <polygon class="core-gap" points=${CHIP}></polygon>
    <text class="core-gap-word" y="1.600">${seen.mayPlace ? 'place' : seen.vacant ? 'vacant' : ''}</text>`;
}

/** What the tile's sensors read: contact dot, and one bar a hall, to the right for one pole and to the left for the other. */
export function readings(reads: CellLevel, spot: Spot): SVGTemplateResult {
  const top = 15.6 - reads.fieldMt.length * 2.5;
  return svg`
    <g class="reads" transform="translate(${spot.x.toFixed(2)} ${spot.y.toFixed(2)})">
      ${reads.fieldMt.map((mt, i) => {
        const length = Math.min(1, Math.abs(mt) / FULL_MT) * (BAR / 2);
        const y = (top + i * 2.5).toFixed(2);
        return svg`
          <rect class="bar-track" x=${-BAR / 2} y=${y} width=${BAR} height="2" rx="1"></rect>
          <rect class=${mt < 0 ? 'bar-minus' : 'bar-plus'} x=${(mt < 0 ? -length : 0).toFixed(2)} y=${y}
            width=${length.toFixed(2)} height="2" rx=".8"></rect>`;
      })}
      <line class="bar-zero" x1="0" x2="0" y1=${top - 0.4} y2="15.2"></line>
      <circle class=${reads.contact ? 'contact closed' : 'contact'} cx="0" cy="-14.6" r="1.7"></circle>
    </g>`;
}

function titleOf({ spot, core, vacant, reads }: TileSeen): string {
  const what =
    core === undefined
      ? vacant
        ? 'vacant: its core is held elsewhere'
        : 'no core'
      : `core ${core.core}, ${CORE_NAME[core.type]}${core.print === undefined ? '' : `, print #${core.print}`}`;
  const read =
    reads === undefined
      ? ''
      : `; field ${reads.fieldMt.map((mt) => mt.toFixed(1)).join(', ')} mT; contact ${reads.contact ? 'closed' : 'open'}`;
  return `Cell ${spot.cell}: ${what}${read}`;
}
