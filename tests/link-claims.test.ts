import { describe, expect, test } from 'vitest';
import { encodeUp } from '../firmware-protocol/line.ts';
import { deviceOf, sendRouteFor } from '../host/sensing/links.ts';
import {
  BoardVoice,
  complaintsOf,
  DEVICE_A,
  DEVICE_B,
  running,
  seenOf,
  short,
  Table,
} from './support/link-table.ts';

describe('who may play', () => {
  test('an unset board is heard, refused and told how to be helped', () => {
    const table = new Table();
    const board = new BoardVoice({ device: '00000000', side: 'unset' });
    expect(short(table.hear('usb-a', board.hello(0), 2))).toBe('unset');
    expect(short(table.hear('usb-a', board.quiet(20), 22))).toBe('unset');
    expect(complaintsOf(table, 'usb-a').join()).toContain('bakucore doctor --assign');
    expect(seenOf(table, 'usb-a')).toMatchObject({ device: '00000000', side: 'unset' });
    // Assigned, it says hello with its name: the complaint is over.
    const named = new BoardVoice({}, 42);
    named.seq = board.seq;
    expect(short(table.hear('usb-a', named.hello(40), 42))).toBe('fresh');
    table.hear('usb-a', named.quiet(60), 62);
    expect(deviceOf(table.links, 'A')).toBe(DEVICE_A);
  });

  test('of two boards of one side the newcomer is refused and both are named, until the first is gone', () => {
    const { table, atMs } = running();
    const second = new BoardVoice({ device: DEVICE_B, side: 'A' }, 3);
    expect(short(table.hear('usb-b', second.hello(0), atMs))).toBe('side-taken');
    expect(short(table.hear('usb-b', second.quiet(20), atMs + 20))).toBe('side-taken');
    const text = complaintsOf(table, 'usb-b').join();
    expect(text).toContain(DEVICE_A);
    expect(text).toContain(DEVICE_B);
    expect(deviceOf(table.links, 'A')).toBe(DEVICE_A);
    table.down('usb-a', atMs + 30);
    expect(short(table.hear('usb-b', second.hello(1000), atMs + 1000))).toBe('fresh');
    expect(deviceOf(table.links, 'A')).toBe(DEVICE_B);
    // The first comes back as the newcomer.
    const first = new BoardVoice({}, 43);
    expect(short(table.hear('usb-a', first.hello(0), atMs + 1100))).toBe('side-taken');
  });

  test('a board for both sides does not sit beside one of a side', () => {
    const { table, atMs } = running();
    const mega = new BoardVoice({ device: DEVICE_B, side: 'both' }, 3);
    mega.tiles = 12;
    expect(short(table.hear('usb-b', mega.hello(0), atMs))).toBe('side-taken');
  });

  test('two boards with one id: the first stays, the other wire is shut until it is plugged in anew', () => {
    const { table, board } = running();
    const twin = new BoardVoice({}, 200);
    twin.hello(0);
    let refused = 0;
    const kinds: string[] = [];
    table.hear('usb-b', twin.hello(10), 1010);
    for (let ms = 1020; ms <= 2500; ms += 20) {
      kinds.push(short(table.hear('usb-a', board.quiet(ms), ms + 2)));
      if (short(table.hear('usb-b', twin.quiet(ms - 1000), ms + 3)) === 'same-id') refused++;
    }
    expect(refused).toBeGreaterThan(50);
    expect(kinds.slice(20).every((kind) => kind === 'fresh')).toBe(true);
    expect(table.codes()).toContain('link/rival');
    expect(complaintsOf(table, 'usb-b').join()).toContain('usb-a');
    expect(sendRouteFor(table.links, 'A')?.link).toBe('usb-a');
  });

  test('tiles or halls that do not fit the layout are refused with what is needed', () => {
    const table = new Table();
    const board = new BoardVoice();
    board.halls = 1;
    expect(short(table.hear('usb-a', board.hello(0), 2))).toBe('layout');
    expect(complaintsOf(table, 'usb-a').join()).toContain('needs 2');
    const few = new BoardVoice({ device: DEVICE_B, side: 'B' });
    few.tiles = 4;
    expect(short(table.hear('usb-b', few.hello(0), 3))).toBe('layout');
    expect(complaintsOf(table, 'usb-b').join()).toContain('needs 6');
  });

  test('samples of tiles that the hello does not name are refused, and are no gap', () => {
    const { table, board, atMs } = running();
    const packed = {
      gapMask: 0,
      tileMask: 0x80,
      halls: 2,
      samples: new Uint16Array(16),
      contacts: new Uint8Array(1),
    };
    const stamp = { boot: 42, seq: board.seq++, deviceUs: 1_010_000 };
    expect(short(table.hear('usb-a', encodeUp({ kind: 'burst', ...stamp, ...packed }), atMs + 10))).toBe(
      'layout',
    );
    expect(short(table.hear('usb-a', board.quiet(1020), atMs + 20))).toBe('fresh');
    expect(table.codes()).toEqual([]);
  });
});
