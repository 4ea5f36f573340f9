import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { SIDES } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import { nameOf } from '../bakugan-scene.ts';
import { countedGames, matchLine, matchScore } from '../match-words.ts';

export type MatchPanelSeen = {
  readonly scene: Scene;
  readonly view: BakuganView | undefined;
  readonly may: boolean;
  command(asked: { readonly do: string; readonly [key: string]: unknown }): void;
};

/** The match panel as a card of its own, where it is worth one. */
export function matchCard(seen: MatchPanelSeen): TemplateResult | typeof nothing {
  const { match, cues } = seen.scene;
  if (match === undefined) return nothing;
  // Open by itself when something of it is asked: the next game, or what to enter.
  const asks = cues.some(({ cue }) => cue === 'game-over');
  return html`
    <details class="card match-card" ?open=${asks}>
      <summary>Match <span>${match.winner === null ? matchScore(match) : 'is over'}</span></summary>
      <div class="scroll">${matchPanel(seen)}</div>
    </details>`;
}

/** How a match of several games stands, its next game, and how it is ended early or goes on after all. */
export function matchPanel(seen: MatchPanelSeen): TemplateResult | typeof nothing {
  const { match } = seen.scene;
  if (match === undefined) return nothing;
  if (match.winner === null) {
    return html`<p class="match-score">${matchScore(match)}</p>${nextGame(seen)}${endForm(seen)}`;
  }
  const { A, B } = countedGames(match);
  const line = matchLine(match, seen.view);
  return html`
    <p class="well">${line} At an evening of rounds enter it: <code>bakucore event result FILE A B ${A}-${B}</code></p>
    ${match.ended === undefined ? nothing : resumeForm(seen)}`;
}

/** Begins the next game; where its loser says who begins, staff enters what that player says. */
function nextGame({ scene, view, may, command }: MatchPanelSeen): TemplateResult | typeof nothing {
  const { match, cues } = scene;
  if (!cues.some(({ cue }) => cue === 'game-over')) return nothing;
  const chooser = match?.chooser;
  if (chooser === undefined) {
    return html`<p class="row"><button type="button" class="main" ?disabled=${!may} @click=${() => command({ do: 'new-game' })}>Begin the next game</button></p>`;
  }
  return html`
    <p>${nameOf(view, chooser)} lost and says who places the first core of the next game; whoever places the last one starts its first turn.</p>
    <p class="row">${SIDES.map(
      (first) =>
        html`<button type="button" ?disabled=${!may} @click=${() => command({ do: 'new-game', first })}>Begin it: ${nameOf(view, first)} places first</button>`,
    )}</p>`;
}

function endForm({ view, may, command }: MatchPanelSeen): TemplateResult {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    const reason = String(data.get('why') ?? '').trim();
    const winner = String(data.get('winner') ?? '');
    if (reason === '' || winner === '') return;
    command({ do: 'end-match', winner, reason });
    form.reset();
  };
  return html`
    <details class="end-match">
      <summary>End the match early</summary>
      <p>The game that is on is broken off and counts for nobody. A player who gives the match up does it on the own phone.</p>
      <form class="despite" @submit=${send}>
        <label>Who wins the match
          <select name="winner" required>
            <option value="">Choose…</option>
            ${SIDES.map((side) => html`<option value=${side}>${nameOf(view, side)}</option>`)}
            <option value="draw">Nobody: a draw</option>
          </select></label>
        <label>Why; kept in the record and shown
          <input name="why" maxlength="500" required autocomplete="off" placeholder="e.g. did not come back after the break" /></label>
        <button type="submit" class="danger" ?disabled=${!may}>End the match</button>
      </form>
    </details>`;
}

function resumeForm({ may, command }: MatchPanelSeen): TemplateResult {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const reason = String(new FormData(form).get('why') ?? '').trim();
    if (reason === '') return;
    command({ do: 'resume-match', reason });
    form.reset();
  };
  return html`
    <details class="end-match">
      <summary>Let the match go on after all</summary>
      <form class="despite" @submit=${send}>
        <label>Why; kept in the record
          <input name="why" maxlength="500" required autocomplete="off" placeholder="e.g. pressed by mistake" /></label>
        <button type="submit" ?disabled=${!may}>Go on where it was broken off</button>
      </form>
    </details>`;
}
