import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { opponentOf, type Side } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import { nameOf } from '../bakugan-scene.ts';

export type SeriesSeen = {
  readonly scene: Scene;
  readonly view: BakuganView;
  readonly side: Side;
  /** The player wants to concede the match and is asked whether that is so. */
  readonly sure: boolean;
  command(asked: { readonly do: string; readonly [key: string]: unknown }): void;
  ask(sure: boolean): void;
};

/** What a player does with a match of several games: begin the next one, say who begins it, or give it up. */
export function seriesDeeds(seen: SeriesSeen): TemplateResult | typeof nothing {
  const { match } = seen.scene;
  if (match === undefined || match.winner !== null) return nothing;
  return html`${nextGame(seen)}${concede(seen)}`;
}

function nextGame({ scene, view, side, command }: SeriesSeen): TemplateResult | typeof nothing {
  const { match, cues } = scene;
  if (match === undefined || !cues.some(({ cue }) => cue === 'game-over')) return nothing;
  const name = `game ${match.game + 1} of ${match.bestOf}`;
  if (match.chooser === undefined) {
    return html`<button type="button" class="big" @click=${() => command({ do: 'new-game' })}>Begin ${name}</button>`;
  }
  const other = opponentOf(side);
  if (match.chooser === other) {
    return html`<p class="phone-watch" role="status">${nameOf(view, other)} says who begins ${name}.</p>`;
  }
  return html`
    <section class="phone-card phone-series" aria-label="Next game">
      <p>You say who places the first core of ${name}. Whoever places the last one starts its first turn.</p>
      <button type="button" class="big" @click=${() => command({ do: 'new-game', first: side })}>I place first</button>
      <button type="button" class="big" @click=${() => command({ do: 'new-game', first: other })}>${nameOf(view, other)} places first</button>
    </section>`;
}

function concede({ view, side, sure, command, ask }: SeriesSeen): TemplateResult {
  if (!sure) {
    return html`<p class="phone-series"><button type="button" class="quiet" @click=${() => ask(true)}>Concede the match…</button></p>`;
  }
  return html`
    <section class="phone-card phone-series" aria-label="Concede the match">
      <p>The whole match goes to ${nameOf(view, opponentOf(side))}, not only this game.</p>
      <button type="button" class="big danger" @click=${() => command({ do: 'end-match' })}>Concede the match</button>
      <button type="button" class="quiet" @click=${() => ask(false)}>No, play on</button>
    </section>`;
}
