// Figures of the journal, as JSON; with Node 24, which reads TypeScript: node tests/figures/journal.ts [folder of a journal]
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { replaySource } from '../../host/audit/replay.ts';
import { openSource } from '../../host/audit/source.ts';
import { verifyLines } from '../../host/audit/verify.ts';
import { systemClock } from '../../host/clock.ts';
import { openJournal } from '../../host/journal/capture.ts';
import { createChain } from '../../host/journal/chain.ts';
import { type Disk, systemDisk } from '../../host/journal/disk.ts';
import { linesOf } from '../../host/journal/lines.ts';
import { silentLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';
import { SMALL_HEAD } from '../support/small-journal.ts';
import { wearOf } from '../support/wear.ts';

const LINE = {
  link: 'side-a',
  line: 'B3,7,0A1F,0,200,201,1FF,1FE,202,203,200,1FF,201,200,1FF,200,201,202,2,5C1D',
};

/** How a disk keeps what it was given: not at all, as it does, or so many ms later, as an SD card does. */
type Syncs = 'none' | 'own' | number;

function diskThat(syncs: Syncs): Disk {
  return {
    ...systemDisk,
    async create(path) {
      const file = await systemDisk.create(path);
      return {
        ...file,
        async sync() {
          if (syncs === 'none') return;
          await file.sync();
          if (syncs !== 'own') await new Promise((done) => setTimeout(done, syncs));
        },
      };
    },
  };
}

function quantiles(values: number[]): { p50: number; p99: number; p999: number; most: number } {
  values.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(1000 * (values[Math.floor(share * (values.length - 1))] ?? 0)) / 1000;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) };
}

/** Cost of an append and time until a ruling is safe, ms, at 1000 lines and 20 rulings a second. */
async function appendCost(syncs: Syncs): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-figures-'));
  const journal = await openJournal({
    ...{ dataDir: folder, table: 't1', head: SMALL_HEAD, clock: systemClock, log: silentLog },
    disk: diskThat(syncs),
  });
  const hot: number[] = [];
  const safe: number[] = [];
  const waiting: { seq: number; at: number }[] = [];
  journal.onSafe((seq) => {
    while ((waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq)
      safe.push(performance.now() - (waiting.shift()?.at ?? 0));
  });
  for (let i = 0; i < 300; i += 1) {
    for (let k = 0; k < 10; k += 1) {
      const start = performance.now();
      journal.append('line', start, LINE);
      hot.push(performance.now() - start);
    }
    if (i % 5 === 0) {
      const start = performance.now();
      waiting.push({
        at: start,
        seq: journal.append('ruling', start, { ruling: { roll: 't1.1', confidence: 0.993 } }),
      });
      hot.push(performance.now() - start);
    }
    await new Promise((done) => setTimeout(done, 10));
  }
  await journal.close(systemClock.now());
  rmSync(folder, { recursive: true, force: true });
  return { syncs, appendMs: quantiles(hot), rulingSafeMs: quantiles(safe) };
}

/** Verify beside a bare parse and SHA-256 loop over the same lines, many times over. */
async function verifySpeed(path: string, times: number): Promise<object> {
  const source = await openSource(path);
  const records: JournalRecord[] = [];
  for await (const batch of source.records(() => {})) records.push(...batch);
  const plain = records.filter(({ kind }) => kind !== 'segment' && kind !== 'checkpoint' && kind !== 'open');
  const span = (plain.at(-1)?.atMs ?? 0) + 1;
  const text = function* (): Generator<Uint8Array> {
    const chain = createChain('t1');
    for (let n = 0; n < times; n += 1) {
      const out: string[] = [];
      for (const { kind, atMs, data } of plain)
        out.push(chain.add(kind, atMs + n * span, typeof data === 'object' && data !== null ? data : {}));
      yield Buffer.from(`${out.join('\n')}\n`);
    }
  };
  const chunks = [...text()];
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const feed = async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield chunk;
  };
  const memory = (): number => Math.round(process.memoryUsage().rss / 1e6);
  const before = memory();
  let start = performance.now();
  const verdict = await verifyLines(linesOf(feed()), NODE_TOOLS);
  const verifyMs = performance.now() - start;
  const after = memory();
  start = performance.now();
  let parsed = 0;
  for (const chunk of chunks) {
    for (const line of chunk.toString().split('\n')) {
      if (line === '') continue;
      JSON.parse(line);
      createHash('sha256').update(line).digest();
      parsed += 1;
    }
  }
  const bareMs = performance.now() - start;
  const rolls =
    plain.filter(({ kind, data }) => kind === 'ruling' && JSON.stringify(data).includes('"final"')).length *
    times;
  return {
    records: verdict.records,
    parsed,
    rolls,
    mb: Math.round(bytes / 1e6),
    verifyMs: Math.round(verifyMs),
    bareMs: Math.round(bareMs),
    rssMb: [before, after],
    state: verdict.broken ?? verdict.state,
  };
}

async function replaySpeed(path: string): Promise<object> {
  const start = performance.now();
  const found = await replaySource(await openSource(path), { parts: PARTS });
  const ms = performance.now() - start;
  return {
    records: found.records,
    rulings: found.rulings,
    ms: Math.round(ms),
    hash: found.hash,
    state: found.state,
  };
}

const path = process.argv[2] ?? '';
const only = process.argv[3];
const out: Record<string, unknown> = { node: process.versions.node };
if (path !== '') out.replay = await replaySpeed(path);
if (only !== 'replay') {
  if (path !== '') out.verify = await verifySpeed(path, 60);
  out.append = [await appendCost('none'), await appendCost('own'), await appendCost(20)];
  out.wear = { idle: await wearOf(false, 60_000), play: await wearOf(true, 60_000) };
}
process.stdout.write(`${JSON.stringify(out, null, 1)}\n`);
