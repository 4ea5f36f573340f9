/**
 * Lines and samples decoded a second on one core, beside a bare hand loop over the same lines in the same run.
 *
 *     bakucore bench decode [seconds, 2]
 *
 * The corpus is what two boards send in the worst case: bursts of all six tiles, with quiet and edge lines at their
 * rates, sequence numbers rising. The hand loop checks the CRC byte by byte and unpacks samples and contacts into
 * one array that it owns, and builds nothing else: it is the floor, not a decoder.
 */
import { performance } from 'node:perf_hooks';
import { decodeLine, encodeUp } from '../../firmware-protocol/line.ts';

const seconds = Number(process.argv[2] ?? 2);
let state = 7;
function next(bits: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state >>> (32 - bits);
}

const bursts: string[] = [];
const mix: string[] = [];
for (let seq = 0; seq < 2000; seq++) {
  const stamp = { boot: 1, seq, deviceUs: seq * 8000 };
  const samples = Uint16Array.from({ length: 96 }, () => next(10));
  const contacts = Uint8Array.from({ length: 6 }, () => next(8));
  const burst = encodeUp({ kind: 'burst', ...stamp, tileMask: 63, gapMask: 0, halls: 2, samples, contacts });
  bursts.push(burst);
  mix.push(burst);
  if (seq % 5 < 2) {
    const means = Uint16Array.from({ length: 12 }, () => next(12));
    mix.push(encodeUp({ kind: 'quiet', ...stamp, inputs: 0, means }));
  }
  if (seq % 4 === 0) mix.push(encodeUp({ kind: 'edge', ...stamp, input: seq % 12, closed: true }));
}

const TABLE = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  TABLE[byte] = crc;
}
const SIX = new Uint8Array(128);
for (let i = 0; i < 64; i++) {
  SIX['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;
}
const owned = new Uint16Array(96);
const ownedContacts = new Uint8Array(6);

/** CRC, base64 and ten-bit samples of a six-tile burst, and nothing more. */
function bare(line: string): number {
  let crc = 0xffff;
  for (let i = 0; i < 195; i++) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ line.charCodeAt(i)] ?? 0);
  if (crc !== Number.parseInt(line.slice(195), 16)) return 0;
  let held = 0;
  let bits = 0;
  let out = 0;
  let at = 26;
  for (let tile = 0; tile < 6; tile++) {
    for (let i = 0; i < 16; i++) {
      while (bits < 10) {
        held = ((held << 6) | (SIX[line.charCodeAt(at++)] ?? 0)) & 0xffff;
        bits += 6;
      }
      bits -= 10;
      owned[out++] = (held >> bits) & 1023;
    }
    while (bits < 8) {
      held = ((held << 6) | (SIX[line.charCodeAt(at++)] ?? 0)) & 0xffff;
      bits += 6;
    }
    bits -= 8;
    ownedContacts[tile] = (held >> bits) & 255;
  }
  return out;
}

function ours(line: string): number {
  const got = decodeLine(line);
  if (!got.ok) throw new Error(`${got.fault}: ${got.detail}`);
  return got.frame.kind === 'burst' ? got.frame.samples.length : 0;
}

/** Lines and samples a second over at least `ms`. */
function rate(lines: readonly string[], read: (line: string) => number, ms: number) {
  let samples = 0;
  let rounds = 0;
  const start = performance.now();
  let spent = 0;
  do {
    for (const line of lines) samples += read(line);
    rounds++;
    spent = performance.now() - start;
  } while (spent < ms);
  return { lines: (rounds * lines.length * 1000) / spent, samples: (samples * 1000) / spent };
}

rate(bursts, bare, 200);
rate(mix, ours, 200);
rate(bursts, ours, 200);
// Turn about, and the best of each, since other programs share the machine.
const best = {
  bare: { lines: 0, samples: 0 },
  ours: { lines: 0, samples: 0 },
  mix: { lines: 0, samples: 0 },
};
for (let turn = 0; turn < 4; turn++) {
  for (const [name, lines, read] of [
    ['bare', bursts, bare],
    ['ours', bursts, ours],
    ['mix', mix, ours],
  ] as const) {
    const got = rate(lines, read, (seconds * 1000) / 4);
    if (got.lines > best[name].lines) best[name] = got;
  }
}
const show = (value: number) => Math.round(value).toLocaleString('en');
const report = (name: string, got: { readonly lines: number; readonly samples: number }) =>
  process.stdout.write(
    `${name.padEnd(34)}${show(got.lines).padStart(12)} lines/s ${show(got.samples).padStart(13)} samples/s\n`,
  );
report('bare hand loop, six-tile bursts', best.bare);
report('decodeLine, six-tile bursts', best.ours);
report('decodeLine, bursts, quiet, edges', best.mix);
process.stdout.write(`ratio to the bare hand loop ${(best.ours.samples / best.bare.samples).toFixed(2)}\n`);
