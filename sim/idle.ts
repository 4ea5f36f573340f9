/** Time in which nobody rolls: a still table, a light show, warming up, hands, foreign magnets, lifted tiles. */
import type { CellId } from '../host/ids.ts';
import { AT_REST, type Body, type Stretch, type Track } from './ball.ts';
import type { Mat, MatTile } from './mat.ts';
import { type Disturbance, QUIET_ROOM } from './noise.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import type { Span } from './spans.ts';

export const IDLE_KINDS = ['quiet', 'led-show', 'warm-up', 'hands', 'magnets', 'lifted'] as const;
export type IdleKind = (typeof IDLE_KINDS)[number];

/** What may be done to a table while balls roll, besides the hands that rolls have of their own. */
export type Meddling = 'magnets' | 'lifted';

/** What somebody did while nobody rolled. */
export interface IdleEvent {
  readonly kind: 'hand' | 'magnet' | 'lifted';
  readonly cell: CellId;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Something happens about this often, ms. */
const EVERY_MS = 4000;
/** Earth's field along a sensor that is turned over, mT. */
const EARTH_MT = 0.1;

export function idleRoom(kind: IdleKind): Disturbance {
  switch (kind) {
    case 'led-show':
      return { ...QUIET_ROOM, flickerCounts: 6, spikeShare: 0.002 };
    case 'warm-up':
      return { ...QUIET_ROOM, warmUpK: 8, roomKPerHour: 5 };
    default:
      return QUIET_ROOM;
  }
}

/** Lets things of this kind happen on the mat within a time; the same seed gives the same. */
export function idle(mat: Mat, kind: IdleKind, seed: number, fromMs: number, toMs: number): IdleEvent[] {
  if (kind === 'quiet' || kind === 'led-show' || kind === 'warm-up') return [];
  const chance = createChance(hash32(seed, 91, 0));
  const events: IdleEvent[] = [];
  for (
    let at = fromMs + chance.exponential(EVERY_MS);
    at < toMs - 3000;
    at += 300 + chance.exponential(EVERY_MS)
  ) {
    const tile = chance.pick(mat.tiles);
    const event =
      kind === 'hands'
        ? hand(mat, chance, tile, at)
        : kind === 'magnets'
          ? magnet(mat, chance, tile, at)
          : lift(mat, chance, tile, at);
    events.push(event);
    at = event.toMs;
  }
  return events;
}

/** One thing of a kind happens at a moment within a time in which others roll; the same seed gives the same. */
export function meddle(mat: Mat, kind: Meddling, seed: number, fromMs: number, toMs: number): IdleEvent {
  const chance = createChance(hash32(seed, 92, 0));
  const tile = chance.pick(mat.tiles);
  const atMs = chance.between(fromMs, toMs);
  return kind === 'magnets' ? magnet(mat, chance, tile, atMs) : lift(mat, chance, tile, atMs);
}

const spanOf = (fromMs: number, toMs: number): Span => ({
  fromUs: Math.floor(fromMs * 1000),
  toUs: Math.floor(toMs * 1000),
});

/** A hand or sleeve on a tile and maybe the next one, with the flicker of a light touch; often through a gate. */
function hand(mat: Mat, chance: Chance, tile: MatTile, at: number): IdleEvent {
  const lasts = chance.logBetween(60, 3000);
  touches(mat, chance, tile.cell, at, at + lasts);
  if (chance.happens(0.4)) {
    const other = chance.pick(mat.tiles);
    touches(mat, chance, other.cell, at + chance.between(0, 200), at + lasts + chance.between(0, 200));
  }
  if (chance.happens(0.5)) {
    for (const gate of ['near', 'far'] as const) {
      mat.handInGate(
        tile.side,
        gate,
        spanOf(at - chance.between(50, 400), at + lasts + chance.between(50, 400)),
      );
    }
  }
  return { kind: 'hand', cell: tile.cell, fromMs: at, toMs: at + lasts };
}

/** Contact with gaps, as under a light or sliding touch. */
function touches(mat: Mat, chance: Chance, cell: CellId, fromMs: number, toMs: number): void {
  for (let at = fromMs; at < toMs; ) {
    const on = chance.logBetween(2, 400);
    mat.hand(cell, spanOf(at, Math.min(toMs, at + on)));
    at += on + chance.logBetween(1, 150);
  }
}

/**
 * Somebody's magnet (a key case, a badge, a closed ball in the hand), a third to three times as strong as a ball's,
 * comes over a tile at 5 to 60 mm, stays there for a while and goes; every fifth is laid down on the tile.
 */
function magnet(mat: Mat, chance: Chance, tile: MatTile, at: number): IdleEvent {
  const body: Body = {
    player: tile.side,
    bakugan: `foreign/${Math.floor(at)}`,
    radiusMm: 18,
    polarity: chance.happens(0.5) ? 1 : -1,
    strength: chance.logBetween(0.33, 3),
    latchMm: 7,
  };
  const laid = chance.happens(0.2);
  const heldMm = laid ? 0 : chance.logBetween(5, 60);
  const stays = chance.logBetween(150, 2500);
  const speed = chance.logBetween(0.05, 0.5);
  const way = 110;
  const from = { x: tile.x + chance.normal(0, 8), y: tile.y + chance.normal(0, 8) };
  const angle = chance.between(-1, 1);
  const c = (1 - angle * angle) / (1 + angle * angle);
  const s = (2 * angle) / (1 + angle * angle);
  const shared = {
    ...AT_REST,
    headX: s,
    headY: c,
    tilt: chance.normal(0, 0.7),
    azimuth: chance.between(-Math.PI, Math.PI),
    heldMm,
  };
  const startUs = Math.floor(at * 1000);
  const there = startUs + Math.floor((way / speed) * 1000);
  const leaves = there + Math.floor(stays * 1000);
  const goneUs = leaves + Math.floor((way / speed) * 1000);
  // Hands do not stop as on rails: even motion there, rest, even motion away.
  const coming: Stretch = {
    ...shared,
    fromUs: startUs,
    x: from.x - s * way,
    y: from.y - c * way,
    speed,
    heldMm: Math.max(heldMm, 8),
  };
  const resting: Stretch = { ...shared, fromUs: there, x: from.x, y: from.y };
  const going: Stretch = { ...coming, fromUs: leaves, x: from.x, y: from.y };
  const track: Track = { body, stretches: [coming, resting, going], hops: [], restUs: goneUs, goneUs };
  mat.put(track);
  return { kind: 'magnet', cell: tile.cell, fromMs: at, toMs: goneUs / 1000 };
}

/** A tile is lifted and laid back: its contact rattles as it goes and comes, its sensors turn in the earth's field. */
function lift(mat: Mat, chance: Chance, tile: MatTile, at: number): IdleEvent {
  const lasts = chance.logBetween(300, 3000);
  touches(mat, chance, tile.cell, at, at + chance.between(30, 300));
  mat.shove(tile.cell, spanOf(at, at + lasts), chance.between(-2 * EARTH_MT, 2 * EARTH_MT));
  touches(mat, chance, tile.cell, at + lasts - chance.between(30, 200), at + lasts + chance.between(10, 100));
  return { kind: 'lifted', cell: tile.cell, fromMs: at, toMs: at + lasts };
}
