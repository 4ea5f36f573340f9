import { describe, expect, test } from 'vitest';
import { encodeUp } from '../firmware-protocol/line.ts';
import {
  deviceOf,
  dropped,
  dueAt,
  hearLine,
  LINK_COUNTS,
  lineSent,
  linksSeen,
  sendRouteFor,
} from '../host/sensing/links.ts';
import { BoardVoice, DEVICE_A, DEVICE_B, short, Table } from './support/link-table.ts';

/** A table with board A on usb-a that has spoken from 0 to 1000 ms. */
function running(): { table: Table; board: BoardVoice; atMs: number } {
  const table = new Table();
  const board = new BoardVoice();
  table.hear('usb-a', board.hello(0), 2);
  for (let ms = 20; ms <= 1000; ms += 20) table.hear('usb-a', board.quiet(ms), ms + 2);
  return { table, board, atMs: 1002 };
}

const seenOf = (table: Table, link: string) => linksSeen(table.links).find((one) => one.link === link);
const complaintsOf = (table: Table, link: string) => seenOf(table, link)?.complaints ?? [];

describe('one board on one wire', () => {
  test('every line is fresh, of its side, at its own time, and nothing is noticed', () => {
    const table = new Table();
    const board = new BoardVoice();
    expect(short(table.hear('usb-a', board.hello(0), 2))).toBe('fresh');
    for (let ms = 20; ms <= 2000; ms += 20) {
      const heard = table.hear('usb-a', board.quiet(ms), ms + 2);
      expect(heard).toMatchObject({ kind: 'fresh', device: DEVICE_A, side: 'A', late: false });
      if (heard.kind === 'fresh') {
        expect(Math.abs(heard.atMs - ms)).toBeLessThanOrEqual(heard.errorMs);
        expect(heard.atMs).toBeLessThanOrEqual(ms + 2);
      }
    }
    expect(table.notices).toEqual([]);
    expect(deviceOf(table.links, 'A')).toBe(DEVICE_A);
    expect(deviceOf(table.links, 'B')).toBeUndefined();
    expect(sendRouteFor(table.links, 'A')).toEqual({ link: 'usb-a', device: DEVICE_A });
    expect(seenOf(table, 'usb-a')).toMatchObject({ up: true, device: DEVICE_A, side: 'A', complaints: [] });
    expect(seenOf(table, 'usb-a')?.counts).toEqual({ lines: 101, fresh: 101 });
  });

  test('a lost line is a gap at once, with the time that nothing covers', () => {
    const { table, board } = running();
    board.quiet(1020);
    expect(short(table.hear('usb-a', board.quiet(1040), 1042))).toBe('fresh');
    expect(table.notices).toHaveLength(1);
    const [gap] = table.notices;
    expect(gap).toMatchObject({ code: 'link/gap', link: 'usb-a', device: DEVICE_A, side: 'A' });
    expect(gap?.fromMs).toBeCloseTo(1002, 0);
    expect(gap?.toMs).toBeCloseTo(1042, 0);
    expect(seenOf(table, 'usb-a')?.counts).toMatchObject({ gaps: 1, lost: 1 });
  });

  test('a quiet line lost between bursts leaves no time uncovered', () => {
    const { table, board } = running();
    table.hear('usb-a', board.burst(1000), 1012);
    table.hear('usb-a', board.burst(1008), 1020);
    board.quiet(1020);
    table.hear('usb-a', board.burst(1016), 1028);
    const [gap] = table.notices;
    expect(gap?.code).toBe('link/gap');
    expect((gap?.toMs ?? 0) - (gap?.fromMs ?? 0)).toBeLessThan(1);
  });

  test('an exact repeat counts once, at once or three seconds late', () => {
    const { table, board } = running();
    const line = board.quiet(1020);
    expect(short(table.hear('usb-a', line, 1022))).toBe('fresh');
    expect(short(table.hear('usb-a', line, 1023))).toBe('repeat');
    for (let ms = 1040; ms <= 4400; ms += 20) table.hear('usb-a', board.quiet(ms), ms + 2);
    expect(short(table.hear('usb-a', line, 4403))).toBe('repeat');
    expect(table.notices).toEqual([]);
  });

  test('silence is a stall after 200 ms and a silent board after 3 s, each once and at its own time', () => {
    const { table, board, atMs } = running();
    expect(dueAt(table.links)).toBe(atMs + 200);
    table.settle(atMs + 10_000);
    expect(table.notices.map((n) => [n.code, n.fromMs, n.toMs])).toEqual([
      ['link/stall', atMs, atMs + 200],
      ['link/silent', atMs, atMs + 3000],
    ]);
    expect(dueAt(table.links)).toBe(Number.POSITIVE_INFINITY);
    expect(complaintsOf(table, 'usb-a').join()).toContain('silent');
    board.seq += 500;
    table.hear('usb-a', board.quiet(12_000), 12_002);
    expect(table.codes().slice(2).toSorted()).toEqual(['link/back', 'link/gap']);
    expect(complaintsOf(table, 'usb-a')).toEqual([]);
  });
});

describe('resets', () => {
  test('a new boot is a reset from the last line on; its lines are fresh and its clock is new', () => {
    const { table, board } = running();
    board.reset();
    expect(short(table.hear('usb-a', board.hello(0), 2000))).toBe('fresh');
    expect(table.codes()).toEqual(['link/stall', 'link/reset']);
    const reset = table.notices[1];
    expect(reset?.fromMs).toBeCloseTo(1002, 0);
    expect(reset?.toMs).toBe(2000);
    const heard = table.hear('usb-a', board.quiet(20), 2020);
    expect(heard.kind === 'fresh' && Math.abs(heard.atMs - 2020) < 3).toBe(true);
  });

  test('the same boot again with the sequence back at zero is a reset, even when its hello is the same text', () => {
    const { table, board } = running();
    const again = new BoardVoice();
    expect(short(table.hear('usb-a', again.hello(0), 1100))).toBe('fresh');
    expect(table.codes()).toEqual(['link/reset']);
    expect(table.notices[0]?.text).toContain('EEPROM');
    for (let ms = 20; ms <= 400; ms += 20) {
      expect(short(table.hear('usb-a', again.quiet(ms), 1100 + ms))).toBe('fresh');
    }
    expect(board.seq).toBeGreaterThan(0);
  });

  test('the same boot again whose first lines are lost is a reset too', () => {
    const { table } = running();
    const again = new BoardVoice();
    again.hello(0);
    again.quiet(21);
    expect(short(table.hear('usb-a', again.quiet(41), 1150))).toBe('fresh');
    expect(table.codes()).toEqual(['link/reset', 'link/gap']);
    expect(seenOf(table, 'usb-a')?.counts.lost).toBe(2);
  });

  test('a reset whose first hello is lost is noticed by the next line, and the loss is counted', () => {
    const { table, board } = running();
    board.reset();
    board.hello(0);
    expect(short(table.hear('usb-a', board.quiet(20), 1150))).toBe('fresh');
    expect(table.codes()).toEqual(['link/reset', 'link/gap']);
    expect(seenOf(table, 'usb-a')?.counts).toMatchObject({ resets: 1, lost: 1 });
  });

  test('over MQTT a late copy of the life before is a repeat or late, never another reset', () => {
    const table = new Table();
    const board = new BoardVoice();
    const old: string[] = [];
    for (let ms = 0; ms <= 1000; ms += 20) {
      const line = ms === 0 ? board.hello(ms) : board.quiet(ms);
      old.push(line);
      if (ms !== 900) table.mqtt(DEVICE_A, line, ms + 10);
    }
    board.reset();
    table.mqtt(DEVICE_A, board.hello(0), 1900);
    for (let ms = 20; ms <= 400; ms += 20) table.mqtt(DEVICE_A, board.quiet(ms), 1900 + ms);
    expect(short(table.mqtt(DEVICE_A, old[0] ?? '', 2300))).toBe('repeat');
    expect(short(table.mqtt(DEVICE_A, old[50] ?? '', 2301))).toBe('repeat');
    expect(short(table.mqtt(DEVICE_A, old[45] ?? '', 2302))).toBe('late');
    expect(table.codes().filter((code) => code === 'link/reset')).toHaveLength(1);
  });

  test('over MQTT a reset that kept its boot is found by its second line at the latest', () => {
    const table = new Table();
    const board = new BoardVoice();
    for (let ms = 0; ms <= 1000; ms += 20) {
      table.mqtt(DEVICE_A, ms === 0 ? board.hello(ms) : board.quiet(ms), ms + 10);
    }
    const again = new BoardVoice();
    table.mqtt(DEVICE_A, again.hello(0), 2000);
    expect(short(table.mqtt(DEVICE_A, again.quiet(20.004), 2020))).toBe('fresh');
    expect(table.codes()).toContain('link/reset');
  });

  test('lines of an older boot that was never heard are stale over MQTT', () => {
    const table = new Table();
    const board = new BoardVoice();
    const old = new BoardVoice({}, 41);
    table.mqtt(DEVICE_A, board.hello(0), 10);
    table.mqtt(DEVICE_A, board.quiet(20), 30);
    expect(short(table.mqtt(DEVICE_A, old.quiet(5000), 31))).toBe('stale');
    expect(short(table.mqtt(DEVICE_A, board.quiet(40), 50))).toBe('fresh');
    expect(table.notices).toEqual([]);
  });
});

describe('wires that go and come', () => {
  test('unplugged in mid-roll: lost at once; after a reset behind the new plug the reset covers the whole time', () => {
    const { table, board, atMs } = running();
    table.down('usb-a', atMs + 50, 'The port is gone.', 'Plug the board in again.');
    expect(table.notices[0]).toMatchObject({ code: 'link/lost', fromMs: atMs, toMs: atMs + 50, side: 'A' });
    expect(complaintsOf(table, 'usb-a')).toEqual(['The port is gone. Plug the board in again.']);
    expect(sendRouteFor(table.links, 'A')).toBeUndefined();
    table.up('usb-a', 3000);
    board.reset();
    table.hear('usb-a', board.hello(0), 4000);
    expect(table.codes().toSorted()).toEqual(['link/back', 'link/lost', 'link/reset']);
    const reset = table.notices.find((n) => n.code === 'link/reset');
    expect(reset?.fromMs).toBeCloseTo(atMs, 0);
    expect(reset?.toMs).toBe(4000);
    expect(sendRouteFor(table.links, 'A')).toEqual({ link: 'usb-a', device: DEVICE_A });
  });

  test('a wire that comes back without a reset: lines wait for a hello, and what was missed is one gap', () => {
    const { table, board, atMs } = running();
    table.down('usb-a', atMs + 10);
    table.up('usb-a', 1500);
    board.seq += 25;
    expect(short(table.hear('usb-a', board.quiet(1520), 1522))).toBe('no-hello');
    expect(short(table.hear('usb-a', board.hello(1530), 1532))).toBe('fresh');
    const gap = table.notices.find((n) => n.code === 'link/gap');
    expect(gap?.toMs).toBeCloseTo(1532, 0);
    expect(seenOf(table, 'usb-a')?.counts.lost).toBe(26);
  });

  test('another board in the same socket is another board', () => {
    const { table, board, atMs } = running();
    table.hear('usb-b', new BoardVoice({ device: DEVICE_B, side: 'B' }).hello(0), atMs);
    const other = new BoardVoice({ device: '11111111' }, 7);
    table.down('usb-a', atMs + 1);
    expect(short(table.hear('usb-a', other.quiet(10), atMs + 2))).toBe('no-hello');
    expect(short(table.hear('usb-a', other.hello(20), atMs + 3))).toBe('fresh');
    expect(deviceOf(table.links, 'A')).toBe('11111111');
    expect(board.device).toBe(DEVICE_A);
  });

  test('with MQTT beside it a lost serial wire loses nothing, and lines down take the other way', () => {
    const table = new Table();
    const board = new BoardVoice();
    for (let ms = 0; ms <= 1000; ms += 20) {
      const line = ms === 0 ? board.hello(ms) : board.quiet(ms);
      expect(short(table.hear('usb-a', line, ms + 2))).toBe('fresh');
      expect(short(table.mqtt(DEVICE_A, line, ms + 9))).toBe('repeat');
    }
    expect(sendRouteFor(table.links, 'A')?.link).toBe('usb-a');
    table.down('usb-a', 1010);
    expect(sendRouteFor(table.links, 'A')?.link).toBe('mqtt');
    for (let ms = 1020; ms <= 2000; ms += 20)
      expect(short(table.mqtt(DEVICE_A, board.quiet(ms), ms + 9))).toBe('fresh');
    expect(table.notices).toEqual([]);
  });
});

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

describe('MQTT', () => {
  test('a retained line is refused whatever it says', () => {
    const table = new Table();
    const board = new BoardVoice();
    expect(short(table.hear('mqtt', board.hello(0), 5, { device: DEVICE_A, retained: true }))).toBe(
      'retained',
    );
    expect(complaintsOf(table, 'mqtt').join()).toContain('retain');
    expect(deviceOf(table.links, 'A')).toBeUndefined();
  });
  test('a hello on the topic of another device is refused', () => {
    const table = new Table();
    expect(short(table.mqtt(DEVICE_B, new BoardVoice().hello(0), 5))).toBe('topic');
    expect(short(table.mqtt(DEVICE_B, new BoardVoice().quiet(0), 6))).toBe('no-hello');
    expect(complaintsOf(table, 'mqtt').join()).toContain(DEVICE_B);
  });
  test('a missing line is waited for, then given up; when it comes after all it is used once', () => {
    const table = new Table();
    const board = new BoardVoice();
    table.mqtt(DEVICE_A, board.hello(0), 10);
    const [one, two, three] = [board.quiet(20), board.quiet(40), board.quiet(60)];
    table.mqtt(DEVICE_A, two, 50);
    expect(short(table.mqtt(DEVICE_A, one, 60))).toBe('late');
    board.quiet(80);
    table.mqtt(DEVICE_A, three, 70);
    table.mqtt(DEVICE_A, board.quiet(100), 110);
    expect(table.codes()).toEqual([]);
    for (let ms = 120; ms <= 600; ms += 20) table.mqtt(DEVICE_A, board.quiet(ms), ms + 10);
    expect(table.codes()).toEqual(['link/gap']);
    expect(seenOf(table, 'mqtt')?.counts).toMatchObject({ gaps: 1, lost: 1, late: 1 });
  });
  test('both boards on one broker are told apart by their topics', () => {
    const table = new Table();
    const a = new BoardVoice();
    const b = new BoardVoice({ device: DEVICE_B, side: 'B' }, 9);
    table.mqtt(DEVICE_A, a.hello(0), 10);
    table.mqtt(DEVICE_B, b.hello(0), 11);
    expect(table.mqtt(DEVICE_A, a.quiet(20), 30)).toMatchObject({ side: 'A' });
    expect(table.mqtt(DEVICE_B, b.quiet(20), 31)).toMatchObject({ side: 'B' });
    expect(sendRouteFor(table.links, 'B')).toEqual({ link: 'mqtt', device: DEVICE_B });
    expect(
      linksSeen(table.links)
        .filter((one) => one.link === 'mqtt')
        .map((one) => one.device),
    ).toEqual([DEVICE_A, DEVICE_B]);
  });
});

describe('what is no frame', () => {
  test('another protocol version is told from noise', () => {
    const table = new Table();
    expect(short(table.hear('usb-a', 'H2,2A0000,00000733,3333', 5))).toBe('bad-checksum');
    const line = 'P2,04,';
    const heard = table.hear('usb-a', `${line}${crc(line)}`, 7);
    expect(short(heard)).toBe('wrong-version');
    expect(complaintsOf(table, 'usb-a').join()).toContain('protocol 2');
  });
  test('mostly bytes that no line has: the baud rate is wrong; gone once lines come', () => {
    const table = new Table();
    for (let i = 0; i < 20; i++)
      hearLine(table.links, 'usb-a', { b64: 'AID4eAD//oA=' }, i, undefined, table.notices);
    expect(complaintsOf(table, 'usb-a').join()).toContain('baud 500000');
    const board = new BoardVoice();
    table.hear('usb-a', board.hello(0), 100);
    for (let ms = 20; ms <= 1000; ms += 20) table.hear('usb-a', board.quiet(ms), 100 + ms);
    expect(complaintsOf(table, 'usb-a')).toEqual([]);
  });
  test('a bad line now and then is counted and is no complaint; its number is a gap', () => {
    const { table, board, atMs } = running();
    const line = board.quiet(1020);
    expect(short(table.hear('usb-a', `${line.slice(0, 30)}x${line.slice(31)}`, atMs + 20))).toBe(
      'bad-checksum',
    );
    table.hear('usb-a', board.quiet(1040), atMs + 40);
    expect(table.codes()).toEqual(['link/gap']);
    expect(seenOf(table, 'usb-a')?.counts).toMatchObject({ 'fault.bad-checksum': 1, gaps: 1 });
    expect(complaintsOf(table, 'usb-a')).toEqual([]);
  });
  test('what the transport dropped is counted', () => {
    const table = new Table();
    dropped(table.links, 'usb-a', 1_000_000, 5, table.notices);
    expect(seenOf(table, 'usb-a')?.counts).toEqual({ dropped: 1_000_000 });
  });
  test('every counter that shows has a meaning', () => {
    const { table, board, atMs } = running();
    board.quiet(1);
    table.hear('usb-a', board.quiet(1040), atMs + 40);
    table.hear('usb-a', '', atMs + 41);
    for (const seen of linksSeen(table.links)) {
      for (const name of Object.keys(seen.counts)) expect(LINK_COUNTS).toHaveProperty([name]);
    }
  });
});

describe('clocks', () => {
  test('the 32-bit clock wraps without a notice', () => {
    const table = new Table();
    const board = new BoardVoice();
    const wrap = 2 ** 32 / 1000;
    table.hear('usb-a', board.hello(wrap - 1000), 2);
    for (let ms = 20; ms <= 3000; ms += 20) {
      const heard = table.hear('usb-a', board.quiet(wrap - 1000 + ms), ms + 2);
      expect(heard.kind === 'fresh' && Math.abs(heard.atMs - ms) <= heard.errorMs).toBe(true);
    }
    expect(table.notices).toEqual([]);
  });
  test('a clock that jumps ahead is a notice, and times are right again', () => {
    const { table, board } = running();
    const heard = table.hear('usb-a', board.quiet(9020), 1022);
    expect(table.codes()).toEqual(['link/clock']);
    expect(heard.kind === 'fresh' && heard.atMs).toBeCloseTo(1022, 0);
  });
  test('an answered line bounds how late the quickest line can be', () => {
    const { table, board } = running();
    for (let ms = 1020; ms <= 12_000; ms += 20) table.hear('usb-a', board.quiet(ms), ms + 2);
    const before = table.hear('usb-a', board.quiet(12_020), 12_022);
    lineSent(table.links, DEVICE_A, 7, 12_029.5);
    const after = table.hear('usb-a', board.answer(12_029, 7), 12_031);
    if (before.kind !== 'fresh' || after.kind !== 'fresh') throw new Error('not fresh');
    expect(after.errorMs).toBeLessThan(before.errorMs - 1);
    expect(Math.abs(after.atMs - 12_031)).toBeLessThan(0.1);
  });
});

function crc(body: string): string {
  let sum = 0xffff;
  for (const char of body) {
    sum ^= char.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit++)
      sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff;
  }
  return sum.toString(16).toUpperCase().padStart(4, '0');
}
