/** Lines to frames and back. Layout and meaning: README.md of this folder. */
import { burstFault, burstIn } from './burst.ts';
import { checksumOf, NOT_ASCII } from './crc.ts';
import { COMMA, Cursor, hexAt, hexOf, isInput } from './fields.ts';
import type { Decoded, DownlinkFrame, EdgeFrame, QuietFrame, UplinkFrame } from './frame.ts';
import { MAX_DOWN_BYTES, MAX_UP_BYTES } from './frame.ts';
import { DOWN_ROWS, type Row, UP_ROWS } from './kinds.ts';
import { type Failed, failed, ofThisVersion, unversioned, worst } from './line-fault.ts';
import { meansIn, readMeans } from './packed.ts';

export { encodeDown, encodeUp } from './spell.ts';

const LETTER_B = 66;
const LETTER_E = 69;
const LETTER_Q = 81;
/** Where the fields of a line up begin: `K1,` and six digits of boot and sequence and a comma. */
const UP_FIELDS = 10;
/** Where the fields of a line down begin, behind `K1,`. */
const DOWN_FIELDS = 3;

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
  const edge = letter === LETTER_E ? edgeIn(line, end, boot, seq) : undefined;
  if (edge !== undefined) return { ok: true, frame: edge };
  const cursor = new Cursor(line, UP_FIELDS, end);
  const frame = row.read(cursor, { boot, seq });
  if (cursor.fault === undefined && frame.kind === 'hello' && (frame.bootId & 0xff) !== boot) {
    cursor.fail('hello, bootId: its low byte is not the boot byte of the line');
  }
  if (cursor.fault !== undefined) return worst(line, length, cursor.fault, cursor.detail);
  return { ok: true, frame };
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

/** Where the input of an edge and its level stand, and the comma behind them. */
const EDGE_INPUT = 19;
const EDGE_LEVEL = 22;
const EDGE_END = 23;

/** An edge that is right in every way; undefined when anything is wrong with it, which its row then finds. */
function edgeIn(line: string, end: number, boot: number, seq: number): EdgeFrame | undefined {
  const deviceUs = hexAt(line, UP_FIELDS, 8);
  const input = hexAt(line, EDGE_INPUT, 2);
  // Codes 48 and 49 are the digits 0 and 1.
  const level = line.charCodeAt(EDGE_LEVEL) - 48;
  if (
    end !== EDGE_END ||
    line.charCodeAt(EDGE_INPUT - 1) !== COMMA ||
    line.charCodeAt(EDGE_LEVEL - 1) !== COMMA ||
    deviceUs < 0 ||
    !isInput(input) ||
    (level !== 0 && level !== 1)
  )
    return undefined;
  return { kind: 'edge', boot, seq, deviceUs, input, closed: level === 1 };
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
