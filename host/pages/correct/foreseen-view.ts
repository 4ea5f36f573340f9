import { html, nothing, type TemplateResult } from 'lit';
import type { Foreseen, Told } from '../../advance/input.ts';
import type { Json } from '../../ids.ts';

/** Parts of the view that say again, in a machine's words, what the others say. */
const SAID_AGAIN =
  /^(state|window|batch|waitingFor|log|damage)\b|\.(bPowerParts|damageParts|keywords|heldBy|discarded|cards)\b/;

/** What a correction would change: what is taken back, what comes instead, and what then stands differently. */
export function foreseenView(foreseen: Foreseen): TemplateResult {
  const { withdrawn, added, dropped, counts, because, rolls, changes } = foreseen;
  const plain = changes.filter(
    ({ part, before, after }) => !SAID_AGAIN.test(part) && isPlain(before) && isPlain(after),
  );
  return html`
    <section class="foreseen" aria-label="What would change" tabindex="-1">
      <h3>What would change</h3>
      ${changes.length === 0 ? html`<p class="quiet">Nothing would stand differently.</p>` : nothing}
      ${rolls.length === 0 ? nothing : html`<p>Rulings withdrawn: <b>${rolls.join(', ')}</b>. Every display takes back what it showed of them.</p>`}
      ${
        counts.dropped === 0
          ? nothing
          : html`<p><b>${counts.dropped}</b> ${counts.dropped === 1 ? 'step has' : 'steps have'} to be made anew, from number ${dropped[0]?.seq ?? ''}.${because === undefined ? nothing : html` <span class="quiet">${because.message}</span>`}</p>`
      }
      ${list('Would not have happened', 'gone', withdrawn, counts.withdrawn)}
      ${list('Would happen instead', 'new', added, counts.added)}
      ${
        plain.length === 0
          ? nothing
          : html`
            <details ?open=${plain.length <= 8}>
              <summary>Would stand differently: ${plain.length}</summary>
              <table><thead><tr><th>Part</th><th>Now</th><th>Then</th></tr></thead>
                <tbody>${plain.map(({ part, before, after }) => html`<tr><td>${part.replaceAll('.', ' › ')}</td><td>${short(before)}</td><td>${short(after)}</td></tr>`)}</tbody></table>
            </details>`
      }
    </section>`;
}

function isPlain(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function list(
  title: string,
  kind: string,
  events: readonly Told[],
  count: number,
): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  return html`
    <details ?open=${events.length <= 6}>
      <summary>${title}: ${count}</summary>
      <ul class="told-${kind}">${events.map((one) => html`<li>${one.text} <span class="rule">${one.rules.join(', ')}</span></li>`)}
        ${count > events.length ? html`<li class="quiet">and ${count - events.length} more</li>` : nothing}</ul>
    </details>`;
}

function short(value: Json): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
