import { Transform, type TransformCallback } from 'node:stream';
import { LONGEST_LINE_BYTES } from './raw-line.ts';

const LINE_FEED = 0x0a;

/**
 * Stands before a readline parser, which itself keeps every byte until a line feed comes (serialport's grows without
 * end and in quadratic time). Passes whole lines on; of a line longer than the limit nothing is passed, up to and
 * including its line feed.
 */
export class LineGuard extends Transform {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private dropping = false;
  private readonly limit: number;
  private readonly onDrop: (lines: number) => void;

  /** `onDrop` is told once for every line given up, at the moment it grows too long. */
  constructor(onDrop: (lines: number) => void, limit: number = LONGEST_LINE_BYTES) {
    super();
    this.onDrop = onDrop;
    this.limit = limit;
  }

  /** Bytes of a line that has not ended yet; more than 0 when a port closes means that a line was cut off. */
  get pendingBytes(): number {
    return this.heldBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let dropped = 0;
    /** Where the run of whole, good lines began that has not been passed on yet. */
    let run = 0;
    let at = 0;
    while (at < chunk.length) {
      const feed = chunk.indexOf(LINE_FEED, at);
      const end = feed < 0 ? chunk.length : feed + 1;
      const lineBytes = this.heldBytes + (feed < 0 ? end : feed) - at;
      const whole = feed >= 0;
      if (this.dropping || lineBytes > this.limit) {
        this.passOn(chunk.subarray(run, at));
        if (!this.dropping) dropped++;
        this.dropping = !whole;
        this.forget();
        run = end;
      } else if (!whole) {
        this.passOn(chunk.subarray(run, at));
        this.held.push(chunk.subarray(at, end));
        this.heldBytes = lineBytes;
        run = end;
      } else if (this.heldBytes > 0) {
        this.push(Buffer.concat([...this.held, chunk.subarray(at, end)]));
        this.forget();
        run = end;
      }
      at = end;
    }
    this.passOn(chunk.subarray(run));
    if (dropped > 0) this.onDrop(dropped);
    done();
  }

  private passOn(lines: Buffer): void {
    if (lines.length > 0) this.push(lines);
  }

  private forget(): void {
    this.held = [];
    this.heldBytes = 0;
  }
}
