import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { committedHex } from '../bin/bench/avr-rig.ts';
import { encodeDown } from '../firmware-protocol/line.ts';
import { createAvrBoard } from '../sim/avr/board.ts';
import { servePty } from '../sim/pty.ts';
import type { SimBoard } from '../sim/world.ts';
import { worldOf } from './support/avr-program.ts';

const HAS_SOCAT = spawnSync('socat', ['-V']).status === 0;
const NEEDS_SOCAT = HAS_SOCAT ? '' : ' (skipped: needs socat, Debian package socat)';

/** A board of a few lines: a counted line every 10 ms, and every byte fed comes back as a line. Silent 100 ms after a reset. */
function countingBoard(): SimBoard & { readonly fed: number[]; resets: number } {
  let nowUs = 0;
  let nextUs = 100_000;
  let lines = 0;
  const fed: number[] = [];
  let out: { atUs: number; bytes: Uint8Array }[] = [];
  return {
    fed,
    resets: 0,
    runTo(atUs) {
      for (; nextUs <= atUs; nextUs += 10_000) {
        out.push({ atUs: nextUs, bytes: new TextEncoder().encode(`line ${lines++}\n`) });
      }
      nowUs = atUs;
    },
    takeBytes() {
      const runs = out;
      out = [];
      return runs;
    },
    feed: (bytes) => fed.push(...bytes),
    leds: () => ({ rgb: new Uint32Array(0), writes: 0 }),
    reset() {
      this.resets += 1;
      lines = 0;
      nextUs = nowUs + 100_000;
    },
  };
}

/** Polls until something is so: a pty is the one place where time is real. */
async function until(what: () => boolean, why: string): Promise<void> {
  const limit = performance.now() + 120_000;
  while (!what()) {
    if (performance.now() > limit) throw new Error(`Waited two minutes for ${why}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

function open(path: string): {
  port: SerialPort;
  text: () => string;
  closed: () => Error | null | undefined;
} {
  const port = new SerialPort({ path, baudRate: 500_000 });
  let text = '';
  let closed: Error | null | undefined;
  port.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  port.on('close', (error: Error | null) => {
    closed = error;
  });
  port.on('error', () => undefined);
  return { port, text: () => text, closed: () => closed };
}
/** When a link was made, or 0 where there is none. */
const madeAt = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
const shut = (port: SerialPort): Promise<void> =>
  new Promise((resolve) => (port.isOpen ? port.close(() => resolve()) : resolve()));

describe.skipIf(!HAS_SOCAT)(`a board behind a pseudo serial port${NEEDS_SOCAT}`, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pty-test-'));
  });
  afterEach(() => {
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is read and written by serialport, unplugged and plugged in again', async () => {
    const link = join(folder, 'tile0');
    const board = countingBoard();
    const pty = await servePty({ link, board });
    try {
      const first = open(link);
      await until(() => /line \d+\nline \d+\n/.test(first.text()), 'two lines');
      first.port.write('hi');
      await until(() => board.fed.length === 2, 'what was written');
      expect(board.fed).toEqual([104, 105]);
      await until(() => pty.lagMs() < 100, 'the board to keep up');

      await pty.unplug();
      expect(existsSync(link)).toBe(false);
      const silentFrom = performance.now();
      await until(
        () => first.closed() !== undefined || performance.now() > silentFrom + 2000,
        'the close event',
      );
      // A hang-up that falls into one of serialport's own reads is missed: it reads nothing for ever, and only the
      // silence tells a host. Mostly it is told as a disconnection.
      if (first.closed() === undefined) await shut(first.port);
      else expect(first.closed()).toMatchObject({ disconnected: true });
      expect(board.resets).toBe(0);

      await pty.replug();
      expect(board.resets).toBe(1);
      const second = open(link);
      await until(() => /line \d+\n/.test(second.text()), 'lines of the new boot');
      await shut(second.port);
    } finally {
      await pty.close();
    }
  });

  it('resets the board each time it is opened, where asked to', async () => {
    const link = join(folder, 'tile0');
    const board = countingBoard();
    const pty = await servePty({ link, board, resetOnOpen: true });
    try {
      for (const times of [1, 2]) {
        const host = open(link);
        await until(() => /line 0\nline 1\n/.test(host.text()), 'the first lines of a boot');
        expect(board.resets).toBe(times);
        const before = madeAt(link);
        await shut(host.port);
        // The port goes and comes within some 10 ms; who opens the old one in between has a dead port in his hand.
        await until(() => ![before, 0].includes(madeAt(link)), 'the port to come back');
      }
    } finally {
      await pty.close();
    }
  });

  it('carries the committed firmware: hello up, a colour down', async () => {
    const link = join(folder, 'tile0');
    const hex = committedHex('uno');
    const board = createAvrBoard({ chip: 'uno', hex, world: worldOf(), bootSilenceMs: 50 });
    const pty = await servePty({ link, board });
    try {
      const host = open(link);
      await until(() => /^H1,.*\n/m.test(host.text()), 'a hello');
      host.port.write(
        `${encodeDown({ kind: 'led', tag: 7, tileMask: 63, rgb: 0x204060, level: 255, animation: 0 })}\n`,
      );
      await until(() => /^A1,\w+,\w+,07,ok,/m.test(host.text()), 'the answer');
      await until(() => board.leds().rgb[35] === 0x204060, 'the colour on the strip');
      await shut(host.port);
    } finally {
      await pty.close();
    }
  });

  it('replaces a link that an earlier run left, and refuses a file', async () => {
    const link = join(folder, 'tile0');
    symlinkSync('/nonexistent', link);
    const pty = await servePty({ link, board: countingBoard() });
    await pty.close();
    expect(existsSync(link)).toBe(false);
    writeFileSync(link, '');
    await expect(servePty({ link, board: countingBoard() })).rejects.toThrow(/is a file/);
    rmSync(link);
  });

  it('says so when the port cannot appear', async () => {
    const link = join(folder, 'no', 'such', 'folder');
    await expect(servePty({ link, board: countingBoard() })).rejects.toThrow(/No port appeared at/);
  });
});
