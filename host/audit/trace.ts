import type { TableState } from '../advance/state.ts';
import type { AtMs, CellId, Side } from '../ids.ts';
import { closedAt } from '../sensing/contact.ts';
import { readHall, STEPS_PER_COUNT } from '../sensing/rings.ts';

/** Shown before the roll's first sign and after its decision, ms. */
export const LEAD_MS = 300;
/** The rings hold two seconds; they are read at least this often. */
const READ_MS = 800;
/** Lines may be late by this much when a stretch is read, ms. */
export const LATE_MS = 120;

/** What one tile read during a roll: a value a ms from `fromMs` on. */
export interface CellTrace {
  readonly cell: CellId;
  /** Of each hall, change from the resting level in mT; NaN where nothing is known. */
  readonly halls: readonly Float32Array[];
  /** 1 while the contact was closed. */
  readonly contact: Uint8Array;
  /** Field above which the detector looks, mT. */
  readonly thresholdMt: number;
  /** Resting level of each hall, counts. */
  readonly baseline: readonly number[];
}

/** A moment that a decision rests on. */
export interface Mark {
  readonly atMs: AtMs;
  readonly cell?: CellId;
  readonly player?: Side;
  /** As in `contact`, `field`, `arrival`, `left`, `near gate`, `decided`. */
  readonly what: string;
  /** Chance of an open, 0 to 1, where the mark is an arrival. */
  readonly score?: number;
}

export interface RollTrace {
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  readonly cells: readonly CellTrace[];
  readonly marks: readonly Mark[];
}

/** What traces are taken of: a table that is run again, or a detector by itself. */
export type Traced = Pick<TableState, 'sensing' | 'atMs'>;

/** Takes the traces of one roll out of a table that is run again. */
export interface TraceTaker {
  /** Looks at the table after each record. */
  look(state: Traced): void;
  /** What the detector has taken note of in the roll under way. */
  marks(state: Traced): readonly Mark[];
  /** What was seen, up to that moment at most. */
  end(state: Traced, toMs: AtMs): RollTrace;
}

export function takeTrace(state: Traced, fromMs: AtMs): TraceTaker {
  const { sensing } = state;
  const start = Math.floor(fromMs);
  let readTo = start;
  const { tiles } = sensing;
  const halls = tiles.cells.map(() => Array.from({ length: tiles.halls }, () => [] as number[]));
  const contact = tiles.cells.map(() => [] as number[]);

  const one = new Float64Array(1);

  const read = (from: Traced, upTo: number): void => {
    const { rings, contacts, base, limits } = from.sensing;
    for (let cell = 0; cell < tiles.cells.length; cell += 1) {
      for (let hall = 0; hall < tiles.halls; hall += 1) {
        const zero = base.slow[cell * tiles.halls + hall] ?? 0;
        const into = halls[cell]?.[hall] ?? [];
        for (let ms = readTo; ms < upTo; ms += 1) {
          const known = readHall(rings, cell, hall, ms, ms + 1, one) === 1;
          into.push(known ? ((one[0] ?? 0) - zero) * limits.mtPerCount : Number.NaN);
        }
      }
      const touched = contact[cell] ?? [];
      for (let ms = readTo; ms < upTo; ms += 1) touched.push(closedAt(contacts, cell, ms) ? 1 : 0);
    }
    readTo = upTo;
  };

  return {
    look(now) {
      const ready = Math.floor(now.atMs) - LATE_MS;
      if (ready - readTo >= READ_MS) read(now, ready);
    },
    marks: marksOf,
    end(now, toMs) {
      const upTo = Math.max(readTo, Math.floor(Math.min(toMs, now.atMs)));
      if (upTo > readTo) read(now, upTo);
      const { onsets, base, limits } = now.sensing;
      return {
        fromMs: start,
        toMs: readTo,
        marks: marksOf(now),
        cells: tiles.cells.map(({ cell }, i) => ({
          cell,
          halls: (halls[i] ?? []).map((values) => Float32Array.from(values)),
          contact: Uint8Array.from(contact[i] ?? []),
          thresholdMt: ((onsets.on[i] ?? 0) / STEPS_PER_COUNT) * limits.mtPerCount,
          baseline: Array.from({ length: tiles.halls }, (_, h) => base.slow[i * tiles.halls + h] ?? 0),
        })),
      };
    },
  };
}

/** Shown of a roll in which the detector took note of nothing, ms. */
const UNMARKED_MS = 10_000;

/** The same trace from shortly before the first sign of a ball: players may take their time after the call. */
export function cropped(trace: RollTrace): RollTrace {
  const signs = trace.marks
    .map(({ atMs }) => atMs)
    .filter((atMs) => atMs >= trace.fromMs && atMs <= trace.toMs);
  const first = signs.length === 0 ? trace.toMs - UNMARKED_MS : Math.min(...signs) - LEAD_MS;
  const skip = Math.max(0, Math.floor(first) - trace.fromMs);
  if (skip === 0) return trace;
  return {
    ...trace,
    fromMs: trace.fromMs + skip,
    cells: trace.cells.map((cell) => ({
      ...cell,
      halls: cell.halls.map((values) => values.slice(skip)),
      contact: cell.contact.slice(skip),
    })),
  };
}

/** What the detector took note of in the roll under way. */
function marksOf(state: Traced): readonly Mark[] {
  const { live, tiles, gates } = state.sensing;
  const marks: Mark[] = [];
  const add = (what: string, atMs: number, more: Partial<Mark>): void => {
    if (Number.isFinite(atMs) && atMs >= live.fromMs - 1000) marks.push({ what, atMs, ...more });
  };
  for (const side of ['A', 'B'] as const) {
    add('near gate', gates[side].near.blockedMs, { player: side });
    add('far gate', gates[side].far.blockedMs, { player: side });
  }
  for (let i = 0; i < live.count; i += 1) {
    const stand = live.stands[i];
    const cell = tiles.cells[stand?.visit.cell ?? -1]?.cell;
    if (stand === undefined || cell === undefined || !stand.visit.confirmed) continue;
    add('contact', stand.visit.contactMs, { cell });
    add('field', stand.visit.onsetMs, { cell });
    add('gone', stand.visit.endMs, { cell });
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      if (arrival !== undefined) add('arrival', arrival.atMs, { cell, score: arrival.score });
    }
  }
  return marks.sort((a, b) => a.atMs - b.atMs);
}
