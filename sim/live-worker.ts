/** The thread that runs a simulated table in real time. */
import { parentPort, workerData } from 'node:worker_threads';
import { createAvrBoard } from './avr/board.ts';
import { assignedEeprom } from './avr/identity.ts';
import type { FromWorld, LiveAsk, Told, ToWorld } from './live-messages.ts';
import { type BoardFactory, createSimTable } from './table.ts';

/** Slice of real time between two looks, ms. */
const SLICE_MS = 2;
/** Most virtual time run in one look, so that lines leave while they are fresh, ms. */
const MOST_AT_ONCE_MS = 10;
/** Virtual time further behind than this is given up, ms. */
const MOST_BEHIND_MS = 40;

const port = parentPort;
if (port === null) throw new Error('live-worker runs as a thread of sim/live.ts only');
const ask = workerData as LiveAsk;

const { hex, boots } = ask;
const emulated: BoardFactory = ({ world, side, device }) =>
  createAvrBoard({
    chip: 'uno',
    hex: hex ?? '',
    world,
    eeprom: assignedEeprom('uno', device, side, boots),
  });
const table = createSimTable({
  layout: ask.layout,
  seed: ask.seed,
  boards: hex === undefined ? 'scripted' : emulated,
  ...(boots === undefined ? {} : { boots }),
});

function say(message: FromWorld): void {
  const told: Told = { worldMs: table.nowUs() / 1000, message };
  port?.postMessage(told);
}

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

const writes = new Map<string, number>();
function tellLeds(): void {
  for (const link of table.links) {
    const leds = table.board(link).leds();
    if (writes.get(link) === leds.writes) continue;
    writes.set(link, leds.writes);
    say({ kind: 'leds', link, rgb: leds.rgb.slice() });
  }
}

let originMs = performance.now();
let looks = 0;
const timer = setInterval(() => {
  const behindUs = Math.floor((performance.now() - originMs) * 1000) - table.nowUs();
  const giveUpMs = behindUs / 1000 - MOST_BEHIND_MS;
  if (giveUpMs > 0) {
    originMs += giveUpMs;
    say({ kind: 'late', ms: giveUpMs });
  }
  if (behindUs > 0) table.runTo(table.nowUs() + Math.min(behindUs, MOST_AT_ONCE_MS * 1000));
  say({ kind: 'time' });
  looks += 1;
  if (looks % 10 === 0) {
    tellSeen();
    tellLeds();
  }
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
