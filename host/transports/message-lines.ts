import type { RawLine } from '../record.ts';
import { LONGEST_LINE_BYTES, rawLineOf } from './raw-line.ts';

/** Largest message that is looked at, in bytes: a second of the fastest board. */
export const LARGEST_MESSAGE_BYTES = 65_536;

/** Lines of one message; a message may carry several, each ended by a line feed, the last one may lack it. */
export interface MessageLines {
  readonly lines: readonly RawLine[];
  /** Lines given up because they were too long. */
  readonly tooLong: number;
}

/** Cuts a message into lines. Empty lines carry nothing and are left out. */
export function linesOf(payload: Buffer): MessageLines {
  const lines: RawLine[] = [];
  let tooLong = 0;
  for (const text of payload.toString('latin1').split('\n')) {
    if (text === '' || text === '\r') continue;
    if (text.length > LONGEST_LINE_BYTES) tooLong++;
    else lines.push(rawLineOf(text));
  }
  return { lines, tooLong };
}
