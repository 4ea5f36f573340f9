import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { diskOver, type FileCalls, type OpenFile } from '../host/journal/disk.ts';
import { type Holder, processIsAlive, processNumbered } from '../host/journal/holder.ts';
import { LOCK_FILE, takeLock } from '../host/journal/lock.ts';
import { drawFrom, powerCutFiles } from './support/power-cut-files.ts';

const PLACE = `/data/t1/${LOCK_FILE}`;
const holder = (pid: number): Holder => ({ machine: 'm', boot: 'b', pid, started: `${pid}` });
/** Processes below this number are long dead. */
const LIVING = 100;
const isAlive = ({ pid }: Holder): boolean => pid >= LIVING;
const textOf = (one: Holder): Buffer => Buffer.from(`${JSON.stringify(one)}\n`);

/** Lets calls of several processes at one file system through, one at a time, in an order that is drawn. */
function interleaving(seed: number) {
  const draw = drawFrom(seed);
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => new Promise((done) => waiting.push(done));
  const file = (of: OpenFile): OpenFile => ({
    read: async (...ask) => turn().then(() => of.read(...ask)),
    write: async (...ask) => turn().then(() => of.write(...ask)),
    truncate: async (bytes) => turn().then(() => of.truncate(bytes)),
    datasync: () => of.datasync(),
    sync: () => of.sync(),
    close: () => of.close(),
  });
  return {
    calls: (files: FileCalls): FileCalls => ({
      mkdir: (...ask) => files.mkdir(...ask),
      open: async (...ask) => turn().then(async () => file(await files.open(...ask))),
      readdir: async (path) => turn().then(() => files.readdir(path)),
      link: async (...ask) => turn().then(() => files.link(...ask)),
      rename: async (...ask) => turn().then(() => files.rename(...ask)),
      rm: async (...ask) => turn().then(() => files.rm(...ask)),
      stat: (path) => files.stat(path),
      statfs: (path) => files.statfs(path),
    }),
    async until(isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        await new Promise((done) => setImmediate(done));
        waiting.splice(draw(Math.max(1, waiting.length)), 1)[0]?.();
      }
    },
  };
}

/** What three hosts come to that find this in the place of the lock at once. */
async function race(seed: number, found: ReadonlyMap<string, Uint8Array>) {
  const files = powerCutFiles();
  await files.mkdir('/data/t1', { recursive: true });
  for (const [path, bytes] of found) files.put(path, bytes);
  const order = interleaving(seed);
  let over = 0;
  const hosts = [100, 101, 102].map(async (pid) => {
    const disk = diskOver(order.calls(files));
    await Promise.resolve();
    try {
      const lock = await takeLock(disk, '/data/t1', isAlive, holder(pid));
      return { pid, tookOver: lock.tookOver?.pid };
    } catch (error) {
      expect(error).toMatchObject({ code: 'journal/in-use' });
      return undefined;
    } finally {
      over += 1;
    }
  });
  await order.until(() => over === hosts.length);
  const took = (await Promise.all(hosts)).filter((one) => one !== undefined);
  return { took, files, names: await files.readdir('/data/t1') };
}

describe('the lock of a folder, asked for by three hosts at once', () => {
  it.each([
    ['that is free', []],
    ['that a dead host left', [[PLACE, textOf(holder(1))]]],
    ['that a power cut tore', [[PLACE, Buffer.alloc(0)]]],
  ] as const)('%s is had by one, whatever the order of their calls', async (_what, found) => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { took, files, names } = await race(seed, new Map<string, Uint8Array>(found));
      expect(took, `seed ${seed}`).toHaveLength(1);
      expect(JSON.parse(files.text(PLACE)).pid).toBe(took[0]?.pid);
      expect(names, `seed ${seed}`).toEqual([LOCK_FILE]);
    }
  });

  it.each(['EPERM', 'ENOSYS', 'EISDIR'])(
    'is had and let go where a file has one name only (%s)',
    async (code) => {
      const files = powerCutFiles();
      await files.mkdir('/data/t1', { recursive: true });
      const link = async (): Promise<never> => {
        throw Object.assign(new Error(code), { code });
      };
      const disk = diskOver({ ...files, link });
      const lock = await takeLock(disk, '/data/t1', isAlive, holder(100));
      const second = takeLock(disk, '/data/t1', isAlive, holder(101));
      await expect(second).rejects.toMatchObject({ code: 'journal/in-use' });
      await lock.release();
      expect(await files.readdir('/data/t1')).toEqual([]);
    },
  );

  it('is had by one where the last to take it over died on the way', async () => {
    // Which name its own turn had: it is there while one host takes over and never comes back.
    const files = powerCutFiles();
    await files.mkdir('/data/t1', { recursive: true });
    files.put(PLACE, textOf(holder(1)));
    const disk = diskOver(files);
    const stuck = { ...disk, replace: () => new Promise<never>(() => {}) };
    void takeLock(stuck, '/data/t1', isAlive, holder(2));
    await new Promise((done) => setTimeout(done, 0));
    for (let n = 0; n < 50; n += 1) await Promise.resolve();
    const names = await files.readdir('/data/t1');
    expect(names).toHaveLength(2);
    const found = new Map(
      names.map((name) => [`/data/t1/${name}`, Buffer.from(files.text(`/data/t1/${name}`))]),
    );
    for (let seed = 1; seed <= 300; seed += 1) {
      const { took, names: left } = await race(seed, found);
      expect(took, `seed ${seed}`).toHaveLength(1);
      expect(took[0]?.tookOver).toBe(1);
      expect(left, `seed ${seed}`).toEqual([LOCK_FILE]);
    }
  });
});

describe('a host that was killed', () => {
  const parents: ChildProcess[] = [];
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  });

  /** A process whose parent never asks after it. */
  async function unreaped(): Promise<number> {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    parents.push(parent);
    const pid = await new Promise<number>((done) => {
      parent.stdout.once('data', (text) => done(Number(String(text))));
    });
    // The shell has become the one that does not wait once its name is that.
    await until(() => /^\d+ \(sleep\)/.test(statOf(parent.pid)) && /^\d+ \(sleep\)/.test(statOf(pid)));
    return pid;
  }
  const statOf = (pid: number | undefined): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((done) => setTimeout(done, 5));
  }

  it.skipIf(process.platform !== 'linux')('is dead though its parent never asks after it', async () => {
    const pid = await unreaped();
    const dying = processNumbered(pid);
    expect(processIsAlive(dying)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await until(() => /\) Z /.test(statOf(pid)));
    expect(processIsAlive(dying)).toBe(false);
    const files = powerCutFiles();
    await files.mkdir('/data/t1', { recursive: true });
    files.put(PLACE, textOf(dying));
    expect((await takeLock(diskOver(files), '/data/t1')).tookOver?.pid).toBe(pid);
  });

  it.each([
    { what: 'is waited for while it goes', goneAfter: 3, waits: 3, takes: true },
    { what: 'is refused for after two seconds when it stays', goneAfter: 1000, waits: 40, takes: false },
  ])('$what', async ({ goneAfter, waits, takes }) => {
    const files = powerCutFiles();
    await files.mkdir('/data/t1', { recursive: true });
    files.put(PLACE, textOf(holder(200)));
    const paused: number[] = [];
    const wait = async (ms: number): Promise<void> => {
      paused.push(ms);
    };
    const look = ({ pid }: Holder): boolean => pid !== 200 || paused.length < goneAfter;
    const taking = takeLock(diskOver(files), '/data/t1', look, holder(100), LOCK_FILE, wait);
    if (takes) expect((await taking).tookOver?.pid).toBe(200);
    else await expect(taking).rejects.toMatchObject({ code: 'journal/in-use' });
    expect(paused).toEqual(Array.from({ length: waits }, () => 50));
  });

  it.each([
    ['whose machine is another', holder(200), (): undefined => undefined],
    ['that is this very process', holder(100), (): boolean => true],
  ] as const)('is not waited for where it is one %s', async (_what, other, look) => {
    const files = powerCutFiles();
    await files.mkdir('/data/t1', { recursive: true });
    files.put(PLACE, textOf(other));
    let waits = 0;
    const wait = async () => {
      waits += 1;
    };
    const taking = takeLock(diskOver(files), '/data/t1', look, holder(100), LOCK_FILE, wait);
    await expect(taking).rejects.toMatchObject({ code: 'journal/in-use' });
    expect(waits).toBe(0);
  });
});
