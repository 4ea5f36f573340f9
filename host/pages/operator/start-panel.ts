import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { Scene } from '../../scene/scene.ts';
import type { SimAction } from '../../sim-action.ts';
import { matchPanel } from '../panels/match-panel.ts';

export type StartPanelSeen = {
  readonly scene: Scene;
  readonly view: BakuganView | undefined;
  readonly may: boolean;
  readonly maySim: boolean;
  command(asked: { readonly do: string; readonly [key: string]: unknown }): void;
  act(action: SimAction): void;
};

/** Whether the match may begin, what keeps it, and how it is begun all the same. */
export function startPanel(seen: StartPanelSeen): TemplateResult {
  const { start, match } = seen.scene;
  const over = match !== undefined && match.winner !== null;
  return html`
    <section class="card start" aria-label="Match start">
      <h2>Match</h2>
      ${start.begun || over ? begun(seen) : html`${pending(seen)}${matchPanel(seen)}`}
      ${
        seen.maySim
          ? html`<p class="row"><button type="button" class="quiet" @click=${() => seen.act({ act: 'clear' })}>Let the simulated hand clear the mat</button></p>`
          : nothing
      }
    </section>`;
}

function pending(seen: StartPanelSeen): TemplateResult {
  const { scene, may, command } = seen;
  const { blocks } = scene.start;
  if (blocks.length === 0) {
    const warns = scene.health.length;
    return html`
      <p class="well">Nothing keeps the match from beginning${warns > 0 ? html`; ${warns} ${warns === 1 ? 'thing' : 'things'} to know below` : nothing}. It begins with the first thing played.</p>
      <p class="row"><button type="button" class="main" ?disabled=${!may} @click=${() => command({ do: 'start-match' })}>Begin the match</button></p>`;
  }
  if (blocks.some(({ code }) => code === 'health/listening')) {
    return html`<p class="soft">The sensors are being looked at: keep hands off the mat for two seconds.</p>
      <ul class="reasons">${blocks.map((one) => html`<li>${one.text}</li>`)}</ul>`;
  }
  return html`
    <p class="ill">The match waits: ${blocks.length === 1 ? 'one thing keeps' : `${blocks.length} things keep`} it from beginning. Each is listed below with what to do.</p>
    <ul class="reasons">${blocks.map((one) => html`<li>${one.text}</li>`)}</ul>
    ${despiteForm('start-match', 'Begin all the same', seen)}`;
}

function begun(seen: StartPanelSeen): TemplateResult {
  const { start } = seen.scene;
  const { overrode } = start;
  return html`
    ${
      !start.begun
        ? nothing
        : overrode === null
          ? html`<p class="well">The match has begun on sound sensors.</p>`
          : html`<p class="ill">${overrode.by.name ?? `The ${overrode.by.role}`} let the match begin all the same: “${overrode.why}”</p>
            <ul class="reasons">${overrode.blocks.map((text) => html`<li>${text}</li>`)}</ul>`
    }
    ${matchPanel(seen)}
    <details>
      <summary>Start a new match</summary>
      <p>The one that is on ends here. The mat must be empty.</p>
      <p class="row"><button type="button" class="danger" ?disabled=${!seen.may} @click=${() => seen.command({ do: 'new-game', ...anew(seen.scene) })}>Start a new match now</button></p>
      ${despiteForm('new-game', 'Start it whatever the sensors say', seen, anew(seen.scene))}
    </details>`;
}

/** What makes a new game the first one of another match. */
function anew({ match }: Scene): { readonly bestOf?: 3 } {
  return match === undefined ? {} : { bestOf: match.bestOf };
}

/** Overriding a block asks for a reason: it is recorded with who gave it. */
function despiteForm(
  deed: string,
  words: string,
  { may, command }: StartPanelSeen,
  more: { readonly bestOf?: 3 } = {},
): TemplateResult {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const despite = String(new FormData(form).get('why') ?? '').trim();
    if (despite === '') return;
    command({ do: deed, despite, ...more });
    form.reset();
  };
  return html`
    <form class="despite" @submit=${send}>
      <label>Why it shall begin all the same; kept in the record
        <input name="why" maxlength="500" required autocomplete="off" placeholder="e.g. tile q1r0 stays without a core" /></label>
      <button type="submit" class="danger" ?disabled=${!may}>${words}</button>
    </form>`;
}
