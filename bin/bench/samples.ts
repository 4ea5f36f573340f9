/**
 * Hall samples a second through decode and detection on one core, and what is allocated for them. Lines of a roll on all
 * tiles are decoded and heard over and over, shifted in time; a bare hand loop (checksum, base64, ten-bit samples) is
 * timed beside it. Then the same for rolls as people throw them, and what a table costs a core.
 *
 *     bakucore bench samples
 */
import { checksumOf } from '../../firmware-protocol/crc.ts';
import { decodeLine } from '../../firmware-protocol/line.ts';
import { readBlocks } from '../../firmware-protocol/packed.ts';
import { hearFrame, type SenseOutput } from '../../host/sensing/sensing.ts';
import { busyTable, idleTable, type Listener, listenTo, playedTable, type Table } from './heard-tables.ts';

/** Processor time that something runs for before the clock starts, since the engine compiles as it goes, and under it, s. */
const WARM_S = 1.5;
const TIMED_S = 1;
const ROLLS = 12;

/** Processor time of the whole program, s: other programs on the machine do not count. */
function spentS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds of processor time that one run takes. */
function costOf(run: () => void): number {
  for (const began = spentS(); spentS() - began < WARM_S; ) run();
  const began = spentS();
  let runs = 0;
  let took = 0;
  while (took < TIMED_S) {
    run();
    runs += 1;
    took = spentS() - began;
  }
  return took / runs;
}

/** Bytes allocated for a sample while dense lines are heard: one burst again and again, no review between. */
function allocatedIn(table: Table, { sensing, nowMs }: Listener): number {
  const out: SenseOutput[] = [];
  const burst = table.stretches
    .flatMap(({ heard }) => heard)
    .find(({ frame }) => frame.kind === 'burst' && frame.contacts.length === 6);
  if (burst === undefined || burst.frame.kind !== 'burst') return Number.NaN;
  const { frame, side } = burst;
  const hear = (from: number, n: number): void => {
    for (let i = 0; i < n; i += 1) hearFrame(sensing, side, frame, from + i * 8, 0.5, out);
  };
  const n = 200_000;
  hear(nowMs + 5000, n / 10);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  hear(nowMs + 200_000, n);
  return (process.memoryUsage().heapUsed - before) / (n * frame.samples.length);
}

const busy = busyTable();
const bursts = busy.stretches.flatMap(({ heard }) =>
  heard.filter(({ frame }) => frame.kind === 'burst').map(({ line }) => line),
);
const into = new Uint16Array(96);
const bits = new Uint8Array(6);
const bare = costOf(() => {
  for (const line of bursts) {
    checksumOf(line, line.length - 4);
    const tiles = (line.length - 31) / 28;
    readBlocks(line, 26, 2, into.subarray(0, tiles * 16), bits.subarray(0, tiles));
  }
});

const rate = (table: Table, seconds: number): string =>
  `${(table.samples / seconds / 1e6).toFixed(1)} million samples/s`;
const percent = (part: number): string => `${(100 * part).toFixed(0)} % of bare`;

/** What a table of two boards takes of a core, told from the lines on. */
function show(name: string, table: Table, listener: Listener, both: number): void {
  const before = listener.rulings;
  listener.round(true);
  const rulings = listener.rulings - before;
  const what = `${table.seconds.toFixed(1)} s, ${table.lines} lines, ${table.samples} samples, ${rulings} rulings`;
  const ms = (1000 * both) / table.seconds;
  console.log(`${name} (${what}): ${ms.toFixed(2)} ms of a core each second (${(ms / 10).toFixed(3)} %)`);
}

console.log(`bare loop               ${rate(busy, bare)}`);
const listener = listenTo(busy);
const decoded = costOf(() => {
  for (const { heard } of busy.stretches) for (const { line } of heard) decodeLine(line);
});
const heard = costOf(() => listener.round(false));
const both = costOf(() => listener.round(true));
console.log(`decode                  ${rate(busy, decoded)}  (${percent(bare / decoded)})`);
console.log(`detection               ${rate(busy, heard)}`);
console.log(`decode and detection    ${rate(busy, both)}  (${percent(bare / both)})`);
console.log('A table of two boards of six tiles, lines to rulings:');
show('  a roll with all tiles active', busy, listener, both);
for (const [name, table] of [
  [`  ${ROLLS} rolls as thrown`, playedTable(ROLLS)],
  ['  idle, quiet lines', idleTable()],
] as const) {
  const other = listenTo(table);
  const cost = costOf(() => other.round(true));
  show(name, table, other, cost);
}
console.log(
  `allocated while hearing dense samples: ${allocatedIn(busy, listener).toFixed(3)} bytes a sample (heap ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB)`,
);
