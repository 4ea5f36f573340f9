import { Duplex } from 'node:stream';
import type { SerialPortLike } from '../../host/transports/serial.ts';

/** One end of a cable: the host opens it, the test holds the other. */
export class Cable {
  readonly path: string;
  /** What becomes of a board's line on its way, line ends included; by default nothing. */
  through: (line: string) => readonly string[] = (line) => [line];
  #plugged = true;
  #begun = '';
  #port: FakePort | undefined;
  readonly #toBoard: (bytes: Uint8Array) => void;

  constructor(path: string, toBoard: (bytes: Uint8Array) => void) {
    this.path = path;
    this.#toBoard = toBoard;
  }

  /** Makes the port object that the serial transport opens. */
  port(): SerialPortLike {
    this.#port = new FakePort(this);
    return this.#port;
  }

  get plugged(): boolean {
    return this.#plugged;
  }

  /** Bytes as the board sends them. */
  fromBoard(bytes: Uint8Array): void {
    const lines = (this.#begun + Buffer.from(bytes).toString('latin1')).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) for (const piece of this.through(`${line}\n`)) this.put(piece);
  }

  /** Bytes put on the wire as they are, one a character. */
  put(latin1: string): void {
    if (this.#port?.isOpen) this.#port.push(Buffer.from(latin1, 'latin1'));
  }

  /** Does something else with the next line of a kind, then nothing any more. */
  once(kind: string, then: (line: string) => readonly string[]): void {
    this.through = (line) => {
      if (!line.startsWith(kind)) return [line];
      this.through = (other) => [other];
      return then(line);
    };
  }

  written(bytes: Uint8Array): void {
    if (this.#plugged) this.#toBoard(bytes);
  }

  pull(): void {
    this.#plugged = false;
    this.#port?.lose();
  }

  plug(): void {
    this.#plugged = true;
  }
}

class FakePort extends Duplex implements SerialPortLike {
  isOpen = false;
  readonly #cable: Cable;

  constructor(cable: Cable) {
    super();
    this.#cable = cable;
  }

  open(then: (error: Error | null) => void): void {
    const there = this.#cable.plugged;
    queueMicrotask(() => {
      this.isOpen = there;
      then(there ? null : new Error(`Error: No such file or directory, cannot open ${this.#cable.path}`));
    });
  }

  close(then: (error: Error | null) => void): void {
    this.isOpen = false;
    queueMicrotask(() => then(null));
  }

  lose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit('close', null);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#cable.written(chunk);
    done();
  }
}
