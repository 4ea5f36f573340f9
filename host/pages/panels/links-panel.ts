import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';
import type { LinkSeen } from '../../sensing/seen.ts';

/** What stops the table, else the worst complaint, over the field, with its remedy: nobody looks for trouble in a list. */
export function linkAlarm(scene: Scene): TemplateResult | typeof nothing {
  if (scene.trouble !== null) return html`<p class="alarm" role="alert">${scene.trouble}</p>`;
  const worst = worstFirst(scene.links)[0];
  const text = worst?.complaints[0];
  if (worst === undefined || text === undefined) return nothing;
  return html`<p class="alarm ${worst.up ? 'alarm-soft' : ''}" role="alert"><b>${worst.link}</b>: ${text}</p>`;
}

/** Every way in, with what is wrong and what to do about it. In the past there is nothing to operate. */
export function linksPanel(scene: Scene, past = false): TemplateResult | typeof nothing {
  if (scene.links.length === 0) return nothing;
  return html`
    <section class="card links" id="links" aria-label="Links">
      <h2>Links ${past ? nothing : html`<a href="/operator${location.search}${location.hash}">Operator page</a>`}</h2>
      <ul class="scroll" tabindex="0">${worstFirst(scene.links).map(row)}</ul>
    </section>`;
}

function worstFirst(links: readonly LinkSeen[]): readonly LinkSeen[] {
  const rank = (link: LinkSeen): number => (link.up ? (link.complaints.length > 0 ? 1 : 2) : 0);
  return [...links].sort((a, b) => rank(a) - rank(b));
}

function row(link: LinkSeen): TemplateResult {
  const counts = Object.entries(link.counts)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
  const ill = !link.up || link.complaints.length > 0;
  return html`
    <li class=${link.up ? (ill ? 'warn' : 'up') : 'down'} title=${counts}>
      <div><i aria-hidden="true"></i><b>${link.link}</b>
        <span>${link.up ? 'up' : 'down'}${link.side === undefined ? '' : ` · side ${link.side}`}${
          link.device === undefined ? '' : ` · ${link.device}`
        }</span></div>
      ${link.complaints.map((text) => html`<p class="complaint">${text}</p>`)}
      ${ill && counts !== '' ? html`<p class="quiet">${counts}</p>` : nothing}
    </li>`;
}
