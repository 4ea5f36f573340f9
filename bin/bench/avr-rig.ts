import { readFileSync } from 'node:fs';
import type { DownlinkFrame, UplinkFrame } from '../../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../../firmware-protocol/line.ts';
import { type AvrBoardOptions, createAvrBoard } from '../../sim/avr/board.ts';
import type { ChipName } from '../../sim/avr/chips.ts';
import type { BoardWorld } from '../../sim/world.ts';

/** The committed image of a board. The folder is looked for from the working directory, the root of the project. */
export function committedHex(chip: ChipName): string {
  return readFileSync(`firmware-protocol/hex/${chip}.hex`, 'utf8');
}

/** A line as it came, and what it says. */
export interface HeardLine {
  readonly atUs: number;
  readonly text: string;
  /** Undefined where the line does not decode. */
  readonly frame: UplinkFrame | undefined;
}

/** A board with the committed firmware and the least host that it needs: lines in and out, one answer at a time. */
export interface Rig {
  readonly board: ReturnType<typeof createAvrBoard>;
  /** Runs to a moment in steps of a millisecond and returns the lines heard on the way. */
  run(untilUs: number): HeardLine[];
  /** Where it stands, µs. */
  nowUs(): number;
  /** Puts a line on the wire. */
  send(frame: DownlinkFrame): void;
  /**
   * Sends a line and runs until its answer, at most 100 ms. Lines heard on the way are kept for the next `run`.
   * @throws Error when no answer comes
   */
  ask(frame: DownlinkFrame): { readonly status: string; readonly tookUs: number };
}

export function createRig(options: Omit<AvrBoardOptions, 'hex'> & { readonly hex?: string }): Rig {
  const board = createAvrBoard({ ...options, hex: options.hex ?? committedHex(options.chip) });
  let nowUs = 0;
  let rest = '';
  let heard: HeardLine[] = [];
  const step = (untilUs: number): void => {
    board.runTo(untilUs);
    nowUs = untilUs;
    for (const { atUs, bytes } of board.takeBytes()) {
      rest += String.fromCharCode(...bytes);
      if (!rest.endsWith('\n')) continue;
      const text = rest.slice(0, -1);
      rest = '';
      const decoded = decodeLine(text);
      heard.push({ atUs, text, frame: decoded.ok ? decoded.frame : undefined });
    }
  };
  const take = (): HeardLine[] => {
    const lines = heard;
    heard = [];
    return lines;
  };
  return {
    board,
    nowUs: () => nowUs,
    run(untilUs) {
      while (nowUs < untilUs) step(Math.min(untilUs, nowUs + 1000));
      return take();
    },
    send(frame) {
      board.feed(new TextEncoder().encode(`${encodeDown(frame)}\n`));
    },
    ask(frame) {
      const askedUs = nowUs;
      const before = heard.length;
      this.send(frame);
      while (nowUs < askedUs + 100_000) {
        step(nowUs + 1000);
        for (const line of heard.slice(before)) {
          if (line.frame?.kind === 'answer' && line.frame.tag === frame.tag) {
            return { status: line.frame.status, tookUs: line.atUs - askedUs };
          }
        }
      }
      throw new Error(`No answer to ${encodeDown(frame)} within 100 ms`);
    },
  };
}

/** Noise of up to ± a field, the same for the same sensor and moment. */
export function noiseMt(sensor: number, atUs: number, mT: number): number {
  let x = Math.imul(sensor + 1, 0x9e3779b1) ^ Math.floor(atUs * 16);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (((x ^ (x >>> 16)) >>> 0) / 0xffffffff - 0.5) * 2 * mT;
}

/** Back and forth in a straight line between ± a field, a period each. */
export function triangleMt(atUs: number, periodUs: number, mT: number): number {
  const phase = (atUs / periodUs) % 1;
  return mT * (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase);
}

/** The same world, and the moments at which a board sampled its sensor 0, µs, as they come. */
export function notingScans<World extends BoardWorld>(world: World): { world: World; scans: number[] } {
  const scans: number[] = [];
  const fieldMt: BoardWorld['fieldMt'] = (sensor, atUs) => {
    if (sensor === 0) scans.push(atUs);
    return world.fieldMt(sensor, atUs);
  };
  return { world: { ...world, fieldMt }, scans };
}

/** A table whose first tiles have something moving over them all the time. */
export function movingWorld(activeTiles: number, from = 0): BoardWorld {
  return {
    fieldMt: (sensor, atUs) =>
      noiseMt(sensor, atUs, 0.15) +
      (sensor >> 1 < activeTiles && atUs >= from ? triangleMt(atUs + 7919 * sensor, 150_000, 25) : 0),
    contact: () => false,
    gate: () => false,
    stud: () => false,
    nextEdgeUs: () => Number.POSITIVE_INFINITY,
  };
}
