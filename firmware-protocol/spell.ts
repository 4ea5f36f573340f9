/** Frames to lines: what a board sends up, and what the host sends down. */
import { checksumOf } from './crc.ts';
import { bitsIn, hexOf } from './fields.ts';
import type { BurstFrame, DownlinkFrame, QuietFrame, UplinkFrame } from './frame.ts';
import { MAX_DOWN_BYTES, MAX_UP_BYTES, PROTOCOL_VERSION } from './frame.ts';
import { DOWN_ROWS, UP_ROWS } from './kinds.ts';
import { writeBlocks, writeMeans } from './packed.ts';

function sealed(letter: string, fields: string, maxBytes: number): string {
  const body = `${letter}${PROTOCOL_VERSION},${fields},`;
  const line = body + hexOf(checksumOf(body, body.length), 4);
  if (line.length >= maxBytes)
    throw new RangeError(`${line.length} characters, ${maxBytes - 1} are the most`);
  return line;
}

/**
 * Spells a frame as a line up, without its line feed. Throws a RangeError for a value that the line cannot carry:
 * frames are made by code, never by a wire.
 */
export function encodeUp(frame: UplinkFrame): string {
  const head = hexOf(frame.boot, 2) + hexOf(frame.seq, 4);
  switch (frame.kind) {
    case 'hello':
      if ((frame.bootId & 0xff) !== frame.boot) throw new RangeError('boot is not the low byte of bootId');
      return sealed('H', `${head},${UP_ROWS.hello.write(frame)}`, MAX_UP_BYTES);
    case 'quiet':
      return sealed('Q', `${head},${quiet(frame)}`, MAX_UP_BYTES);
    case 'burst':
      return sealed('B', `${head},${burst(frame)}`, MAX_UP_BYTES);
    case 'edge':
      return sealed('E', `${head},${UP_ROWS.edge.write(frame)}`, MAX_UP_BYTES);
    case 'health':
      return sealed('S', `${head},${UP_ROWS.health.write(frame)}`, MAX_UP_BYTES);
    case 'answer':
      return sealed('A', `${head},${UP_ROWS.answer.write(frame)}`, MAX_UP_BYTES);
    case 'fault':
      return sealed('F', `${head},${UP_ROWS.fault.write(frame)}`, MAX_UP_BYTES);
    case 'adjacency':
      return sealed('N', `${head},${UP_ROWS.adjacency.write(frame)}`, MAX_UP_BYTES);
    default:
      return frame satisfies never;
  }
}

function quiet(frame: QuietFrame): string {
  return `${hexOf(frame.deviceUs, 8)},${hexOf(frame.inputs, 6)},${writeMeans(frame.means)}`;
}

function burst(frame: BurstFrame): string {
  const tiles = bitsIn(frame.tileMask);
  if (tiles === 0 || tiles !== frame.contacts.length) {
    throw new RangeError(`${frame.contacts.length} contact bytes for ${tiles} tiles`);
  }
  const packed = writeBlocks(frame.halls, frame.samples, frame.contacts);
  const head = `${hexOf(frame.tileMask, 3)},${hexOf(frame.deviceUs, 8)},${hexOf(frame.gapMask, 2)}`;
  return `${head},${packed}`;
}

/** Spells a frame as a line down, without its line feed. Throws as `encodeUp` does. */
export function encodeDown(frame: DownlinkFrame): string {
  switch (frame.kind) {
    case 'led':
      return sealed('L', DOWN_ROWS.led.write(frame), MAX_DOWN_BYTES);
    case 'arm':
      return sealed('M', DOWN_ROWS.arm.write(frame), MAX_DOWN_BYTES);
    case 'ping':
      return sealed('P', DOWN_ROWS.ping.write(frame), MAX_DOWN_BYTES);
    case 'greet':
      return sealed('G', DOWN_ROWS.greet.write(frame), MAX_DOWN_BYTES);
    case 'identify':
      return sealed('I', DOWN_ROWS.identify.write(frame), MAX_DOWN_BYTES);
    case 'selftest':
      return sealed('T', DOWN_ROWS.selftest.write(frame), MAX_DOWN_BYTES);
    case 'configure':
      return sealed('C', DOWN_ROWS.configure.write(frame), MAX_DOWN_BYTES);
    case 'assign':
      return sealed('D', DOWN_ROWS.assign.write(frame), MAX_DOWN_BYTES);
    default:
      return frame satisfies never;
  }
}
