/** A serial port that is opened until it opens. Only for the process that speaks with a Firmata board. */
import { SerialPort } from 'serialport';
import type { FirmataTrouble } from './firmata-messages.ts';
import { retryDelay } from './retry.ts';
import { lostTrouble, openTrouble, stuckTrouble } from './serial-faults.ts';

/** After so long without an answer to `open`, ms, that is told; the answer is still waited for. */
const OPEN_LIMIT_MS = 5000;

export interface PortAsk {
  readonly path: string;
  readonly baudRate: number;
  /** Told at every try that fails or hangs. */
  readonly failed: (trouble: FirmataTrouble) => void;
  /** Told once, when an open port goes away. */
  readonly lost: (trouble: FirmataTrouble) => void;
}

/** Tries for ever; resolves with an open port of which nothing has been read yet. */
export async function openPort({ path, baudRate, failed, lost }: PortAsk): Promise<SerialPort> {
  for (let tries = 0; ; tries++) {
    const port = new SerialPort({ path, baudRate, autoOpen: false, hupcl: false });
    const stuck = setTimeout(() => failed(stuckTrouble(path)), OPEN_LIMIT_MS);
    const error = await new Promise<Error | null>((done) => port.open(done));
    clearTimeout(stuck);
    if (error === null) {
      const gone = (why: unknown): void => lost(lostTrouble(path, why));
      port.on('error', gone);
      port.on('close', gone);
      port.on('end', () => gone(undefined));
      return port;
    }
    failed(openTrouble(path, error));
    await new Promise((done) => setTimeout(done, retryDelay(tries)));
  }
}
