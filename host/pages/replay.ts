import { html, nothing, render, type TemplateResult } from 'lit';
import type { FilmMark, FilmOutline, FilmTrace } from '../displays/archive-messages.ts';
import { ArchiveLink, type MatchAt } from './archive-link.ts';
import { bakuganView } from './bakugan-scene.ts';
import { field } from './field/field.ts';
import { onceAFrame } from './once-a-frame.ts';
import { linkAlarm, linksPanel } from './panels/links-panel.ts';
import { logPanel } from './panels/log-panel.ts';
import { playerPanel } from './panels/player-panel.ts';
import { momentOf, ribbon } from './panels/ribbon.ts';
import { rulingsPanel } from './panels/rulings-panel.ts';
import { turnHeader } from './panels/turn-header.ts';
import { momentsPanel } from './replay/moments-panel.ts';
import { dropPlace, type Opening, takeDrops } from './replay/open-file.ts';
import { Projector } from './replay/projector.ts';
import { scrubBar } from './replay/scrub-bar.ts';
import { lastOf, Tape } from './replay/tape.ts';
import { type Showing, titleLine } from './replay/title-line.ts';
import { tracesPanel } from './replay/traces-panel.ts';

/** A roll is shown this long before it is ruled, ms. */
const ROLL_MS = 8000;
/** Traces are fetched when the bar has rested this long, ms. */
const REST_MS = 200;
/** What `step` stops at. */
const DECIDED: ReadonlySet<FilmMark['kind']> = new Set(['ruling', 'undetermined', 'judge', 'correction']);

const address = new URL(location.href);
const archive = new ArchiveLink(address);
const at: MatchAt = {
  table: address.searchParams.get('table') ?? tableOf(address.searchParams.get('match') ?? ''),
  match: address.searchParams.get('match') ?? '',
};
const page = document.getElementById('page');

/** One picture a frame at most, however much is heard. */
const paint = onceAFrame(() => {
  if (page !== null) render(picture(), page);
  followMoment();
  tellOverlay();
});

const traces = new Map<string, FilmTrace | string>();

let outline: FilmOutline | undefined;
let tape: Tape | undefined;
let projector: Projector | undefined;
let problem: string | undefined;
let showing: Showing = address.searchParams.get('show') === 'overlay' ? 'overlay' : 'table';
let resting = 0;
let overlaySent: unknown;
let followed: FilmMark | undefined;
let opening: Opening = {};

async function open(): Promise<void> {
  if (at.match === '') {
    problem = 'This address names no match: choose one in the library, or a file.';
    paint();
    return;
  }
  try {
    outline = await archive.outline(at);
    document.title = `${outline.match.players.A} – ${outline.match.players.B}: replay`;
    const made = new Tape(outline);
    tape = made;
    problem = outline.dark;
    if (outline.dark === undefined) begin(made, outline);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  paint();
}

/** A match file that somebody dropped or chose: shown in place of what was here. */
async function openFile(file: File): Promise<void> {
  if (opening.reading !== undefined) return;
  opening = { reading: file.name };
  paint();
  try {
    const { table, match } = await archive.open(file);
    const next = new URL(location.href);
    next.search = new URLSearchParams({ table, match }).toString();
    location.assign(next);
  } catch (error) {
    opening = { problem: error instanceof Error ? error.message : String(error) };
    paint();
  }
}

function begin(on: Tape, { fromMs }: FilmOutline): void {
  projector = new Projector(
    on,
    (from, to, everyMs) =>
      archive.stretch(at, {
        ...{ fromMs: from, toMs: to, everyMs },
        seen: showing === 'overlay' ? 'public' : 'judge',
      }),
    () => {
      rest();
      paint();
    },
  );
  const asked = Number(address.searchParams.get('at'));
  projector.seek(on.placeOf(asked > 0 ? asked : fromMs + 1000));
}

/** When the bar has come to rest: the traces of the roll that is on, and the address of this moment. */
function rest(): void {
  clearTimeout(resting);
  resting = window.setTimeout(() => {
    const mark = rollMark();
    if (mark !== undefined) void fetchTrace(mark);
    if (projector === undefined || projector.playing) return;
    address.searchParams.set('at', String(Math.round(projector.atMs)));
    history.replaceState(null, '', address);
  }, REST_MS);
}

async function fetchTrace(mark: FilmMark): Promise<void> {
  const key = keyOf(mark);
  if (mark.roll === undefined || traces.has(key)) return;
  traces.set(key, 'Reading the traces…');
  try {
    traces.set(key, await archive.trace(at, mark.roll, mark.atMs));
  } catch (error) {
    traces.set(key, error instanceof Error ? error.message : String(error));
  }
  paint();
}

function keyOf(mark: FilmMark): string {
  return `${mark.roll} ${mark.atMs}`;
}

/** The ruling of the roll that is going on, or of the last one. */
function rollMark(): FilmMark | undefined {
  if (projector === undefined) return undefined;
  const nowMs = projector.atMs;
  const ruled = (outline?.marks ?? []).filter(({ kind }) => kind === 'ruling' || kind === 'undetermined');
  const next = ruled.find((mark) => mark.atMs >= nowMs);
  const last = lastOf(ruled, (mark) => mark.atMs <= nowMs);
  if (next === undefined || next.atMs - nowMs > ROLL_MS) return last;
  void fetchTrace(next);
  const trace = traces.get(keyOf(next));
  const begun = typeof trace === 'object' && trace.fromMs <= nowMs;
  return begun ? next : last;
}

function markNow(): FilmMark | undefined {
  const nowMs = (projector?.atMs ?? 0) + 1;
  return lastOf(outline?.marks ?? [], (mark) => mark.atMs <= nowMs);
}

function goTo(mark: FilmMark): void {
  if (tape === undefined || projector === undefined) return;
  projector.seek(tape.placeOf(mark.atMs) + 1);
}

function step(by: 1 | -1): void {
  if (projector === undefined || tape === undefined) return;
  const here = projector.place;
  const places = (outline?.marks ?? []).filter((mark) => DECIDED.has(mark.kind));
  const on = tape;
  const next =
    by === 1
      ? places.find((mark) => on.placeOf(mark.atMs) + 1 > here + 1)
      : lastOf(places, (mark) => on.placeOf(mark.atMs) + 1 < here - 1);
  if (next !== undefined) goTo(next);
}

/** Keeps the moment that is shown in sight of its list, and lets the page itself stand still. */
function followMoment(): void {
  const mark = markNow();
  if (mark === followed) return;
  followed = mark;
  const row = document.querySelector<HTMLElement>('.moment[aria-current="true"]');
  const list = row?.closest('ol');
  if (row === null || list === null || list === undefined) return;
  list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2 + row.clientHeight / 2;
}

function picture(): TemplateResult {
  if (outline === undefined || tape === undefined) {
    return html`<main class="waiting"><div><h1>BakuCore</h1>
      <p role="status">${problem ?? 'Reading the record…'}</p>
      ${problem === undefined ? nothing : dropPlace(opening, (file) => void openFile(file))}
      <p><a href=${archive.withToken('/library')}>Match library</a></p></div></main>`;
  }
  const scene = projector?.scene;
  const view = scene === undefined ? undefined : bakuganView(scene);
  const mark = rollMark();
  const trace = mark === undefined ? undefined : traces.get(keyOf(mark));
  const [on, film] = [tape, projector];
  const told = openingWords() ?? problem ?? projector?.problem;
  return html`
    <div class="live replay replay-${showing}">
      ${turnHeader({ table: outline.match.table, view, match: scene?.match, links: scene?.links ?? [], simulated: scene?.simulated ?? false, connected: true })}
      ${titleLine({ outline, day: on.wallOf(outline.fromMs), library: archive.withToken('/library'), isFile: at.table.startsWith('file-'), showing, show })}
      ${told === undefined ? nothing : html`<p class="note note-soft replay-note" role="alert">${told}</p>`}
      <main>
        ${
          showing === 'overlay'
            ? html`<div class="on-air"><iframe title="The overlay as it was" src="/overlay?film=1" @load=${overlayReady}></iframe></div>`
            : html`
              ${view === undefined ? nothing : playerPanel(view, 'A')}
              <div class="arena">
                ${
                  scene === undefined
                    ? html`<p class="quiet" role="status">${film === undefined || film.problem !== undefined ? 'There is no picture of this moment.' : 'Looking up this moment…'}</p>`
                    : html`
                  ${ribbon(momentOf(scene, view))} ${linkAlarm(scene)}
                  ${field({ scene, view, hand: undefined, drag: undefined, held: [], tap: undefined })}`
                }
              </div>
              ${view === undefined ? nothing : playerPanel(view, 'B')}`
        }
      </main>
      <div class="desk desk-replay">
        ${momentsPanel(on, outline.marks, markNow(), goTo)}
        ${tracesPanel({
          roll: mark?.roll,
          trace: typeof trace === 'string' ? undefined : trace,
          problem: typeof trace === 'string' ? trace : undefined,
          atMs: film?.atMs ?? 0,
        })}
        ${scene === undefined ? nothing : rulingsPanel(scene)}
        <div class="stack">${scene === undefined ? nothing : html`${logPanel(view?.log ?? [])} ${linksPanel(scene, true)}`}</div>
      </div>
      ${
        film === undefined
          ? nothing
          : scrubBar({
              tape: on,
              place: film.place,
              marks: outline.marks,
              playing: film.playing,
              waiting: film.waiting,
              speed: film.speed,
              words: markNow()?.text ?? '',
              seek: (place) => film.seek(place),
              move: (byMs) => film.seek(film.place + byMs),
              play: (play) => film.play(play),
              setSpeed: (speed) => film.setSpeed(speed),
              step,
            })
      }
    </div>`;
}

function openingWords(): string | undefined {
  return opening.reading === undefined ? opening.problem : `Reading ${opening.reading}…`;
}

function show(one: Showing): void {
  showing = one;
  overlaySent = undefined;
  // The overlay shows what the public saw, the table what a judge saw.
  projector?.seek(projector.place);
  paint();
}

function overlayReady(): void {
  overlaySent = undefined;
  tellOverlay();
}

function tellOverlay(): void {
  const scene = projector?.scene;
  const frame = document.querySelector('iframe')?.contentWindow;
  if (
    showing !== 'overlay' ||
    scene === undefined ||
    frame === null ||
    frame === undefined ||
    scene === overlaySent
  )
    return;
  overlaySent = scene;
  frame.postMessage({ film: scene }, location.origin);
}

/** The table in the id of a match. */
function tableOf(match: string): string {
  return match.replace(/-\d+$/, '');
}

paint();
void open();
takeDrops((file) => void openFile(file));
