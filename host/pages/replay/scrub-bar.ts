import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import type { FilmMark } from '../../displays/archive-messages.ts';
import { clockText, type Tape } from './tape.ts';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** A second, and ten, by keys. */
const STEP_MS = 1000;
const LEAP_MS = 10_000;
const WIDTH = 1000;
const HEIGHT = 30;

export type ScrubSeen = {
  readonly tape: Tape;
  readonly place: number;
  readonly marks: readonly FilmMark[];
  readonly playing: boolean;
  readonly waiting: boolean;
  readonly speed: number;
  /** Words for the moment, read aloud where the bar is moved. */
  readonly words: string;
  seek(place: number): void;
  /** Goes on or back from where it stands by then: keys come faster than pictures. */
  move(byMs: number): void;
  play(on: boolean): void;
  setSpeed(speed: number): void;
  /** Goes to the next or the last ruling or correction. */
  step(by: 1 | -1): void;
};

/** The whole match as a bar: marks to see where something was decided, one thumb, and keys for everything. */
export function scrubBar(seen: ScrubSeen): TemplateResult {
  const { tape, place, playing } = seen;
  const wall = tape.wallOf(tape.momentAt(place));
  return html`
    <section class="deck" aria-label="Replay" @keydown=${(event: KeyboardEvent) => press(event, seen)}>
      <div class="track">
        ${markPicture(tape, seen.marks)}
        <div class="track-done" style="width:${((100 * place) / tape.lengthMs).toFixed(3)}%"></div>
        <input id="scrub" type="range" min="0" max=${Math.round(tape.lengthMs)} step="50" .value=${String(Math.round(place))}
          aria-label="Moment of the match" aria-valuetext="${clockText(place)} of ${clockText(tape.lengthMs)}. ${seen.words}"
          @input=${(event: Event) => seen.seek(numberOf(event))} />
      </div>
      <div class="deck-row">
        <div class="deck-keys">
          <button type="button" class="key" aria-label="Last ruling" title="Last ruling (P)" @click=${() => seen.step(-1)}>${icon('M6 5v14M19 5 9 12l10 7Z')}</button>
          <button type="button" class="key" aria-label="Back 10 seconds" title="Back 10 s (Shift ←)" @click=${() => seen.move(-LEAP_MS)}>−10</button>
          <button type="button" class="key key-play" aria-label=${playing ? 'Pause' : 'Play'} title="Play or pause (Space)" @click=${() => seen.play(!playing)}>
            ${playing ? icon('M8 5v14M16 5v14') : icon('M7 4.500 19 12 7 19.500Z')}</button>
          <button type="button" class="key" aria-label="On 10 seconds" title="On 10 s (Shift →)" @click=${() => seen.move(LEAP_MS)}>+10</button>
          <button type="button" class="key" aria-label="Next ruling" title="Next ruling (N)" @click=${() => seen.step(1)}>${icon('M18 5v14M5 5l10 7-10 7Z')}</button>
        </div>
        <p class="deck-time"><b>${clockText(place)}</b> / ${clockText(tape.lengthMs)}
          ${wall === undefined ? nothing : html`<span>${wall.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })}</span>`}
          ${seen.waiting ? html`<em role="status">reading…</em>` : nothing}</p>
        <label class="deck-speed"><span class="wide-only">Speed</span>
          <select aria-label="Speed" @change=${(event: Event) => seen.setSpeed(numberOf(event))}>
            ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === seen.speed}>${one}×</option>`)}
          </select>
        </label>
      </div>
    </section>`;
}

function press(event: KeyboardEvent, seen: ScrubSeen): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || target instanceof HTMLSelectElement) return;
  const leap = shiftKey ? LEAP_MS : STEP_MS;
  const deeds: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => seen.move(-leap),
    ArrowRight: () => seen.move(leap),
    ArrowDown: () => seen.move(-leap),
    ArrowUp: () => seen.move(leap),
    PageDown: () => seen.move(-60_000),
    PageUp: () => seen.move(60_000),
    Home: () => seen.seek(0),
    End: () => seen.seek(seen.tape.lengthMs),
    n: () => seen.step(1),
    p: () => seen.step(-1),
    ...(target instanceof HTMLButtonElement ? {} : { ' ': () => seen.play(!seen.playing) }),
  };
  const deed = deeds[key.length === 1 ? key.toLowerCase() : key];
  if (deed === undefined) return;
  event.preventDefault();
  deed();
}

function markPicture(tape: Tape, marks: readonly FilmMark[]): TemplateResult {
  const x = (atMs: number): number => (tape.placeOf(atMs) / tape.lengthMs) * WIDTH;
  return html`
    <svg class="marks" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${tape.pauses.map((at) => svg`<rect class="mark-pause" x=${(at / tape.lengthMs) * WIDTH - 1} width="3" y="0" height=${HEIGHT}></rect>`)}
      ${marks.map((mark) => markLine(mark, x(mark.atMs)))}
    </svg>`;
}

const SPAN: Readonly<Record<FilmMark['kind'], readonly [number, number]>> = {
  turn: [0, HEIGHT],
  ruling: [14, 26],
  undetermined: [6, 26],
  judge: [6, 26],
  correction: [2, 28],
  over: [0, HEIGHT],
  fault: [24, HEIGHT],
};

function markLine(mark: FilmMark, x: number): SVGTemplateResult {
  const [top, bottom] = SPAN[mark.kind];
  return svg`<line class="mark-${mark.kind}" x1=${x.toFixed(2)} x2=${x.toFixed(2)} y1=${top} y2=${bottom} vector-effect="non-scaling-stroke"></line>`;
}

function icon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;
}

function numberOf(event: Event): number {
  const { target } = event;
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? Number(target.value) : 0;
}
