import { html, nothing, render, type TemplateResult } from 'lit';
import type { LegalInput, Refusal } from '../game/ruleset.ts';
import { SIDES, type Side } from '../ids.ts';
import type { SimAction } from '../sim-action.ts';
import { bakuganView, brawlerOf } from './bakugan-scene.ts';
import { correctDialog } from './correct/correct-dialog.ts';
import { Corrector } from './correct/corrector.ts';
import { FeedLink, type FeedSeen } from './feed-link.ts';
import { type CellTap, field } from './field/field.ts';
import { HeldThrows } from './field/held-throws.ts';
import type { Drag } from './field/throw-drag.ts';
import { onceAFrame } from './once-a-frame.ts';
import { type Filled, keyOf } from './panels/act.ts';
import { actionsPanel } from './panels/actions-panel.ts';
import { linkAlarm, linksPanel } from './panels/links-panel.ts';
import { logPanel } from './panels/log-panel.ts';
import { matchCard } from './panels/match-panel.ts';
import { playerPanel } from './panels/player-panel.ts';
import { momentOf, ribbon } from './panels/ribbon.ts';
import { rulingsPanel } from './panels/rulings-panel.ts';
import { SIM_START, type SimChoice, simPanel } from './panels/sim-panel.ts';
import { startAlarm } from './panels/start-alarm.ts';
import { turnHeader } from './panels/turn-header.ts';
import { wishOf } from './wish.ts';

/** How long a refusal stays on screen, ms. */
const NOTE_MS = 7000;

let seen: FeedSeen | undefined;
let drag: Drag | undefined;
const throws = new HeldThrows();
let choice: SimChoice = SIM_START;
let note: Refusal | undefined;
let noteTimer = 0;
/** Inputs sent and not answered: id of the message, key of the input. */
const asked = new Map<string, string>();
/** What is picked in each list of the actions, and the tile clicked last. */
const picked = new Map<string, string>();
let cell: string | undefined;

const page = document.getElementById('page');

/** One picture a frame at most, however much is heard. */
const paint = onceAFrame(() => {
  if (page !== null) render(picture(), page);
  const dialog = document.querySelector('dialog');
  if (dialog !== null && !dialog.open) dialog.showModal();
});

const wish = wishOf(new URL(location.href), { kind: 'operator' });
const link = new FeedLink(wish, {
  seen(now) {
    if (!now.connected) asked.clear();
    seen = now;
    if (now.scene?.cues.some((cue) => cue.cue === 'rolling') !== true) throws.drop();
    paint();
  },
  told: (id, answer) => void corrector.told(id, answer),
  answered(id, refusal) {
    if (corrector.answered(id, refusal)) return;
    asked.delete(id);
    if (refusal !== undefined) say(refusal);
    paint();
  },
});

const corrector = new Corrector(wish.token !== undefined, (message) => link.ask(message), paint);

function picture(): TemplateResult {
  const scene = seen?.scene;
  if (seen === undefined || scene === undefined) {
    return html`<main class="waiting"><div><h1>BakuCore</h1>
      <p role="status">${seen?.problem ?? 'Connecting to the table…'}</p></div></main>`;
  }
  const view = bakuganView(scene);
  const simulates = seen.may.sim && scene.simulated;
  const judgeNeeded = scene.cues.some((cue) => cue.cue === 'judge-needed');
  const hand = simulates ? { moved, thrown } : undefined;
  return html`
    <div class="live ${seen.connected ? '' : 'stale'}">
      ${turnHeader({ table: scene.table, view, match: scene.match, links: scene.links, simulated: scene.simulated, connected: seen.connected })}
      <main>
        ${view === undefined ? nothing : playerPanel(view, 'A')}
        <div class="arena">
          ${ribbon(momentOf(scene, view))} ${linkAlarm(scene)} ${startAlarm(scene, location.search + location.hash)}
          ${field({ scene, view, hand, drag, held: throws.waiting, tap: tapOn(scene.legal) })}
        </div>
        ${view === undefined ? nothing : playerPanel(view, 'B')}
      </main>
      <div class="desk ${simulates ? '' : 'desk-watch'} ${judgeNeeded ? 'desk-judge' : ''}">
        ${actionsPanel({
          legal: scene.legal,
          view,
          may: seen.may.command && seen.connected,
          asked: new Set(asked.values()),
          picked,
          cell,
          judgeNeeded,
          act: play,
          pick(list, key) {
            picked.set(list, key);
            paint();
          },
          everyCell: () => chooseCell(undefined),
        })}
        ${rulingsPanel(scene, judges(seen) ? { correct: (roll) => corrector.open(scene, view, roll), library: `/library${location.hash}` } : undefined)}
        <div class="stack">${judges(seen) ? matchCard({ scene, view, may: seen.may.command, command }) : nothing} ${logPanel(view?.log ?? [])} ${linksPanel(scene)}</div>
        ${simulates ? simPanel({ scene, view, choice, set: choose, act: simulate }) : nothing}
      </div>
      ${notes(seen)} ${correctDialog(corrector, view)}
    </div>`;
}

/** Whether this screen may correct what has happened. */
function judges({ audience, may, connected }: FeedSeen): boolean {
  return connected && may.command && (audience?.kind === 'judge' || audience?.kind === 'operator');
}

function notes({ problem }: FeedSeen): TemplateResult {
  return html`<div class="notes" role="alert">
    ${
      note === undefined
        ? nothing
        : html`<p class="note">${note.message}${note.rules.length === 0 ? nothing : html` <span class="rule">${note.rules.join(', ')}</span>`}</p>`
    }
    ${problem === undefined ? nothing : html`<p class="note note-soft">${problem}</p>`}
  </div>`;
}

function play(input: LegalInput, filled: Filled = {}): void {
  const id = link.ask({
    op: 'command',
    command: { do: 'play', for: input.player, input: { ...input.input, ...filled } },
  });
  cell = undefined;
  if (id !== '') asked.set(id, keyOf(input));
  paint();
}

function command(given: { readonly do: string; readonly [key: string]: unknown }): void {
  link.ask({ op: 'command', command: given });
  paint();
}

function chooseCell(now: string | undefined): void {
  cell = now;
  paint();
}

/** What a click on a tile does: the one thing that may be done there, or the choice of several. */
function tapOn(legal: readonly LegalInput[]): CellTap | undefined {
  if (seen?.may.command !== true) return undefined;
  const here = (at: string): readonly LegalInput[] =>
    legal.filter((one) => one.aside !== true && one.input.cell === at);
  return {
    may: (at) => here(at).length > 0,
    tap(at) {
      const [only, ...more] = here(at);
      if (only !== undefined && more.length === 0) play(only);
      else chooseCell(at);
    },
  };
}

function simulate(action: SimAction): void {
  const actions = action.act === 'throw' ? throws.take(action, rollers()) : [action];
  for (const one of actions) link.ask({ op: 'sim', action: one });
  paint();
}

/** Players whose ball has yet to roll: both, or one in a reroll. */
function rollers(): readonly Side[] {
  const view = seen?.scene === undefined ? undefined : bakuganView(seen.scene);
  if (view === undefined || choice.auto === true) return [];
  return SIDES.filter((side) => brawlerOf(view.players[side])?.open === false);
}

function choose(more: Partial<SimChoice>): void {
  choice = { ...choice, ...more };
  paint();
}

function moved(now: Drag | undefined): void {
  drag = now;
  paint();
}

function thrown({ player, aim, speedMPerS }: Drag): void {
  if (aim === undefined) return;
  simulate({ act: 'throw', player, aim, speedMPerS, open: choice.open, stays: choice.stays });
}

function say(refusal: Refusal): void {
  note = refusal;
  clearTimeout(noteTimer);
  noteTimer = window.setTimeout(() => {
    note = undefined;
    paint();
  }, NOTE_MS);
}

paint();
