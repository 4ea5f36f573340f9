import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { MatchSeen } from '../../scene/scene.ts';
import type { LinkSeen } from '../../sensing/seen.ts';
import { actorsOf, nameOf } from '../bakugan-scene.ts';
import { matchScore } from '../match-words.ts';

const PHASES: readonly BakuganView['phase'][] = ['Start Phase', 'Roll Phase', 'Brawl Phase', 'End Phase'];

export type HeaderSeen = {
  readonly table: string;
  readonly view: BakuganView | undefined;
  /** Games of the match, where it is more than one. */
  readonly match: MatchSeen | undefined;
  readonly links: readonly LinkSeen[];
  readonly simulated: boolean;
  readonly connected: boolean;
};

/** Turn, phase and step, who acts, passes in the open window, and how the wires fare. */
export function turnHeader({ table, view, match, links, simulated, connected }: HeaderSeen): TemplateResult {
  return html`
    <header class="top">
      <div class="brand">
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <path d="M16 6h32l16 26-16 26H16L0 32z"></path><circle cx="32" cy="32" r="11"></circle>
        </svg>
        <div><b>BakuCore</b><span>table ${table}${match === undefined ? nothing : html` · ${matchScore(match)}`}${simulated ? html` <em>simulated</em>` : nothing}</span></div>
      </div>
      ${view === undefined ? html`<div class="turn"></div>` : turn(view)}
      ${view === undefined ? nothing : acting(view)}
      ${health(links, connected)}
    </header>`;
}

function turn(view: BakuganView): TemplateResult {
  const at = PHASES.indexOf(view.phase);
  return html`
    <div class="turn">
      <div class="turn-number"><span>Turn</span><b>${view.turn}</b></div>
      <div class="turn-where">
        <ol class="phases" aria-label="Phases of the turn">
          ${PHASES.map(
            (phase, i) => html`
              <li class=${i === at ? 'now' : i < at ? 'past' : ''} aria-current=${i === at ? 'step' : nothing}>
                ${phase.replace(' Phase', '')}<span class="wide-only">&nbsp;Phase</span>
              </li>`,
          )}
        </ol>
        <h1>${view.step}<small>${view.state}</small></h1>
      </div>
    </div>`;
}

function acting(view: BakuganView): TemplateResult {
  const actors = actorsOf(view);
  const who = actors.length === 0 ? '–' : actors.map((one) => nameOf(view, one)).join(' & ');
  const side = actors.length === 1 ? actors[0] : undefined;
  return html`
    <div class="acting ${side === 'A' || side === 'B' ? `acting-${side}` : ''} ${side === 'judge' ? 'acting-judge' : ''}">
      <span>${view.window === undefined ? 'Acts' : 'Priority'}</span>
      <b>${who.replace(/^the (\w)/, (_, first: string) => first.toUpperCase())}</b>
      ${
        view.window === undefined
          ? nothing
          : html`<i class="passes" role="img" aria-label="${view.window.passes} of 2 passes in a row">
              <u class=${view.window.passes > 0 ? 'on' : ''}></u><u class=${view.window.passes > 1 ? 'on' : ''}></u>
              <span class="wide-only">${view.window.passes === 1 ? '1 pass' : `${view.window.passes} passes`}</span></i>`
      }
    </div>`;
}

function health(links: readonly LinkSeen[], connected: boolean): TemplateResult | typeof nothing {
  if (!connected) return html`<div class="health health-bad" role="status"><b>Reconnecting…</b></div>`;
  if (links.length === 0) return nothing;
  const down = links.filter((link) => !link.up).length;
  const complaints = links.reduce((sum, link) => sum + link.complaints.length, 0);
  const state = down > 0 ? 'bad' : complaints > 0 ? 'warn' : 'good';
  const words =
    down > 0
      ? `${down} link${down > 1 ? 's' : ''} down`
      : complaints > 0
        ? `${complaints} complaint${complaints > 1 ? 's' : ''}`
        : 'Links good';
  return html`
    <a class="health health-${state}" href="#links">
      <b role="status">${words}</b>
      <span>${links.map((link) => html`<i class=${link.up ? 'up' : 'down'} title=${link.link}></i>`)}</span>
    </a>`;
}
