/** Boards as links hear them, for tests: lines of a life, one after the other, with their device times. */
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import { encodeUp } from '../../firmware-protocol/line.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import {
  createLinks,
  type Heard,
  hearLine,
  type Links,
  linkDown,
  linksSeen,
  linkUp,
  MQTT_WIRE,
  SERIAL_WIRE,
  settleLinks,
} from '../../host/sensing/links.ts';
import type { LinkNotice } from '../../host/sensing/seen.ts';

export const SETTING = {
  layout: FIXED_12,
  links: [
    { link: 'usb-a', wire: SERIAL_WIRE },
    { link: 'usb-b', wire: SERIAL_WIRE },
    { link: 'mqtt', wire: MQTT_WIRE },
  ],
} as const;

export const DEVICE_A = '5C0FFEE1';
export const DEVICE_B = '0BADCAFE';

type Identity = { readonly device?: string; readonly side?: 'A' | 'B' | 'both' | 'unset' };

/** One board: makes lines with rising numbers. */
export class BoardVoice {
  readonly device: string;
  readonly side: 'A' | 'B' | 'both' | 'unset';
  bootId: number;
  seq = 0;
  tiles = 6;
  halls = 2;
  capabilities = 15;

  constructor(identity: Identity = {}, bootId = 42) {
    this.device = identity.device ?? DEVICE_A;
    this.side = identity.side ?? 'A';
    this.bootId = bootId;
  }

  private stamp(deviceMs: number) {
    const deviceUs = Math.round(deviceMs * 1000) % 2 ** 32;
    const seq = this.seq;
    this.seq = (this.seq + 1) & 0xffff;
    return { boot: this.bootId & 0xff, seq, deviceUs };
  }

  hello(deviceMs: number): string {
    return encodeUp({
      kind: 'hello',
      ...this.stamp(deviceMs),
      bootId: this.bootId,
      device: this.device,
      side: this.side,
      protocol: 1,
      firmware: '1.0.0',
      build: '9F86D081',
      tiles: this.tiles,
      halls: this.halls,
      sampleHz: 1000,
      capabilities: this.capabilities,
      resetCause: 1,
    });
  }

  quiet(deviceMs: number): string {
    const means = new Uint16Array(this.tiles * this.halls).fill(2048);
    return encodeUp({ kind: 'quiet', ...this.stamp(deviceMs), inputs: 0, means });
  }

  burst(deviceMs: number): string {
    const samples = new Uint16Array(8 * this.halls);
    const packed = { gapMask: 0, tileMask: 1, halls: this.halls, samples, contacts: new Uint8Array(1) };
    return encodeUp({ kind: 'burst', ...this.stamp(deviceMs), ...packed });
  }

  neighbours(deviceMs: number, tile: number, neighbours: readonly string[]): string {
    return encodeUp({ kind: 'adjacency', ...this.stamp(deviceMs), tile, neighbours });
  }

  answer(deviceMs: number, tag: number): string {
    return encodeUp({ kind: 'answer', ...this.stamp(deviceMs), tag, status: 'ok' });
  }

  /** Power or button: numbers and clock begin anew. `counts` false: the EEPROM does not keep the boot. */
  reset(counts = true): void {
    this.seq = 0;
    if (counts) this.bootId = (this.bootId + 1) & 0xffff;
  }
}

/** Links with their notices, and short words for what is done to them. */
export class Table {
  links: Links = createLinks(SETTING);
  notices: LinkNotice[] = [];

  hear(link: string, line: string, atMs: number, from?: { device?: string; retained?: boolean }): Heard {
    return hearLine(this.links, link, { line }, atMs, from, this.notices);
  }

  mqtt(device: string, line: string, atMs: number): Heard {
    return this.hear('mqtt', line, atMs, { device });
  }

  up(link: string, atMs: number): void {
    linkUp(this.links, link, atMs, this.notices);
  }

  down(link: string, atMs: number, reason = 'The port is gone.', remedy?: string): void {
    linkDown(this.links, link, atMs, reason, remedy, this.notices);
  }

  settle(toMs: number): void {
    settleLinks(this.links, toMs, this.notices);
  }

  codes(): readonly string[] {
    return this.notices.map((notice) => notice.code);
  }
}

/** Kind of what was heard, with its reason or fault. */
export function short(heard: Heard): string {
  switch (heard.kind) {
    case 'fresh':
      return heard.late ? 'late' : 'fresh';
    case 'repeat':
      return 'repeat';
    case 'fault':
      return heard.fault;
    case 'refused':
      return heard.reason;
    default:
      return heard satisfies never;
  }
}

/** The frame of a fresh line; fails the test otherwise. */
export function freshFrame(heard: Heard): UplinkFrame {
  if (heard.kind !== 'fresh') throw new Error(`not fresh: ${short(heard)}`);
  return heard.frame;
}

/** A table with board A on usb-a that has spoken from 0 to 1000 ms. */
export function running(): { table: Table; board: BoardVoice; atMs: number } {
  const table = new Table();
  const board = new BoardVoice();
  table.hear('usb-a', board.hello(0), 2);
  for (let ms = 20; ms <= 1000; ms += 20) table.hear('usb-a', board.quiet(ms), ms + 2);
  return { table, board, atMs: 1002 };
}

export const seenOf = (table: Table, link: string) => linksSeen(table.links).find((one) => one.link === link);
export const complaintsOf = (table: Table, link: string) => seenOf(table, link)?.complaints ?? [];
