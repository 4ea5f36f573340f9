import { html, nothing, type TemplateResult } from 'lit';
import type { LegalInput } from '../../game/ruleset.ts';
import { type Acting, keyOf } from '../panels/act.ts';

/** One thing to do as a big button. */
export function big(one: LegalInput, acting: Acting, label = one.label): TemplateResult {
  const sent = acting.asked.has(keyOf(one));
  return html`
    <button type="button" class="big big-${one.input.type}" data-type=${one.input.type} ?disabled=${!acting.may || sent}
      aria-busy=${sent ? 'true' : nothing} @click=${() => acting.act(one)}>
      ${label}${one.rules.length === 0 ? nothing : html`<small>${one.rules.join(', ')}</small>`}
    </button>`;
}
