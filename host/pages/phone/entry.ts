import { html, type TemplateResult } from 'lit';
import type { LegalInput } from '../../game/ruleset.ts';
import type { Json } from '../../ids.ts';
import { type Acting, filledIn, keyOf } from '../panels/act.ts';

/** Steps in which cards print their bonuses. */
const STEP: Readonly<Record<string, number>> = { bPower: 100, damage: 1, cost: 1 };
const WORD: Readonly<Record<string, string>> = {
  bPower: 'B-Power',
  damage: 'Damage',
  cost: 'Energy it costs',
  label: 'Name of the card',
};

/**
 * A card or ability that the game does not know, said by its player: "I play an Action costing 3: +300 B". Drawn from
 * the inputs listed for that: what it is and on which Bakugan, then the fields they ask for.
 */
export function handEntry(entries: readonly LegalInput[], acting: Acting): TemplateResult {
  const picked = entries.find((one) => keyOf(one) === acting.picked.get('entry')) ?? first(entries);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const { currentTarget: form } = event;
    if (form instanceof HTMLFormElement && picked !== undefined) acting.act(picked, filledIn(form, picked));
  };
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) acting.pick('entry', event.target.value);
  };
  return html`
    <details class="phone-more phone-entry">
      <summary>A card or ability that is not listed</summary>
      <form @submit=${send}>
        <label>What<select name="what" @change=${change}>
          ${entries.map((one) => html`<option value=${keyOf(one)} ?selected=${one === picked}>${one.label}</option>`)}
        </select></label>
        ${(picked?.ask ?? []).map((ask) =>
          ask.kind === 'text'
            ? html`<label>${WORD[ask.field] ?? ask.field}<input name=${ask.field} type="text" maxlength=${ask.longest}
                placeholder=${String(picked?.input[ask.field] ?? '')} autocomplete="off" /></label>`
            : stepper(ask.field, ask.min, ask.max, picked?.input[ask.field] ?? 0),
        )}
        <button type="submit" class="big" ?disabled=${!acting.may || picked === undefined}>Do it</button>
      </form>
    </details>`;
}

/** The own open Bakugan's card is what people mean mostly; cards of the hand before abilities. */
function first(entries: readonly LegalInput[]): LegalInput | undefined {
  return entries.find(({ input }) => input.cost !== undefined) ?? entries[0];
}

/** A whole number with buttons for thumbs. */
function stepper(field: string, min: number, max: number, listed: Json): TemplateResult {
  const step = STEP[field] ?? 1;
  const word = WORD[field] ?? field;
  const move = (by: number) => (event: Event) => {
    const box = event.currentTarget instanceof HTMLElement ? event.currentTarget.parentElement : null;
    const input = box?.querySelector('input');
    if (input === null || input === undefined) return;
    const now = input.value === '' ? Number(listed) : Number(input.value);
    input.value = String(Math.min(max, Math.max(min, now + by)));
  };
  return html`
    <div class="phone-step"><span id="step-${field}">${word}</span>
      <button type="button" aria-label="${word} less" @click=${move(-step)}>−</button>
      <input name=${field} type="number" inputmode="numeric" min=${min} max=${max} step="1" aria-labelledby="step-${field}"
        placeholder=${String(listed)} />
      <button type="button" aria-label="${word} more" @click=${move(step)}>+</button></div>`;
}
