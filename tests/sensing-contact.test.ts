import { describe, expect, it } from 'vitest';
import {
  addBits,
  addEdge,
  addLevel,
  closedAt,
  closedMs,
  createContacts,
  EDGES_KEPT,
  edgesIn,
  flightsIn,
  lastClosedMs,
} from '../host/sensing/contact.ts';

describe('contact track', () => {
  const track = createContacts(2);
  // Bounce of 1 ms, a flight of 41 ms (20 cm/s), then open for good; lines out of order.
  for (const [ms, closed] of [
    [100, true],
    [101, false],
    [101.4, true],
    [160, false],
    [201, true],
    [130, false],
    [130.2, true],
    [260, false],
  ] as const) {
    addEdge(track, 0, ms, closed);
  }

  it.each([
    [99, false],
    [100.5, true],
    [101.2, false],
    [120, true],
    [130.1, false],
    [180, false],
    [210, true],
    [300, false],
  ])('at %d ms closed is %s', (ms, closed) => {
    expect(closedAt(track, 0, ms)).toBe(closed);
  });

  it.each([
    [90, 100, 0],
    [100, 102, 1.6],
    [101.4, 160, 58.4],
    [0, 1000, 0.999 + 28.6 + 29.8 + 59 + 0.001],
    [300, 400, 0],
  ])('from %d to %d ms it was closed for %d ms', (from, to, ms) => {
    expect(closedMs(track, 0, from, to)).toBeCloseTo(ms, 6);
  });

  it('counts edges and tells flights from bounce and from departure', () => {
    expect(edgesIn(track, 0, 100, 102)).toBe(3);
    expect(flightsIn(track, 0, 90, 400, 10, 80)).toBe(1);
    expect(lastClosedMs(track, 0, 0, 400)).toBe(260);
    expect(lastClosedMs(track, 1, 0, 400)).toBe(-Infinity);
  });

  it('puts in what three sample bits in a row say against the edges known, and no less', () => {
    const own = createContacts(1);
    addBits(own, 0, 1000, 0b0011_0000, 8);
    expect(own.counts[0]).toBe(0);
    addBits(own, 0, 1008, 0b1111_1100, 8);
    expect(closedAt(own, 0, 1009.5)).toBe(false);
    expect(closedAt(own, 0, 1012)).toBe(true);
    addBits(own, 0, 1016, 0, 8);
    expect(closedAt(own, 0, 1020)).toBe(false);
  });

  it('tells of what they put in also where the oldest ones make room for it', () => {
    const own = createContacts(1);
    for (let i = 0; i < EDGES_KEPT; i += 1) addEdge(own, 0, i, i % 2 === 0);
    expect(addBits(own, 0, 1000, 0b1111_0000, 8)).toBe(true);
    expect(closedAt(own, 0, 1006)).toBe(true);
    expect(addBits(own, 0, 1008, 0b1111_1111, 8)).toBe(false);
  });

  it('heals at the next quiet line', () => {
    const own = createContacts(1);
    expect(addLevel(own, 0, 20, false)).toBe(false);
    expect(addLevel(own, 0, 40, true)).toBe(true);
    expect(addLevel(own, 0, 60, true)).toBe(false);
    expect(closedMs(own, 0, 0, 60)).toBe(20);
  });

  it('forgets the oldest edges when there is no room, never the newest', () => {
    const own = createContacts(1);
    for (let i = 0; i < 3 * EDGES_KEPT; i += 1) addEdge(own, 0, i, i % 2 === 0);
    expect(closedAt(own, 0, 3 * EDGES_KEPT - 2)).toBe(true);
    expect(edgesIn(own, 0, 3 * EDGES_KEPT - 100, 3 * EDGES_KEPT)).toBe(100);
  });
});
