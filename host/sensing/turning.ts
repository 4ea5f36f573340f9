/**
 * Whether a ball rolled or slid (5.7.1.1 allows both). A closed ball with its magnet down over steel opens. A rolling
 * ball turns its magnet down once in every turn; one that slides or spins on the spot never does.
 */
import type { Stay } from './audit.ts';
import type { Turning } from './ruling.ts';
import type { Tiles } from './tiles.ts';

/** One stay with what its field says. */
export interface TurningStay extends Stay {
  /** Chance that it opened there. */
  readonly opened: number;
  /** Largest level, in seated reference balls. */
  readonly peak: number;
  /** No other ball was on this tile or beside it meanwhile. */
  readonly alone: boolean;
}

/** Way of one turn of the largest ball, less the part in which its latch lets go, mm. */
const TURN_MM = 113;
/** Between two plates the latch finds no steel; a longer gap hides the part of a turn in which it would open. */
const GAP_MM = 20;
/** Half of a plate's way that even a touch off its middle takes, mm. */
const HALF_MM = 12;
/** A pass with more field than this had its magnet near down: a worn latch, not one that lay high. */
const DOWN = 0.15;
/** A contact this short may have been a corner of a plate: its steel is not under the magnet. */
const CORNER_MS = 10;

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function wayBetween(tiles: Tiles, a: Stay, b: Stay): number {
  const dx = (tiles.x[b.cell] ?? 0) - (tiles.x[a.cell] ?? 0);
  const dy = (tiles.y[b.cell] ?? 0) - (tiles.y[a.cell] ?? 0);
  return Math.sqrt(dx * dx + dy * dy);
}

/** Closed over steel for more than a turn with no gap that could hide the opening. */
function neverTurned(tiles: Tiles, passes: readonly Stay[]): boolean {
  const [first] = passes;
  const last = passes.at(-1);
  if (first === undefined || last === undefined) return false;
  const wayMm = wayBetween(tiles, first, last) + 2 * HALF_MM;
  const tookMs = last.untilMs - first.atMs;
  const gapMs = passes.map((stay, i) => {
    const before = passes[i - 1];
    return before === undefined ? 0 : Math.max(0, stay.atMs - before.untilMs);
  });
  const straight = sum(
    passes.map((stay, i) => (i === 0 ? 0 : wayBetween(tiles, passes[i - 1] ?? stay, stay))),
  );
  // To and fro is no long way.
  if (wayMm < TURN_MM || straight > 1.3 * wayMm) return false;
  return Math.max(...gapMs) * wayMm < GAP_MM * tookMs;
}

/** Reads it off the stays of one ball, in order. */
export function turningOf(tiles: Tiles, stays: readonly TurningStay[]): Turning {
  const opening = stays.findIndex((stay) => stay.opened > 0.9);
  const before = opening < 0 ? stays : stays.slice(0, opening);
  const passes = before.filter((stay) => stay.passed && stay.opened < 0.1);
  if (!stays.every((stay) => stay.alone)) {
    return { measured: false, why: 'the other ball was too near to tell its part' };
  }
  const high = passes.find((stay) => stay.untilMs - stay.atMs > CORNER_MS && Math.abs(stay.peak) < DOWN);
  const at = stays[opening];
  if (at !== undefined && high !== undefined && high.cell !== at.cell) {
    const [from, to] = [tiles.cells[high.cell]?.cell ?? '', tiles.cells[at.cell]?.cell ?? ''];
    return {
      measured: true,
      said: 'rolled',
      sure: 0.95,
      how: `its magnet was not down over ${from} and was over ${to}`,
    };
  }
  if (opening < 0 && passes.length === stays.length && neverTurned(tiles, passes)) {
    return {
      measured: true,
      said: 'slid or spun',
      sure: 0.95,
      how: 'closed over steel for more than a whole turn, and its magnet never came down',
    };
  }
  return { measured: false, why: 'too little of a turn was over tiles' };
}
