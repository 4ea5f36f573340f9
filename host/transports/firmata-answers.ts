/** Lines down to a Firmata board: what its LEDs show, and the answer to each line. */
import {
  ANIMATION,
  type AnswerStatus,
  type DownlinkFrame,
  type LedFrame,
} from '../../firmware-protocol/frame.ts';
import { decodeDownLine } from '../../firmware-protocol/line.ts';
import type { Translator } from './firmata-translator.ts';

/** What a status LED shows. */
export interface Look {
  /** Brightness 0 to 255; 0 is dark. A pin without PWM shows all else as full. */
  readonly level: number;
  /** Half a period of blinking, ms; 0 is steady. */
  readonly blinkMs: number;
}

export interface AnswersAsk {
  readonly translator: Translator;
  readonly tiles: number;
  /** Bit i: tile i has a LED. */
  readonly lit: number;
  readonly show: (tile: number, look: Look) => void;
  readonly after: (ms: number, then: () => void) => () => void;
}

const IDENTIFY_MS = 3000;
const IDENTIFY: Look = { level: 255, blinkMs: 125 };
const DARK: Look = { level: 0, blinkMs: 0 };
/** One colour cannot breathe or chase: every animation blinks at a pace of its own. */
const BLINK_MS: Readonly<Record<number, number>> = {
  [ANIMATION.steady]: 0,
  [ANIMATION.breathe]: 1000,
  [ANIMATION.blink]: 250,
  [ANIMATION.chase]: 150,
  [ANIMATION.sparkle]: 80,
};

/**
 * Takes lines down and answers each as README section 3 says. A tile without a LED answers `unknown` (a kind that
 * this board does not have): a host would say a line that is `refused` again and again.
 */
export function createAnswers(ask: AnswersAsk): { take(line: string): void } {
  const { translator, tiles, lit } = ask;
  const looks = new Array<Look>(tiles).fill(DARK);
  let stopIdentify: (() => void) | undefined;

  const showAll = (mask: number): void => {
    looks.forEach((look, tile) => {
      if ((lit & mask & (1 << tile)) === 0) return;
      // Armed: nothing moves on the board.
      ask.show(tile, translator.armed ? { ...look, blinkMs: 0 } : look);
    });
  };
  const blinking = (): number =>
    looks.reduce((mask, { blinkMs }, tile) => (blinkMs > 0 ? mask | (1 << tile) : mask), 0);
  const endIdentify = (): void => {
    stopIdentify?.();
    if (stopIdentify !== undefined) showAll(lit);
    stopIdentify = undefined;
  };

  const led = (frame: LedFrame): AnswerStatus => {
    if (frame.tileMask >> tiles !== 0) return 'refused';
    if ((frame.tileMask & lit) === 0) return 'unknown';
    const { rgb, level } = frame;
    const brightest = Math.max(rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff);
    const look = { level: Math.round((brightest * level) / 255), blinkMs: BLINK_MS[frame.animation] ?? 0 };
    for (let tile = 0; tile < tiles; tile++) {
      if ((frame.tileMask & (1 << tile)) !== 0) looks[tile] = look;
    }
    if (translator.armed) return 'held';
    showAll(frame.tileMask);
    return 'ok';
  };

  const identify = (mask: number): AnswerStatus => {
    if (translator.armed || mask >> tiles !== 0) return 'refused';
    if ((mask & lit) === 0) return 'unknown';
    endIdentify();
    for (let tile = 0; tile < tiles; tile++) if ((lit & mask & (1 << tile)) !== 0) ask.show(tile, IDENTIFY);
    stopIdentify = ask.after(IDENTIFY_MS, endIdentify);
    return 'ok';
  };

  const obey = (frame: DownlinkFrame): AnswerStatus => {
    switch (frame.kind) {
      case 'led':
        return led(frame);
      case 'arm':
        endIdentify();
        translator.armed = frame.armed;
        showAll(frame.armed ? blinking() : lit);
        return 'ok';
      case 'ping':
        return 'ok';
      case 'greet':
        translator.greet();
        return 'ok';
      case 'identify':
        return identify(frame.tileMask);
      case 'selftest':
        if (translator.armed) return 'refused';
        for (const { code, detail } of translator.findings()) {
          translator.tell({ kind: 'fault', deviceUs: translator.deviceUs(), code, detail });
        }
        return 'ok';
      case 'configure':
        return 'unknown';
      case 'assign':
        // Its identity stands in the config of the host.
        return 'refused';
      default:
        return frame satisfies never;
    }
  };

  const answer = (tag: number, status: AnswerStatus): void =>
    translator.tell({ kind: 'answer', deviceUs: translator.deviceUs(), tag, status });

  return {
    take(line) {
      const decoded = decodeDownLine(line);
      if (decoded.ok) {
        answer(decoded.frame.tag, obey(decoded.frame));
        return;
      }
      translator.countFault();
      // Checksum and tag are right where the fault was found behind them.
      const tag = /^[A-Z][0-9]{1,3},([0-9A-F]{2}),/.exec(line)?.[1];
      if (tag === undefined) return;
      if (decoded.fault === 'bad-field') answer(Number.parseInt(tag, 16), 'refused');
      else if (decoded.fault === 'unknown-kind' || decoded.fault === 'wrong-version') {
        answer(Number.parseInt(tag, 16), 'unknown');
      }
    },
  };
}
