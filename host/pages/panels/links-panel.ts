import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';
import type { LinkSeen } from '../../sensing/seen.ts';

/** Every way in, with what is wrong and what to do about it. */
export function linksPanel(scene: Scene): TemplateResult | typeof nothing {
  if (scene.links.length === 0) return nothing;
  return html`
    <section class="card links" id="links" aria-label="Links">
      <h2>Links</h2>
      <ul class="scroll">${scene.links.map((link) => row(link))}</ul>
    </section>`;
}

function row(link: LinkSeen): TemplateResult {
  const counts = Object.entries(link.counts);
  return html`
    <li class=${link.up ? (link.complaints.length > 0 ? 'warn' : 'up') : 'down'}>
      <div><i aria-hidden="true"></i><b>${link.link}</b>
        <span>${link.up ? 'up' : 'down'}${link.side === undefined ? '' : ` · side ${link.side}`}${
          link.device === undefined ? '' : ` · ${link.device}`
        }</span></div>
      ${link.complaints.map((text) => html`<p class="complaint">${text}</p>`)}
      ${
        counts.length === 0
          ? nothing
          : html`<p class="quiet">${counts.map(([name, value]) => `${name} ${value}`).join(' · ')}</p>`
      }
    </li>`;
}
