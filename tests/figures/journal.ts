// Figures of the journal: node <built> [folder of a journal]. Prints JSON.
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
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { SMALL_HEAD } from '../support/small-journal.ts';
import { tableRun, virtualClock } from '../support/table-run.ts';
import { demoFor, settingFor } from '../support/virtual-table.ts';

const LINE = {
  link: 'side-a',
  line: 'B3,7,0A1F,0,200,201,1FF,1FE,202,203,200,1FF,201,200,1FF,200,201,202,2,5C1D',
};

/** The same disk, its syncs counted and slowed. */
function slowed(syncMs: number): { disk: Disk; counts: { syncs: number; bytes: number } } {
  const counts = { syncs: 0, bytes: 0 };
  const disk: Disk = {
    ...systemDisk,
    async create(path) {
      const file = await systemDisk.create(path);
      return {
        ...file,
        async write(bytes, position) {
          counts.bytes += bytes.length;
          await file.write(bytes, position);
        },
        async sync() {
          counts.syncs += 1;
          await file.sync();
          if (syncMs > 0) await new Promise((done) => setTimeout(done, syncMs));
        },
      };
    },
  };
  return { disk, counts };
}

function quantiles(values: number[]): { p50: number; p99: number; p999: number; most: number } {
  values.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(1000 * (values[Math.floor(share * (values.length - 1))] ?? 0)) / 1000;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) };
}

/** Cost of an append and time until a ruling is safe, ms, at 1000 lines and 20 rulings a second. */
async function appendCost(syncMs: number): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-figures-'));
  const { disk } = slowed(syncMs);
  const journal = await openJournal({
    ...{ dataDir: folder, table: 't1', head: SMALL_HEAD, clock: systemClock, log: silentLog },
    disk,
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
  return { syncMs, appendMs: quantiles(hot), rulingSafeMs: quantiles(safe) };
}

/** Bytes and flushes an hour, idle and in play, and bytes a roll. */
async function wear(auto: boolean, ms: number): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-figures-'));
  const { disk, counts } = slowed(0);
  const sim = createSimTable({ layout: FIXED_12, seed: 21 });
  const run = await tableRun({
    ...{
      sim,
      setting: settingFor(sim, demoFor(21)),
      disk,
      dataDir: folder,
      clock: virtualClock(),
      seed: 21,
      auto,
    },
  });
  const before = { ...counts };
  await run.run(ms);
  const hours = ms / 3_600_000;
  const rolls = run.told.filter((one) => one.kind === 'ruling' && one.ruling.stage === 'final').length;
  const bytes = counts.bytes - before.bytes;
  const result = {
    auto,
    rolls,
    mbAnHour: Math.round(bytes / hours / 1e5) / 10,
    flushesAnHour: Math.round((counts.syncs - before.syncs) / hours),
    ...(rolls > 0 ? { kbARoll: Math.round(bytes / rolls / 100) / 10 } : {}),
  };
  await run.close();
  rmSync(folder, { recursive: true, force: true });
  return result;
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
  out.append = [await appendCost(0), await appendCost(20)];
  out.wear = [await wear(false, 60_000), await wear(true, 60_000)];
}
process.stdout.write(`${JSON.stringify(out, null, 1)}\n`);
