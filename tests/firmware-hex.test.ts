import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRig } from '../bin/bench/avr-rig.ts';

const HEX = resolve('firmware-protocol/hex');
const ROOT = resolve('firmware-protocol/arduino');
const BOARDS = ['uno', 'mega'] as const;

interface BuildRecord {
  readonly sources: { readonly sha256: string; readonly root: string };
  readonly compiler: string;
  readonly libc: string;
  readonly arduinoCore: string;
  readonly boards: Readonly<
    Record<
      (typeof BOARDS)[number],
      { readonly sha256: string; readonly flashBytes: number; readonly ramBytes: number }
    >
  >;
}
const record = JSON.parse(readFileSync(join(HEX, 'build.json'), 'utf8')) as BuildRecord;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** As the Makefile does it: the hash of the lines "hash  path" of all sources, sorted by path. */
function sourcesHash(): string {
  const lib = join(ROOT, 'BakuTile');
  const files = [
    ...['Makefile', 'main.cpp', 'BakuTile/library.properties'].map((name) => join(ROOT, name)),
    ...filesUnder(join(lib, 'src')),
    ...filesUnder(join(lib, 'examples')),
  ].map((path) => relative(ROOT, path));
  files.sort((a, b) => (a < b ? -1 : 1));
  return sha256(files.map((path) => `${sha256(readFileSync(join(ROOT, path)))}  ${path}\n`).join(''));
}

function avrGccVersion(): string {
  const { status, stdout } = spawnSync('avr-gcc', ['-dumpversion'], { encoding: 'utf8' });
  return status === 0 ? `avr-gcc ${stdout.trim()}` : '';
}
const COMPILER = avrGccVersion();
const SAME_COMPILER = COMPILER === record.compiler && spawnSync('make', ['--version']).status === 0;
const NEEDS = SAME_COMPILER
  ? ''
  : ` (skipped: needs ${record.compiler}, Debian packages gcc-avr avr-libc binutils-avr make; here: ${COMPILER || 'none'})`;
const CORE = '/usr/share/arduino/hardware/arduino/avr';
const HAS_CORE = SAME_COMPILER && existsSync(CORE);

describe('the committed firmware images', () => {
  it.each(BOARDS)('%s.hex is the one that build.json names', (board) => {
    expect(sha256(readFileSync(join(HEX, `${board}.hex`)))).toBe(record.boards[board].sha256);
  });

  it('come from the sources beside them', () => {
    expect(sourcesHash()).toBe(record.sources.sha256);
  });

  it.each(BOARDS)('say in the hello of the %s which sources they come from', (board) => {
    const world = {
      fieldMt: () => 0,
      contact: () => false,
      gate: () => false,
      stud: () => false,
      nextEdgeUs: () => Number.POSITIVE_INFINITY,
    };
    const [first] = createRig({ chip: board, world, bootSilenceMs: 1 }).run(60_000);
    expect(first?.frame).toMatchObject({
      kind: 'hello',
      build: record.sources.sha256.slice(0, 8).toUpperCase(),
    });
  });

  it('leave room: half of the flash, and RAM for 300 bytes of stack and as many again', () => {
    expect(record.boards.uno.flashBytes).toBeLessThan(32256 / 2 + 1024);
    expect(record.boards.uno.ramBytes).toBeLessThan(2048 - 2 * 250);
    expect(record.boards.mega.ramBytes).toBeLessThan(8192 / 2 + 512);
  });

  describe.skipIf(!SAME_COMPILER)(`built anew${NEEDS}`, () => {
    it('are the same bytes from two other folders', () => {
      for (const name of ['a', 'a-longer-name/and-deeper']) {
        const folder = mkdtempSync(join(tmpdir(), 'hex-'));
        try {
          const copy = join(folder, name);
          cpSync(ROOT, copy, { recursive: true, filter: (path) => path !== join(ROOT, 'build') });
          execFileSync('make', ['-C', copy, 'build/build.json'], { stdio: 'pipe' });
          for (const board of BOARDS) {
            expect(sha256(readFileSync(join(copy, 'build', `${board}.hex`)))).toBe(
              record.boards[board].sha256,
            );
          }
          expect(JSON.parse(readFileSync(join(copy, 'build/build.json'), 'utf8'))).toEqual(record);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
    }, 120_000);
  });

  describe.skipIf(!HAS_CORE)('as the Arduino IDE builds them (needs Debian package arduino-core-avr)', () => {
    it('the sketch compiles and fits, with the core linked', () => {
      const out = mkdtempSync(join(tmpdir(), 'ide-'));
      try {
        execFileSync('make', ['-C', ROOT, `OUT=${out}`, `${out}/ide-uno.hex`], { stdio: 'pipe' });
        // The core's own tick is switched off by the library; what is left must still leave a stack.
        const size = execFileSync('avr-size', [join(out, 'ide-uno.elf')], { encoding: 'utf8' });
        const [, data = 0, bss = 0] = (size.split('\n')[1] ?? '').trim().split(/\s+/).map(Number);
        expect(2048 - data - bss).toBeGreaterThan(450);
      } finally {
        rmSync(out, { recursive: true, force: true });
      }
    }, 120_000);
  });
});
