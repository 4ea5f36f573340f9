/**
 * What the firmware does on an emulated board, and what the emulation costs.
 *
 *     bakucore bench firmware [seconds, 10] [uno|mega]
 *
 * For each case the board boots, takes LED lines or is armed, runs some virtual seconds, and the figures of that
 * stretch are printed. Scan times are the moments at which the converter sampled sensor 0. Wire share is of the
 * 50000 bytes a second of 500000 baud.
 */
import { createRig, movingWorld, notingScans, type Rig } from './avr-rig.ts';

const seconds = Number(process.argv[2] ?? 10);
const chip = process.argv[3] === 'mega' ? 'mega' : 'uno';
const BOOTED_US = 2_000_000;

interface Case {
  readonly name: string;
  readonly activeTiles: number;
  readonly armed: boolean;
  /** LED lines a second, spread over the tiles, as a host would send them. */
  readonly ledLines: number;
  /** Animation of the LEDs, which makes the board write its strip by itself. */
  readonly animation: number;
}

const CASES: readonly Case[] = [
  { name: 'unarmed, quiet, dark', activeTiles: 0, armed: false, ledLines: 0, animation: 0 },
  { name: 'unarmed, quiet, LED lines', activeTiles: 0, armed: false, ledLines: 20, animation: 0 },
  { name: 'unarmed, quiet, animation', activeTiles: 0, armed: false, ledLines: 1, animation: 3 },
  { name: 'unarmed, six tiles, animation', activeTiles: 6, armed: false, ledLines: 1, animation: 3 },
  { name: 'armed, quiet', activeTiles: 0, armed: true, ledLines: 0, animation: 0 },
  { name: 'armed, one tile', activeTiles: 1, armed: true, ledLines: 0, animation: 0 },
  { name: 'armed, six tiles', activeTiles: 6, armed: true, ledLines: 0, animation: 0 },
];

interface Stretch {
  readonly rig: Rig;
  readonly scans: number[];
  /** Strip writes before the stretch. */
  readonly writesBefore: number;
  bytes: number;
  bytesWorst100: number;
  lines: number;
  faults: number;
  slowestAnswerUs: number;
  unanswered: number;
}

function start(what: Case): Stretch {
  const world = movingWorld(what.activeTiles, BOOTED_US);
  const { world: noted, scans } = notingScans(world);
  const rig = createRig({
    chip,
    world: noted,
  });
  rig.run(BOOTED_US - 100_000);
  if (what.armed) rig.ask({ kind: 'arm', tag: 1, armed: true });
  rig.run(BOOTED_US);
  rig.board.clearFigures();
  scans.length = 0;
  return {
    rig,
    scans,
    writesBefore: rig.board.figures().ledWrites,
    bytes: 0,
    bytesWorst100: 0,
    lines: 0,
    faults: 0,
    slowestAnswerUs: 0,
    unanswered: 0,
  };
}

/** One stretch of 100 ms: LED lines as their pace asks, one in flight, then on to the end of it. */
function run100(what: Case, stretch: Stretch, index: number): void {
  const { rig } = stretch;
  const until = BOOTED_US + 100_000 * (index + 1);
  const perStretch = what.ledLines / 10;
  const due = Math.floor((index + 1) * perStretch) - Math.floor(index * perStretch);
  for (let i = 0; i < due; i++) {
    const tag = (index * 8 + i) & 255;
    const rgb = (index * 0x10305 + i * 0x3377) & 0xffffff;
    const tileMask = 1 << ((index + i) % 6);
    try {
      const { tookUs } = rig.ask({ kind: 'led', tag, tileMask, rgb, level: 200, animation: what.animation });
      stretch.slowestAnswerUs = Math.max(stretch.slowestAnswerUs, tookUs);
    } catch {
      stretch.unanswered += 1;
    }
  }
  let bytes = 0;
  for (const line of rig.run(until)) {
    bytes += line.text.length + 1;
    stretch.lines += 1;
    if (!line.frame) stretch.faults += 1;
  }
  stretch.bytes += bytes;
  stretch.bytesWorst100 = Math.max(stretch.bytesWorst100, bytes);
}

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function print(what: Case, stretch: Stretch, cpu: number): void {
  const { rig } = stretch;
  const scans = stretch.scans.slice();
  const figures = rig.board.figures();
  const ledWrites = figures.ledWrites - stretch.writesBefore;
  const steps = scans.slice(1).map((at, i) => at - (scans[i] ?? 0));
  const nominal = steps.filter((step) => step < 1500);
  const health = rig
    .run(rig.nowUs() + 1_100_000)
    .flatMap((line) => (line.frame?.kind === 'health' ? [line.frame] : []))
    .at(-1);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const rows: [string, string][] = [
    ['scans', `${(scans.length / seconds).toFixed(1)} a second, lost ${steps.length - nominal.length}`],
    [
      'scan spacing',
      `${Math.min(...steps).toFixed(1)} to ${Math.max(...nominal).toFixed(1)} µs, longest ${Math.max(...steps).toFixed(1)} µs`,
    ],
    [
      'wire',
      `${percent(stretch.bytes / seconds / 50_000)}, worst 100 ms ${percent(stretch.bytesWorst100 / 5000)}, ${(stretch.lines / seconds).toFixed(0)} lines/s, ${stretch.faults} bad`,
    ],
    ['processor busy', percent(figures.busyShare)],
    [
      'interrupts off',
      `longest ${figures.longestInterruptsOffUs.toFixed(0)} µs, ${percent(figures.interruptsOffShare)} of the time`,
    ],
    [
      'stack',
      `${figures.stackBytes} bytes deep, ${health?.stackFreeBytes ?? '?'} free by the board's own count`,
    ],
    [
      'strip writes',
      `${(ledWrites / seconds).toFixed(1)} a second, longest ${figures.longestLedWriteUs.toFixed(0)} µs, ${percent(figures.ledWriteUs / seconds / 1e6)} of the time, ${figures.ledPauses} with a pause, ${figures.ledOddPulses} odd pulses`,
    ],
    [
      'LED lines',
      `slowest answer ${(stretch.slowestAnswerUs / 1000).toFixed(1)} ms, ${stretch.unanswered} unanswered`,
    ],
    ['receive overruns', `${figures.receiveOverruns}, by the board's own count ${health?.rxOverruns ?? '?'}`],
    ['multiplexer settles', `${figures.shortestSettleUs.toFixed(1)} µs before the sample, at least`],
    [
      'board says',
      health
        ? `slip ${health.slipUs} µs, lost scans ${health.lostScans}, drops ${health.txDrops}, bad lines down ${health.rxFaults}, ${health.supplyMv} mV`
        : 'no health line',
    ],
    ['emulation', `${(seconds / cpu).toFixed(2)} virtual seconds a CPU second`],
  ];
  console.log(`\n${chip}: ${what.name}, ${seconds} s`);
  for (const [name, value] of rows) console.log(`  ${name.padEnd(20)} ${value}`);
}

for (const what of CASES) {
  const stretch = start(what);
  const cpu = cpuSeconds(() => {
    for (let i = 0; i < seconds * 10; i++) run100(what, stretch, i);
  });
  print(what, stretch, cpu);
}

for (const name of ['armed, quiet', 'armed, six tiles']) {
  const what = CASES.find((one) => one.name === name);
  if (!what) continue;
  const pair = [start(what), start(what)];
  const cpu = cpuSeconds(() => {
    for (let i = 0; i < seconds * 10; i++) for (const stretch of pair) run100(what, stretch, i);
  });
  console.log(`\ntwo boards, ${name}: ${(seconds / cpu).toFixed(2)} virtual seconds a CPU second`);
}
