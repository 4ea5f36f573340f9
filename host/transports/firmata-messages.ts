import type { FaultCode } from '../fault.ts';
import type { FirmataOptions } from './firmata-options.ts';

/** Why a Firmata board cannot be heard, with what a person can do. */
export interface FirmataTrouble {
  readonly code: FaultCode;
  readonly reason: string;
  readonly remedy: string;
}

/** What the host asks of the process that speaks with the board. */
export type ToBoard =
  | { readonly ask: 'start'; readonly options: FirmataOptions; readonly bootId: number }
  | { readonly ask: 'line'; readonly line: string }
  | { readonly ask: 'stop' };

/** What that process tells. `alive` comes once a second, whatever the board does. */
export type FromBoard =
  | { readonly told: 'alive' }
  | { readonly told: 'up'; readonly detail: string }
  | { readonly told: 'line'; readonly line: string }
  | ({ readonly told: 'down' } & FirmataTrouble);

/** How long between two signs of life, ms. */
export const ALIVE_MS = 1000;

/** A board that answers nothing that Firmata would. */
export function noAnswerTrouble(path: string, answerMs: number): FirmataTrouble {
  return {
    code: 'firmata/no-answer',
    reason: `The board on ${path} did not introduce itself within ${answerMs} ms.`,
    remedy:
      'Upload StandardFirmata with the Arduino IDE (File, Examples, Firmata) and check that baudRate is 57600. A board with the BakuCore firmware belongs on the transport "serial".',
  };
}

/** The board sends nothing any more although its port is open. */
export function mutedTrouble(path: string, silentMs: number): FirmataTrouble {
  return {
    code: 'firmata/silent',
    reason: `The board on ${path} sent no reading for ${silentMs} ms.`,
    remedy: 'Press its reset button, or unplug it and plug it in again; the host goes on trying.',
  };
}

/** The board introduced itself again: it was reset and forgot what it was asked to report. */
export function restartedTrouble(path: string): FirmataTrouble {
  return {
    code: 'firmata/restarted',
    reason: `The board on ${path} started anew and is set up again.`,
    remedy: 'When this happens often, check its supply: LEDs on the 5 V of the board draw it down.',
  };
}

/** The config names a pin that this board does not have, or that cannot do what is asked. */
export function badPinTrouble(key: string, pin: string, why: string): FirmataTrouble {
  return {
    code: 'firmata/bad-pin',
    reason: `${key}: pin ${pin} of this board ${why}.`,
    remedy: 'Name another pin in the config; the pins are printed on the board.',
  };
}

/** The process went away by itself, or hung and was ended. */
export function endedTrouble(how: string): FirmataTrouble {
  return {
    code: 'firmata/ended',
    reason: `The process that speaks with the board ended (${how}).`,
    remedy: 'It is started again; when this repeats, install the dependencies again on this machine: npm ci',
  };
}
