import { html, nothing, render, type TemplateResult } from 'lit';
import type { LegalInput, Refusal } from '../game/ruleset.ts';
import { SIDES, type Side } from '../ids.ts';
import { bakuganView } from './bakugan-scene.ts';
import { FeedLink, type FeedSeen } from './feed-link.ts';
import { onceAFrame } from './once-a-frame.ts';
import { type Acting, type Filled, keyOf } from './panels/act.ts';
import { decide } from './phone/decide.ts';
import { seriesDeeds } from './phone/series.ts';
import { brawl, counts, phoneHeader, teamList } from './phone/standing.ts';
import { wishOf } from './wish.ts';

/** How long a refusal stays on screen, ms. */
const NOTE_MS = 8000;

const address = new URL(location.href);
const asked = (address.searchParams.get('side') ?? 'A').toUpperCase();
const side: Side = asked === 'B' ? 'B' : 'A';
/** An address that names a side that there is not shows no side at all. */
const known = SIDES.some((one) => one === asked);
const page = document.getElementById('page');

/** One picture a frame at most, however much is heard. */
const paint = onceAFrame(() => {
  if (page !== null) render(picture(), page);
});

/** Inputs sent and not answered: id of the message, key of the input. */
const sent = new Map<string, string>();
const picked = new Map<string, string>();
let seen: FeedSeen | undefined;
let note: Refusal | undefined;
let noteTimer = 0;
/** The player wants to concede the match and is asked whether that is so. */
let sure = false;

const link = new FeedLink(wishOf(address, { kind: 'player', player: side }), {
  seen(now) {
    if (!now.connected) sent.clear();
    seen = now;
    paint();
  },
  answered(id, refusal) {
    sent.delete(id);
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

function picture(): TemplateResult {
  if (!known) return noSuchSide();
  const scene = seen?.scene;
  const view = scene === undefined ? undefined : bakuganView(scene);
  if (seen === undefined || scene === undefined || view === undefined) {
    return html`<main class="phone-waiting"><h1>BakuCore</h1>
      <p role="status">${seen?.problem ?? 'Connecting to the table…'}</p></main>`;
  }
  const plays = seen.may.command && seen.connected;
  const acting: Acting = { may: plays, asked: new Set(sent.values()), picked, act, pick };
  const mine = scene.legal.filter((one) => one.player === side);
  return html`
    <main class="phone phone-${side} ${seen.connected ? '' : 'stale'}">
      ${phoneHeader(scene, view, side, seen.connected)}
      ${
        plays
          ? html`${decide({ legal: mine, view, side, acting })} ${seriesDeeds({ scene, view, side, sure, command, ask })}`
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
    </main>`;
}

function noSuchSide(): TemplateResult {
  const at = (one: Side): string => {
    const there = new URL(address);
    there.searchParams.set('side', one);
    return there.href;
  };
  return html`<main class="phone-waiting"><h1>BakuCore</h1>
    <p role="alert">There is no side “${asked.slice(0, 20)}” at a table. Choose yours:</p>
    ${SIDES.map((one) => html`<p><a class="big" href=${at(one)}>Player ${one}</a></p>`)}</main>`;
}

function command(asked: { readonly do: string; readonly [key: string]: unknown }): void {
  sure = false;
  link.ask({ op: 'command', command: asked });
  paint();
}

/** Asks once more before the match is given up. */
function ask(now: boolean): void {
  sure = now;
  paint();
}

function act(input: LegalInput, filled: Filled = {}): void {
  const id = link.ask({ op: 'command', command: { do: 'play', input: { ...input.input, ...filled } } });
  if (id !== '') sent.set(id, keyOf(input));
  paint();
}

function pick(list: string, key: string): void {
  picked.set(list, key);
  paint();
}

paint();
