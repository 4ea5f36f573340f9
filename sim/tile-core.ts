/**
 * What the firmware does between pins and lines, without a chip: scans each millisecond, a ring with samples from
 * before an onset, quiet means, bursts, edges, hello and health. Gives frames; spelling them is the board's.
 */
import { type BoardSide, CAPABILITY, INPUT, type UplinkFrame } from '../firmware-protocol/frame.ts';
import { createInputLook } from './input-look.ts';
import { createScanRing } from './scan-ring.ts';
import { type ActivityLimits, createTileActivity, KEYS_AT_BOOT, limitsFrom } from './tile-activity.ts';
import { createTileLights, type TileLights } from './tile-lights.ts';
import { type BoardWorld, countsOf } from './world.ts';

/** A frame without its stamp, so that the core numbers them in one place. */
export type Unstamped = UplinkFrame extends infer Frame
  ? Frame extends UplinkFrame
    ? Omit<Frame, 'boot' | 'seq'>
    : never
  : never;

export interface TileCoreAsk {
  readonly world: BoardWorld;
  readonly side: BoardSide;
  readonly tiles: number;
  readonly halls: number;
  readonly device: string;
  readonly bootId: number;
  readonly resetCause: number;
  /** Moment of the virtual clock at which the firmware starts, µs. */
  readonly startUs: number;
  /** The board's crystal against the virtual clock: 0.005 runs half a per cent fast. */
  readonly clockError: number;
  /** Device clock when the firmware starts, µs; 0 as a rule, near 2³² for tests of its wrap after 71.6 min. */
  readonly clockStartUs: number;
  /** Takes each frame with the moment it was made, µs of the virtual clock. */
  readonly emit: (frame: UplinkFrame, atUs: number) => void;
}

export interface TileCore {
  runTo(atUs: number): void;
  /** Numbers a frame and sends it now. */
  say(frame: Unstamped): void;
  /** Sends a hello now. */
  greet(): void;
  /** Device clock now, 32 bits. */
  deviceUs(): number;
  readonly limits: ActivityLimits;
  readonly lights: TileLights;
  /** Levels and inputs of the last scan, for the self-test. */
  lastScan(): { readonly samples: Uint16Array; readonly inputs: number };
  countFault(): void;
  setIdentity(device: string, side: BoardSide): void;
  /** Called after the next strip write. */
  afterWrite(then: () => void): void;
}

const QUIET_MS = 20;
/** Firmware version and build that scripted boards name. */
export const SCRIPTED_FIRMWARE = '1.0.0';
export const SCRIPTED_BUILD = '5C217ED0';

export function createTileCore(ask: TileCoreAsk): TileCore {
  const { world, tiles, halls, emit } = ask;
  const sensors = tiles * halls;
  const ring = createScanRing(tiles, halls);
  const { samples } = ring;
  const fields = new Float64Array(sensors);
  const sums = new Uint32Array(sensors);
  const means = new Uint16Array(sensors);
  const both = ask.side === 'both';
  const mostActive = Math.min(6, tiles);
  const activity = createTileActivity(tiles, halls, mostActive);
  const lights = createTileLights(tiles);
  const limits = limitsFrom(KEYS_AT_BOOT);
  const perDeviceUs = 1 / (1 + ask.clockError);
  const boot = ask.bootId & 0xff;
  const looker = createInputLook(world, tiles, both, (input, closed) =>
    say({ kind: 'edge', deviceUs: deviceNow(), input, closed }),
  );
  let device = ask.device;
  let side = ask.side;
  let seq = 0;
  /** Number of the scan to come, and its half-millisecond look before it. */
  let slot = 0;
  let inputs = 0;
  let tick = 0;
  let nowUs = ask.startUs;
  let quietMs = 0;
  let quietCount = 0;
  let settling = 2;
  let lostScans = 0;
  let rxFaults = 0;
  let skip = false;
  let written: (() => void)[] = [];

  /** Virtual time of a device moment. */
  const worldUs = (deviceUs: number): number => Math.round(ask.startUs + deviceUs * perDeviceUs);
  const deviceNow = (): number =>
    (Math.floor((nowUs - ask.startUs) * (1 + ask.clockError)) + ask.clockStartUs) >>> 0;

  const numbered = (): number => {
    const own = seq;
    seq = (seq + 1) & 0xffff;
    return own;
  };

  const say = (frame: Unstamped): void => {
    // In this order frames of one kind are of one shape on Node 20 too, and quick to read.
    emit({ boot, seq: numbered(), ...frame } as UplinkFrame, nowUs);
  };

  const greet = (): void => {
    say({
      kind: 'hello',
      deviceUs: deviceNow(),
      bootId: ask.bootId & 0xffff,
      device,
      side,
      protocol: 1,
      firmware: SCRIPTED_FIRMWARE,
      build: SCRIPTED_BUILD,
      tiles,
      halls,
      sampleHz: 1000,
      capabilities:
        CAPABILITY.contacts |
        CAPABILITY.gates |
        CAPABILITY.stud |
        CAPABILITY.leds |
        (tiles > 6 ? CAPABILITY.sharedRate : 0),
      resetCause: ask.resetCause,
    });
  };

  const scan = (): void => {
    const at = ring.place(slot);
    const gap = skip;
    if (gap) {
      ring.repeat(slot);
      lostScans = Math.min(65535, lostScans + 1);
    } else {
      if (world.fieldsMt !== undefined) world.fieldsMt(nowUs, fields);
      else for (let s = 0; s < sensors; s += 1) fields[s] = world.fieldMt(s, nowUs);
      for (let s = 0; s < sensors; s += 1) samples[at + s] = countsOf(fields[s] ?? 0);
    }
    skip = false;
    const contacts = inputs & 0xfff;
    ring.note(slot, contacts, gap);
    for (let s = 0; s < sensors; s += 1) sums[s] = (sums[s] ?? 0) + (samples[at + s] ?? 0);
    if (settling === 0) activity.scan(slot, samples, at, contacts, !gap, limits);
    slot += 1;
    quietMs += 1;
    if (quietMs === QUIET_MS) quiet();
    if (lights.turn(slot)) {
      skip = true;
      const due = written;
      written = [];
      for (const then of due) then();
    }
    burst();
    if (slot % 1000 === 0) greet();
    else if (slot % 1000 === 500) health();
  };

  const quiet = (): void => {
    quietMs = 0;
    for (let s = 0; s < sensors; s += 1) {
      means[s] = Math.floor(((sums[s] ?? 0) + 2) / (QUIET_MS / 4));
      sums[s] = 0;
    }
    if (settling > 0) {
      settling -= 1;
      activity.settle(means);
    } else {
      quietCount = (quietCount + 1) % 3;
      activity.follow(means, quietCount === 0, limits);
    }
    const armed = lights.armed ? 1 << INPUT.armed : 0;
    // Most frames are quiet ones and bursts: these are stamped as they are made, for a copy costs more than that.
    emit(
      {
        boot,
        seq: numbered(),
        kind: 'quiet',
        deviceUs: deviceNow(),
        inputs: inputs | armed,
        means: means.slice(),
      },
      nowUs,
    );
  };

  const burst = (): void => {
    for (;;) {
      const mask = activity.due(slot);
      if (mask === 0) return;
      const start = activity.dueStart();
      const { samples, contacts, gapMask } = ring.cut(mask, start);
      const deviceUs = (1000 * (start + 1) + ask.clockStartUs) >>> 0;
      const seq = numbered();
      emit({ boot, seq, kind: 'burst', deviceUs, tileMask: mask, gapMask, halls, samples, contacts }, nowUs);
      activity.sent(mask, start, limits);
    }
  };

  const health = (): void => {
    say({
      kind: 'health',
      deviceUs: deviceNow(),
      uptimeS: Math.floor(slot / 1000),
      supplyMv: 4990,
      rxOverruns: 0,
      rxFaults,
      txDrops: 0,
      edgeDrops: looker.drops(),
      stackFreeBytes: 400,
      lostScans,
      slipUs: 0,
    });
  };

  let begun = false;
  return {
    limits,
    lights,
    say,
    greet,
    deviceUs: deviceNow,
    lastScan: () => {
      const at = ring.place(slot - 1);
      return { samples: samples.slice(at, at + sensors), inputs };
    },
    countFault() {
      rxFaults = Math.min(65535, rxFaults + 1);
    },
    setIdentity(newDevice, newSide) {
      device = newDevice;
      side = newSide;
    },
    afterWrite(then) {
      written.push(then);
    },
    runTo(atUs) {
      if (!begun && atUs >= ask.startUs) {
        begun = true;
        nowUs = ask.startUs;
        greet();
      }
      // Looks come every half millisecond of the device clock, each second one with a scan; the first at 1 ms.
      for (;;) {
        const at = worldUs((tick + 2) * 500);
        if (at > atUs) break;
        nowUs = at;
        inputs = looker.look(nowUs);
        if (tick % 2 === 0) scan();
        tick += 1;
      }
      if (atUs > nowUs && begun) nowUs = atUs;
    },
  };
}
