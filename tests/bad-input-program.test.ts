/** The built program in real time, on real ports, with everything around it going wrong. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Program, program, ran } from './support/program.ts';
import { type Desk, deskAt, type RealMat, realMat } from './support/real-mat.ts';
import { has } from './support/system.ts';

vi.setConfig({ testTimeout: 120_000 });

/** The wall clock of a process that starts with this steps by an hour every second, there and back, and by a year. */
const STEPPING = `
const real = Date;
const step = () => [0, 3600e3, -3600e3, 31536e6][Math.floor(performance.now() / 1000) % 4];
globalThis.Date = class extends real {
  constructor(...given) { if (given.length === 0) super(real.now() + step()); else super(...given); }
  static now() { return real.now() + step(); }
};
`;

describe.skipIf(!has('socat'))('a host that runs', () => {
  let mat: RealMat;
  let host: Program;
  let desk: Desk;
  let holder: SerialPort;

  beforeAll(async () => {
    mat = await realMat();
    // Port A is held by another program, B is not there, a third may not be opened, and a capture was cut.
    holder = new SerialPort({ path: mat.a.path, baudRate: 9600, autoOpen: false });
    await new Promise<void>((done, fail) => holder.open((error) => (error ? fail(error) : done())));
    await mat.b.unplug();
    const forbidden = join(mat.folder, 'forbidden');
    writeFileSync(forbidden, '', { mode: 0o000 });
    const capture = join(mat.folder, 'cut.jsonl');
    writeFileSync(capture, '{"atMs":1,"via":"x","line":"old"}\n{"atMs":2,"via":"x","li');
    const config = mat.config({
      spare: { transport: 'serial', path: forbidden },
      old: { transport: 'replay', path: capture, speed: 'max' },
    });
    const preload = join(mat.folder, 'stepping.mjs');
    writeFileSync(preload, STEPPING);
    host = program(['start', '--config', config], {
      cwd: mat.folder,
      nodeArgs: ['--import', preload],
      powerless: true,
    });
    desk = await deskAt(await host.port(), mat.world, mat.lateMs);
  });
  afterAll(async () => {
    desk?.close();
    await host?.stop('SIGKILL');
    await mat?.close();
  });

  const complains = (pattern: RegExp): Promise<void> =>
    desk.until(`the page says ${pattern}`, () => desk.complaints().some((text) => pattern.test(text)));

  it('port busy', async () => {
    await complains(/^Another program holds the port \S+sim-a\. Close the other program .* "fuser /);
    expect(host.stderr).toMatch(/warn {2}Another program holds the port/);
  });

  it('port missing', async () => {
    await complains(/^There is no port \S+sim-b\. Plug the board in; if it is, compare the path with/);
    expect(host.stderr).toMatch(/warn {2}There is no port/);
  });

  it('port not permitted', async () => {
    await complains(
      /^This user may not open the port \S+forbidden\. On Linux .* sudo usermod -aG dialout \$USER/,
    );
    expect(host.stderr).toMatch(/warn {2}This user may not open the port/);
  });

  it('a capture cut in mid-line', async () => {
    await complains(
      /has been played to its end: 1 lines\. The last line was cut off; 23 bytes were left out\./,
    );
  });

  it('stdin, stdout and stderr closed, the wall clock stepping by hours: plays once the ports are there', async () => {
    host.closePipes();
    await new Promise((done) => holder.close(done));
    await desk.until(
      'side A is up',
      () => desk.scene?.links.some(({ side, up }) => side === 'A' && up) === true,
    );
    // What it says of this goes nowhere.
    await mat.b.replug();
    await desk.until(
      'side B is up',
      () => desk.scene?.links.some(({ side, up }) => side === 'B' && up) === true,
    );
    await desk.nextRoll();
    expect(host.alive).toBe(true);
  });

  it('SIGKILL in mid-roll, and a start on the same data folder: the match goes on', async () => {
    await desk.midRoll();
    const before = desk.scene?.view as { turn: number; players: unknown } | undefined;
    const ended = await host.stop('SIGKILL');
    expect(ended.signal).toBe('SIGKILL');
    desk.close();
    host = program(['start', '--config', join(mat.folder, 'table.yaml')], {
      cwd: mat.folder,
      powerless: true,
    });
    desk = await deskAt(await host.port(), mat.world, mat.lateMs);
    const after = desk.scene?.view as { turn: number; players: unknown } | undefined;
    expect(after?.turn).toBe(before?.turn);
    expect(after?.players).toEqual(before?.players);
    await desk.nextRoll();
    expect(host.alive).toBe(true);
  });

  it('a disk that takes no more: play waits and says so, and goes on when there is room', async () => {
    const limit = (bytes: string): number | null =>
      spawnSync('prlimit', [`--pid=${host.pid}`, `--fsize=${bytes}`]).status;
    expect(limit('1:unlimited')).toBe(0);
    await desk.until('the page says it', () => desk.scene?.trouble != null);
    expect(desk.scene?.trouble).toMatch(
      /cannot be written \(EFBIG\), and play waits\. .*goes on by itself\./,
    );
    expect(host.alive).toBe(true);
    expect(limit('unlimited:unlimited')).toBe(0);
    await desk.until('it is over', () => desk.scene?.trouble === null);
    await desk.nextRoll();
  });

  it('SIGTERM: closes cleanly; the journal is whole, sealed, and replays to the same', async () => {
    expect(await host.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(host.stderr).not.toMatch(/internal|\n\s+at /);
    const data = join(mat.folder, 'data/t1');
    const verified = await ran(['verify', data], mat.folder);
    expect(verified.stderr + verified.stdout).toMatch(/intact/i);
    expect(verified.code).toBe(0);
    const replayed = await ran(['replay', data, '--check'], mat.folder);
    expect(replayed.stderr).toMatch(/The replay gives exactly what was recorded/);
    expect(replayed.code).toBe(0);
  });
});
