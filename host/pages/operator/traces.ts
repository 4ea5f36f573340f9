import { nothing, type SVGTemplateResult, svg } from 'lit';
import type { Scene } from '../../scene/scene.ts';

/** Points kept of each tile: eight seconds at twenty a second. */
const KEPT = 160;
const WIDE = 160;
const HIGH = 46;
/** Field change drawn to the edge, mT; more is cut off there. */
const FULL_MT = 25;

type Kept = { readonly mt: Float32Array; readonly closed: Uint8Array; count: number };

/** The last seconds of every tile's main hall and contact, for drawing. */
export class Traces {
  readonly #cells = new Map<string, Kept>();
  #levels: Scene['levels'] | undefined;

  /** Takes the newest levels; the same ones again are no new point. */
  take({ levels }: Scene): void {
    if (levels === this.#levels) return;
    this.#levels = levels;
    for (const level of levels) {
      const kept = this.#cells.get(level.cell) ?? fresh();
      this.#cells.set(level.cell, kept);
      const at = kept.count % KEPT;
      kept.mt[at] = level.fieldMt[0] ?? 0;
      kept.closed[at] = level.contact ? 1 : 0;
      kept.count += 1;
    }
  }

  /** The trace of one tile: field as a line, closed contact as bars below it. */
  of(cell: string): SVGTemplateResult | typeof nothing {
    const kept = this.#cells.get(cell);
    if (kept === undefined) return nothing;
    const shown = Math.min(kept.count, KEPT);
    const from = kept.count - shown;
    let line = '';
    let bars = '';
    for (let i = 0; i < shown; i += 1) {
      const at = (from + i) % KEPT;
      const x = WIDE - shown + i;
      const mt = Math.max(-FULL_MT, Math.min(FULL_MT, kept.mt[at] ?? 0));
      const y = HIGH / 2 - (mt / FULL_MT) * (HIGH / 2 - 2);
      line += `${i === 0 ? 'M' : 'L'}${x} ${y.toFixed(1)}`;
      if (kept.closed[at] === 1) bars += `M${x} ${HIGH + 1}v4`;
    }
    return svg`
      <svg class="trace" viewBox="0 0 ${WIDE} ${HIGH + 6}" preserveAspectRatio="none" aria-hidden="true">
        <path class="trace-zero" d="M0 ${HIGH / 2}H${WIDE}"></path>
        <path class="trace-field" d=${line}></path>
        <path class="trace-contact" d=${bars}></path>
      </svg>`;
  }
}

function fresh(): Kept {
  return { mt: new Float32Array(KEPT), closed: new Uint8Array(KEPT), count: 0 };
}
