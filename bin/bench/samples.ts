/**
 * Hall samples a second through decode and detection on one core, and what is allocated for them. Lines of a real roll
 * on all tiles are decoded and heard over and over, shifted in time; a bare hand loop (checksum, base64, ten-bit
 * samples) is timed beside it.
 *
 *     bakucore bench samples
 */
import { checksumOf } from '../../firmware-protocol/crc.ts';
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import { decodeLine, encodeUp } from '../../firmware-protocol/line.ts';
import { readBlocks } from '../../firmware-protocol/packed.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import {
  createSensing,
  hearFrame,
  type SenseOutput,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { createScene, launch, opens, rollOf, signalCalibration, watchScene } from './signals.ts';

const SPAN_MS = 2400;
const ROUNDS = 150;
/** Rounds before the clock starts: the engine compiles as it goes. */
const WARM_UP = 150;

interface Heard {
  readonly line: string;
  readonly frame: UplinkFrame;
  readonly side: 'A' | 'B';
  readonly atMs: number;
  readonly arriveMs: number;
}

/** A roll in which every tile is active: the worst load there is. */
function busyRoll(): { readonly heard: readonly Heard[]; readonly samples: number } {
  const scene = createScene();
  launch(scene, 'A', 1700);
  launch(scene, 'B', 1720);
  opens(scene, 'q0r1', 1950, 1.1);
  opens(scene, 'q1r-1', 1990, -1.1);
  // A field that never stands still keeps every other tile sending, and is no ball.
  for (const { cell } of FIXED_12.cells) {
    if (cell === 'q0r1' || cell === 'q1r-1') continue;
    scene.fields.push({ cell, mt: () => 0, side: (ms) => (Math.floor(ms / 40) % 2 === 0 ? 1.5 : -1.5) });
  }
  const heard: Heard[] = [];
  watchScene(scene, {
    untilMs: 500 + SPAN_MS,
    goOn: true,
    wire(arrived, side) {
      if (side === 'A' || side === 'B') heard.push({ ...arrived, side, line: encodeUp(arrived.frame) });
      return true;
    },
  });
  const samples = heard.reduce((n, h) => n + (h.frame.kind === 'burst' ? h.frame.samples.length : 0), 0);
  return { heard: heard.sort((a, b) => a.arriveMs - b.arriveMs), samples };
}

function rate(samples: number, run: () => void): number {
  for (let i = 0; i < WARM_UP; i += 1) run();
  // Processor time, so that other programs on the machine do not count.
  const began = process.cpuUsage();
  for (let i = 0; i < ROUNDS; i += 1) run();
  const { user, system } = process.cpuUsage(began);
  return (samples * ROUNDS) / ((user + system) / 1e6);
}

const { heard, samples } = busyRoll();
const bursts = heard.filter((h) => h.frame.kind === 'burst').map((h) => h.line);
const into = new Uint16Array(96);
const bits = new Uint8Array(6);

const bare = rate(samples, () => {
  for (const line of bursts) {
    checksumOf(line, line.length - 4);
    const tiles = (line.length - 31) / 28;
    readBlocks(line, 26, 2, into.subarray(0, tiles * 16), bits.subarray(0, tiles));
  }
});
const decoded = rate(samples, () => {
  for (const { line } of heard) decodeLine(line);
});

/** Every round is a roll of its own, a little later on the same detector. */
const sensing = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
const out: SenseOutput[] = [];
let base = 0;
let rulings = 0;
const detect = (decode: boolean): void => {
  base += SPAN_MS + 600;
  setActivity(sensing, { kind: 'idle' }, base + 500, out);
  let called = false;
  for (const { line, frame, side, atMs, arriveMs } of heard) {
    if (!called && arriveMs >= 1000) {
      called = true;
      setActivity(sensing, { ...rollOf(), roll: `t${base}` }, base + 1000, out);
    }
    settle(sensing, base + arriveMs, out);
    if (!decode) hearFrame(sensing, side, frame, base + atMs, 0.5, out);
    else {
      const got = decodeLine(line);
      if (got.ok) hearFrame(sensing, side, got.frame, base + atMs, 0.5, out);
    }
  }
  rulings += out.length;
  out.length = 0;
};
const heardOnly = rate(samples, () => detect(false));
const both = rate(samples, () => detect(true));

globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
let allocated = 0;
{
  // What hearing dense samples allocates: one burst again and again, no review between.
  const burst = heard.find((h) => h.frame.kind === 'burst' && h.frame.contacts.length === 6);
  if (burst !== undefined && burst.frame.kind === 'burst') {
    const n = 200_000;
    for (let i = 0; i < 20_000; i += 1)
      hearFrame(sensing, burst.side, burst.frame, base + 5000 + i * 8, 0.5, out);
    globalThis.gc?.();
    const start = process.memoryUsage().heapUsed;
    for (let i = 0; i < n; i += 1)
      hearFrame(sensing, burst.side, burst.frame, base + 200_000 + i * 8, 0.5, out);
    allocated = (process.memoryUsage().heapUsed - start) / (n * burst.frame.samples.length);
  }
}
const million = (x: number): string => `${(x / 1e6).toFixed(1)} million samples/s`;
console.log(`${samples} samples in ${SPAN_MS} ms of two boards, ${heard.length} lines, ${rulings} rulings`);
console.log(`bare loop             ${million(bare)}`);
console.log(`decode                ${million(decoded)}  (${((100 * decoded) / bare).toFixed(0)} % of bare)`);
console.log(`detection             ${million(heardOnly)}`);
console.log(`decode and detection  ${million(both)}  (${((100 * both) / bare).toFixed(0)} % of bare)`);
console.log(
  `allocated while hearing dense samples: ${allocated.toFixed(3)} bytes a sample (heap ${(before / 1e6).toFixed(0)} MB)`,
);
