import { html, nothing, svg, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { signed } from '../bakugan-scene.ts';
import { FACTION_COLOUR, factionMark } from '../marks.ts';
import type { OverlayModel, Plate } from './model.ts';

/** Everything on air, drawn from the model alone. */
export function stage(model: OverlayModel): TemplateResult {
  return html`
    ${strip(model)}
    ${headline(model)}
    <div class="thirds">
      ${model.plates.slice(0, 1).map(plate)}
      ${ruling(model)}
      ${model.plates.slice(1).map(plate)}
    </div>`;
}

function strip({ turn, score, phase, step, priority }: OverlayModel): TemplateResult {
  return html`
    <div class="strip">
      ${score === '' ? nothing : html`<span class="strip-score">${score}</span>`}
      <span class="strip-turn">Turn <b>${turn}</b></span>
      <span class="strip-phase">${phase}</span>
      ${step === phase ? nothing : keyed(step, html`<span class="strip-step swap">${step}</span>`)}
      ${priority === '' ? nothing : html`<span class="strip-who">${priority}</span>`}
    </div>`;
}

function headline({ moment }: OverlayModel): TemplateResult | typeof nothing {
  if (moment.kind === 'none' || moment.kind === 'waiting' || moment.kind === 'rolling') return nothing;
  return html`${keyed(
    `${moment.kind}${moment.side ?? ''}`,
    html`
      <div class="banner banner-${moment.kind} ${moment.side === undefined ? '' : `side-${moment.side}`}">
        <b>${moment.kind === 'judge' ? 'Judge review' : moment.title}</b>
        ${moment.kind === 'judge' || moment.line === '' ? nothing : html`<span>${moment.line}</span>`}
      </div>`,
  )}`;
}

function plate(one: Plate): TemplateResult {
  const { toy } = one;
  return html`
    <section class="plate side-${one.side} ${one.acts ? 'plate-acts' : ''} ${one.victor ? 'plate-victor' : ''}"
      style="--faction:${toy === undefined ? '#8796b8' : FACTION_COLOUR[toy.faction]}">
      <div class="plate-who">
        <span class="letter">${one.side}</span><b>${one.name}</b>
        <span class="plate-count"><i>Deck</i>${one.deck}</span>
        <span class="plate-count"><i>Hand</i>${one.hand}</span>
      </div>
      <div class="plate-toy">
        ${
          toy === undefined
            ? html`<span class="plate-none">${one.chooses ? 'Choosing a Bakugan' : ''}</span>`
            : html`
              <svg class="plate-mark" viewBox="0 0 24 24">${svg`<g>${factionMark(toy.faction)}</g>`}</svg>
              <div class="plate-name"><b>${toy.name}</b><span>${toy.faction} · ${toy.open ? 'open' : 'closed'}</span></div>
              ${keyed(toy.damage, html`<div class="plate-damage"><i>Damage</i><b class="swap">${toy.damage}</b></div>`)}
              ${keyed(toy.bPower, html`<div class="plate-power"><i>B-Power</i><b class="swap">${toy.bPower}</b></div>`)}`
        }
      </div>
      <ul class="plate-parts">
        ${(toy?.parts ?? []).map(
          (part) =>
            html`<li class=${part.amount < 0 ? 'minus' : ''}><b>${signed(part.amount)}</b> ${part.label}</li>`,
        )}
      </ul>
    </section>`;
}

function ruling({ ruling: one }: OverlayModel): TemplateResult {
  if (one === undefined) return html`<div class="ruling-gap"></div>`;
  return html`
    <div class="ruling ${one.withdrawn ? 'ruling-withdrawn' : ''}">
      <h2>${one.withdrawn ? 'Ruling withdrawn' : one.title}</h2>
      ${one.lines.map(
        (line) => html`
          <p class=${line.doubt ? 'doubt' : ''}>
            <span class="letter letter-${line.side}">${line.side}</span>${line.text}
            <i>${line.rules}</i>
          </p>`,
      )}
    </div>`;
}
