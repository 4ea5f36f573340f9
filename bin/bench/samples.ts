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

/**
 * Processor time that each loop runs for before any is timed, s: the engine compiles as it goes, for some nine seconds
 * of heard rolls on Node 20, and a table plays for hours.
 */
const WARM_S = 3;
/** Loops are timed turn about, and the best turn of each counts: other programs share the machine's caches. */
const TURNS = 12;
const TURN_S = 0.1;
const ROLLS = 12;

/** Processor time of the whole program, s: other programs on the machine do not count. */
function spentS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds of processor time that one run takes, over at least so many. */
function costOf(run: () => void, leastS: number): number {
  const began = spentS();
  let runs = 0;
  let took = 0;
  while (took < leastS) {
    run();
    runs += 1;
    took = spentS() - began;
  }
  return took / runs;
}

/** Seconds of processor time that one run of each takes, at its best. */
function costsOf<Name extends string>(loops: Readonly<Record<Name, () => void>>): Record<Name, number> {
  const names = Object.keys(loops) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
  for (const name of names) costOf(loops[name], WARM_S);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const name of names) best[name] = Math.min(best[name], costOf(loops[name], TURN_S));
  return best;
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
const rolls = playedTable(ROLLS);
const idle = idleTable();
const listener = listenTo(busy);
const rolling = listenTo(rolls);
const idling = listenTo(idle);
const cost = costsOf({
  bare() {
    for (const line of bursts) {
      const tiles = (line.length - 31) / 28;
      const sum = readBlocks(
        line,
        26,
        2,
        into.subarray(0, tiles * 16),
        bits.subarray(0, tiles),
        checksumOf(line, 26),
      );
      checksumOf(line, line.length - 4, line.length - 5, sum);
    }
  },
  decode() {
    for (const { heard } of busy.stretches) for (const { line } of heard) decodeLine(line);
  },
  detection: () => listener.round(false),
  both: () => listener.round(true),
  rolls: () => rolling.round(true),
  idle: () => idling.round(true),
});

const rate = (seconds: number): string => `${(busy.samples / seconds / 1e6).toFixed(1)} million samples/s`;
const ofBare = (seconds: number): string => `${((100 * cost.bare) / seconds).toFixed(0)} % of bare`;

/** What a table of two boards takes of a core, told from the lines on. */
function show(name: string, table: Table, listener: Listener, seconds: number): void {
  const before = listener.rulings;
  listener.round(true);
  const rulings = listener.rulings - before;
  const what = `${table.seconds.toFixed(1)} s, ${table.lines} lines, ${table.samples} samples, ${rulings} rulings`;
  const ms = (1000 * seconds) / table.seconds;
  console.log(`  ${name} (${what}): ${ms.toFixed(2)} ms of a core each second (${(ms / 10).toFixed(3)} %)`);
}

console.log(`bare loop               ${rate(cost.bare)}`);
console.log(`decode                  ${rate(cost.decode)}  (${ofBare(cost.decode)})`);
console.log(`detection               ${rate(cost.detection)}  (${ofBare(cost.detection)})`);
console.log(`decode and detection    ${rate(cost.both)}  (${ofBare(cost.both)})`);
console.log('A table of two boards of six tiles, lines to rulings:');
show('a roll with all tiles active', busy, listener, cost.both);
show(`${ROLLS} rolls as thrown`, rolls, rolling, cost.rolls);
show('idle, quiet lines', idle, idling, cost.idle);
console.log(
  `allocated while hearing dense samples: ${allocatedIn(busy, listener).toFixed(3)} bytes a sample (heap ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB)`,
);
