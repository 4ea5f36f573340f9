/**
 * A generic board under StandardFirmata in virtual time: halls read each 19 ms, inputs told as they change, everything
 * stamped on arrival, by the translator that the real transport uses.
 */
import { INPUT } from '../../firmware-protocol/frame.ts';
import { createTranslator } from '../../host/transports/firmata-translator.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import type { BoardFactory } from '../../sim/table.ts';
import { voltsOf } from '../../sim/world.ts';

/** Firmata's own sampling interval. */
const SAMPLING_MS = 19;
/** StandardFirmata looks at its inputs once a loop; a USB read brings what has gathered, up to this late, ms. */
const LATEST_MS = 4;
const STEP_US = 1000;
/** The boot loader and the asking for pins, ms. */
const BEGINS_MS = 1000;
const INPUTS = [INPUT.nearGateA, INPUT.farGateA] as const;

/** Boards that only Firmata's readings are known of; one hall a tile. */
export const firmataBoards: BoardFactory = ({ world, side, tiles, halls, device, bootId = 1 }) => {
  const out: { readonly atUs: number; readonly bytes: Uint8Array }[] = [];
  const stream = streamOf(hash32(bootId, 93, side === 'A' ? 1 : 2), 1);
  let nowUs = 0;
  let begun = false;
  const waiting: { readonly dueUs: number; readonly tell: () => void }[] = [];
  const translator = createTranslator({
    device,
    side,
    tiles,
    samplingMs: SAMPLING_MS,
    gates: true,
    stud: false,
    leds: false,
    bootId,
    build: 'F1F1F1F1',
    nowUs: () => nowUs,
    say(line) {
      out.push({ atUs: nowUs, bytes: Buffer.from(`${line}\n`, 'latin1') });
      return true;
    },
  });
  /** What the board notices now is heard a little later, in order. */
  const later = (tell: () => void): void => {
    const last = waiting.at(-1)?.dueUs ?? 0;
    const delay = Math.floor(unitOf(stream, nowUs) * LATEST_MS) * STEP_US;
    waiting.push({ dueUs: Math.max(last, nowUs + delay), tell });
  };
  const told = new Map<number, boolean>();
  const notice = (input: number, closed: boolean): void => {
    if (told.get(input) === closed) return;
    told.set(input, closed);
    later(() => translator.input(input, closed));
  };
  const step = (): void => {
    for (let tile = 0; tile < tiles; tile += 1) notice(tile, world.contact(tile, nowUs));
    INPUTS.forEach((input, gate) => {
      notice(input, world.gate(gate, nowUs));
    });
    if ((nowUs / STEP_US) % SAMPLING_MS === 0) {
      for (let tile = 0; tile < tiles; tile += 1) {
        const counts = Math.floor((voltsOf(world.fieldMt(tile * halls, nowUs)) / 5) * 1024);
        later(() => translator.hall(tile, Math.min(1023, counts)));
      }
    }
    for (let next = waiting[0]; next !== undefined && next.dueUs <= nowUs; next = waiting[0]) {
      waiting.shift();
      next.tell();
      translator.heard();
    }
    if (!begun && nowUs >= BEGINS_MS * 1000 && translator.complete) {
      begun = true;
      translator.begin();
    }
    if (begun) translator.tick();
  };
  return {
    runTo(atUs) {
      for (; nowUs + STEP_US <= atUs; ) {
        nowUs += STEP_US;
        step();
      }
    },
    takeBytes: () => out.splice(0),
    feed() {},
    leds: () => ({ rgb: new Uint32Array(tiles), writes: 0 }),
    reset() {
      begun = false;
    },
  };
};
