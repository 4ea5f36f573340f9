import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView, CardSeen } from '../../game/bakugan/view.ts';
import type { LegalInput } from '../../game/ruleset.ts';
import type { Side } from '../../ids.ts';
import { type Acting, keyOf } from '../panels/act.ts';
import { big } from './big-button.ts';
import { handEntry } from './entry.ts';
import { flipping } from './flips.ts';

export type Deciding = {
  /** What this player may do now: everything below is drawn from it alone. */
  readonly legal: readonly LegalInput[];
  readonly view: BakuganView;
  readonly side: Side;
  readonly acting: Acting;
};

/** Everything that this player may do now, as big plain buttons. */
export function decide({ legal, view, side, acting }: Deciding): TemplateResult {
  const flips = legal.filter(({ input }) => input.type === 'flip');
  const entries = legal.filter(({ input }) => input.type === 'modify');
  const usual = legal.filter((one) => one.aside !== true && !flips.includes(one));
  const more = legal.filter((one) => one.aside === true && !flips.includes(one) && !entries.includes(one));
  const cards = new Map<string, LegalInput[]>();
  for (const one of usual) {
    const card = one.input.card;
    if (typeof card === 'string') cards.set(card, [...(cards.get(card) ?? []), one]);
  }
  const plain = usual.filter(({ input }) => typeof input.card !== 'string');
  const hand = view.players[side].cards ?? [];
  const nothingToDo = usual.length === 0 && flips.length === 0;
  return html`
    <section class="phone-do" aria-label="What you may do now">
      ${batch(view)} ${shownFlip(view)}
      ${nothingToDo ? html`<p class="phone-idle">${view.winner === undefined ? 'Nothing for you to do now.' : 'The game is over.'}</p>` : nothing}
      ${flips.length === 0 ? nothing : flipping(flips, acting)}
      ${places(plain, acting)}
      ${plain.filter(({ input }) => input.type !== 'place').map((one) => big(one, acting))}
      ${handCards(hand, cards, acting)}
      ${entries.length === 0 ? nothing : handEntry(entries, acting)}
      ${more.length === 0 ? nothing : html`<details class="phone-more"><summary>More</summary>${more.map((one) => confirmed(one, acting))}</details>`}
    </section>`;
}

/** What ends or changes much is asked twice. */
function confirmed(one: LegalInput, acting: Acting): TemplateResult {
  const sure = acting.picked.get('sure') === keyOf(one);
  return sure
    ? html`<div class="phone-sure">${big(one, acting, `Yes: ${one.label}`)}
        <button type="button" class="big" @click=${() => acting.pick('sure', '')}>No</button></div>`
    : html`<button type="button" class="big" ?disabled=${!acting.may} @click=${() => acting.pick('sure', keyOf(one))}>${one.label}…</button>`;
}

/** Cores to lay: which one first where there are several, then the cells that are free (4.7.3). */
function places(plain: readonly LegalInput[], acting: Acting): TemplateResult | typeof nothing {
  const all = plain.filter(({ input }) => input.type === 'place');
  if (all.length === 0) return nothing;
  const cores = [...new Set(all.map(({ input }) => String(input.core)))];
  const wanted = acting.picked.get('core');
  const core = cores.find((one) => one === wanted) ?? cores[0];
  const cells = all.filter(({ input }) => input.core === core);
  return html`
    <h2>Lay core ${core} on a free cell</h2>
    ${
      cores.length < 2
        ? nothing
        : html`<div class="phone-pick" role="group" aria-label="Which core">${cores.map(
            (one) =>
              html`<button type="button" aria-pressed=${one === core} @click=${() => acting.pick('core', one)}>${one}</button>`,
          )}</div>`
    }
    <p class="phone-hint">${cells.length === 1 ? 'Only one cell is free.' : `${cells.length} cells are free; they glow green on the mat.`}</p>
    <div class="phone-cells">${cells.map((one) => big(one, acting, String(one.input.cell)))}</div>`;
}

/** Known cards in hand, each with the ways in which it may be played now. */
function handCards(
  hand: readonly CardSeen[],
  ways: ReadonlyMap<string, readonly LegalInput[]>,
  acting: Acting,
): TemplateResult | typeof nothing {
  if (hand.length === 0 && ways.size === 0) return nothing;
  const idle = hand.filter(({ id }) => !ways.has(id));
  return html`
    ${[...ways].map(([card, list]) => {
      const [only, ...others] = list;
      if (only !== undefined && others.length === 0) return big(only, acting);
      const name = hand.find(({ id }) => id === card)?.name ?? nameIn(list) ?? card;
      return html`<details class="phone-ways"><summary>${name}<small>${list.length} ways</small></summary>
        ${list.map((one) => big(one, acting))}</details>`;
    })}
    ${
      idle.length === 0
        ? nothing
        : html`<details class="phone-more"><summary>Hand: ${hand.length} cards</summary>
            <ul class="phone-hand">${idle.map(({ name, type, cost }) => html`<li><b>${name}</b><span>${type ?? ''}</span><span>${cost ?? ''}</span></li>`)}</ul></details>`
    }`;
}

/** What the labels of all ways begin with, without the verb: the card's name. */
function nameIn(ways: readonly LegalInput[]): string | undefined {
  const [first = '', ...others] = ways.map(({ label }) => label.replace(/^(Play|Energize) /, ''));
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  const name = first.slice(0, length).replace(/[ ,:;]*( on| for)?[ ,:;]*$/, '');
  return name === '' ? undefined : name;
}

function batch(view: BakuganView): TemplateResult | typeof nothing {
  const list = view.batch ?? [];
  if (list.length === 0) return nothing;
  return html`<ol class="phone-batch" aria-label="The batch, next to happen first">
    ${[...list].reverse().map((one) => html`<li class="of-${one.controller}"><span class="letter">${one.controller}</span> ${one.label}</li>`)}</ol>`;
}

function shownFlip({ flipCard }: BakuganView): TemplateResult | typeof nothing {
  return flipCard === undefined ? nothing : html`<p class="phone-flip">Flipped: <b>${flipCard.name}</b></p>`;
}
