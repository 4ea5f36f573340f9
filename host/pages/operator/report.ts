import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';

type Calibrating = NonNullable<Scene['calibrating']>;
type Row = Calibrating['report'][number];

/** How a calibration came out: one row a tile, then what to mend. */
export function wizardReport(_scene: Scene, { report, gates, tookMs }: Calibrating): TemplateResult {
  const bad = report.filter(({ pass }) => !pass);
  const deadGates = gates.filter(({ work }) => !work);
  const well = bad.length === 0 && deadGates.length === 0;
  const seconds = Math.round(tookMs / 1000);
  return html`
    <h2>${well ? 'Every tile passes' : `${bad.length} of ${report.length} tiles to mend`}
      <small>took ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}</small></h2>
    ${
      bad.length === 0
        ? nothing
        : html`<ul class="fixes">${bad.map(
            ({ cell, tile, fix }) =>
              html`<li><b>${cell} <small>tile ${tile}</small></b>${fix.map((text) => html`<p>${text}</p>`)}</li>`,
          )}</ul>`
    }
    ${gates.map(
      ({ side, work }) =>
        html`<p class=${work ? 'well' : 'ill'}>Launch gates of side ${side}: ${work ? 'both beams work.' : 'not seen to work. Without them it is harder to tell whose ball it is.'}</p>`,
    )}
    <div class="table" tabindex="0" role="region" aria-label="Every tile">
      <table>
        <thead><tr><th>Cell</th><th></th><th>Hall</th><th>Noise</th><th>Ball</th><th>Pole</th><th>Taken off</th><th>Light</th><th>Contact</th><th>Next door</th><th>Tile</th></tr></thead>
        <tbody>${report.map(row)}</tbody>
      </table>
    </div>
    <p class="soft">Noise, ball and light in mT, a line a hall sensor; taken off: what the ball brings about on its way up, which shows the pole of a sensor beside the middle. Next door: how much of a neighbour's ball shows here, the most first, then tile by tile in per cent.</p>`;
}

function row(one: Row): TemplateResult {
  return html`
    <tr class=${one.pass ? '' : 'bad'}>
      <th>${one.cell}</th><td class="verdict">${one.pass ? 'pass' : 'mend'}</td><td>${lines(one, ({ hall }) => hall)}</td><td>${lines(one, ({ noiseMt }) => noiseMt.toFixed(2))}</td>
      <td>${lines(one, ({ seatedMt }) => Math.abs(seatedMt).toFixed(1))}</td><td>${lines(one, ({ seatedMt }) => (seatedMt < 0 ? '−' : '+'))}</td>
      <td>${lines(one, ({ liftMt }) => (liftMt === null ? '–' : liftMt.toFixed(1)))}</td><td>${lines(one, ({ lightMt }) => lightMt.toFixed(2))}</td>
      <td>${one.contact ? 'works' : 'dead'}</td>
      <td>${(one.crosstalk * 100).toFixed(1)} %<small>${sharesOf(one)}</small></td><td>${one.tile}</td>
    </tr>`;
}

/** One line a hall sensor of the tile. */
function lines({ halls }: Row, of: (hall: Row['halls'][number]) => string): readonly TemplateResult[] {
  return halls.map((hall) => html`<div>${of(hall)}</div>`);
}

/** What shows here of a ball on each neighbour, per cent, as `A1 0.6 · B4 0.2`. */
function sharesOf({ neighbours }: Row): string {
  return Object.entries(neighbours)
    .map(([tile, share]) => `${tile} ${(share * 100).toFixed(1)}`)
    .join(' · ');
}
