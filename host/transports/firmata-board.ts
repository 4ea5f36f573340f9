/**
 * The process that speaks with one Firmata board, for one life of it: opens the port, waits for the board, reads it,
 * and ends when either is gone. johnny-five lives here and nowhere else: what it prints, holds up or throws is no
 * matter of the host. Started by `firmata-fork.ts`; ends with its parent, however that ends.
 */
import { createHash } from 'node:crypto';
import bind, { type Firmata } from 'firmata-io';
import { wordsOf } from '../fault.ts';
import { createAnswers } from './firmata-answers.ts';
import {
  ALIVE_MS,
  type FirmataTrouble,
  type FromBoard,
  mutedTrouble,
  noAnswerTrouble,
  restartedTrouble,
  type ToBoard,
} from './firmata-messages.ts';
import type { FirmataOptions } from './firmata-options.ts';
import { boardOver, createParts, pinTrouble } from './firmata-parts.ts';
import { openPort } from './firmata-port.ts';
import { createTranslator, QUIET_US } from './firmata-translator.ts';

/** The board is asked for its name this often until it tells, ms: a board that was not reset does not by itself. */
const ASK_MS = 500;
/** Levels settle for so long after the pins are set up, ms. */
const SETTLE_MS = 100;
/** Messages that may wait for a host that is held up: 10 s of them. More are dropped and counted. */
const MOST_WAITING = 600;

let waiting = 0;
function send(message: FromBoard, then: () => void = () => {}): void {
  if (process.send === undefined) return;
  waiting++;
  process.send(message, undefined, undefined, () => {
    waiting--;
    then();
  });
}

let ended = false;
/** Tells why and ends; the host starts the next life. */
function end(trouble: FirmataTrouble): void {
  if (ended) return;
  ended = true;
  send({ told: 'down', ...trouble }, () => process.exit(0));
}

let take = (_line: string): void => {};
let stop = (): void => process.exit(0);

async function live(options: FirmataOptions, bootId: number): Promise<void> {
  const { path, baudRate, answerMs, silentMs } = options;
  const port = await openPort({
    path,
    baudRate,
    failed: (trouble) => send({ told: 'down', ...trouble }),
    lost: end,
  });
  let heard = false;
  let translatorHeard = (): void => {};
  // Before any other listener: what is read of these bytes counts as news of the board.
  port.on('data', () => {
    heard = true;
    translatorHeard();
  });
  // firmata-io would ask once, after 5 s.
  const io = new bind.Firmata(port, { reportVersionTimeout: 2 ** 30 });
  const board = boardOver(io);
  const isReady = await ready(io, answerMs);
  if (!isReady) return end(noAnswerTrouble(path, answerMs));
  io.on('reportversion', () => end(restartedTrouble(path)));
  const trouble = pinTrouble(io, options);
  if (trouble !== undefined) return end(trouble);

  const { name = 'a board without a name', version } = io.firmware;
  const firmware = `${name} ${version?.major ?? 0}.${version?.minor ?? 0}`;
  const startedMs = performance.now();
  const translator = createTranslator({
    device: options.device,
    side: options.side,
    tiles: options.tiles.length,
    samplingMs: options.samplingMs,
    gates: options.gates !== undefined || options.gatesB !== undefined,
    stud: options.stud !== undefined || options.studB !== undefined,
    leds: options.tiles.some(({ led }) => led !== undefined),
    bootId,
    build: createHash('sha256').update(firmware).digest('hex').slice(0, 8).toUpperCase(),
    nowUs: () => (performance.now() - startedMs) * 1000,
    say(line) {
      if (waiting > MOST_WAITING) return false;
      send({ told: 'line', line });
      return true;
    },
  });
  translatorHeard = () => translator.heard();
  io.setSamplingInterval(options.samplingMs);
  const parts = createParts(board, io, options, translator);
  const answers = createAnswers({
    translator,
    tiles: options.tiles.length,
    lit: options.tiles.reduce((mask, { tile, led }) => (led === undefined ? mask : mask | (1 << tile)), 0),
    show: parts.show,
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  });
  setInterval(() => {
    if (!heard) end(mutedTrouble(path, silentMs));
    heard = false;
  }, silentMs);
  stop = () => {
    // The board would go on sending to whoever opens the port next.
    io.reset();
    port.drain(() => port.close(() => process.exit(0)));
  };

  setTimeout(() => {
    const begin = setInterval(() => {
      if (!translator.complete) return;
      clearInterval(begin);
      send({
        told: 'up',
        detail: `${firmware} on ${path} at ${baudRate} baud, read every ${options.samplingMs} ms`,
      });
      translator.begin();
      take = answers.take;
      setInterval(() => translator.tick(), QUIET_US / 4000);
    }, 5);
  }, SETTLE_MS);
}

/** True as soon as the board has told what it is and which pins it has. */
async function ready(io: Firmata, answerMs: number): Promise<boolean> {
  const ask = (): void => {
    io.reportVersion(() => {});
    io.queryFirmware(() => {});
  };
  const asking = setInterval(ask, ASK_MS);
  io.once('queryfirmware', () => clearInterval(asking));
  const is = new Promise<boolean>((done) => {
    io.once('ready', () => done(true));
    setTimeout(() => done(false), answerMs);
  });
  // The port was open before there was a client on it.
  io.emit('connect');
  ask();
  const answer = await is;
  clearInterval(asking);
  return answer;
}

process.on('message', (asked: ToBoard) => {
  switch (asked.ask) {
    case 'start':
      live(asked.options, asked.bootId).catch((error: unknown) => {
        console.error(wordsOf(error));
        process.exit(1);
      });
      break;
    case 'line':
      take(asked.line);
      break;
    case 'stop':
      ended = true;
      stop();
      break;
    default:
      asked satisfies never;
  }
});
// The host is gone. Nothing must keep this process: neither a port that does not close nor a timer.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C reaches the whole terminal; the host decides.
process.on('SIGINT', () => {});
setInterval(() => send({ told: 'alive' }), ALIVE_MS);
send({ told: 'alive' });
if (process.send === undefined) {
  console.error('This program is started by the host; see the transport "firmata".');
  process.exit(2);
}
