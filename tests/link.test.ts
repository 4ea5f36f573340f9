import { describe, expect, test } from 'vitest';
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
