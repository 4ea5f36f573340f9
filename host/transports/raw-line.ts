import type { RawLine } from '../record.ts';

/** Longest line that is passed on, in bytes without its line end. Boards send less; more is noise. */
export const LONGEST_LINE_BYTES = 256;

/** Only these bytes survive every editor, terminal and JSON library unchanged. */
const CLEAN = /^[\x20-\x7e]*$/;

/**
 * One line as it came: text when every byte is printable ASCII, else base64. Takes one character a byte (latin1),
 * without the line feed; one trailing carriage return counts as part of the line end.
 */
export function rawLineOf(latin1: string): RawLine {
  const line = latin1.endsWith('\r') ? latin1.slice(0, -1) : latin1;
  return CLEAN.test(line) ? { line } : { b64: Buffer.from(line, 'latin1').toString('base64') };
}

/** The bytes of a line, without a line end. */
export function bytesOf(raw: RawLine): Buffer {
  return 'line' in raw ? Buffer.from(raw.line, 'latin1') : Buffer.from(raw.b64, 'base64');
}

/** True when a line can be sent: one line, printable ASCII, not longer than any board or broker takes. */
export function isSendable(line: string): boolean {
  return line.length > 0 && line.length <= LONGEST_LINE_BYTES && CLEAN.test(line);
}
