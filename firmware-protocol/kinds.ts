/** One row a kind of line: its letter and its fields in wire order. Packed kinds are in line.ts. */

import {
  type Cursor,
  decimal,
  device,
  type Field,
  firmware,
  flag,
  hex,
  input,
  text,
  times,
  word,
} from './fields.ts';
import type {
  AdjacencyFrame,
  AnswerFrame,
  AnswerStatus,
  ArmFrame,
  AssignFrame,
  BoardSide,
  ConfigureFrame,
  EdgeFrame,
  FaultFrame,
  GreetFrame,
  HealthFrame,
  HelloFrame,
  IdentifyFrame,
  LedFrame,
  PingFrame,
  SelfTestFrame,
} from './frame.ts';
import { ANIMATION, MAX_TILES, PROTOCOL_VERSION } from './frame.ts';

/** A form for every field of a frame that its head does not carry. */
type FieldsOf<Frame> = {
  readonly [Name in Exclude<keyof Frame, 'kind' | 'boot' | 'seq'>]-?: Field<Frame[Name]>;
};

/** A kind of line whose fields are read one by one. */
export interface Row<Frame> {
  /** First character of the line. */
  readonly letter: string;
  /** Field names in wire order. */
  readonly names: readonly string[];
  /** Reads every field behind the head and lays it beside `head`; look at the cursor's fault before use. */
  read(cursor: Cursor, head: object): Frame;
  /** Fields behind the head, joined by commas. */
  write(frame: Frame): string;
}

function row<Frame extends { readonly kind: string }>(
  letter: string,
  kind: Frame['kind'],
  fields: FieldsOf<Frame>,
): Row<Frame> {
  const list = Object.entries<Field<unknown>>(fields);
  return {
    letter,
    names: list.map(([name]) => name),
    read(cursor, head) {
      const frame: Record<string, unknown> = { kind, ...head };
      for (const [name, field] of list) {
        frame[name] = field.read(cursor);
        if (cursor.fault !== undefined) {
          cursor.detail = `${kind}, ${name}: ${cursor.detail}`;
          break;
        }
      }
      if (cursor.fault === undefined && cursor.at !== cursor.end + 1)
        cursor.fail(`${kind}: a field too many`);
      // FieldsOf has the compiler check that the row names every field with its type.
      return frame as unknown as Frame;
    },
    write(frame) {
      const values = frame as Readonly<Record<string, unknown>>;
      return list.map(([name, field]) => field.write(values[name])).join(',');
    },
  };
}

const side: Field<BoardSide> = word<BoardSide>(
  [
    ['A', 'A'],
    ['B', 'B'],
    ['both', 'AB'],
    ['unset', '-'],
  ],
  'unset',
);

const status: Field<AnswerStatus> = word<AnswerStatus>(
  [
    ['ok', 'ok'],
    ['held', 'held'],
    ['refused', 'refused'],
    ['unknown', 'unknown'],
  ],
  'unknown',
);

const protocol: Field<number> = {
  read(cursor) {
    const value = decimal(255, 1).read(cursor);
    if (value !== PROTOCOL_VERSION) cursor.fail(`the board speaks protocol ${value}`, 'wrong-version');
    return value;
  },
  write: (value) => decimal(255, 1).write(value),
};

const u8 = hex(2);
const u16 = hex(4);
const u32 = hex(8);
const count = decimal(0xffff);
const someTiles = hex(3, 0xfff, 1);

/** Kinds up whose fields are read one by one, by letter. */
export const UP_ROWS = {
  hello: row<HelloFrame>('H', 'hello', {
    deviceUs: u32,
    bootId: u16,
    device,
    side,
    protocol,
    firmware,
    build: text(/^[0-9A-F]{8}$/, 'a hash of eight hex digits'),
    tiles: decimal(MAX_TILES, 1),
    halls: decimal(3, 1),
    sampleHz: decimal(0xffff, 1),
    capabilities: u16,
    resetCause: u8,
  }),
  edge: row<EdgeFrame>('E', 'edge', { deviceUs: u32, input, closed: flag }),
  health: row<HealthFrame>('S', 'health', {
    deviceUs: u32,
    uptimeS: decimal(0xffffffff),
    supplyMv: count,
    rxOverruns: count,
    rxFaults: count,
    txDrops: count,
    edgeDrops: count,
    stackFreeBytes: count,
    lostScans: count,
    slipUs: count,
  }),
  answer: row<AnswerFrame>('A', 'answer', { deviceUs: u32, tag: u8, status }),
  fault: row<FaultFrame>('F', 'fault', { deviceUs: u32, code: u8, detail: u16 }),
  adjacency: row<AdjacencyFrame>('N', 'adjacency', {
    deviceUs: u32,
    tile: hex(2, MAX_TILES - 1),
    neighbours: times(6, device),
  }),
} as const;

/** Kinds down, by name. The tag is each one's first field. */
export const DOWN_ROWS = {
  led: row<LedFrame>('L', 'led', {
    tag: u8,
    tileMask: someTiles,
    rgb: hex(6),
    level: u8,
    animation: hex(1, Math.max(...Object.values(ANIMATION))),
  }),
  arm: row<ArmFrame>('M', 'arm', { tag: u8, armed: flag }),
  ping: row<PingFrame>('P', 'ping', { tag: u8 }),
  greet: row<GreetFrame>('G', 'greet', { tag: u8 }),
  identify: row<IdentifyFrame>('I', 'identify', { tag: u8, tileMask: someTiles }),
  selftest: row<SelfTestFrame>('T', 'selftest', { tag: u8 }),
  configure: row<ConfigureFrame>('C', 'configure', { tag: u8, key: u8, value: u16 }),
  assign: row<AssignFrame>('D', 'assign', { tag: u8, device, side }),
} as const;
