import { html, nothing, render, type TemplateResult } from 'lit';
import type { SimAction } from '../sim-action.ts';
import { bakuganView } from './bakugan-scene.ts';
import { FeedLink, type FeedSeen } from './feed-link.ts';
import { onceAFrame } from './once-a-frame.ts';
import { healthPanel } from './operator/health-panel.ts';
import { handFor } from './operator/sim-hand.ts';
import { startPanel } from './operator/start-panel.ts';
import { Traces } from './operator/traces.ts';
import { type Chosen, nobodyChosen, wizardPanel } from './operator/wizard-panel.ts';
import { wishOf } from './wish.ts';

/** How long a refusal stays on screen, ms. */
const NOTE_MS = 9000;

let seen: FeedSeen | undefined;
let note: { readonly text: string; readonly well: boolean } | undefined;
let noteTimer = 0;
let chosen: Chosen = nobodyChosen();
/** The simulated hand does what the wizard asks, and what it did last. */
let hand = false;
let handDid = '';
const traces = new Traces();

const page = document.getElementById('page');

/** One picture a frame at most, however much is heard. */
const paint = onceAFrame(() => {
  if (page !== null) render(picture(), page);
});

const address = new URL(location.href);
const link = new FeedLink(wishOf(address, { kind: 'operator' }), {
  seen(now) {
    const was = seen?.scene?.calibrating;
    if (was?.saving === true && now.scene?.calibrating === null)
      say('The calibration is kept, and in use from now on.', true);
    seen = now;
    if (now.scene !== undefined) traces.take(now.scene);
    moveHand();
    paint();
  },
  answered(_id, refusal) {
    if (refusal !== undefined) say(refusal.message, false);
    paint();
  },
});

function picture(): TemplateResult {
  const scene = seen?.scene;
  if (seen === undefined || scene === undefined) {
    return html`<main class="waiting"><div><h1>BakuCore</h1>
      <p role="status">${seen?.problem ?? 'Connecting to the table…'}</p></div></main>`;
  }
  const may = seen.may.command && seen.connected && seen.audience?.kind === 'operator';
  const calibrates = scene.calibrating !== null;
  const over = (scene.match?.winner ?? null) !== null;
  return html`
    <div class="op ${seen.connected ? '' : 'stale'}">
      <header>
        <a class="brand" href="/${address.search}${address.hash}" title="To the live table">
          <svg viewBox="0 0 64 64" aria-hidden="true">
            <path d="M16 6h32l16 26-16 26H16L0 32z"></path><circle cx="32" cy="32" r="11"></circle>
          </svg>
          <div><h1>Operator</h1><span>table ${scene.table}${scene.simulated ? html` <em>simulated</em>` : nothing}</span></div>
        </a>
        <p class="state state-${calibrates ? 'busy' : over || scene.start.begun ? 'good' : scene.start.blocks.length > 0 ? 'bad' : 'ready'}" role="status">
          ${seen.connected ? stateWords(calibrates, over, scene.start.begun, scene.start.blocks.length) : 'Reconnecting…'}
        </p>
      </header>
      ${seen.problem === undefined ? nothing : html`<p class="problem" role="alert">${seen.problem}</p>`}
      <main class=${calibrates ? 'calibrates' : ''}>
        ${wizardPanel({
          scene,
          view: bakuganView(scene),
          may,
          maySim: seen.may.sim && scene.simulated,
          hand,
          chosen,
          traces,
          choose(more) {
            chosen = { ...chosen, ...more };
            paint();
          },
          command,
          setHand,
        })}
        ${calibrates ? nothing : startPanel({ scene, view: bakuganView(scene), may, maySim: seen.may.sim && scene.simulated, command, act })}
        ${healthPanel({ scene, may, command })}
      </main>
      ${note === undefined ? nothing : html`<div class="notes" role="alert"><p class=${note.well ? 'note-well' : ''}>${note.text}</p></div>`}
    </div>`;
}

function stateWords(calibrates: boolean, over: boolean, begun: boolean, blocks: number): string {
  if (calibrates) return 'Calibrating';
  if (over) return 'Match is over';
  if (begun) return 'Match is on';
  return blocks > 0 ? 'Match waits' : 'Ready to begin';
}

function command(asked: { readonly do: string; readonly [key: string]: unknown }): void {
  link.ask({ op: 'command', command: asked });
  paint();
}

function act(action: SimAction): void {
  link.ask({ op: 'sim', action });
}

function setHand(on: boolean): void {
  hand = on;
  handDid = '';
  // Hands that play by themselves would be in the way.
  if (on) act({ act: 'auto', on: false });
  moveHand();
  paint();
}

/** The simulated hand follows the wizard, a thing at a time. */
function moveHand(): void {
  const calibrating = seen?.scene?.calibrating;
  if (calibrating === undefined || calibrating === null || !hand) {
    handDid = '';
    return;
  }
  const next = handFor(calibrating, handDid);
  if (next === undefined) return;
  handDid = next.did;
  act(next.action);
}

function say(text: string, well: boolean): void {
  note = { text, well };
  clearTimeout(noteTimer);
  noteTimer = window.setTimeout(() => {
    note = undefined;
    paint();
  }, NOTE_MS);
}

paint();
