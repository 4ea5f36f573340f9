/** Bursts of dense samples, nearly all there is to read: in one pass over the line. */
import { checksumOf } from './crc.ts';
import { bitsIn, COMMA, hexAt } from './fields.ts';
import type { BurstFrame } from './frame.ts';
import { BLOCK_MS, MAX_UP_BYTES } from './frame.ts';
import { type Failed, ofThisVersion, worst } from './line-fault.ts';
import { hallsOf, NO_BLOCKS, readBlocks } from './packed.ts';

/**
 * Samples of many lines share one buffer, none is handed out twice: an allocation of its own for each line costs more
 * than reading it does.
 */
const SHARED_BYTES = 8192;
let shared = new ArrayBuffer(0);
let used = 0;

/** Place for so many bytes, at an even one. */
function placeFor(bytes: number): number {
  if (used + bytes > shared.byteLength) {
    shared = new ArrayBuffer(SHARED_BYTES);
    used = 0;
  }
  const place = used;
  used += bytes + (bytes & 1);
  return place;
}

/** Where the blocks of a burst begin: behind `B1,`, boot and sequence, tile mask, time and gap mask. */
const BLOCKS = 26;

/**
 * A burst that is right in every way, read in one pass over its characters: fields, samples and checksum together.
 * Undefined when anything is wrong with it; what that is, `checked` and `burstFault` find out in their own time.
 */
export function burstIn(line: string, length: number): BurstFrame | undefined {
  const end = length - 5;
  if (
    length >= MAX_UP_BYTES ||
    end < BLOCKS ||
    !ofThisVersion(line) ||
    line.charCodeAt(9) !== COMMA ||
    line.charCodeAt(13) !== COMMA ||
    line.charCodeAt(22) !== COMMA ||
    line.charCodeAt(25) !== COMMA ||
    line.charCodeAt(end) !== COMMA
  )
    return undefined;
  const boot = hexAt(line, 3, 2);
  const seq = hexAt(line, 5, 4);
  const tileMask = hexAt(line, 10, 3);
  const deviceUs = hexAt(line, 14, 8);
  const gapMask = hexAt(line, 23, 2);
  if (boot < 0 || seq < 0 || tileMask <= 0 || deviceUs < 0 || gapMask < 0) return undefined;
  const tiles = bitsIn(tileMask);
  const halls = hallsOf(end - BLOCKS, tiles);
  if (halls === 0) return undefined;
  const count = tiles * BLOCK_MS * halls;
  const place = placeFor(count * 2 + tiles);
  const samples = new Uint16Array(shared, place, count);
  const contacts = new Uint8Array(shared, place + count * 2, tiles);
  const before = readBlocks(line, BLOCKS, halls, samples, contacts, checksumOf(line, BLOCKS));
  if (before === NO_BLOCKS || checksumOf(line, end + 1, end, before) !== hexAt(line, end + 1, 4))
    return undefined;
  return { kind: 'burst', boot, seq, deviceUs, tileMask, gapMask, halls, samples, contacts };
}

/** What is wrong with a burst whose checksum is right, and its version, boot and sequence. */
export function burstFault(line: string, length: number, end: number): Failed {
  const tileMask = hexAt(line, 10, 3);
  if (
    end < BLOCKS ||
    line.charCodeAt(13) !== COMMA ||
    line.charCodeAt(22) !== COMMA ||
    line.charCodeAt(25) !== COMMA ||
    tileMask <= 0 ||
    hexAt(line, 14, 8) < 0 ||
    hexAt(line, 23, 2) < 0
  ) {
    return worst(line, length, 'bad-field', 'burst: mask, time or gap mask');
  }
  const tiles = bitsIn(tileMask);
  if (hallsOf(end - BLOCKS, tiles) === 0) {
    return worst(
      line,
      length,
      'bad-field',
      `burst: ${end - BLOCKS} characters fit no halls on ${tiles} tiles`,
    );
  }
  return worst(line, length, 'bad-field', 'burst: a character outside base64, or padding that is not zero');
}
