import type { FilmStretch } from '../../displays/archive-messages.ts';
import type { ServerMessage } from '../../displays/feed-messages.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Tape } from './tape.ts';

/** Between two pictures at normal speed, ms. */
const FRAME_MS = 50;
/** What is fetched at a time and kept ahead, ms at normal speed. */
const FETCH_MS = 4000;
const AHEAD_MS = 2500;
/** Longest step of the clock between two pictures, ms: a page that slept does not leap. */
const LEAP_MS = 250;

type Frame = { readonly atMs: number; readonly message: ServerMessage };
export type Fetch = (fromMs: number, toMs: number, everyMs: number) => Promise<FilmStretch>;

/** Plays a recorded match: knows the place on the tape, fetches what comes next, and has the scene of each moment. */
export class Projector {
  place = 0;
  playing = false;
  speed = 1;
  /** It cannot go on until the host has answered. */
  waiting = false;
  scene: Scene | undefined;
  problem: string | undefined;
  readonly #tape: Tape;
  readonly #fetch: Fetch;
  readonly #changed: () => void;
  #frames: Frame[] = [];
  /** Moment up to which frames are here; none when negative infinity. */
  #hereMs = Number.NEGATIVE_INFINITY;
  /** The place was changed, and its picture is not here yet. */
  #sought = false;
  /** Counts jumps: an answer to a question from before one is of no use. */
  #jumps = 0;
  #asking = false;
  #lastMs = 0;

  constructor(tape: Tape, fetchStretch: Fetch, changed: () => void) {
    this.#tape = tape;
    this.#fetch = fetchStretch;
    this.#changed = changed;
  }

  get atMs(): number {
    return this.#tape.momentAt(this.place);
  }

  /** Goes to a place. One question is under way at a time, and the next is about where it stands then. */
  seek(place: number): void {
    this.place = Math.min(this.#tape.lengthMs, Math.max(0, place));
    this.#forget();
  }

  play(on: boolean): void {
    if (on && this.place >= this.#tape.lengthMs - 1) this.seek(0);
    const began = on && !this.playing;
    this.playing = on;
    this.waiting = false;
    this.#lastMs = performance.now();
    this.#changed();
    if (began) requestAnimationFrame(() => this.#turn());
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    // What is here has the pictures of another speed.
    this.#forget();
  }

  #forget(): void {
    this.#jumps += 1;
    this.#frames = [];
    this.#hereMs = Number.NEGATIVE_INFINITY;
    this.#sought = true;
    this.#changed();
    void this.#ask();
  }

  #turn(): void {
    if (!this.playing) return;
    const nowMs = performance.now();
    const passedMs = Math.min(LEAP_MS, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    void this.#ask();
    const next = Math.min(this.#tape.lengthMs, this.place + passedMs * this.speed);
    const nextMs = this.#tape.momentAt(next);
    this.waiting = nextMs > this.#hereMs;
    if (!this.waiting) {
      this.place = next;
      this.#applyUpTo(nextMs);
      if (next >= this.#tape.lengthMs) this.playing = false;
    }
    this.#changed();
    requestAnimationFrame(() => this.#turn());
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    for (let next = this.#missing(); next !== undefined; next = this.#missing()) {
      const jumps = this.#jumps;
      try {
        const stretch = await this.#fetch(next.fromMs, next.toMs, next.everyMs);
        if (jumps !== this.#jumps) continue;
        this.problem = undefined;
        this.#sought = false;
        // The host makes each message as the feed of a live table does.
        this.#frames.push(
          ...stretch.frames.map(({ atMs, message }) => ({ atMs, message: message as ServerMessage })),
        );
        this.#hereMs = Math.max(stretch.toMs, next.fromMs);
        if (next.fromMs === next.toMs) this.#applyUpTo(next.toMs);
      } catch (error) {
        this.problem = error instanceof Error ? error.message : String(error);
        this.#sought = false;
        this.playing = false;
      }
      this.#changed();
    }
    this.#asking = false;
  }

  /** What to fetch next: the picture of a place that was gone to, else what comes soon. */
  #missing(): { readonly fromMs: number; readonly toMs: number; readonly everyMs: number } | undefined {
    const { atMs } = this;
    if (this.#sought) return { fromMs: atMs, toMs: atMs, everyMs: FRAME_MS };
    if (!this.playing || this.problem !== undefined) return undefined;
    const endMs = this.#tape.momentAt(this.#tape.lengthMs);
    const hereMs = Math.max(atMs, this.#hereMs);
    if (this.#hereMs >= endMs || this.#tape.placeOf(hereMs) - this.place > AHEAD_MS * this.speed)
      return undefined;
    // What comes next may lie behind a pause of the record.
    const fromMs = hereMs > atMs ? this.#tape.momentAt(this.#tape.placeOf(hereMs) + 1) : atMs;
    const toMs = Math.min(endMs, fromMs + FETCH_MS * this.speed);
    return { fromMs, toMs: Math.max(fromMs + 1, toMs), everyMs: FRAME_MS * Math.max(1, this.speed) };
  }

  #applyUpTo(atMs: number): void {
    const later = this.#frames.findIndex((frame) => frame.atMs > atMs);
    const due = this.#frames.splice(0, later < 0 ? this.#frames.length : later);
    for (const { message } of due) {
      if (message.op === 'snapshot') this.scene = message.scene;
      else if (message.op === 'change' && this.scene !== undefined)
        this.scene = { ...this.scene, ...message.set };
    }
  }
}
