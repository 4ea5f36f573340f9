import { html, nothing, svg, type TemplateResult } from 'lit';
import type { BakuganSeen, BakuganView, Bonus, CoreSeen } from '../../game/bakugan/view.ts';
import type { Side } from '../../ids.ts';
import { actorsOf, nameOf, signed } from '../bakugan-scene.ts';
import { CORE_COLOUR, CORE_NAME, coreMark, FACTION_COLOUR, factionMark } from '../marks.ts';

/** One player: counts, and three Bakugan with every addend of their B-Power and Damage Rating. */
export function playerPanel(view: BakuganView, side: Side): TemplateResult {
  const player = view.players[side];
  const acts = actorsOf(view).includes(side);
  const state = view.winner === side || view.victor === side ? 'player-victor' : acts ? 'player-acts' : '';
  return html`
    <section class="player player-${side} ${state}" aria-label="Player ${side}: ${nameOf(view, side)}">
      <header>
        <span class="letter" aria-hidden="true">${side}</span>
        <h2>${nameOf(view, side)}</h2>
        ${view.startingPlayer === side ? html`<span class="tag">Starting player</span>` : nothing}
        ${view.victor === side ? html`<span class="tag tag-gold">Victor</span>` : nothing}
      </header>
      <dl class="counts">
        ${count('Deck', player.deck, player.deck <= 5 ? 'low' : '')}
        ${count('Hand', player.hand)}
        ${count('Discard', player.discard)}
        <div class="energy">
          <dt>Energy</dt>
          <dd aria-label="${player.energyCharged} charged of ${player.energyCharged + player.energyUncharged}">
            <b>${player.energyCharged}</b><span>/${player.energyCharged + player.energyUncharged}${
              player.energyPool === undefined
                ? nothing
                : html` <em title="Energy made and not yet spent">+${player.energyPool}</em>`
            }</span>
          </dd>
        </div>
      </dl>
      <ul class="team">${player.bakugan.map((toy) => toyCard(toy, view))}</ul>
    </section>`;
}

function count(label: string, value: number, kind = ''): TemplateResult {
  return html`<div class=${kind}><dt>${label}</dt><dd><b>${value}</b></dd></div>`;
}

function toyCard(toy: BakuganSeen, view: BakuganView): TemplateResult {
  const state = toy.open ? 'open' : 'closed';
  const cores = toy.cores.flatMap((id) => view.cores.find((core) => core.core === id) ?? []);
  return html`
    <li class="toy toy-${state} ${toy.selected ? 'toy-selected' : ''}" style="--faction:${FACTION_COLOUR[toy.faction]}">
      <svg class="toy-mark" viewBox="0 0 24 24" aria-hidden="true">${factionMark(toy.faction)}</svg>
      <div class="toy-name">
        <h3>${toy.name}</h3>
        <p>
          <span class="faction">${toy.faction}</span>
          <span class="state">${toy.open ? 'Open' : 'Closed'}</span>
          ${toy.selected ? html`<span class="selected">${toy.open ? 'Brawling' : 'Selected'}</span>` : nothing}
        </p>
      </div>
      <div class="power" aria-label="B-Power ${toy.bPower}"><span>B-Power</span><b>${toy.bPower}</b></div>
      <div class="damage" aria-label="Damage ${toy.damage}"><span>Damage</span><b>${toy.damage}</b></div>
      <div class="parts">
        ${parts('B', toy.bPowerParts)} ${parts('D', toy.damageParts)}
        ${cores.map(coreBadge)} ${toy.keywords.map((word) => html`<span class="keyword">${word}</span>`)}
      </div>
    </li>`;
}

/** Every addend; the printed value alone needs no list. */
function parts(what: 'B' | 'D', list: readonly Bonus[]): TemplateResult | typeof nothing {
  if (list.length < 2) return nothing;
  return html`
    <ul class="sum" aria-label=${what === 'B' ? 'B-Power, itemised' : 'Damage, itemised'}>
      <li class="sum-of" aria-hidden="true">${what}</li>
      ${list.map(
        (part) => html`
          <li class=${part.amount < 0 ? 'minus' : part.source === 'printed' ? 'printed' : 'plus'}>
            <b>${part.source === 'printed' ? part.amount : signed(part.amount)}</b> ${part.source === 'printed' ? 'printed' : part.label}
          </li>`,
      )}
    </ul>`;
}

function coreBadge(core: CoreSeen): TemplateResult {
  const name = `Core ${core.core} of player ${core.owner}, ${CORE_NAME[core.type]}${core.print === undefined ? '' : `, print #${core.print}`}`;
  return html`
    <span class="held" style="--core:${CORE_COLOUR[core.type]}" title=${name}>
      <svg viewBox="0 0 24 24" role="img" aria-label=${name}>${svg`<g>${coreMark(core.type)}</g>`}</svg>${core.core}
    </span>`;
}
