import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { FilmTrace } from '../../displays/archive-messages.ts';

/** What is known of the traces of the roll that is on. */
export type TracesSeen = {
  readonly roll: string | undefined;
  readonly trace: FilmTrace | undefined;
  readonly problem: string | undefined;
  readonly atMs: number;
};

/** The hall and contact traces of a roll; what lies ahead of the moment is veiled. */
export function tracesPanel({ roll, trace, problem, atMs }: TracesSeen): TemplateResult {
  return html`
    <section class="card traces" aria-label="What the tiles read">
      <h2>Tiles${roll === undefined ? nothing : html` in roll ${roll}`}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Field and contact of each tile">
        ${
          trace === undefined
            ? html`<p class="quiet">${problem ?? (roll === undefined ? 'No roll was ruled near this moment.' : 'Reading the traces…')}</p>`
            : trace.tiles.length === 0
              ? html`<p class="quiet">No tile felt anything in this roll.</p>`
              : trace.tiles.map((tile) => picture(tile.picture, trace, atMs))
        }
      </div>
    </section>`;
}

function picture(drawn: string, trace: FilmTrace, atMs: number): TemplateResult {
  const share = Math.min(1, Math.max(0, (atMs - trace.fromMs) / Math.max(1, trace.toMs - trace.fromMs)));
  const at = 100 * (trace.left + share * (1 - trace.left - trace.right));
  // The picture is drawn by the host, every word in it escaped there.
  return html`<div class="trace-at" style="--at:${at.toFixed(2)}%">${unsafeHTML(drawn)}<i aria-hidden="true"></i></div>`;
}
