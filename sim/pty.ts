import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimBoard } from './world.ts';

/** How a pseudo serial port behaves and who is told. */
export interface PtyOptions {
  /** Path at which the port appears, as a symbolic link to the pty. */
  readonly link: string;
  /** Opening the port resets the board, as DTR does on an Uno; the port then vanishes for a moment at each close. */
  readonly resetOnOpen?: boolean;
  /** Bytes a program wrote to the port. */
  readonly received: (bytes: Uint8Array) => void;
  /** A program opened the port. Told only with `resetOnOpen`: without it nobody can know. */
  readonly opened?: () => void;
}

/** A port that other programs open as if a board hung on it. */
export interface PtyEnd {
  /** Bytes towards the program; dropped while nobody listens and nothing takes them. */
  write(bytes: Uint8Array): void;
  /** The cable comes out: the port and its link are gone. Resolves when they are. */
  unplug(): Promise<void>;
  /** The cable goes in again. Resolves when the port can be opened. */
  replug(): Promise<void>;
  /** Unplugs for good and leaves nothing behind. */
  close(): Promise<void>;
}

const READY_MS = 5000;
/** Bytes a stalled program may leave waiting before the rest is dropped: a second of a full line. */
const MOST_WAITING = 50_000;

const alive = new Map<ChildProcess, string>();
let sweeping = false;
/** Ports must not outlive the process, however it ends. */
function sweepAtExit(): void {
  if (sweeping) return;
  sweeping = true;
  process.once('exit', () => {
    for (const [child, link] of alive) {
      child.kill('SIGTERM');
      removeLink(link);
    }
  });
}

function linkThere(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
function removeLink(path: string): void {
  // A dangling link may come to point at someone else's pty.
  if (linkThere(path)) unlinkSync(path);
}
function occupied(path: string): boolean {
  try {
    return !lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Opens a pseudo serial port by socat. A link of that name left by an earlier run is replaced.
 * @throws Error where socat is missing, the path is taken by a file, or the port does not appear within 5 s
 */
export async function openPty(options: PtyOptions): Promise<PtyEnd> {
  const { link, resetOnOpen = false } = options;
  if (occupied(link)) throw new Error(`${link} is a file; name a path for the port that does not exist.`);
  sweepAtExit();
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-pty-'));
  const socketPath = join(folder, 's');
  let peer: Socket | null = null;
  let child: ChildProcess | null = null;
  let plugged = false;
  let complaint = '';

  const server = createServer((socket) => {
    peer = socket;
    socket.on('data', (bytes) => options.received(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (peer === socket) peer = null;
    });
    options.opened?.();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });

  const start = (): void => {
    removeLink(link);
    const waiting = resetOnOpen ? ',wait-slave,pty-interval=0.01' : '';
    const socat = spawn('socat', [`PTY,link=${link},raw,echo=0${waiting}`, `UNIX-CONNECT:${socketPath}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = socat;
    alive.set(socat, link);
    socat.stderr.on('data', (text) => {
      complaint = `${complaint}${text}`.slice(-500);
    });
    const ended = (): void => {
      alive.delete(socat);
      if (child !== socat) return;
      child = null;
      // With reset on open socat ends when the program closes the port: the next opening needs a new one.
      if (plugged && resetOnOpen) start();
    };
    socat.once('error', (error) => {
      complaint = `${error.message}. socat is needed for pseudo serial ports (Debian package socat).`;
      plugged = false;
      ended();
    });
    socat.once('exit', ended);
  };

  const replug = async (): Promise<void> => {
    if (plugged) return;
    plugged = true;
    complaint = '';
    start();
    const until = performance.now() + READY_MS;
    while (!linkThere(link) || (!resetOnOpen && peer === null)) {
      if (child === null || performance.now() > until) {
        plugged = false;
        throw new Error(`No port appeared at ${link}. ${complaint || 'socat did not answer.'}`);
      }
      await pause(2);
    }
  };
  const unplug = async (): Promise<void> => {
    plugged = false;
    const socat = child;
    child = null;
    if (socat && socat.exitCode === null && socat.signalCode === null) {
      const gone = new Promise<void>((resolve) => socat.once('exit', () => resolve()));
      socat.kill('SIGTERM');
      await gone;
    }
    if (socat) removeLink(link);
    peer?.destroy();
  };
  const close = async (): Promise<void> => {
    await unplug();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await replug();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    write(bytes) {
      if (peer !== null && peer.writableLength < MOST_WAITING) peer.write(bytes);
    },
    unplug,
    replug,
    close,
  };
}

/** A board in real time behind a pseudo serial port. */
export interface PtyBoardOptions {
  readonly link: string;
  readonly board: SimBoard;
  /** Clock of the table, µs since it was switched on; all boards of a table share one. From now on where left out. */
  readonly nowUs?: () => number;
  readonly resetOnOpen?: boolean;
}

/** As `PtyEnd`, without `write`: what the board says is written. */
export interface PtyBoard extends Omit<PtyEnd, 'write'> {
  /** How far the board's time lies behind, ms: more than a few means that the machine is too slow. */
  lagMs(): number;
}

const SLICE_MS = 2;
/** Most virtual time of one slice, so that a board that lags does not hold up everything else. */
const MOST_PER_SLICE_US = 20_000;

/**
 * Serves a board over a pseudo serial port in real time, 2 ms at a time. A board that is unplugged has no power: it
 * boots when it is plugged in again.
 * @throws Error as `openPty`
 */
export async function servePty(options: PtyBoardOptions): Promise<PtyBoard> {
  const { board } = options;
  const startedMs = performance.now();
  const nowUs = options.nowUs ?? (() => (performance.now() - startedMs) * 1000);
  const end = await openPty({
    link: options.link,
    resetOnOpen: options.resetOnOpen ?? false,
    received: (bytes) => board.feed(bytes),
    opened: () => {
      if (options.resetOnOpen) board.reset();
    },
  });
  let atUs = nowUs();
  let timer: NodeJS.Timeout | undefined;
  const slice = (): void => {
    atUs = Math.min(nowUs(), atUs + MOST_PER_SLICE_US);
    board.runTo(atUs);
    for (const { bytes } of board.takeBytes()) end.write(bytes);
    timer = setTimeout(slice, SLICE_MS);
  };
  slice();
  return {
    lagMs: () => (nowUs() - atUs) / 1000,
    unplug: () => end.unplug(),
    async replug() {
      board.reset();
      await end.replug();
    },
    async close() {
      clearTimeout(timer);
      await end.close();
    },
  };
}
