/**
 * The host's own share of the way from a line to a light: stamped where a transport hands a line over and where the
 * LED line and the feed message are handed to their sockets. Many tables play one recorded game in real time in one
 * process, each with its own journal on this disk, together as many lines a second as asked.
 *
 *     bakucore bench latency [lines a second, 2000] [seconds, 10] [folder, one for temporary files] [ms between snapshots, as a host keeps them]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Input, Output } from '../../host/advance/input.ts';
import { systemClock } from '../../host/clock.ts';
import { type Feed, openFeed } from '../../host/displays/feed.ts';
import type { Journal } from '../../host/journal/capture.ts';
import { openJournal } from '../../host/journal/capture.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { entryOfOutput } from '../../host/journal/records.ts';
import { keepSnapshots, type Snapshots } from '../../host/journal/snapshots.ts';
import { silentLog } from '../../host/log.ts';
import { runTable, type Table } from '../../host/table.ts';
import type { TransportEvents } from '../../host/transports/transport.ts';
import { quantile } from './rolls.ts';
import { virtualTable } from './virtual-table.ts';

const linesASecond = Number(process.argv[2] ?? 2000);
const seconds = Number(process.argv[3] ?? 10);
/** Every 1000, far more often than a host keeps states, makes them meet rulings if they can. */
const snapshotEveryMs = process.argv[5] === undefined ? undefined : Number(process.argv[5]);
/** Boards boot and clocks settle before the stretch that is played. */
const LEAD_MS = 4000;
/** Lines are handed over for so long at a time, ms. */
const MOST_TURN_MS = 2;

/** One game, recorded in virtual time, with a judge who orders a roll in doubt again. */
const recorded = virtualTable({ seed: 13, judge: true });
recorded.run(LEAD_MS + seconds * 1000);
const inputs = recorded.inputs.filter((input) => input.kind !== 'tick');
const lines = inputs.filter((input) => input.kind === 'line' && input.atMs >= LEAD_MS).length;
const tableCount = Math.max(1, Math.round((linesASecond * seconds) / lines));

/** Records of what a table says. */
const SAID: ReadonlySet<string> = new Set(['sent', 'ruling', 'event', 'fault']);

const folder = mkdtempSync(join(process.argv[4] ?? tmpdir(), 'bakucore-latency-'));
const tables = new Map<string, Table>();
const players: { readonly feed: (untilMs: number) => boolean }[] = [];
const lightMs: number[] = [];
const feedMs: number[] = [];
const stepMs: number[] = [];
/** Of lights and messages: how long what they rest on waited for the disk, and all the rest. */
const lightDiskMs: number[] = [];
const lightOwnMs: number[] = [];
const diskMs: number[] = [];
const ownMs: number[] = [];
/** How late the host came back to what waits for it. */
const loop = monitorEventLoopDelay({ resolution: 1 });
/** A bare write and sync in the same run: what this disk takes just now. */
const bareMs: number[] = [];
/** Snapshots: how long each held the table up, and what had been said and not left yet. */
const keptMs: number[] = [];
let keptWhileWaiting = 0;
let measuring = false;
let handed = 0;
let feed: Feed | undefined;

for (let n = 0; n < tableCount; n++) await openOne(`t${n + 1}`, (n * 97) % 500);
feed = await openFeed({
  host: '127.0.0.1',
  port: 0,
  tokens: [],
  pagesDir: folder,
  tables,
  clock: systemClock,
  log: silentLog,
});
await watch(feed.url);

const startMs = performance.now();
const cpu = process.cpuUsage();
const bareFile = await open(join(folder, 'bare'), 'w');
const bareTimer = setInterval(async () => {
  const fromMs = performance.now();
  await bareFile.write(Buffer.alloc(2048));
  await bareFile.datasync();
  if (measuring) bareMs.push(performance.now() - fromMs);
}, 50);
await new Promise<void>((done) => {
  let first = 0;
  const turn = (): void => {
    const turnMs = performance.now();
    const nowMs = turnMs - startMs;
    if (!measuring && nowMs >= LEAD_MS) loop.enable();
    measuring = nowMs >= LEAD_MS;
    let going = false;
    for (let n = 0; n < players.length; n++) {
      const at = (first + n) % players.length;
      if (players[at]?.feed(nowMs)) going = true;
      // A host that is behind still hears of its disk between the lines of two sockets.
      if (performance.now() - turnMs < MOST_TURN_MS) continue;
      first = at + 1;
      setImmediate(turn);
      return;
    }
    if (going) setTimeout(turn, 1);
    else done();
  };
  turn();
});
loop.disable();
const spent = process.cpuUsage(cpu);
const tookS = (performance.now() - startMs) / 1000;
clearInterval(bareTimer);
for (const table of tables.values()) await table.close();
await feed.close();
rmSync(folder, { recursive: true, force: true });

const show = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5).toFixed(3)} ms, p99 ${quantile(values, 0.99).toFixed(3)} ms, worst ${quantile(values, 1).toFixed(1)} ms (${values.length})`;
console.log(`${tableCount} tables, ${Math.round(handed / seconds)} lines a second, ${seconds} s`);
console.log(
  `line in to LED line out      ${show(lightMs)}   (those after a ruling or event: after it is on disk)`,
);
console.log(`  of it waiting for the disk  ${show(lightDiskMs)}`);
console.log(`  the host's own share        ${show(lightOwnMs)}`);
console.log(`line in to feed message out  ${show(feedMs)}   (rulings and events: after they are on disk)`);
console.log(`  of it waiting for the disk  ${show(diskMs)}`);
console.log(`  the host's own share        ${show(ownMs)}`);
console.log(`one line through the host    ${show(stepMs)}`);
console.log(
  `a timer of 1 ms comes after  p50 ${(loop.percentile(50) / 1e6).toFixed(1)} ms, p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, worst ${(loop.max / 1e6).toFixed(1)} ms`,
);
console.log(
  `a snapshot                  ${show(keptMs)}   (${keptWhileWaiting} while something said waited to leave)`,
);
console.log(`one write and sync beside    ${show(bareMs)}   (a file of its own, 20 times a second)`);
console.log(`processor ${(((spent.user + spent.system) / 1e6 / tookS) * 100).toFixed(0)} % of a core`);
process.exit(0);

/** A table of its own, fed the recorded game from a transport that stamps what it hands over. */
async function openOne(name: string, phaseMs: number): Promise<void> {
  const journal = await openJournal({
    dataDir: folder,
    table: name,
    clock: systemClock,
    log: silentLog,
    head: {
      host: 'bench',
      protocol: 1,
      ruleset: { name: 'bakugan', version: recorded.setting.ruleset.version },
      configHash: '',
      layout: null,
      calibration: null,
    },
  });
  /** When the line was handed over that made the table say this, by what is recorded of it. */
  const saidAt = new Map<string, number>();
  let handedAt: number | undefined;
  /** Records that are not yet safe with the moment of their writing, and when the newest safe ones became so. */
  const waiting: { readonly seq: number; readonly atMs: number }[] = [];
  let waitedMs = 0;
  const stamped: Journal = {
    ...journal,
    onSafe(listener) {
      journal.onSafe((seq) => {
        const nowMs = performance.now();
        waitedMs = 0;
        while ((waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq) {
          waitedMs = Math.max(waitedMs, nowMs - (waiting.shift()?.atMs ?? nowMs));
        }
        listener(seq);
        waitedMs = 0;
      });
    },
    get safeSeq() {
      return journal.safeSeq;
    },
    get trouble() {
      return journal.trouble;
    },
    append(kind, atMs, data) {
      if (handedAt !== undefined && SAID.has(kind)) saidAt.set(`${kind} ${JSON.stringify(data)}`, handedAt);
      const seq = journal.append(kind, atMs, data);
      if (SAID.has(kind)) waiting.push({ seq, atMs: performance.now() });
      return seq;
    },
  };
  const left = (into: number[], key: string): void => {
    const from = saidAt.get(key);
    saidAt.delete(key);
    if (!measuring || from === undefined) return;
    const took = performance.now() - from;
    into.push(took);
    const waited = Math.min(took, waitedMs);
    (into === feedMs ? diskMs : lightDiskMs).push(waited);
    (into === feedMs ? ownMs : lightOwnMs).push(took - waited);
  };
  let events: TransportEvents | undefined;
  const kept = keepSnapshots({
    ...{ disk: systemDisk, folder: join(folder, name), journal: stamped, head: null, log: silentLog },
    wall: () => systemClock.wall(),
    ...(snapshotEveryMs === undefined ? {} : { everyMs: snapshotEveryMs }),
  });
  const snapshots: Snapshots = {
    ...kept,
    save(atMs, text, hash, why) {
      if (measuring && why === 'calm') {
        if (saidAt.size > 0) keptWhileWaiting += 1;
        if (handedAt !== undefined) keptMs.push(performance.now() - handedAt);
      }
      return kept.save(atMs, text, hash, why);
    },
  };
  const table = await runTable({
    snapshots,
    setting: { ...recorded.setting, table: name },
    clock: systemClock,
    log: silentLog,
    journal: stamped,
    listener: {
      told(output: Output) {
        feed?.told(name, output);
        const { kind, data } = entryOfOutput(output);
        left(feedMs, `${kind} ${JSON.stringify(data)}`);
      },
      changed: () => feed?.changed(name),
    },
    openLinks: async (given) => {
      events = given;
      return recorded.sim.links.map((link) => ({
        link,
        send(line, to) {
          left(lightMs, `sent ${JSON.stringify({ link, device: to?.device ?? '', line })}`);
          return true;
        },
        close: async () => {},
      }));
    },
  });
  tables.set(name, table);
  let next = 0;
  players.push({
    feed(untilMs) {
      for (; next < inputs.length; next++) {
        const input = inputs[next];
        if (input === undefined || input.atMs + phaseMs > untilMs) break;
        if (events !== undefined) hand(table, events, input);
      }
      return next < inputs.length;
    },
  });

  function hand(to: Table, ears: TransportEvents, input: Input): void {
    if (input.kind === 'command') {
      to.command(input.id, input.command);
      return;
    }
    handedAt = performance.now();
    if (input.kind === 'line') ears.line(input.link, input.raw);
    else if (input.kind === 'link' && input.up) ears.up(input.link, input.reason);
    if (measuring && input.kind === 'line') {
      handed++;
      stepMs.push(performance.now() - handedAt);
    }
    handedAt = undefined;
  }
}

/** One screen that watches the first table, as a real one would. */
async function watch(url: string): Promise<void> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`, 'bakucore.v1');
  await new Promise((done, failed) => {
    socket.once('open', done);
    socket.once('error', failed);
  });
  socket.send(JSON.stringify({ op: 'subscribe', table: 't1', audience: { kind: 'operator' } }));
  socket.on('message', () => {});
}
