import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { LegalInput } from '../../game/ruleset.ts';
import { type Json, SIDES, type Side } from '../../ids.ts';
import { nameOf } from '../bakugan-scene.ts';
import { type Acting, type Filled, keyOf } from './act.ts';

/** What a judge may say of one ball. */
type Result = { readonly player: Side; readonly opened: string; readonly cores: readonly string[] };

/**
 * The judge's ruling on a roll: per player the answers that the sensors leave open as buttons, every other set of
 * cores in a list, and a reason that goes into the record with whichever is pressed.
 */
export function judgeDesk(
  inputs: readonly LegalInput[],
  view: BakuganView | undefined,
  acting: Acting,
): TemplateResult {
  const whole = inputs.filter((one) => resultOf(one) === undefined);
  return html`
    <form class="judge-desk" @submit=${(event: Event) => event.preventDefault()}>
      ${SIDES.map((side) =>
        oneBall(
          side,
          inputs.filter((one) => resultOf(one)?.player === side),
          view,
          acting,
        ),
      )}
      <div class="buttons whole">${whole.map((one) => button(one, one.label, acting))}</div>
      <label class="reason">Reason<input name="reason" type="text" maxlength="200" placeholder="for the record" /></label>
    </form>`;
}

function oneBall(
  side: Side,
  inputs: readonly LegalInput[],
  view: BakuganView | undefined,
  acting: Acting,
): TemplateResult | typeof nothing {
  if (inputs.length === 0) return nothing;
  const seen = view?.roll?.results.find((one) => one.player === side);
  const likely = new Set([...(seen?.cores ?? []), ...(seen?.possible ?? [])]);
  const near = inputs.filter((one) => resultOf(one)?.cores.every((core) => likely.has(core)));
  const rest = inputs.filter((one) => !near.includes(one));
  return html`
    <fieldset class="of-${side} ${seen?.opened === 'undetermined' ? 'open-question' : ''}">
      <legend><span class="letter">${side}</span> ${nameOf(view, side)}
        ${seen === undefined ? nothing : html`<span class="quiet">sensors: ${seen.opened}</span>`}</legend>
      <div class="buttons">${near.map((one) => button(one, shortOf(one), acting))}</div>
      ${rest.length === 0 ? nothing : others(side, rest, acting)}
    </fieldset>`;
}

/** Other sets of cores. Not a form of its own: forms do not nest. */
function others(side: Side, rest: readonly LegalInput[], acting: Acting): TemplateResult {
  const list = `judge-${side}`;
  const picked = rest.find((one) => keyOf(one) === acting.picked.get(list)) ?? rest[0];
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) acting.pick(list, event.target.value);
  };
  return html`
    <div class="pick">
      <select aria-label="Other cores for player ${side}" @change=${change}>
        ${rest.map((one) => html`<option value=${keyOf(one)} ?selected=${one === picked}>${shortOf(one)}</option>`)}
      </select>
      ${picked === undefined ? nothing : button(picked, 'Rule so', acting)}
    </div>`;
}

function button(input: LegalInput, label: string, acting: Acting): TemplateResult {
  const press = (event: Event): void => {
    const form = event.currentTarget instanceof HTMLButtonElement ? event.currentTarget.form : null;
    acting.act(input, form === null ? {} : reasonIn(form));
  };
  return html`
    <button type="button" data-type=${input.input.type} title=${`${input.label} (${input.rules.join(', ')})`}
      ?disabled=${!acting.may || acting.asked.has(keyOf(input))} @click=${press}>${label}</button>`;
}

function reasonIn(form: HTMLFormElement): Filled {
  const reason = String(new FormData(form).get('reason') ?? '').trim();
  return reason === '' ? {} : { reason };
}

function shortOf(input: LegalInput): string {
  const result = resultOf(input);
  if (result === undefined) return input.label;
  if (result.opened !== 'yes') return 'Did not open';
  return result.cores.length === 0 ? 'Opened, no core' : `Opened on ${result.cores.join(' + ')}`;
}

function resultOf(input: LegalInput): Result | undefined {
  const list = input.input.results;
  const first: Json | undefined = isList(list) ? list[0] : undefined;
  if (typeof first !== 'object' || first === null || isList(first)) return undefined;
  const { player, opened, cores } = first as { readonly [key: string]: Json };
  if (player !== 'A' && player !== 'B') return undefined;
  return { player, opened: String(opened), cores: isList(cores) ? cores.map(String) : [] };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
