import { html, nothing, render, type TemplateResult } from 'lit';
import type { LegalInput, Refusal } from '../game/ruleset.ts';
import type { Side } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import { bakuganView } from './bakugan-scene.ts';
import { FeedLink, type FeedSeen } from './feed-link.ts';
import { type Acting, type Filled, keyOf } from './panels/act.ts';
import { decide } from './phone/decide.ts';
import { brawl, counts, phoneHeader, teamList } from './phone/standing.ts';
import { wishOf } from './wish.ts';

/** How long a refusal stays on screen, ms. */
const NOTE_MS = 8000;

const address = new URL(location.href);
const side: Side = address.searchParams.get('side') === 'B' ? 'B' : 'A';
const page = document.getElementById('page');
/** Inputs sent and not answered: id of the message, key of the input. */
const asked = new Map<string, string>();
const picked = new Map<string, string>();
let seen: FeedSeen | undefined;
let note: Refusal | undefined;
let noteTimer = 0;
let painting = false;

const link = new FeedLink(wishOf(address, { kind: 'player', player: side }), {
  seen(now) {
    if (!now.connected) asked.clear();
    seen = now;
    paint();
  },
  answered(id, refusal) {
    asked.delete(id);
    note = refusal;
    clearTimeout(noteTimer);
    if (refusal !== undefined) noteTimer = window.setTimeout(forgetNote, NOTE_MS);
    paint();
  },
});

function forgetNote(): void {
  note = undefined;
  paint();
}

/** One picture a frame at most, however much is heard. */
function paint(): void {
  if (painting) return;
  painting = true;
  requestAnimationFrame(() => {
    painting = false;
    if (page !== null) render(picture(), page);
  });
}

function picture(): TemplateResult {
  const scene = seen?.scene;
  const view = scene === undefined ? undefined : bakuganView(scene);
  if (seen === undefined || scene === undefined || view === undefined) {
    return html`<main class="phone-waiting"><b>BakuCore</b>
      <p role="status">${seen?.problem ?? 'Connecting to the table…'}</p></main>`;
  }
  const plays = seen.may.command && seen.connected;
  const acting: Acting = { may: plays, asked: new Set(asked.values()), picked, act, pick };
  const mine = scene.legal.filter((one) => one.player === side);
  return html`
    <div class="phone phone-${side} ${seen.connected ? '' : 'stale'}">
      ${phoneHeader(scene, view, side, seen.connected)}
      ${
        plays
          ? html`${decide({ legal: mine, view, side, acting })} ${nextGame(scene)}`
          : html`<p class="phone-watch" role="status">${seen.connected ? (seen.problem ?? 'This screen only watches.') : 'Connecting again…'}</p>`
      }
      ${brawl(view, side)} ${counts(view, side)} ${teamList(view, side)}
      <div class="phone-note" role="alert">
        ${
          note === undefined
            ? nothing
            : html`<p>${note.message}${note.rules.length === 0 ? nothing : html` <span class="rule">${note.rules.join(', ')}</span>`}</p>`
        }
      </div>
    </div>`;
}

/** A match that goes on after its game: either player begins the next one. */
function nextGame({ match, cues }: Scene): TemplateResult | typeof nothing {
  if (match === undefined || match.winner !== null || !cues.some(({ cue }) => cue === 'game-over'))
    return nothing;
  const begin = (): void => void link.ask({ op: 'command', command: { do: 'new-game' } });
  return html`<button type="button" class="big" @click=${begin}>Begin game ${match.game + 1} of ${match.bestOf}</button>`;
}

function act(input: LegalInput, filled: Filled = {}): void {
  const id = link.ask({ op: 'command', command: { do: 'play', input: { ...input.input, ...filled } } });
  if (id !== '') asked.set(id, keyOf(input));
  paint();
}

function pick(list: string, key: string): void {
  picked.set(list, key);
  paint();
}

paint();
