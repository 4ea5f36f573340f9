/** Fields that come over a tile for a time and go: a tile turned in the earth's field, a magnet lying near. */
import type { Span } from './spans.ts';

export interface Shoves {
  add(tile: number, span: Span, mt: number): void;
  any(): boolean;
  /** Sum of what shifts this tile's halls now, mT. */
  atMt(tile: number, atUs: number): number;
}

/** A shove comes and goes within this time, µs. */
const SOFT_US = 80_000;

export function createShoves(): Shoves {
  let all: { readonly tile: number; readonly span: Span; readonly mt: number }[] = [];
  return {
    add(tile, span, mt) {
      // Long recordings must not grow: what is over by a minute is forgotten.
      all = all.filter((one) => one.span.toUs > span.fromUs - 60_000_000);
      all.push({ tile, span, mt });
    },
    any: () => all.length > 0,
    atMt(tile, atUs) {
      let sum = 0;
      for (const one of all) {
        if (one.tile !== tile) continue;
        const ends = Math.min(atUs - one.span.fromUs, one.span.toUs - atUs) / SOFT_US;
        if (ends > 0) sum += one.mt * Math.min(1, ends);
      }
      return sum;
    },
  };
}
