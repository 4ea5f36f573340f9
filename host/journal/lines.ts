import { type Damage, isDamage } from './damage.ts';

/** One line of a file. */
export interface Line {
  /** Without its line end. */
  readonly bytes: Uint8Array;
  /** Place of its first byte. */
  readonly offset: number;
  /** False for a last line without a line end. */
  readonly whole: boolean;
  /** In place of bytes: the file cannot be unpacked from here on; a line that had begun is left out. */
  readonly damage?: Damage;
}

/** Longest line that is kept, bytes; a longer one comes cut to this length, which no record survives. */
export const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_FEED = 10;

/** Cuts pieces of a file into its lines. Works in browsers too. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | Damage>): AsyncGenerator<readonly Line[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let start = 0;
  let at = 0;
  const take = (piece: Uint8Array): Uint8Array => {
    if (held.length === 0) return piece;
    const whole = new Uint8Array(heldBytes + piece.length);
    let to = 0;
    for (const part of held) {
      whole.set(part, to);
      to += part.length;
    }
    whole.set(piece, to);
    held = [];
    heldBytes = 0;
    return whole;
  };
  for await (const chunk of chunks) {
    if (isDamage(chunk)) {
      held = [];
      heldBytes = 0;
      start = at;
      yield [{ bytes: new Uint8Array(), offset: at, whole: false, damage: chunk }];
      continue;
    }
    const batch: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      batch.push({ bytes: take(chunk.subarray(from, end)), offset: start, whole: true });
      from = end + 1;
      start = at + from;
    }
    at += chunk.length;
    const rest = chunk.subarray(from);
    if (rest.length > 0 && heldBytes < LONGEST_LINE) {
      // Sources may use their buffer again.
      held.push(rest.slice());
      heldBytes += rest.length;
    }
    if (batch.length > 0) yield batch;
  }
  if (heldBytes > 0) yield [{ bytes: take(new Uint8Array()), offset: start, whole: false }];
}
