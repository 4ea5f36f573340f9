/**
 * Lines a second from raw text to admitted frames in host time, on one core: two boards, each with bursts of six
 * tiles at 125 and quiet lines at 50 a second; the second board is heard on serial and MQTT at once.
 *
 *     bakucore bench links
 */
import { performance } from 'node:perf_hooks';
import { encodeUp } from '../../firmware-protocol/line.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createLinks, hearLine, MQTT_WIRE, SERIAL_WIRE } from '../../host/sensing/links.ts';
import type { LinkNotice } from '../../host/sensing/seen.ts';

type Arrival = {
  readonly link: string;
  readonly line: string;
  readonly atMs: number;
  readonly device?: string;
};
const SECONDS = 60;
const arrivals: Arrival[] = [];
for (const [link, device, side] of [
  ['usb-a', '5C0FFEE1', 'A'],
  ['usb-b', '0BADCAFE', 'B'],
] as const) {
  let seq = 0;
  const say = (atMs: number, make: (stamp: { boot: number; seq: number; deviceUs: number }) => string) => {
    const line = make({ boot: 1, seq: seq++ & 0xffff, deviceUs: atMs * 1000 });
    arrivals.push({ link, line, atMs: atMs + 2 });
    if (side === 'B') arrivals.push({ link: 'mqtt', line, atMs: atMs + 9, device });
  };
  const about = { protocol: 1, firmware: '1.0.0', build: '00000000', tiles: 6, halls: 2, sampleHz: 1000 };
  for (let ms = 0; ms < SECONDS * 1000; ms++) {
    if (ms % 1000 === 0) {
      say(ms, (stamp) =>
        encodeUp({
          kind: 'hello',
          ...stamp,
          bootId: 1,
          device,
          side,
          ...about,
          capabilities: 15,
          resetCause: 1,
        }),
      );
    }
    if (ms % 20 === 5) {
      say(ms, (stamp) =>
        encodeUp({ kind: 'quiet', ...stamp, inputs: 0, means: new Uint16Array(12).fill(2048) }),
      );
    }
    if (ms % 8 === 3) {
      const samples = Uint16Array.from({ length: 96 }, (_, i) => (ms * 7 + i * 13) & 1023);
      const packed = { tileMask: 63, gapMask: 0, halls: 2, samples, contacts: new Uint8Array(6) };
      say(ms, (stamp) => encodeUp({ kind: 'burst', ...stamp, ...packed }));
    }
  }
}
arrivals.sort((a, b) => a.atMs - b.atMs);

const setting = {
  layout: FIXED_12,
  links: [
    { link: 'usb-a', wire: SERIAL_WIRE },
    { link: 'usb-b', wire: SERIAL_WIRE },
    { link: 'mqtt', wire: MQTT_WIRE },
  ],
};
let best = 0;
let fresh = 0;
let samples = 0;
let bestSamples = 0;
for (let round = 0; round < 30; round++) {
  const links = createLinks(setting);
  const out: LinkNotice[] = [];
  fresh = 0;
  samples = 0;
  const start = performance.now();
  for (const { link, line, atMs, device } of arrivals) {
    const heard = hearLine(links, link, { line }, atMs, device === undefined ? undefined : { device }, out);
    if (heard.kind !== 'fresh') continue;
    fresh++;
    if (heard.frame.kind === 'burst') samples += heard.frame.samples.length;
  }
  const spentMs = performance.now() - start;
  if (out.length > 0) throw new Error(`notices in fair weather: ${out[0]?.text}`);
  best = Math.max(best, (arrivals.length * 1000) / spentMs);
  bestSamples = Math.max(bestSamples, (samples * 1000) / spentMs);
}
const show = (value: number) => Math.round(value).toLocaleString('en');
process.stdout.write(
  `hearLine ${show(best)} lines/s, ${show(bestSamples)} samples/s; ${arrivals.length} lines, ${fresh} fresh\n`,
);
