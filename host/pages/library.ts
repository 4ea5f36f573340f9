import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LibraryPage, MakeAsk, MatchSeen } from '../displays/archive-messages.ts';
import { ArchiveLink } from './archive-link.ts';
import { removeDialog } from './library/dialogs.ts';
import { madeTray, type Tray } from './library/made-tray.ts';
import { dayOf, matchRow } from './library/match-row.ts';
import { type Entry, entriesOf, seriesLine } from './library/series.ts';

/** A word is looked for when nothing was typed for this long, ms. */
const TYPED_MS = 180;

const address = new URL(location.href);
const archive = new ArchiveLink(address);
const page = document.getElementById('page');

let words = address.searchParams.get('q') ?? '';
let listed: LibraryPage | undefined;
let problem: string | undefined;
let typing = 0;
let stop: AbortController | undefined;
let loading = false;
const picked = new Map<string, MatchSeen>();
let tray: readonly Tray[] = [];
let ids = 0;
let removing: { match: MatchSeen; busy: boolean; problem: string | undefined } | undefined;
let video: { readonly url: string; readonly offsetS: number } | undefined;

async function look(from = 0): Promise<void> {
  stop?.abort();
  const own = new AbortController();
  stop = own;
  loading = true;
  paint();
  try {
    const found = await archive.library({ words, from }, own.signal);
    listed =
      from === 0 || listed === undefined
        ? found
        : { ...found, matches: [...listed.matches, ...found.matches] };
    problem = undefined;
  } catch (error) {
    if (own.signal.aborted) return;
    problem = error instanceof Error ? error.message : String(error);
  }
  loading = false;
  paint();
}

function typed(event: Event): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  words = event.target.value;
  if (words === '') address.searchParams.delete('q');
  else address.searchParams.set('q', words);
  history.replaceState(null, '', address);
  clearTimeout(typing);
  typing = window.setTimeout(() => void look(), TYPED_MS);
}

async function make(title: string, ask: MakeAsk): Promise<void> {
  ids += 1;
  const id = ids;
  tray = [{ id, title }, ...tray];
  paint();
  const put = (more: Partial<Tray>): void => {
    tray = tray.map((one) => (one.id === id ? { ...one, ...more } : one));
    paint();
  };
  try {
    const { url, bytes } = await archive.make(ask);
    put({ url, bytes });
  } catch (error) {
    put({ problem: error instanceof Error ? error.message : String(error) });
  }
}

function makeOf(match: MatchSeen, what: 'bundle' | 'report' | 'match' | 'events'): void {
  const { table, id, players } = match;
  const name = `${players.A} – ${players.B}`;
  const one = { table, match: id };
  switch (what) {
    case 'bundle':
      void make(`Evidence: ${name}`, { make: 'bundle', ...one, ...(video === undefined ? {} : { video }) });
      return;
    case 'report':
      void report([match], name, 'html');
      return;
    case 'match':
      void make(`Match file: ${name}`, { make: 'match', ...one });
      return;
    case 'events':
      void make(`Events: ${name}`, { make: 'events', ...one });
      return;
    default:
      what satisfies never;
  }
}

function report(matches: readonly MatchSeen[], title: string, form: 'html' | 'csv' | 'json'): Promise<void> {
  const names = matches.map(({ table, id }) => ({ table, match: id }));
  return make(`Report (${form}): ${title}`, { make: 'report', form, title, matches: names });
}

async function remove(fields: { who: string; why: string; confirm: string }): Promise<void> {
  if (removing === undefined) return;
  const { match } = removing;
  removing = { match, busy: true, problem: undefined };
  paint();
  try {
    await archive.remove({ table: match.table, match: match.id, ...fields });
    removing = undefined;
    picked.delete(keyOf(match));
    await look();
  } catch (error) {
    removing = { match, busy: false, problem: error instanceof Error ? error.message : String(error) };
    paint();
  }
}

function keyOf({ table, id }: MatchSeen): string {
  return `${table}/${id}`;
}

function paint(): void {
  if (page !== null) render(picture(), page);
  const dialog = document.querySelector('dialog');
  if (dialog !== null && !dialog.open) dialog.showModal();
}

function picture(): TemplateResult {
  return html`
    <main>
      <header>
        <div>
          <h1>Match library</h1>
          <p class="soft" role="status">${countText()}</p>
        </div>
        <nav aria-label="Pages"><a href=${archive.withToken('/')}>Live table</a> <a href="/verify">Check a file</a></nav>
      </header>
      <search class="tools">
        <label class="find">Search
          <input type="search" .value=${words} @input=${typed} placeholder="player, date as 2026-11-28, “undetermined”, “corrected”" /></label>
        <details class="video"><summary>Video</summary>${videoForm()}</details>
      </search>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${(listed?.unread ?? []).map((text) => html`<p class="problem" role="alert">The record of a table cannot be read. ${text}</p>`)}
      ${picked.size === 0 ? nothing : pickedBar()}
      ${list()}
      ${madeTray(tray, (id) => {
        tray = tray.filter((one) => one.id !== id);
        paint();
      })}
      ${removeDialog(
        removing === undefined
          ? undefined
          : {
              ...removing,
              cancel() {
                removing = undefined;
                paint();
              },
              remove: (fields) => void remove(fields),
            },
      )}
    </main>`;
}

function countText(): string {
  if (listed === undefined) return problem === undefined ? 'Reading the records…' : '';
  const { all, found } = listed;
  return words.trim() === '' ? `${all} ${all === 1 ? 'match' : 'matches'}` : `${found} of ${all} matches`;
}

function list(): TemplateResult | typeof nothing {
  if (listed === undefined) return nothing;
  if (listed.matches.length === 0) {
    return html`<p class="empty">${words === '' ? 'No match has been recorded yet.' : 'No match has all these words.'}</p>`;
  }
  const { next } = listed;
  return html`
    ${repeat(
      days(listed.matches),
      ([day]) => day,
      ([day, matches]) => html`
        <section aria-label=${day}>
          <div class="day"><h2>${day}</h2><button type="button" @click=${() => pickAll(matches)}>Choose all</button></div>
          <ol class="matches">${repeat(entriesOf(matches), ({ key }) => key, entry)}</ol>
        </section>`,
    )}
    ${next === undefined ? nothing : html`<p class="next"><button type="button" ?disabled=${loading} @click=${() => look(next)}>Show more</button></p>`}`;
}

/** One game, or a match of several with its games below it. */
function entry({ games, series }: Entry): TemplateResult {
  if (!series) return html`${games.map(row)}`;
  return html`
    <li class="series">
      <h3>Match of three: <b>${seriesLine(games)}</b></h3>
      <ol class="matches">${repeat(games, keyOf, row)}</ol>
    </li>`;
}

function row(match: MatchSeen): TemplateResult {
  return matchRow(match, {
    picked: picked.has(keyOf(match)),
    replay: archive.withToken(`/replay?table=${match.table}&match=${match.id}`),
    pick(on) {
      if (on) picked.set(keyOf(match), match);
      else picked.delete(keyOf(match));
      paint();
    },
    make: (what) => makeOf(match, what),
    remove() {
      removing = { match, busy: false, problem: undefined };
      paint();
    },
  });
}

function days(matches: readonly MatchSeen[]): readonly (readonly [string, readonly MatchSeen[]])[] {
  const found = new Map<string, MatchSeen[]>();
  for (const match of matches) {
    const day = dayOf(match);
    found.set(day, [...(found.get(day) ?? []), match]);
  }
  return [...found];
}

function pickAll(matches: readonly MatchSeen[]): void {
  for (const match of matches) if (!match.removed) picked.set(keyOf(match), match);
  paint();
}

function pickedBar(): TemplateResult {
  const matches = [...picked.values()];
  const title = matches.length === 1 ? 'one match' : `${matches.length} matches`;
  return html`
    <div class="picked" role="group" aria-label="With the chosen matches">
      <p><b>${title}</b> chosen</p>
      ${(['html', 'csv', 'json'] as const).map(
        (form) =>
          html`<button type="button" @click=${() => report(matches, title, form)}>Report as ${form === 'html' ? 'page' : form.toUpperCase()}</button>`,
      )}
      <button type="button" @click=${() => {
        picked.clear();
        paint();
      }}>None</button>
    </div>`;
}

/** A recording that evidence refers to, and the second of it at which the clock of the table read zero. */
function videoForm(): TemplateResult {
  const change = (event: Event): void => {
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    const url = String(data.get('url') ?? '').trim();
    const offsetS = Number(data.get('offset'));
    video = url === '' ? undefined : { url, offsetS: Number.isFinite(offsetS) ? offsetS : 0 };
  };
  return html`
    <form @input=${change} @submit=${(event: Event) => event.preventDefault()}>
      <label>Address of the recording<input name="url" maxlength="500" placeholder="https://… or final.mp4" /></label>
      <label>Second of it at which the table’s clock reads 0<input name="offset" type="number" step="0.1" value="0" /></label>
      <p class="soft">Evidence made from here then names the second of every roll.</p>
    </form>`;
}

paint();
void look();
