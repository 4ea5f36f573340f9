import type { FilmOutline } from '../../displays/archive-messages.ts';

/** What a pause of the record is worth on the tape, ms. */
const PAUSE_MS = 1000;

/** Time as the scrub bar has it: the stretches in which the host ran, one after the other. */
export class Tape {
  readonly lengthMs: number;
  readonly #spans: readonly { readonly fromMs: number; readonly toMs: number; readonly at: number }[];
  readonly #walls: FilmOutline['walls'];

  constructor(outline: Pick<FilmOutline, 'spans' | 'walls' | 'fromMs' | 'toMs'>) {
    const spans = outline.spans.length > 0 ? outline.spans : [{ fromMs: outline.fromMs, toMs: outline.toMs }];
    let at = 0;
    this.#spans = spans.map((span) => {
      const placed = { ...span, at };
      at += span.toMs - span.fromMs + PAUSE_MS;
      return placed;
    });
    this.lengthMs = Math.max(1, at - PAUSE_MS);
    this.#walls = outline.walls;
  }

  /** Moment of the table's clock at a place of the tape. */
  momentAt(tapeMs: number): number {
    const span = lastOf(this.#spans, (one) => one.at <= tapeMs) ?? this.#spans[0];
    if (span === undefined) return 0;
    return Math.min(span.toMs, span.fromMs + Math.max(0, tapeMs - span.at));
  }

  /** Place of the tape at which a moment stands. */
  placeOf(atMs: number): number {
    const span = lastOf(this.#spans, (one) => one.fromMs <= atMs) ?? this.#spans[0];
    if (span === undefined) return 0;
    return Math.min(
      this.lengthMs,
      span.at + Math.min(Math.max(0, atMs - span.fromMs), span.toMs - span.fromMs),
    );
  }

  /** Places at which the host stood still. */
  get pauses(): readonly number[] {
    return this.#spans.slice(1).map((span) => span.at - PAUSE_MS);
  }

  /** Wall time of a moment; undefined where none was noted. */
  wallOf(atMs: number): Date | undefined {
    const noted = lastOf(this.#walls, (one) => one.atMs <= atMs) ?? this.#walls[0];
    return noted === undefined ? undefined : new Date(noted.wallMs + atMs - noted.atMs);
  }
}

/** `4:07` or `1:04:07`. */
export function clockText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(s / 3600);
  const rest = `${hours > 0 ? two(Math.floor(s / 60) % 60) : Math.floor(s / 60)}:${two(s % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** The last of a list for which something holds. */
export function lastOf<Item>(list: readonly Item[], holds: (item: Item) => boolean): Item | undefined {
  for (let i = list.length - 1; i >= 0; i -= 1) {
    const item = list[i];
    if (item !== undefined && holds(item)) return item;
  }
  return undefined;
}
