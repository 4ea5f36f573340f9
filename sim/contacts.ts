/** Contact of the floating steel plates: when a ball stands on one, and how the contact behaves as it closes. */
import { createGround, groundAt, type Track } from './ball.ts';
import type { Chance } from './random.ts';
import { edgeBetween, type Span, without } from './spans.ts';

/** Half the plate's size across flats, mm. */
export const PLATE_MM = 18;
/** An open shell touches this far around its middle, mm. */
export const OPEN_FOOT_MM = 6;
/** A plate floats this much: a ball that is higher does not touch it, mm. */
const TOUCH_MM = 0.05;

/** Distance from a tile's centre that counts for its hexagon: the flats are at equal values. */
export function hexDistance(dx: number, dy: number): number {
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  return Math.max(ay, ax * 0.8660254037844386 + ay / 2);
}

/** Places of the tiles, one entry each. */
export interface TilePlace {
  readonly x: number;
  readonly y: number;
}

/** When each tile carries the ball, without bounce or chatter: one list a tile. */
export function touchesOf(track: Track, tiles: readonly TilePlace[]): readonly (readonly Span[])[] {
  const out: Span[][] = tiles.map(() => []);
  const ground = createGround();
  const on = (tile: TilePlace, atUs: number): boolean => {
    if (!groundAt(track, atUs, ground) || ground.lift > TOUCH_MM) return false;
    const foot = ground.settled && ground.open ? OPEN_FOOT_MM : 0;
    return hexDistance(ground.x - tile.x, ground.y - tile.y) <= PLATE_MM + foot;
  };
  const first = track.stretches[0];
  if (first === undefined) return out;
  const since = tiles.map(() => -1);
  const endUs = Math.max(track.restUs, first.fromUs);
  const xs = tiles.map((tile) => tile.x);
  const ys = tiles.map((tile) => tile.y);
  const margin = PLATE_MM * 1.2 + OPEN_FOOT_MM;
  const [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin];
  const [top, bottom] = [Math.min(...ys) - margin, Math.max(...ys) + margin];
  let touching = 0;
  const step = (atUs: number, beforeUs: number): void => {
    const present = groundAt(track, atUs, ground) && ground.lift <= TOUCH_MM;
    const { x, y } = ground;
    // Most of a ball's way lies outside the field.
    if (touching === 0 && (x < left || x > right || y < top || y > bottom)) return;
    const reach = PLATE_MM + (ground.settled && ground.open ? OPEN_FOOT_MM : 0);
    for (let i = 0; i < tiles.length; i += 1) {
      const tile = tiles[i];
      if (tile === undefined) continue;
      const now = present && hexDistance(x - tile.x, y - tile.y) <= reach;
      const started = since[i] ?? -1;
      if (now === started >= 0) continue;
      const edge = atUs === beforeUs ? atUs : edgeBetween((t) => on(tile, t), beforeUs, atUs, !now);
      touching += now ? 1 : -1;
      if (now) since[i] = edge;
      else {
        out[i]?.push({ fromUs: started, toUs: edge });
        since[i] = -1;
      }
    }
  };
  step(first.fromUs, first.fromUs);
  for (let at = first.fromUs; at < endUs; ) {
    const next = Math.min(at + 1000, endUs);
    step(next, at);
    at = next;
  }
  since.forEach((from, i) => {
    if (from >= 0) out[i]?.push({ fromUs: from, toUs: track.goneUs });
  });
  return out;
}

/** Electrical bounce of one closing: gaps within the first milliseconds. 5 % of parts are slow ones. */
export function closingBounce(chance: Chance, atUs: number, slowPart: boolean): readonly Span[] {
  const count = chance.poisson(3);
  const most = chance.most(slowPart ? 10_000 : 3000);
  const span = Math.min(most, chance.gamma2(chance.most(slowPart ? 2000 : 600)));
  const out: Span[] = [];
  for (let i = 0; i < count; i += 1) {
    const from = atUs + Math.floor(chance.unit() * span);
    const to = Math.min(atUs + Math.floor(span), from + 6 + Math.floor(chance.exponential(60)));
    if (to > from && from > atUs) out.push({ fromUs: from, toUs: to });
  }
  return out;
}

/** Chatter of a contact under an opening or struck ball: 10 to 80 ms, at least four edges after the first 3 ms. */
export function openingChatter(chance: Chance, atUs: number): readonly Span[] {
  const lengthUs = chance.range(10_000, 80_000);
  const count = 3 + chance.below(8);
  const slot = (lengthUs - 3000) / count;
  const out: Span[] = [];
  for (let i = 0; i < count; i += 1) {
    const width = Math.min(slot * 0.6, 400 + chance.exponential(1200));
    const from = atUs + 3000 + i * slot + chance.unit() * (slot - width);
    out.push({ fromUs: Math.floor(from), toUs: Math.floor(from + width) });
  }
  return out;
}

/** Gaps of a dirty contact: about 80 ms on, 40 ms off. */
export function dirtyGaps(chance: Chance, fromUs: number, toUs: number): readonly Span[] {
  const out: Span[] = [];
  for (let at = fromUs + chance.exponential(80_000); at < toUs; ) {
    const end = at + chance.exponential(40_000);
    out.push({ fromUs: Math.floor(at), toUs: Math.floor(end) });
    at = end + chance.exponential(80_000);
  }
  return out;
}

/**
 * What the wire of one tile shows of a ball's touches: bounce at every closing, chatter when the ball opens or is
 * struck. `chanceAt` gives the chance that belongs to a moment, so that the same touch always bounces the same way.
 */
export function wiredTouches(
  track: Track,
  touches: readonly Span[],
  slowPart: boolean,
  chanceAt: (atUs: number) => Chance,
): readonly Span[] {
  const gaps: Span[] = [];
  for (const touch of touches) {
    gaps.push(...closingBounce(chanceAt(touch.fromUs), touch.fromUs, slowPart));
    for (const stretch of track.stretches) {
      const struck = stretch.jump > 0 || stretch.ring > 0;
      if (!struck || stretch.fromUs < touch.fromUs - 2000 || stretch.fromUs >= touch.toUs) continue;
      gaps.push(...openingChatter(chanceAt(stretch.fromUs), stretch.fromUs));
    }
  }
  return without(touches, gaps);
}
