import type { LinkId } from '../ids.ts';
import { dropCount } from './drop-count.ts';
import { type BoardProcess, forkedBoard, type StartBoard } from './firmata-fork.ts';
import { ALIVE_MS, endedTrouble, type FirmataTrouble, type FromBoard } from './firmata-messages.ts';
import { type FirmataOptions, firmataSchema, readOptions } from './firmata-options.ts';
import { isSendable, rawLineOf } from './raw-line.ts';
import { FIRST_RETRY_MS } from './retry.ts';
import type { Transport, TransportClock, TransportEvents, TransportKind } from './transport.ts';

/** A process that is mute for so many looks, one each second, hangs and is ended. */
const LOOKS = 5;
/** More of them until its first word: a small machine under load takes its time. */
const FIRST_LOOKS = 20;
/** Longest wait for a process to end in good order, ms. */
const CLOSE_LIMIT_MS = 1000;
/** Longest wait before a process is started again, ms: a start costs a small machine half a second. */
const LONGEST_WAIT_MS = 5000;

/** The Firmata transport over any way to start a process: the real one, or a fake in tests. */
export function firmataKind(start: StartBoard = forkedBoard()): TransportKind<FirmataOptions> {
  return {
    name: 'firmata',
    optionsSchema: firmataSchema,
    parse: readOptions,
    open: async (link, options, events, clock) => openFirmata(start, link, options, events, clock),
  };
}

/**
 * A board with StandardFirmata, without firmware of ours, through johnny-five: the weakest way in. It is read every
 * 10 to 19 ms where our firmware takes a sample a millisecond, its lines have no checksums, and times are of arrival
 * here, so a roll is judged by less and more of them stay undetermined. A process of its own turns what it reads into
 * the lines of `firmware-protocol`; to the rest of the host it is one more board. The layout needs `sensors: axis`.
 */
export const firmata = firmataKind();

/** One process, from its start to its end. */
interface Life {
  readonly board: BoardProcess;
  looks: number;
  spoke: boolean;
}

function openFirmata(
  start: StartBoard,
  link: LinkId,
  options: FirmataOptions,
  events: TransportEvents,
  clock: TransportClock,
): Transport {
  const drops = dropCount(link, events, clock);
  let closed: Promise<void> | undefined;
  let life: Life | undefined;
  let isUp = false;
  let told: string | undefined;
  let tries = 0;
  let bootId = firstBootId();
  let cancelRetry = (): void => {};
  let cancelWatch = (): void => {};
  let onEnded = (): void => {};

  const tellDown = (trouble: FirmataTrouble): void => {
    if (closed !== undefined || (!isUp && told === trouble.reason)) return;
    isUp = false;
    told = trouble.reason;
    events.down(link, trouble.reason, trouble.remedy, trouble.code);
  };

  const begin = (): void => {
    const mine: Life = {
      looks: 0,
      spoke: false,
      board: start({
        told(message) {
          if (life === mine && closed === undefined) hear(mine, message);
        },
        ended(how) {
          if (life === mine) end(how);
        },
      }),
    };
    life = mine;
    mine.board.ask({ ask: 'start', options, bootId });
    bootId = (bootId + 1) & 0xffff;
    watch(mine);
  };

  const hear = (mine: Life, message: unknown): void => {
    mine.looks = 0;
    mine.spoke = true;
    if (!isFromBoard(message)) {
      drops.add('message that is not understood');
      return;
    }
    switch (message.told) {
      case 'alive':
        break;
      case 'up':
        if (isUp) break;
        isUp = true;
        told = undefined;
        tries = 0;
        events.up(link, message.detail);
        break;
      case 'line':
        if (isUp) events.line(link, rawLineOf(message.line));
        break;
      case 'down':
        tellDown(message);
        break;
      default:
        message satisfies never;
    }
  };

  const watch = (mine: Life): void => {
    cancelWatch = clock.after(ALIVE_MS, () => {
      if (life !== mine) return;
      mine.looks++;
      if (mine.looks < (mine.spoke ? LOOKS : FIRST_LOOKS)) {
        watch(mine);
        return;
      }
      tellDown(endedTrouble(`it was mute for ${mine.looks} s`));
      mine.board.kill();
    });
  };

  const end = (how: string | undefined): void => {
    life = undefined;
    cancelWatch();
    onEnded();
    if (closed !== undefined) return;
    // One that said why it ends has been heard already.
    if (isUp || how !== undefined) tellDown(endedTrouble(how ?? 'it said no reason'));
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_RETRY_MS * 2 ** Math.min(tries++, 10));
    cancelRetry = clock.after(waitMs, begin);
  };

  const close = async (): Promise<void> => {
    cancelRetry();
    cancelWatch();
    drops.flush();
    const last = life;
    if (last === undefined) return;
    await new Promise<void>((resolve) => {
      const kill = clock.after(CLOSE_LIMIT_MS, () => {
        last.board.kill();
        resolve();
      });
      onEnded = () => {
        kill();
        resolve();
      };
      if (!last.board.ask({ ask: 'stop' })) last.board.kill();
    });
    life = undefined;
  };

  begin();
  return {
    link,
    send(line) {
      if (!isUp || closed !== undefined || life === undefined) return false;
      if (isSendable(line)) return life.board.ask({ ask: 'line', line });
      drops.add('line that cannot be sent');
      return true;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** Firmata keeps no boot counter: seconds of the wall clock rise from one start of the host to the next. */
function firstBootId(): number {
  return Math.floor(Date.now() / 1000) & 0xffff;
}

function isFromBoard(message: unknown): message is FromBoard {
  if (typeof message !== 'object' || message === null || !('told' in message)) return false;
  const has = (key: string): boolean => key in message && typeof Object(message)[key] === 'string';
  switch (message.told) {
    case 'alive':
      return true;
    case 'up':
      return has('detail');
    case 'line':
      return has('line');
    case 'down':
      return has('code') && has('reason') && has('remedy');
    default:
      return false;
  }
}
