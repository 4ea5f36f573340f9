import { describe, expect, test } from 'vitest';
import { BoardVoice, DEVICE_A, running, seenOf, short, Table } from './support/link-table.ts';

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
