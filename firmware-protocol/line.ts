/** Lines to frames and back. Layout and meaning: README.md of this folder. */
import { checksumOf, NOT_ASCII } from './crc.ts';
import { Cursor, hexAt, hexOf } from './fields.ts';
import type { BurstFrame, Decoded, DownlinkFrame, FrameFault, QuietFrame, UplinkFrame } from './frame.ts';
import { BLOCK_MS, MAX_DOWN_BYTES, MAX_UP_BYTES, PROTOCOL_VERSION } from './frame.ts';
import { DOWN_ROWS, type Row, UP_ROWS } from './kinds.ts';
import { hallsOf, meansIn, NO_BLOCKS, readBlocks, readMeans } from './packed.ts';

export { encodeDown, encodeUp } from './spell.ts';

const COMMA = 44;
const LETTER_B = 66;
const LETTER_Q = 81;
/** Where the fields of a line up begin: `K1,` and six digits of boot and sequence and a comma. */
const UP_FIELDS = 10;
/** Where the fields of a line down begin, behind `K1,`. */
const DOWN_FIELDS = 3;

type Failed = { readonly ok: false; readonly fault: FrameFault; readonly detail: string };

function failed(fault: FrameFault, detail: string): Failed {
  return { ok: false, fault, detail };
}

/** A line whose characters are not all printable ASCII is that before it is anything else. */
function worst(line: string, length: number, fault: FrameFault, detail: string): Failed {
  for (let at = 0; at < length; at++) {
    const code = line.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) {
      return failed('not-ascii', `character ${code} at place ${at}`);
    }
  }
  return failed(fault, detail);
}

/** Length without the one carriage return that is tolerated at the end. */
function lengthOf(line: string): number {
  const length = line.length;
  return length > 0 && line.charCodeAt(length - 1) === 13 ? length - 1 : length;
}

/** Place of the last comma of a line whose frame and checksum are right, or why they are not. */
function checked(line: string, length: number, maxBytes: number): number | Failed {
  if (length === 0) return failed('empty', 'nothing before the line end');
  if (length >= maxBytes) return failed('too-long', `${length} characters, ${maxBytes - 1} are the most`);
  const end = length - 5;
  if (end < 0 || line.charCodeAt(end) !== COMMA) {
    return worst(line, length, 'no-checksum', 'no comma before the last four characters');
  }
  const sum = checksumOf(line, end + 1);
  if (sum === NOT_ASCII) return worst(line, length, 'not-ascii', 'a character above 127');
  const told = hexAt(line, end + 1, 4);
  if (told === sum) return end;
  if (told < 0) return worst(line, length, 'no-checksum', 'the last four characters are not hex digits');
  return worst(line, length, 'bad-checksum', `checksum ${hexOf(told, 4)}, the line gives ${hexOf(sum, 4)}`);
}

/** Version of a well-summed line that is not ours, or that it has none. */
function unversioned(line: string, length: number): Failed {
  const head = /^[A-Z]([0-9]{1,3}),/.exec(line);
  return head === null
    ? worst(line, length, 'unknown-kind', 'no kind letter and version at the start')
    : worst(line, length, 'wrong-version', `line of protocol ${head[1]}, this is ${PROTOCOL_VERSION}`);
}

function ofThisVersion(line: string): boolean {
  const letter = line.charCodeAt(0);
  // Code 49 is the digit 1, the version of every line of this protocol.
  return letter >= 65 && letter <= 90 && line.charCodeAt(1) === 49 && line.charCodeAt(2) === COMMA;
}

const UP_BY_LETTER: ReadonlyMap<string, Row<UplinkFrame>> = byLetter<UplinkFrame>(Object.values(UP_ROWS));
const DOWN_BY_LETTER: ReadonlyMap<string, Row<DownlinkFrame>> = byLetter<DownlinkFrame>(
  Object.values(DOWN_ROWS),
);

function byLetter<Frame>(rows: readonly Row<Frame>[]): ReadonlyMap<string, Row<Frame>> {
  return new Map(rows.map((its) => [its.letter, its]));
}

/**
 * Reads one line up, without its line feed; a carriage return at the end is tolerated. Never throws: what is no frame
 * is a fault with a name.
 */
export function decodeLine(line: string): Decoded<UplinkFrame> {
  const length = lengthOf(line);
  // Nearly all there is to read is sound bursts.
  const burst = line.charCodeAt(0) === LETTER_B ? burstIn(line, length) : undefined;
  if (burst !== undefined) return { ok: true, frame: burst };
  const end = checked(line, length, MAX_UP_BYTES);
  if (typeof end !== 'number') return end;
  if (!ofThisVersion(line)) return unversioned(line, length);
  const letter = line.charCodeAt(0);
  const row = letter === LETTER_B || letter === LETTER_Q ? undefined : UP_BY_LETTER.get(line.charAt(0));
  if (row === undefined && letter !== LETTER_B && letter !== LETTER_Q) {
    return worst(line, length, 'unknown-kind', `no line up of kind ${line.charAt(0)}`);
  }
  const boot = hexAt(line, 3, 2);
  const seq = hexAt(line, 5, 4);
  if (end < UP_FIELDS - 1 || line.charCodeAt(UP_FIELDS - 1) !== COMMA || boot < 0 || seq < 0) {
    return worst(line, length, 'bad-field', 'boot and sequence are not six hex digits');
  }
  if (letter === LETTER_B) return burstFault(line, length, end);
  if (row === undefined) return readQuiet(line, length, end, boot, seq);
  const cursor = new Cursor(line, UP_FIELDS, end);
  const frame = row.read(cursor, { boot, seq });
  if (cursor.fault === undefined && frame.kind === 'hello' && (frame.bootId & 0xff) !== boot) {
    cursor.fail('hello, bootId: its low byte is not the boot byte of the line');
  }
  if (cursor.fault !== undefined) return worst(line, length, cursor.fault, cursor.detail);
  return { ok: true, frame };
}

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
function burstIn(line: string, length: number): BurstFrame | undefined {
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
  const tiles = bitsIn(tileMask);
  const halls = hallsOf(end - BLOCKS, tiles);
  if (boot < 0 || seq < 0 || tileMask <= 0 || deviceUs < 0 || gapMask < 0 || halls === 0) return undefined;
  const count = tiles * BLOCK_MS * halls;
  const place = placeFor(count * 2 + tiles);
  const samples = new Uint16Array(shared, place, count);
  const contacts = new Uint8Array(shared, place + count * 2, tiles);
  const before = readBlocks(line, BLOCKS, halls, samples, contacts, checksumOf(line, BLOCKS));
  if (before === NO_BLOCKS || checksumOf(line, end + 1, end, before) !== hexAt(line, end + 1, 4))
    return undefined;
  return { kind: 'burst', boot, seq, deviceUs, tileMask, gapMask, halls, samples, contacts };
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest > 0; rest &= rest - 1) bits++;
  return bits;
}

/** What is wrong with a burst whose checksum is right, and its version, boot and sequence. */
function burstFault(line: string, length: number, end: number): Failed {
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

function readQuiet(
  line: string,
  length: number,
  end: number,
  boot: number,
  seq: number,
): Decoded<QuietFrame> {
  const deviceUs = hexAt(line, 10, 8);
  const inputs = hexAt(line, 19, 6);
  if (
    end < 26 ||
    line.charCodeAt(18) !== COMMA ||
    line.charCodeAt(25) !== COMMA ||
    deviceUs < 0 ||
    inputs < 0
  ) {
    return worst(line, length, 'bad-field', 'quiet: time or inputs');
  }
  const count = meansIn(end - 26);
  if (count === 0) {
    return worst(line, length, 'bad-field', `quiet: ${end - 26} characters are no whole number of means`);
  }
  const means = new Uint16Array(count);
  if (!readMeans(line, 26, means)) {
    return worst(line, length, 'bad-field', 'quiet: a character outside base64, or padding that is not zero');
  }
  return { ok: true, frame: { kind: 'quiet', boot, seq, deviceUs, inputs, means } };
}

/** Reads one line down as a board does. Never throws. */
export function decodeDownLine(line: string): Decoded<DownlinkFrame> {
  const length = lengthOf(line);
  const end = checked(line, length, MAX_DOWN_BYTES);
  if (typeof end !== 'number') return end;
  if (!ofThisVersion(line)) return unversioned(line, length);
  const row = DOWN_BY_LETTER.get(line.charAt(0));
  if (row === undefined) return worst(line, length, 'unknown-kind', `no line down of kind ${line.charAt(0)}`);
  const cursor = new Cursor(line, DOWN_FIELDS, end);
  const frame = row.read(cursor, {});
  if (cursor.fault !== undefined) return worst(line, length, cursor.fault, cursor.detail);
  return { ok: true, frame };
}
