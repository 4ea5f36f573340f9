/** The last scans of a board: what was read before an onset can still be sent after it. */
import { BLOCK_MS } from '../firmware-protocol/frame.ts';

/** Blocks of tiles as a burst carries them. */
export interface Blocks {
  /** By tile, scan, hall. */
  readonly samples: Uint16Array;
  /** By tile; scan i in bit i, 1 closed. */
  readonly contacts: Uint8Array;
  /** Scan i in bit i: it was not read but repeats the one before. */
  readonly gapMask: number;
}

export interface ScanRing {
  /** Counts of the scans kept, each by tile and hall from its place on. */
  readonly samples: Uint16Array;
  /** -1 is before the first. */
  place(slot: number): number;
  /** Makes a scan that was not read the same as the one before. */
  repeat(slot: number): void;
  /** What else is kept of a scan: the contacts as bits, and whether it was not read. */
  note(slot: number, contacts: number, gap: boolean): void;
  /** The block of each tile in the mask, from the slot on, which is a whole multiple of a block. */
  cut(mask: number, start: number): Blocks;
}

/** Scans kept; whole blocks, so that none runs over the ring's end. */
const SLOTS = 64;

export function createScanRing(tiles: number, halls: number): ScanRing {
  const sensors = tiles * halls;
  const samples = new Uint16Array(SLOTS * sensors);
  const contacts = new Uint16Array(SLOTS);
  const gaps = new Uint8Array(SLOTS);
  const place = (slot: number): number => ((slot + SLOTS) % SLOTS) * sensors;

  /** Fills `block` with what a tile read in a block from `first` on; gives its contact. */
  const cutTile = (tile: number, first: number, block: Uint16Array, into: number): number => {
    let out = into;
    let closed = 0;
    for (let ms = 0; ms < BLOCK_MS; ms += 1) {
      const at = (first + ms) * sensors + tile * halls;
      for (let h = 0; h < halls; h += 1) {
        block[out] = samples[at + h] ?? 0;
        out += 1;
      }
      closed |= (((contacts[first + ms] ?? 0) >> tile) & 1) << ms;
    }
    return closed;
  };

  return {
    samples,
    place,
    repeat(slot) {
      const before = place(slot - 1);
      samples.copyWithin(place(slot), before, before + sensors);
    },
    note(slot, bits, gap) {
      contacts[slot % SLOTS] = bits;
      gaps[slot % SLOTS] = gap ? 1 : 0;
    },
    cut(mask, start) {
      const first = start % SLOTS;
      let count = 0;
      for (let left = mask; left !== 0; left &= left - 1) count += 1;
      const block = new Uint16Array(count * BLOCK_MS * halls);
      const closed = new Uint8Array(count);
      let cutSoFar = 0;
      for (let tile = 0; tile < tiles; tile += 1) {
        if ((mask & (1 << tile)) === 0) continue;
        closed[cutSoFar] = cutTile(tile, first, block, cutSoFar * BLOCK_MS * halls);
        cutSoFar += 1;
      }
      let gapMask = 0;
      for (let ms = 0; ms < BLOCK_MS; ms += 1) gapMask |= (gaps[first + ms] ?? 0) << ms;
      return { samples: block, contacts: closed, gapMask };
    },
  };
}
