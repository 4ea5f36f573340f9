import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { SIDES, type Side } from '../../ids.ts';
import { nameOf } from '../bakugan-scene.ts';
import type { Corrector } from './corrector.ts';
import { type Correcting, type Draft, KINDS, type Kind, type Result, rollsIn, ZONES } from './draft.ts';
import { foreseenView } from './foreseen-view.ts';

/** Corrects what has happened: what, why, by which rule, who confirms; then what would change; then it is made. */
export function correctDialog(
  corrector: Corrector,
  view: BakuganView | undefined,
): TemplateResult | typeof nothing {
  const { now } = corrector;
  if (now === undefined) return nothing;
  const { draft, foreseen, busy, problem } = now;
  const put = (more: Partial<Draft>): void => corrector.put(more);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (foreseen === undefined) corrector.look();
    else corrector.make();
  };
  return html`
    <dialog class="correct" aria-labelledby="correct-title" @close=${() => corrector.close()}>
      <form @submit=${send}>
        <h2 id="correct-title">Correct what has happened</h2>
        <div class="segments" role="group" aria-label="What to correct">
          ${(Object.keys(KINDS) as Kind[]).map(
            (kind) =>
              html`<button type="button" aria-pressed=${draft.kind === kind} @click=${() => put({ kind })}>${KINDS[kind]}</button>`,
          )}
        </div>
        ${what(now, view, put)}
        <label>Why, for the record
          <input name="why" type="text" required maxlength="180" .value=${draft.reason} @input=${(event: Event) => put({ reason: textOf(event) })} /></label>
        <div class="two">
          <label>Rule it rests on
            <input name="rule" type="text" maxlength="20" placeholder="as 5.7.1.4" .value=${draft.rule} @input=${(event: Event) => put({ rule: textOf(event) })} /></label>
          ${second(draft, corrector.withToken, put)}
        </div>
        ${foreseen === undefined ? nothing : foreseenView(foreseen)}
        ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
        <div class="dialog-deeds">
          <button type="button" @click=${() => corrector.close()}>Leave it</button>
          ${
            foreseen === undefined
              ? html`<button type="submit" class="go" ?disabled=${busy}>${busy ? 'Working it out…' : 'Show what would change'}</button>`
              : html`<button type="submit" class="danger" ?disabled=${busy}>${busy ? 'Correcting…' : 'Make this correction'}</button>`
          }
        </div>
        <p class="quiet">Nothing is edited: this correction, what stood before and your reason all stay in the journal.</p>
      </form>
    </dialog>`;
}

type Put = (more: Partial<Draft>) => void;

function what(now: Correcting, view: BakuganView | undefined, put: Put): TemplateResult {
  const { draft, steps } = now;
  switch (draft.kind) {
    case 'overrule':
      return html`${rollChoice(now, put)}${SIDES.map((side) => result(side, draft, view, put))}`;
    case 'again':
      return html`${rollChoice(now, put)}<p class="quiet">Both players roll again; what came after that roll is taken back.</p>`;
    case 'count':
      return count(draft, view, put);
    case 'back':
      return html`
        <label>The game stands again as it did after
          <select @change=${(event: Event) => put({ to: Number(textOf(event)) })}>
            ${[...steps]
              .reverse()
              .map(
                ({ seq, type, events, by }) =>
                  html`<option value=${seq} ?selected=${seq === draft.to}>${seq}. ${events[0]?.text ?? `${type} by ${by.player ?? by.role}`}</option>`,
              )}
            <option value="0" ?selected=${draft.to === 0}>the start of the game</option>
          </select></label>`;
    default:
      return draft.kind satisfies never;
  }
}

function rollChoice({ draft, steps, busy }: Correcting, put: Put): TemplateResult {
  const rolls = [...new Set([...rollsIn(steps), ...(draft.roll === '' ? [] : [draft.roll])])];
  if (rolls.length === 0) {
    return html`<p class="quiet">${busy ? 'Looking up the rolls…' : 'No roll has been settled in this game.'}</p>`;
  }
  return html`
    <label>Roll
      <select @change=${(event: Event) => put({ roll: textOf(event) })}>
        ${rolls.map((roll) => html`<option value=${roll} ?selected=${roll === draft.roll}>${roll}</option>`)}
      </select></label>`;
}

function result(side: Side, draft: Draft, view: BakuganView | undefined, put: Put): TemplateResult {
  const now = draft.results[side];
  const set = (more: Partial<Result>): void =>
    put({ results: { ...draft.results, [side]: { ...now, ...more } } });
  const cores = (view?.cores ?? []).map(({ core }) => core);
  const pick = (at: 0 | 1, core: string): void => {
    const [first = '', other = ''] = now.cores;
    const both = at === 0 ? [core, other] : [first, core];
    set({ cores: [...new Set(both.filter((one) => one !== ''))] });
  };
  const choice = (at: 0 | 1, none: string): TemplateResult => html`
    <select aria-label="${at === 0 ? 'Core' : 'Second core'} of ${nameOf(view, side)}" @change=${(event: Event) => pick(at, textOf(event))}>
      <option value="">${none}</option>
      ${cores.map((core) => html`<option value=${core} ?selected=${now.cores[at] === core}>${core}</option>`)}
    </select>`;
  return html`
    <fieldset class="of-${side}">
      <legend><span class="letter">${side}</span> ${nameOf(view, side)}</legend>
      <div class="segments" role="group" aria-label="Result of ${nameOf(view, side)}">
        <button type="button" aria-pressed=${now.opened === 'yes'} @click=${() => set({ opened: 'yes' })}>Opened</button>
        <button type="button" aria-pressed=${now.opened === 'no'} @click=${() => set({ opened: 'no' })}>Did not open</button>
      </div>
      ${now.opened === 'no' ? nothing : html`${choice(0, 'holds no core')}${now.cores.length === 0 ? nothing : choice(1, 'and no second')}`}
    </fieldset>`;
}

function count(draft: Draft, view: BakuganView | undefined, put: Put): TemplateResult {
  return html`
    <div class="two">
      <label>Whose
        <select @change=${(event: Event) => put({ player: textOf(event) === 'B' ? 'B' : 'A' })}>
          ${SIDES.map((side) => html`<option value=${side} ?selected=${side === draft.player}>${nameOf(view, side)}</option>`)}
        </select></label>
      <label>Pile
        <select @change=${(event: Event) => put({ zone: textOf(event) })}>
          ${Object.entries(ZONES).map(([zone, words]) => html`<option value=${zone} ?selected=${zone === draft.zone}>${words}</option>`)}
        </select></label>
      <label>Cards there are
        <input name="count" type="number" min="0" max="200" step="1" required .value=${String(draft.count)} @input=${(event: Event) => put({ count: Number(textOf(event)) })} /></label>
    </div>`;
}

function second(draft: Draft, withToken: boolean, put: Put): TemplateResult {
  // A count is a step of the game and carries no token: whoever confirms it is named where names are believed.
  if (draft.kind === 'count' && withToken) return html``;
  const change = (event: Event): void => put({ second: textOf(event) });
  return withToken
    ? html`<label>Token of a second judge, if one confirms<input name="second" type="password" autocomplete="off" maxlength="256" .value=${draft.second} @input=${change} /></label>`
    : html`<label>Name of a second judge, if one confirms<input name="second" type="text" maxlength="64" .value=${draft.second} @input=${change} /></label>`;
}

function textOf(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : '';
}
