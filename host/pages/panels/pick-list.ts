import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Ask, LegalInput } from '../../game/ruleset.ts';
import { type Acting, filledIn, keyOf } from './act.ts';

/** Many inputs in the room of one: a list to pick from, the fields of the picked one, a button. */
export function pickList(
  list: string,
  inputs: readonly LegalInput[],
  acting: Acting,
): TemplateResult | typeof nothing {
  const picked = inputs.find((one) => keyOf(one) === acting.picked.get(list)) ?? inputs[0];
  if (picked === undefined) return nothing;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const { currentTarget: form } = event;
    if (form instanceof HTMLFormElement) acting.act(picked, filledIn(form, picked));
  };
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) acting.pick(list, event.target.value);
  };
  return html`
    <form class="pick" @submit=${send}>
      <select aria-label="What to do" @change=${change}>
        ${repeat(
          inputs,
          keyOf,
          (one) => html`<option value=${keyOf(one)} ?selected=${one === picked}>${one.label}</option>`,
        )}
      </select>
      ${(picked.ask ?? []).map((ask) => askField(ask, picked))}
      <button type="submit" ?disabled=${!acting.may || acting.asked.has(keyOf(picked))}>Do it</button>
    </form>`;
}

const WORDS: Readonly<Record<string, string>> = { bPower: 'B-Power', flipCard: 'Flip card' };

function askField(ask: Ask, input: LegalInput): TemplateResult {
  const word = WORDS[ask.field] ?? ask.field;
  const listed = String(input.input[ask.field] ?? '');
  return ask.kind === 'integer'
    ? html`<label>${word}<input name=${ask.field} type="number" min=${ask.min} max=${ask.max} step="1"
        placeholder=${listed} /></label>`
    : html`<label class="grow">${word}<input name=${ask.field} type="text" maxlength=${ask.longest}
        placeholder=${listed} /></label>`;
}
