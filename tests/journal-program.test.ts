/** The built program on a data folder that is not as it should be: a refusal or a report each, and nothing damaged. */
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { oldCaptureFolder } from './support/old-capture.ts';
import { type Program, program, ran } from './support/program.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder = '';
let config = '';
const running: Program[] = [];

beforeEach(() => {
  ({ folder, config } = oldCaptureFolder('folder'));
});
afterEach(async () => {
  for (const one of running.splice(0)) if (one.alive) await one.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(more: { powerless?: boolean; nodeArgs?: readonly string[]; args?: readonly string[] } = {}) {
  const { args = [], ...rest } = more;
  const one = program(['start', '--config', config, '--json', ...args], { cwd: folder, ...rest });
  running.push(one);
  return one;
}

/** Starts, waits until it runs, stops; gives what it said. */
async function session(more: Parameters<typeof start>[0] = {}): Promise<string> {
  const one = start(more);
  await one.port();
  expect((await one.stop('SIGTERM')).code).toBe(0);
  return one.stderr;
}

/** Every file under the data folder, by name and hash. */
function filesOf(at = join(folder, 'data')): readonly string[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(at, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(at, name)))
          .digest('hex')}`,
    )
    .sort();
}

const verified = () => ran(['verify', 'data/t1'], folder);

describe('a start', () => {
  it('refuses a folder that may only be read', async () => {
    await session();
    chmodSync(join(folder, 'data/t1'), 0o555);
    const before = filesOf();
    const one = start({ powerless: true });
    expect((await one.ended).code).toBe(1);
    expect(one.stderr).toMatch(/journal\/not-writable: .*data\/t1.*(EACCES|EROFS)/);
    expect(filesOf()).toEqual(before);
    chmodSync(join(folder, 'data/t1'), 0o755);
    expect((await verified()).code).toBe(0);
  });

  it('refuses a folder that another host uses, and names it; that one runs on', async () => {
    const first = start();
    await first.port();
    const second = start();
    expect((await second.ended).code).toBe(1);
    expect(second.stderr).toMatch(new RegExp(`journal/in-use: .*process ${first.pid} `));
    expect(first.alive).toBe(true);
    expect((await first.stop('SIGTERM')).code).toBe(0);
    expect((await verified()).code).toBe(0);
  });

  it('takes over at once from a host that was killed', async () => {
    const first = start();
    await first.port();
    await first.stop('SIGKILL');
    expect(await session()).toContain('The match in progress goes on');
    const { code, stdout } = await verified();
    expect(code).toBe(0);
    expect(stdout).toMatch(/not stopped but ended/);
  });

  it('refuses a key that is none and leaves it alone; goes on with a new one and says so', async () => {
    await session();
    const path = join(folder, 'data/journal-key.pem');
    const own = readFileSync(path);
    writeFileSync(path, 'garbled');
    const before = filesOf();
    const one = start();
    expect((await one.ended).code).toBe(1);
    expect(one.stderr).toMatch(/journal\/key-unusable: .*journal-key\.pem/);
    expect(filesOf()).toEqual(before);
    // Changed by somebody, then lost.
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await session()).toContain('the key was replaced');
    rmSync(path);
    expect(await session()).toContain('the old key is lost');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, own);
    expect(await session()).toContain('the key was replaced');
    const { code, stdout } = await verified();
    expect(code).toBe(0);
    expect(stdout.match(/signed with another key/g)).toHaveLength(3);
  });

  it('reports a clock that was set back, and so does verify', async () => {
    await session();
    const back = join(folder, 'back.mjs');
    writeFileSync(
      back,
      `const real = Date; globalThis.Date = class extends real {
        constructor(...given) { if (given.length === 0) super(real.now() - 86400e3); else super(...given); }
        static now() { return real.now() - 86400e3; }
      };`,
    );
    expect(await session({ nodeArgs: ['--import', back] })).toContain('it was set back');
    const { code, stdout } = await verified();
    expect(code).toBe(0);
    expect(stdout).toMatch(/set back by about 86[34]\d\d s/);
  });

  it('names a match that it cannot go on with, and begins another when told to', async () => {
    await session();
    rmSync(join(folder, 'data/t1/snapshots'), { recursive: true });
    const path = join(folder, 'data/t1/000000000000.jsonl');
    const text = readFileSync(path, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.0"');
    writeFileSync(path, text);
    const one = start();
    expect((await one.ended).code).toBe(1);
    expect(one.stderr).toMatch(/journal\/cannot-resume: .*0\.0\.0.*--new-match/);
    expect(readFileSync(path, 'utf8')).toBe(text);
    await session({ args: ['--new-match'] });
  });
});

/** A disk of 12 MB, where this user may mount one. */
function smallDisk(at: string): boolean {
  mkdirSync(at, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', at], { stdio: 'ignore' }).status === 0;
}

describe('a disk without room', () => {
  it('takes no match, says how much is free, and is left as it was', async (test) => {
    const at = join(folder, 'data');
    test.skip(!smallDisk(at), 'this user may not mount a small disk');
    try {
      const one = start();
      expect((await one.ended).code).toBe(1);
      expect(one.stderr).toMatch(/journal\/disk-full: Only 1[123] MB are free .* a match needs 268 MB/);
      expect(
        readdirSync(at, { recursive: true }).filter((name) => /jsonl|in-use/.test(String(name))),
      ).toEqual([]);
    } finally {
      spawnSync('umount', ['-l', at]);
    }
  });
});

describe('a replay', () => {
  it('stops where it is told, steps, and refuses what is no place as wrong usage', async () => {
    await session();
    for (const [place, code] of [
      ['#3', 0],
      // Nobody has rolled: the record never comes there.
      ['t1.1', 1],
      ['yesterday', 2],
      ['12', 2],
    ] as const) {
      const { code: left, stderr } = await ran(['replay', 'data/t1', '--until', place], folder);
      expect(left, stderr).toBe(code);
    }
    const { stdout } = await ran(['replay', 'data/t1', '--until', '#3'], folder);
    expect(stdout).toMatch(/^3 records: /);
    expect((await ran(['replay', 'data/t1', '--speed', '0'], folder)).code).toBe(2);
  });

  it('prints the first difference with both sides', async () => {
    await session();
    const path = join(folder, 'data/t1/000000000000.jsonl');
    const text = readFileSync(path, 'utf8').replace(/"state":"[0-9a-f]{8}/, '"state":"00000000');
    writeFileSync(path, text);
    const { code, stderr } = await ran(['replay', 'data/t1', '--check'], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/recorded state 00000000[\s\S]*replayed state [0-9a-f]{64}/);
  });
});
