import { describe, expect, it } from 'vitest';
import { heightMm } from '../host/sensing/audit.ts';
import { addEdge, createContacts } from '../host/sensing/contact.ts';
import { flightsOver } from '../host/sensing/flights.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { type TurningStay, turningOf } from '../host/sensing/turning.ts';

describe('flights over a tile (5.7.1.3)', () => {
  const edges = (times: readonly number[]) => {
    const track = createContacts(1);
    times.forEach((at, i) => {
      addEdge(track, 0, at, i % 2 === 0);
    });
    return flightsOver(track, 0, 0, 2000, DEFAULT_LIMITS.flightFromMs, DEFAULT_LIMITS.flightToMs);
  };

  it('are gaps between strikes, each shorter than the one before', () => {
    // Rolls on, flies for 60, 33 and 18 ms, comes down for good.
    const found = edges([100, 220, 280, 281, 314, 315.5, 333.5]);
    expect(found.sureMs).toEqual([60, 33, 18]);
    expect(found.doubtful).toBe(0);
  });

  it('electrical bounce and the chatter of a latch are none', () => {
    const found = edges([100, 100.4, 100.6, 101, 101.1, 140, 141, 150, 152, 160, 161]);
    expect(found).toEqual({ sureMs: [], doubtful: 0 });
  });

  it('a contact that fails now and then leaves it open', () => {
    expect(edges([100, 180, 215, 300, 340])).toEqual({ sureMs: [], doubtful: 2 });
  });

  it('64 ms are 5 mm', () => expect(heightMm(64)).toBeCloseTo(5, 1));
});

describe('rolled or slid (5.7.1.1: both are legal)', () => {
  const tiles = {
    x: Float64Array.from([0, 0, 0]),
    y: Float64Array.from([90, 45, 0]),
    cells: [{ cell: 'q0r2' }, { cell: 'q0r1' }, { cell: 'q0r0' }],
  } as never;
  /** Over one plate of 38 mm after the other, 7 mm between them, at 0.5 m/s. */
  const over = (cell: number, more: Partial<TurningStay> = {}): TurningStay => {
    const atMs = 1000 + 90 * cell;
    const passed = { cell, atMs, untilMs: atMs + 76, midMs: atMs + 38, passed: true };
    return { ...passed, opened: 0, peak: 0.02, alone: true, ...more };
  };

  it('closed over three plates in a row, more than one turn: it cannot have rolled', () => {
    expect(turningOf(tiles, [over(0), over(1), over(2)])).toMatchObject({
      measured: true,
      said: 'slid or spun',
    });
    // Two plates are less than a turn; a plate left out hides the part in which it would have opened.
    expect(turningOf(tiles, [over(0), over(1)]).measured).toBe(false);
    expect(turningOf(tiles, [over(0), over(2)]).measured).toBe(false);
  });

  it('closed over one tile and opened on the next: its magnet came round, it rolled', () => {
    const opens = over(1, { passed: false, untilMs: Infinity, midMs: NaN, opened: 0.99, peak: 1 });
    expect(turningOf(tiles, [over(0), opens])).toMatchObject({ measured: true, said: 'rolled' });
    // A worn latch that goes late shows the magnet before.
    expect(turningOf(tiles, [over(0, { peak: 0.6 }), opens]).measured).toBe(false);
    expect(turningOf(tiles, [opens]).measured).toBe(false);
    expect(turningOf(tiles, [over(0, { alone: false }), opens]).measured).toBe(false);
  });
});
