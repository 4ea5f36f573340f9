/**
 * A data folder in which a packed segment is cut off, empty or has a byte flipped: every command says which file, from
 * which record on and what to do, and reads what can be read.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { inflatedSoFar } from '../host/journal/inflate.ts';
import { ran } from './support/program.ts';
import { recordedShop } from './support/recorded-shop.ts';

// So that a match of a minute fills several.
vi.mock('../host/journal/segments.ts', async (original) => ({
  ...(await original<typeof import('../host/journal/segments.ts')>()),
  SEGMENT_BYTES: 200_000,
}));
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let folder = '';
let whole = '';
let table = '';
/** Names of the segments in order; the second is the one that is damaged. */
let names: readonly string[] = [];
let name = '';
let bytes: Buffer = Buffer.alloc(0);

const firstSeqOf = (file = ''): number => Number.parseInt(file, 10);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-damaged-'));
  const shop = await recordedShop();
  whole = join(folder, 'whole');
  cpSync(join(shop.folder, 't1'), whole, { recursive: true });
  shop.remove();
  names = readdirSync(whole).filter((one) => one.includes('.jsonl') && /^\d/.test(one));
  name = names[1] ?? '';
  expect(name).toMatch(/\.gz$/);
  bytes = readFileSync(join(whole, name));
  table = join(folder, 't1');
});
beforeEach(() => {
  rmSync(table, { recursive: true, force: true });
  cpSync(whole, table, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (damaged: Uint8Array, file = name): void => writeFileSync(join(table, file), damaged);
const flipped = (at: number, bit: number): Buffer => {
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
  return damaged;
};
/** Number of the first record that does not stand whole in a text, where it goes on to the segment after. */
const firstLost = (text: string): number => {
  const numbers = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line).seq as number]));
  return (numbers.at(-1) ?? firstSeqOf(name) - 1) + 1;
};
const verdict = async () => verifySource(await openSource(table), NODE_TOOLS);

describe('what can be unpacked of a file', () => {
  it('is all that was packed, however it was packed', () => {
    const text = gunzipSync(bytes);
    for (const level of [0, 1, 6, 9]) {
      expect(Buffer.from(inflatedSoFar(gzipSync(text, { level }))).equals(text)).toBe(true);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), (any) => {
        expect(Buffer.from(inflatedSoFar(gzipSync(any))).equals(any)).toBe(true);
      }),
    );
  });

  it('is the beginning of it where the end is missing, and more the more is there', () => {
    const text = gunzipSync(bytes);
    let before = 0;
    for (let length = 0; length <= bytes.length; length += 997) {
      const found = inflatedSoFar(bytes.subarray(0, length));
      expect(text.subarray(0, found.length).equals(found)).toBe(true);
      expect(found.length).toBeGreaterThanOrEqual(before);
      before = found.length;
    }
  });

  it('is something for any bytes at all', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (any) => void inflatedSoFar(any)));
    const head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (any) => void inflatedSoFar(Uint8Array.from([...head, ...any])),
      ),
    );
  });
});

describe('the verdict', () => {
  it('names the file, the first record that is lost, and what can be read behind it, wherever it is cut', async () => {
    for (const share of [0, 0.001, 0.2, 0.5, 0.99]) {
      const cut = bytes.subarray(0, Math.floor(share * bytes.length));
      put(cut);
      const { state, broken, left } = await verdict();
      const seq = firstLost(Buffer.from(inflatedSoFar(cut)).toString('utf8'));
      expect(state).toBe('broken');
      expect(broken).toMatchObject({ what: 'damaged-file', seq, file: join(table, name) });
      expect(left?.from).toBe(firstSeqOf(names[2]));
    }
  });

  it('of a byte flipped anywhere is broken in this file, or intact with every record there', async () => {
    const sound = (await verdict()).to;
    const said = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        put(flipped(at, bit));
        const { state, broken, to, left } = await verdict();
        said.add(state);
        if (state !== 'broken') {
          expect(to).toBe(sound);
          return;
        }
        expect(broken).toMatchObject({ what: 'damaged-file', file: join(table, name) });
        expect(broken?.seq).toBeGreaterThanOrEqual(firstSeqOf(name) - 1);
        expect(broken?.seq).toBeLessThan(firstSeqOf(names[2]));
        expect(left?.to).toBe(sound);
      }),
      { numRuns: 40 },
    );
    expect(said).toContain('broken');
    // The sum behind the records: none of them is touched.
    put(flipped(bytes.length - 6, 0));
    const { state, notes } = await verdict();
    expect(state).not.toBe('broken');
    expect(notes.join()).toContain(`${join(table, name)} is damaged`);
  });

  /** Packed, but with a sum that is not its own: it cannot be unpacked to its end. */
  const badlyPacked = (text: string): Buffer => {
    const packed = gzipSync(text);
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 1;
    return packed;
  };

  it('passes over what is no record behind all the records of a damaged file', async () => {
    put(badlyPacked(`${gunzipSync(bytes)}no record\n\nnor this\n`));
    const { state, notes, to } = await verdict();
    expect(state).not.toBe('broken');
    expect(notes.join()).toContain(`${join(table, name)} is damaged`);
    put(bytes);
    expect((await verdict()).to).toBe(to);
  });

  it('blames a damaged file for the last of its records, which only the first of the next file can tell', async () => {
    const text = gunzipSync(bytes).toString('utf8');
    const [, last = ''] = /\n([^\n]+)\n+$/.exec(text) ?? [];
    const changed = last.replace(/"atMs":(\d)/, (_, digit: string) => `"atMs":${(Number(digit) % 9) + 1}`);
    expect(changed).not.toBe(last);
    put(badlyPacked(text.replace(last, changed)));
    const { state, broken } = await verdict();
    expect(state).toBe('broken');
    const seq = firstSeqOf(names[2]) - 1;
    expect(broken).toMatchObject({ what: 'damaged-file', seq, file: join(table, name) });
  });
});

describe('the program on a folder with a segment that was cut off', () => {
  const lost = () => firstLost(Buffer.from(inflatedSoFar(bytes.subarray(0, bytes.length >> 1))).toString());
  beforeEach(() => put(bytes.subarray(0, bytes.length >> 1)));
  /** Said beside the result, with the file, the record and the remedy. */
  const told = () =>
    new RegExp(
      `From record ${lost()} up .*${name} cannot be unpacked \\(unexpected end of file\\)\\..*take another copy`,
    );

  it('verifies: not intact, which file, from where on, what is left; exit code 1', async () => {
    const { code, stdout, stderr } = await ran(['verify', table], folder);
    expect(stdout).toContain('NOT INTACT');
    expect(stderr).toMatch(new RegExp(`^journal/not-intact: Record ${lost()} cannot be read: \\S*${name} `));
    expect(stderr).toMatch(new RegExp(`Behind it records ${firstSeqOf(names[2])} to \\d+ can be read\\.`));
    expect(stderr).toMatch(/Take another copy of that file\./);
    expect(code).toBe(1);
  });

  it('verifies an empty one too', async () => {
    put(new Uint8Array());
    const { code, stderr } = await ran(['verify', table, '--json'], folder);
    expect(stderr).toMatch(
      new RegExp(`Record ${firstSeqOf(name)} cannot be read: .*${name} .*\\(it is empty\\)`),
    );
    expect(code).toBe(1);
  });

  it('replays what can be, and vouches for no more than that', async () => {
    const { code, stdout, stderr } = await ran(['replay', table], folder);
    expect(stderr).toMatch(told());
    expect(stdout).toMatch(/^\d+ records: \d+ rulings/);
    expect(code).toBe(0);
    const checked = await ran(['replay', table, '--check'], folder);
    expect(checked.stderr).toMatch(
      /^journal\/not-intact: .* a damaged file hides records\..*bakucore verify/m,
    );
    expect(checked.stderr).not.toMatch(/gives exactly/);
    expect(checked.code).toBe(1);
  });

  it.each([
    ['report', [], /^\d rolls? in 2 games/],
    ['library', [], /^t1-0 .*\nt1-\d+ /],
    ['diff', [], /^/],
    ['export', ['--events'], /^\{"specversion":"1\.0"/],
    ['export', ['--bundle'], /NOT what was written: Record \d+ cannot be read/],
  ] as const)('%s %s: says what is left out, and gives the rest', async (command, options, gives) => {
    rmSync(join(table, 'matches.jsonl'), { force: true });
    const { code, stdout, stderr } = await ran([command, table, ...options], folder);
    expect(stderr).toMatch(command === 'library' ? new RegExp(`may be missing: .*${name} cannot`) : told());
    expect(stdout).toMatch(gives);
    // Figures and evidence of what is not what was written are made, and not taken for sound.
    const vouches = command === 'report' || options[0] === '--bundle';
    expect(code).toBe(vouches ? 1 : 0);
    if (vouches)
      expect(stderr).toMatch(/^journal\/not-intact: .* is NOT what was written: Record \d+ cannot/m);
    // A list that was made of half the records would hide the rest for good.
    if (command === 'library') expect(readdirSync(table)).not.toContain('matches.jsonl');
  });

  it('exports a match that does not stand in it, and names it for one that does', async () => {
    const out = join(folder, 'last.match');
    const last = await ran(['export', table, '--match', 'last', '--out', out], folder);
    expect(last.stderr).toMatch(/last\.match: \d+ bytes/);
    expect((await ran(['verify', out], folder)).code).toBe(0);
    const first = await ran(['export', table, '--match', 't1-0'], folder);
    expect(first.stderr).toMatch(
      new RegExp(`^journal/unreadable: \\S*${name} cannot be unpacked .*take another copy`),
    );
    expect(first.code).toBe(1);
  });
});

describe('a packed match file that was cut off', () => {
  it('has a verdict as well, from its first record that is lost on', async () => {
    const match = join(folder, 'cut.match.gz');
    const made = join(folder, 'cut.match');
    await ran(['export', whole, '--match', 'last', '--out', made], folder);
    const packed = gzipSync(readFileSync(made));
    writeFileSync(match, packed.subarray(0, packed.length - 500));
    const { code, stdout, stderr } = await ran(['verify', match], folder);
    expect(stdout).toContain('NOT INTACT');
    expect(stderr).toMatch(/^journal\/not-intact: Record \d+ cannot be read: \S*cut\.match\.gz /);
    expect(code).toBe(1);
  });
});
