/**
 * Readings of a Firmata board as lines of a BakuCore board, without a wire, a process or johnny-five. Firmata has no
 * clock, no numbers and no checksums: times are of arrival (the hello says so), the rest is added here.
 */
import {
  type BoardSide,
  CAPABILITY,
  INPUT,
  MEAN_STEPS_PER_COUNT,
  PROTOCOL_VERSION,
  SAMPLE_MAX,
  type UplinkFrame,
} from '../../firmware-protocol/frame.ts';
import { encodeUp } from '../../firmware-protocol/line.ts';

/** Version of this translator, in the place of a firmware's. */
export const TRANSLATOR_VERSION = '1.0.0';
/** Time between quiet lines, µs. */
export const QUIET_US = 20_000;
/** Without a byte from the board for so long, µs, nothing is said in its name: the host shall see the gap. */
const STALE_US = 60_000;
const SECOND_US = 1_000_000;
/** Edges told in one window; contacts share one allowance, gates and studs another. */
const EDGES_IN_WINDOW = 32;
const WINDOW_US = 100_000;
const EDGES_OVER_LIMIT = 5;
const MOST_COUNTED = 65_535;

/** A frame without its number. */
export type Unstamped = UplinkFrame extends infer Frame
  ? Frame extends UplinkFrame
    ? Omit<Frame, 'boot' | 'seq'>
    : never
  : never;

export interface TranslatorAsk {
  /** Eight upper-case hex digits. */
  readonly device: string;
  readonly side: BoardSide;
  readonly tiles: number;
  readonly samplingMs: number;
  readonly gates: boolean;
  readonly stud: boolean;
  readonly leds: boolean;
  /** 0 to 65535, another at each start. */
  readonly bootId: number;
  /** Eight upper-case hex digits that tell firmwares of boards apart. */
  readonly build: string;
  /** µs since the translator started; only rises. */
  readonly nowUs: () => number;
  /** Takes a line without its end; false when it had to be dropped. */
  readonly say: (line: string) => boolean;
}

export interface Translator {
  /** Bytes came from the board. */
  heard(): void;
  /** A reading of a tile's hall, 0 to 1023. */
  hall(tile: number, counts: number): void;
  /** A level of an input; the number as in README section 4. Levels before `begin` make no edges. */
  input(input: number, closed: boolean): void;
  /** True once every hall was read. */
  readonly complete: boolean;
  /** First hello; lines go out from here on. */
  begin(): void;
  /** Says what has fallen due. To be called at least every 20 ms; a call that comes late leaves lines out. */
  tick(): void;
  /** Numbers a frame and says it, unless the board is stale. */
  tell(frame: Unstamped): void;
  greet(): void;
  /** Device clock, 32 bits. */
  deviceUs(): number;
  /** Counts a line down that did not decode. */
  countFault(): void;
  /** Input 23 of quiet lines. */
  armed: boolean;
  /** Faults as in README section 5 that the last readings show: halls at a rail, inputs that are closed. */
  findings(): readonly { readonly code: number; readonly detail: number }[];
}

export function createTranslator(ask: TranslatorAsk): Translator {
  const { tiles, nowUs } = ask;
  const sums = new Float64Array(tiles);
  const counts = new Uint32Array(tiles);
  const means = new Uint16Array(tiles);
  const read = new Set<number>();
  let begun = false;
  let seq = 0;
  let inputs = 0;
  let heardUs = nowUs();
  let quietDueUs = 0;
  let helloDueUs = 0;
  let healthDueUs = 0;
  let faultDueUs = 0;
  let windowUs = 0;
  let contactEdges = 0;
  let otherEdges = 0;
  let edgeDrops = 0;
  let lastDropped = -1;
  let txDrops = 0;
  let rxFaults = 0;
  let slipUs = 0;

  const capabilities =
    CAPABILITY.contacts |
    CAPABILITY.arrivalStamped |
    (ask.gates ? CAPABILITY.gates : 0) |
    (ask.stud ? CAPABILITY.stud : 0) |
    (ask.leds ? CAPABILITY.leds : 0);
  const deviceUs = (): number => Math.floor(nowUs()) >>> 0;
  const capped = (count: number): number => Math.min(MOST_COUNTED, Math.floor(count));

  const tell = (frame: Unstamped): void => {
    if (!begun || nowUs() - heardUs > STALE_US) return;
    const stamped = { ...frame, boot: ask.bootId & 0xff, seq } satisfies UplinkFrame;
    seq = (seq + 1) & 0xffff;
    if (!ask.say(encodeUp(stamped))) txDrops++;
  };

  const greet = (): void =>
    tell({
      kind: 'hello',
      deviceUs: deviceUs(),
      bootId: ask.bootId,
      device: ask.device,
      side: ask.side,
      protocol: PROTOCOL_VERSION,
      firmware: TRANSLATOR_VERSION,
      build: ask.build,
      tiles,
      halls: 1,
      sampleHz: Math.floor(1000 / ask.samplingMs),
      capabilities,
      resetCause: 0,
    });

  const quiet = (): void => {
    for (let tile = 0; tile < tiles; tile++) {
      const count = counts[tile] ?? 0;
      // A hall that was not read meanwhile is said to be as it was.
      if (count > 0) means[tile] = quarters((sums[tile] ?? 0) / count);
    }
    sums.fill(0);
    counts.fill(0);
    const armed = translator.armed ? 1 << INPUT.armed : 0;
    tell({ kind: 'quiet', deviceUs: deviceUs(), inputs: inputs | armed, means: means.slice() });
  };

  const health = (): void => {
    tell({
      kind: 'health',
      deviceUs: deviceUs(),
      uptimeS: Math.floor(nowUs() / SECOND_US),
      supplyMv: 0,
      rxOverruns: 0,
      rxFaults: capped(rxFaults),
      txDrops: capped(txDrops),
      edgeDrops: capped(edgeDrops),
      stackFreeBytes: MOST_COUNTED,
      lostScans: 0,
      slipUs: capped(slipUs),
    });
    slipUs = 0;
  };

  const edge = (input: number, closed: boolean): void => {
    const atUs = nowUs();
    if (atUs - windowUs >= WINDOW_US) {
      windowUs = atUs;
      contactEdges = 0;
      otherEdges = 0;
    }
    const isContact = input < INPUT.nearGateA;
    if ((isContact ? contactEdges : otherEdges) >= EDGES_IN_WINDOW) {
      edgeDrops++;
      lastDropped = input;
      return;
    }
    if (isContact) contactEdges++;
    else otherEdges++;
    tell({ kind: 'edge', deviceUs: deviceUs(), input, closed });
  };

  const translator: Translator = {
    armed: false,
    heard() {
      heardUs = nowUs();
    },
    hall(tile, reading) {
      sums[tile] = (sums[tile] ?? 0) + reading;
      counts[tile] = (counts[tile] ?? 0) + 1;
      read.add(tile);
    },
    input(input, closed) {
      const bit = 1 << input;
      if (((inputs & bit) !== 0) === closed) return;
      inputs ^= bit;
      if (begun) edge(input, closed);
    },
    get complete() {
      return read.size === tiles;
    },
    begin() {
      begun = true;
      const atUs = nowUs();
      quietDueUs = atUs + QUIET_US;
      helloDueUs = atUs + SECOND_US;
      healthDueUs = atUs + SECOND_US / 2;
      greet();
    },
    tick() {
      const atUs = nowUs();
      if (!begun || atUs < quietDueUs) return;
      const lateUs = atUs - quietDueUs;
      slipUs = Math.max(slipUs, lateUs);
      // A pause of this process is a gap for the host, not a burst of old news.
      quietDueUs += QUIET_US * (1 + Math.floor(lateUs / QUIET_US));
      quiet();
      if (atUs >= helloDueUs) {
        helloDueUs = atUs + SECOND_US;
        greet();
      }
      if (atUs >= healthDueUs) {
        healthDueUs = atUs + SECOND_US;
        health();
      }
      if (lastDropped >= 0 && atUs >= faultDueUs) {
        faultDueUs = atUs + SECOND_US;
        tell({ kind: 'fault', deviceUs: deviceUs(), code: EDGES_OVER_LIMIT, detail: lastDropped });
        lastDropped = -1;
      }
    },
    tell,
    greet,
    deviceUs,
    countFault() {
      rxFaults++;
    },
    findings() {
      const found: { code: number; detail: number }[] = [];
      means.forEach((mean, tile) => {
        const level = mean / MEAN_STEPS_PER_COUNT;
        if (level < 8) found.push({ code: 1, detail: tile });
        else if (level > 1015) found.push({ code: 2, detail: tile });
      });
      for (let input = 0; input < 22; input++) {
        if ((inputs & (1 << input)) !== 0) found.push({ code: 4, detail: input });
      }
      return found;
    },
  };
  return translator;
}

function quarters(counts: number): number {
  const most = SAMPLE_MAX * MEAN_STEPS_PER_COUNT;
  return Math.min(most, Math.max(0, Math.round(counts * MEAN_STEPS_PER_COUNT)));
}
