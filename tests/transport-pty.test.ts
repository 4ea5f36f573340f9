import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LONGEST_RETRY_MS } from '../host/transports/retry.ts';
import { serial } from '../host/transports/serial.ts';
import type { Transport } from '../host/transports/transport.ts';
import {
  eventually,
  hasProgram,
  Listener,
  placeOf,
  realClock,
  type WatchedClock,
  watchedClock,
} from './support/transports.ts';

const socatIsThere = hasProgram('socat');
if (!socatIsThere) console.warn('skipped: serial over a pty needs socat (apt-get install socat)');

/** Two ends of a serial cable that can be pulled. */
interface Cable {
  readonly near: string;
  readonly far: string;
  plug(): Promise<void>;
  pull(signal?: NodeJS.Signals): Promise<void>;
}

function cableIn(folder: string): Cable {
  const near = join(folder, 'near');
  const far = join(folder, 'far');
  let socat: ChildProcess | undefined;
  return {
    near,
    far,
    async plug() {
      socat = spawn('socat', [`PTY,link=${near},raw,echo=0`, `PTY,link=${far},raw,echo=0`], {
        stdio: 'ignore',
      });
      await eventually('socat makes both ends', () => existsSync(near) && existsSync(far));
    },
    async pull(signal = 'SIGTERM') {
      const running = socat;
      socat = undefined;
      if (running === undefined || running.exitCode !== null) return;
      const ended = new Promise((done) => running.once('exit', done));
      running.kill(signal);
      await ended;
      // A killed socat leaves links that may later point at another program's terminal.
      rmSync(near, { force: true });
      rmSync(far, { force: true });
    },
  };
}

describe.skipIf(!socatIsThere)('serial transport on a pty', () => {
  let folder: string;
  let cable: Cable;
  let listener: Listener;
  let clock: WatchedClock;
  let transport: Transport | undefined;
  let board: SerialPort | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bakucore-pty-'));
    cable = cableIn(folder);
    listener = new Listener();
  });
  afterEach(async () => {
    await transport?.close();
    transport = undefined;
    await closeBoard();
    await cable.pull();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (options: object = {}): Promise<void> => {
    const parsed = serial.parse({ path: cable.near, ...options }, placeOf());
    clock = watchedClock();
    transport = await serial.open('a', parsed, listener, clock);
  };
  const openBoard = async (): Promise<SerialPort> => {
    const port = new SerialPort({ path: cable.far, baudRate: 500_000, autoOpen: false });
    port.on('error', () => {});
    await new Promise<void>((done, fail) => port.open((error) => (error ? fail(error) : done())));
    board = port;
    return port;
  };
  const closeBoard = async (): Promise<void> => {
    const port = board;
    board = undefined;
    if (port?.isOpen) await new Promise((done) => port.close(done));
  };

  it('carries lines both ways, pulled and plugged again in mid-line', async () => {
    await cable.plug();
    const far = await openBoard();
    const heard: string[] = [];
    far.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
    await open();
    await listener.until('up', (one) => one.isUp);
    far.write('E1,first\nE1,second\r\nE1,ha');
    await listener.until('two lines', (one) => one.lines.length === 2);
    expect(transport?.send('P1,07,ABCD')).toBe(true);
    await eventually('the board hears', () => heard.join('') === 'P1,07,ABCD\n');

    await closeBoard();
    await cable.pull('SIGKILL');
    await listener.until('down', (one) => !one.isUp);
    const { code } = listener.downs[0] ?? {};
    // Drivers do not always tell of a pulled cable; then the silence does.
    expect(['serial/lost', 'serial/silent']).toContain(code);
    expect(transport?.send('P1,08,ABCD')).toBe(false);

    // It goes on trying, each time soon.
    const before = clock.set.length;
    const soon = (): number => clock.set.slice(before).filter((ms) => ms <= LONGEST_RETRY_MS).length;
    await eventually('it tries again and again', () => soon() >= 3);
    await cable.plug();
    // After silence a port counts as up once it speaks.
    if (code === 'serial/lost') await listener.until('up again', (one) => one.isUp);
    const again = await openBoard();
    again.write('E1,third\n');
    await listener.until('third line', (one) => one.lines.length === 3);
    expect(listener.lines).toEqual(['E1,first', 'E1,second', 'E1,third']);
    expect(listener.droppedOf('line cut off')).toBe(1);
  });

  it('waits for a port that is not there yet', async () => {
    await open();
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]?.code).toBe('serial/missing');
    await cable.plug();
    await listener.until('up', (one) => one.isUp);
  });

  it('names a port that another program holds, and takes it when it is free', async () => {
    await cable.plug();
    const other = new SerialPort({ path: cable.near, baudRate: 9600, autoOpen: false });
    await new Promise<void>((done, fail) => other.open((error) => (error ? fail(error) : done())));
    await open();
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]?.code).toBe('serial/busy');
    await new Promise((done) => other.close(done));
    await listener.until('up', (one) => one.isUp);
  });

  it('names a path that is no port', async () => {
    transport = await serial.open(
      'a',
      serial.parse({ path: join(folder, 'near') }, placeOf()),
      listener,
      realClock,
    );
    await listener.until('down', (one) => one.downs.length === 1);
    await transport.close();
    const file = new Listener();
    transport = await serial.open('a', serial.parse({ path: '/dev/null' }, placeOf()), file, realClock);
    await file.until('down', (one) => one.downs.length === 1);
    expect(file.downs[0]?.code).toBe('serial/not-a-port');
  });

  it('swallows a megabyte without a newline and hears the line after it', async () => {
    await cable.plug();
    const far = await openBoard();
    await open();
    await listener.until('up', (one) => one.isUp);
    await new Promise((done) => far.write(Buffer.alloc(1_000_000, 'x'), done));
    far.write('\nE1,after\n');
    await listener.until('the line after', (one) => one.lines.length === 1);
    expect(listener.lines).toEqual(['E1,after']);
    expect(listener.droppedOf('line without an end')).toBe(1);
  });

  it('opens a mute port again and goes on when it speaks', async () => {
    await cable.plug();
    await open({ silentMs: 1000 });
    await listener.until('up', (one) => one.isUp);
    await listener.until('silent', (one) => one.downs.length === 1);
    expect(listener.downs[0]?.code).toBe('serial/silent');
    const far = await openBoard();
    const speaking = setInterval(() => far.write('E1\n'), 50);
    await listener.until('up', (one) => one.isUp);
    clearInterval(speaking);
    expect(listener.lines[0]).toBe('E1');
  });

  it('lets the port go on close', async () => {
    await cable.plug();
    await open();
    await listener.until('up', (one) => one.isUp);
    await transport?.close();
    const other = new SerialPort({ path: readlinkSync(cable.near), baudRate: 9600, autoOpen: false });
    await new Promise<void>((done, fail) => other.open((error) => (error ? fail(error) : done())));
    await new Promise((done) => other.close(done));
  });
});
