/** The thread that runs a simulated table in real time. */
import { parentPort, workerData } from 'node:worker_threads';
import { createAvrBoard } from './avr/board.ts';
import { assignedEeprom } from './avr/identity.ts';
import type { FromWorld, LiveAsk, ToWorld } from './live-messages.ts';
import { type BoardFactory, createSimTable } from './table.ts';

/** Slice of real time between two looks, ms. */
const SLICE_MS = 2;
/** Virtual time further behind than this is given up, ms. */
const MOST_BEHIND_MS = 250;

const port = parentPort;
if (port === null) throw new Error('live-worker runs as a thread of sim/live.ts only');
const say = (message: FromWorld): void => port.postMessage(message);
const ask = workerData as LiveAsk;

const { hex } = ask;
const emulated: BoardFactory = ({ world, side, device }) =>
  createAvrBoard({
    chip: 'uno',
    hex: hex ?? '',
    world,
    eeprom: assignedEeprom('uno', device, side),
  });
const table = createSimTable({
  layout: ask.layout,
  seed: ask.seed,
  boards: hex === undefined ? 'scripted' : emulated,
});

say({ kind: 'ready', links: table.links, calibration: table.calibration() });

for (const link of table.links) {
  table.listen(link, {
    up: () => say({ kind: 'link', link, up: true, reason: 'simulated board plugged in' }),
    down: (reason) => say({ kind: 'link', link, up: false, reason }),
    chunk: ({ bytes }) => say({ kind: 'chunk', link, bytes }),
  });
}

let seen = '';
function tellSeen(): void {
  const standing = table.standing().map(({ player, cell }) => ({ player, cell }));
  const now = { kind: 'seen', auto: table.auto, thrown: table.thrown(), standing } as const;
  const text = JSON.stringify(now);
  if (text === seen) return;
  seen = text;
  say(now);
}

let startMs = performance.now();
let startUs = 0;
let looks = 0;
const timer = setInterval(() => {
  const dueUs = Math.floor((performance.now() - startMs) * 1000) + startUs;
  const behindMs = (dueUs - table.nowUs()) / 1000;
  if (behindMs > MOST_BEHIND_MS) {
    say({ kind: 'late', ms: behindMs });
    startMs = performance.now();
    startUs = table.nowUs() + SLICE_MS * 1000;
    table.runTo(startUs);
  } else table.runTo(dueUs);
  looks += 1;
  if (looks % 10 === 0) tellSeen();
}, SLICE_MS);

port.on('message', (message: ToWorld) => {
  switch (message.kind) {
    case 'feed':
      table.feed(message.link, message.bytes);
      return;
    case 'know':
      table.know(message.activity);
      return;
    case 'act': {
      const result = table.act(message.action);
      if (!result.ok) say({ kind: 'refused', action: message.action, why: result.why });
      tellSeen();
      return;
    }
    case 'stop':
      clearInterval(timer);
      port.close();
      return;
    default:
      message satisfies never;
  }
});
