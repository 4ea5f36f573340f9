import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganSeen, BakuganView, PlayerSeen } from '../../game/bakugan/view.ts';
import { opponentOf, type Side } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import { brawlerOf, nameOf } from '../bakugan-scene.ts';
import { matchScore } from '../match-words.ts';
import { momentOf } from '../panels/ribbon.ts';

/** Who this is, where the turn stands and what is waited for. */
export function phoneHeader(scene: Scene, view: BakuganView, side: Side, connected: boolean): TemplateResult {
  const moment = momentOf(scene, view);
  const own = view.waitingFor.find(({ who }) => who === side);
  // What this player is waited for comes before news of the table.
  const asks =
    own !== undefined && (moment.kind === 'waiting' || moment.kind === 'victor' || moment.kind === 'team');
  return html`
    <header class="phone-top">
      <div class="phone-who"><span class="letter">${side}</span><b>${nameOf(view, side)}</b>
        <span class="phone-turn">${scene.match === undefined ? nothing : html`${matchScore(scene.match)} · `}Turn ${view.turn}<i class=${connected ? 'up' : 'down'} title=${connected ? 'connected' : 'not connected'}></i></span></div>
      <h1>${view.step}</h1>
      <p class="phone-moment phone-moment-${moment.kind}" role="status">${moment.kind === 'waiting' && asks ? nothing : html`${moment.title}${moment.line === '' ? nothing : html` <span>${moment.line}</span>`}`}
        ${asks ? html`<b>Your turn: ${own.what}</b>` : nothing}</p>
      ${scene.trouble === null ? nothing : html`<p class="phone-trouble" role="alert">${scene.trouble}</p>`}
    </header>`;
}

/** The two Bakugan of this Brawl, own one first. */
export function brawl(view: BakuganView, side: Side): TemplateResult | typeof nothing {
  const own = brawlerOf(view.players[side]);
  const other = brawlerOf(view.players[opponentOf(side)]);
  if (own === undefined && other === undefined) return nothing;
  return html`
    <section class="phone-card phone-brawl" aria-label="Brawl">
      ${brawler(own, side, 'You')} ${brawler(other, opponentOf(side), nameOf(view, opponentOf(side)))}
    </section>`;
}

function brawler(toy: BakuganSeen | undefined, side: Side, whose: string): TemplateResult {
  return html`
    <div class="phone-brawler of-${side}">
      <span>${whose}</span>
      ${
        toy === undefined
          ? html`<b>not chosen yet</b>`
          : html`<b>${toy.name}</b>
            <span class="phone-stats"><strong>${toy.bPower}</strong> B <strong>${toy.damage}</strong> D</span>
            <span>${toy.open ? (toy.cores.length === 0 ? 'open, no core' : `open, holds ${toy.cores.join(' and ')}`) : 'closed'}</span>`
      }
    </div>`;
}

/** Piles of both players. */
export function counts(view: BakuganView, side: Side): TemplateResult {
  const row = (player: PlayerSeen, whose: string): TemplateResult => html`
    <tr><th scope="row">${whose}</th><td>${player.deck}</td><td>${player.hand}</td>
      <td>${player.energyCharged}<small>/${player.energyCharged + player.energyUncharged}</small></td><td>${player.discard}</td></tr>`;
  return html`
    <section class="phone-card">
      <table>
        <thead><tr><td></td><th scope="col">Deck</th><th scope="col">Hand</th><th scope="col">Energy</th><th scope="col">Discard</th></tr></thead>
        <tbody>${row(view.players[side], 'You')} ${row(view.players[opponentOf(side)], nameOf(view, opponentOf(side)))}</tbody>
      </table>
    </section>`;
}

/** The own team with its cores, open ones marked. */
export function teamList(view: BakuganView, side: Side): TemplateResult {
  return html`
    <section class="phone-card">
      <h2>Your team</h2>
      <ul class="phone-team">${view.players[side].bakugan.map(
        (toy) => html`
          <li class=${toy.open ? 'open' : ''}><b>${toy.name}</b><span>${toy.faction}</span>
            <span>${toy.open ? 'Open' : 'Closed'}${toy.cores.length === 0 ? '' : `, ${toy.cores.join(' and ')}`}</span>
            <span class="phone-stats"><strong>${toy.bPower}</strong> B <strong>${toy.damage}</strong> D</span></li>`,
      )}</ul>
    </section>`;
}
