/** A tile board without a chip: the firmware's lines and manners at a fraction of the cost. */
import type { AnswerStatus, BoardSide, DownlinkFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import { MAX_DOWN_BYTES } from '../firmware-protocol/frame.ts';
import { decodeDownLine, encodeUp } from '../firmware-protocol/line.ts';
import { KEYS_AT_BOOT, limitsFrom } from './tile-activity.ts';
import { createTileCore, type TileCore } from './tile-core.ts';
import type { BoardWorld, SimBoard } from './world.ts';

export interface ScriptedBoardAsk {
  readonly world: BoardWorld;
  readonly side: BoardSide;
  readonly tiles: number;
  readonly halls: number;
  /** Eight upper-case hex digits. */
  readonly device: string;
  /** EEPROM boot counter of the first boot, 0 to 65535; each reset adds one. */
  readonly bootId?: number;
  /** Boot loader's silence after power on and reset, ms. 1000 by default. */
  readonly silenceMs?: number;
  /** Rate error of the board's clock: 0.005 is half a per cent fast. */
  readonly clockError?: number;
  /** Device clock when the firmware starts first, µs. 0 by default; after a reset it starts at 0. */
  readonly clockStartUs?: number;
  /** Hears every frame before it is spelled. */
  readonly onFrame?: (frame: UplinkFrame, atUs: number) => void;
  /** False: frames only, no bytes. True by default. */
  readonly spell?: boolean;
}

/** One byte at 500000 baud, 8N1. */
const BYTE_US = 20;
const POWER_ON = 1;
const EXTERNAL_RESET = 2;
/** README section 6: keys and their ranges. */
const ONSET_KEY = 1;
const HOLD_KEY = 2;
const OPEN_KEY = 3;

export function createScriptedBoard(ask: ScriptedBoardAsk): SimBoard {
  const silenceUs = (ask.silenceMs ?? 1000) * 1000;
  const spell = ask.spell ?? true;
  let bootId = ask.bootId ?? 1;
  let device = ask.device;
  let side = ask.side;
  let nowUs = 0;
  let lineFreeUs = 0;
  let heardUs = 0;
  let listensUs = silenceUs;
  let text = '';
  let overlong = false;
  let keys = KEYS_AT_BOOT;
  let waiting: { readonly atUs: number; readonly byte: number }[] = [];
  let out: { atUs: number; bytes: Uint8Array }[] = [];

  const emit = (frame: UplinkFrame, atUs: number): void => {
    ask.onFrame?.(frame, atUs);
    if (!spell) return;
    const line = encodeUp(frame);
    const bytes = new Uint8Array(line.length + 1);
    for (let i = 0; i < line.length; i += 1) bytes[i] = line.charCodeAt(i);
    bytes[line.length] = 10;
    lineFreeUs = Math.max(lineFreeUs, atUs) + bytes.length * BYTE_US;
    out.push({ atUs: lineFreeUs, bytes });
  };

  const boot = (atUs: number, resetCause: number): TileCore =>
    createTileCore({
      world: ask.world,
      side,
      tiles: ask.tiles,
      halls: ask.halls,
      device,
      bootId,
      resetCause,
      startUs: atUs + silenceUs,
      clockError: ask.clockError ?? 0,
      clockStartUs: resetCause === POWER_ON ? (ask.clockStartUs ?? 0) : 0,
      emit,
    });
  let core = boot(0, POWER_ON);

  const answer = (tag: number, status: AnswerStatus): void =>
    core.say({ kind: 'answer', deviceUs: core.deviceUs(), tag, status });
  const exist = (mask: number): boolean => mask >> ask.tiles === 0;

  const configure = (key: number, value: number): AnswerStatus => {
    if (key === ONSET_KEY && value >= 8 && value <= 1020) keys = { ...keys, onsetQuarters: value };
    else if (key === HOLD_KEY && value >= 50 && value <= 5000) keys = { ...keys, holdMs: value };
    else if (key === OPEN_KEY && value >= 1 && value <= 100) keys = { ...keys, openMs: value };
    else return key >= ONSET_KEY && key <= OPEN_KEY ? 'refused' : 'unknown';
    Object.assign(core.limits, limitsFrom(keys));
    return 'ok';
  };

  const selfTest = (): void => {
    const { samples, inputs } = core.lastScan();
    samples.forEach((count, sensor) => {
      if (count >= 8 && count <= 1015) return;
      core.say({ kind: 'fault', deviceUs: core.deviceUs(), code: count < 8 ? 1 : 2, detail: sensor });
    });
    for (let input = 0; input < 22; input += 1) {
      if ((inputs & (1 << input)) !== 0) {
        core.say({ kind: 'fault', deviceUs: core.deviceUs(), code: 4, detail: input });
      }
    }
  };

  const obey = (frame: DownlinkFrame): void => {
    const { lights } = core;
    const status = done(frame);
    if (status !== 'later') answer(frame.tag, status);
    else if (frame.kind === 'led') core.afterWrite(() => answer(frame.tag, 'ok'));
    else {
      // Armed as soon as the strips show what they should.
      lights.hurry();
      core.afterWrite(() => {
        lights.arm(true);
        answer(frame.tag, 'ok');
      });
    }
  };

  /** Does what a line asks; `later`: answered after the next strip write. */
  const done = (frame: DownlinkFrame): AnswerStatus | 'later' => {
    const { lights } = core;
    switch (frame.kind) {
      case 'led':
        if (!exist(frame.tileMask)) return 'refused';
        lights.set(frame);
        return lights.armed ? 'held' : 'later';
      case 'arm':
        if (frame.armed && !lights.armed && lights.dirty) return 'later';
        lights.arm(frame.armed);
        return 'ok';
      case 'ping':
        return 'ok';
      case 'greet':
        core.greet();
        return 'ok';
      case 'identify':
        if (lights.armed || !exist(frame.tileMask)) return 'refused';
        lights.identify(frame.tileMask);
        return 'ok';
      case 'selftest':
        if (lights.armed) return 'refused';
        selfTest();
        return 'ok';
      case 'configure':
        return configure(frame.key, frame.value);
      case 'assign':
        if (lights.armed) return 'refused';
        side = frame.side;
        device = frame.side === 'unset' ? '00000000' : frame.device;
        core.setIdentity(device, side);
        core.greet();
        return 'ok';
      default:
        return frame satisfies never;
    }
  };

  const takeLine = (line: string): void => {
    const decoded = decodeDownLine(line);
    if (decoded.ok) {
      obey(decoded.frame);
      return;
    }
    if (decoded.fault === 'empty') return;
    core.countFault();
    const tag = /^[A-Z][0-9]{1,3},([0-9A-F]{2}),/.exec(line)?.[1];
    if (tag === undefined) return;
    const unknown = decoded.fault === 'unknown-kind' || decoded.fault === 'wrong-version';
    if (unknown) answer(Number.parseInt(tag, 16), 'unknown');
    else if (decoded.fault === 'bad-field') answer(Number.parseInt(tag, 16), 'refused');
  };

  const takeByte = (byte: number): void => {
    if (byte !== 10) {
      if (text.length < MAX_DOWN_BYTES) text += String.fromCharCode(byte);
      else overlong = true;
      return;
    }
    if (overlong) core.countFault();
    else takeLine(text);
    text = '';
    overlong = false;
  };

  return {
    runTo(atUs) {
      while (waiting.length > 0) {
        const end = waiting.findIndex((w) => w.byte === 10);
        const upTo = end < 0 ? waiting.length : end + 1;
        const last = waiting[upTo - 1];
        if (last === undefined || last.atUs > atUs) break;
        core.runTo(last.atUs);
        for (const { byte } of waiting.slice(0, upTo)) takeByte(byte);
        waiting = waiting.slice(upTo);
      }
      core.runTo(atUs);
      nowUs = atUs;
    },
    takeBytes() {
      if (out.length === 0) return [];
      const taken = out.filter((run) => run.atUs <= nowUs);
      out = out.filter((run) => run.atUs > nowUs);
      return taken;
    },
    feed(bytes) {
      // The boot loader listens to nobody's lines: what comes in its second is lost.
      heardUs = Math.max(heardUs, nowUs);
      for (const byte of bytes) {
        heardUs += BYTE_US;
        if (heardUs < listensUs) continue;
        waiting.push({ atUs: heardUs, byte });
      }
    },
    leds: () => ({ rgb: core.lights.rgb, writes: core.lights.writes }),
    reset() {
      bootId = (bootId + 1) & 0xffff;
      out = out.filter((run) => run.atUs <= nowUs);
      waiting = [];
      text = '';
      keys = KEYS_AT_BOOT;
      lineFreeUs = nowUs;
      listensUs = nowUs + silenceUs;
      core = boot(nowUs, EXTERNAL_RESET);
    },
  };
}
