import { describe, expect, it } from 'vitest';
import { createRig, type HeardLine, movingWorld, noiseMt, notingScans } from '../bin/bench/avr-rig.ts';
import type { DownlinkFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import build from '../firmware-protocol/hex/build.json' with { type: 'json' };
import { type BoardWorld, MT_PER_COUNT } from '../sim/world.ts';

type Kind = UplinkFrame['kind'];
function framesOf<K extends Kind>(lines: readonly HeardLine[], kind: K): Extract<UplinkFrame, { kind: K }>[] {
  return lines.flatMap(({ frame }) =>
    frame?.kind === kind ? [frame as Extract<UplinkFrame, { kind: K }>] : [],
  );
}
const STILL: BoardWorld = movingWorld(0);
/** Past the boot and the two quiet lines after which onsets count. */
const READY_US = 200_000;
const BOOT = { bootSilenceMs: 1 } as const;
const show = (tag: number, animation: number): DownlinkFrame => ({
  ...{ kind: 'led', tag, tileMask: 63, rgb: 0x336699, level: 255, animation },
});

/** Runs with the moments at which sensor 0 was sampled. */
function scansOf(world: BoardWorld, armed: boolean, animation: number, seconds: number) {
  const { world: noted, scans } = notingScans(world);
  const rig = createRig({
    ...BOOT,
    chip: 'uno',
    world: noted,
  });
  rig.run(READY_US);
  rig.ask(show(1, animation));
  if (armed) rig.ask({ kind: 'arm', tag: 2, armed });
  // Lines written before this moment are none of the stretch.
  rig.run(rig.nowUs() + 50_000);
  rig.board.clearFigures();
  scans.length = 0;
  const writesBefore = rig.board.figures().ledWrites;
  const lines = rig.run(rig.nowUs() + seconds * 1e6);
  const first = scans[0] ?? 0;
  // Distance of each sample from the millisecond grid through the first.
  const slots = scans.map((at) => Math.round((at - first) / 1000));
  const off = scans.map((at, i) => at - first - 1000 * (slots[i] ?? 0));
  return {
    ...{ rig, lines, scans, slots },
    jitterUs: Math.max(...off) - Math.min(...off),
    writes: rig.board.figures().ledWrites - writesBefore,
  };
}

describe('the firmware keeps its pace', () => {
  it.each([
    ['quiet', 0],
    ['six tiles', 6],
  ])('armed, %s: 1000 scans a second, none lost, within 25 µs of their millisecond', (_, tiles) => {
    const { slots, jitterUs, writes } = scansOf(movingWorld(tiles), true, 3, 0.6);
    expect(slots).toEqual(Array.from({ length: slots.length }, (_, i) => i));
    expect(Math.abs(slots.length - 600)).toBeLessThanOrEqual(1);
    expect(jitterUs).toBeLessThan(25);
    expect(writes).toBe(0);
  });

  it('unarmed with an animation: ten writes a second at most, each costs one scan that the lines flag', () => {
    const { slots, jitterUs, writes, lines } = scansOf(movingWorld(6), false, 3, 1.5);
    expect(writes).toBeGreaterThan(11);
    expect(writes).toBeLessThanOrEqual(15);
    const steps = slots.slice(1).map((slot, i) => slot - (slots[i] ?? 0));
    expect(steps.every((step) => step === 1 || step === 2)).toBe(true);
    const lost = steps.filter((step) => step === 2).length;
    expect(lost).toBe(writes);
    expect(jitterUs).toBeLessThan(60);
    const flagged = framesOf(lines, 'burst').flatMap(({ gapMask }) => [...gapMask.toString(2)]);
    expect(Math.abs(flagged.filter((bit) => bit === '1').length - lost)).toBeLessThanOrEqual(1);
  });

  it('all six tiles active take less than 60 % of the wire, 75 % in the worst 100 ms', () => {
    const { lines } = scansOf(movingWorld(6), true, 0, 1);
    const from = lines[0]?.atUs ?? 0;
    const perTenth = new Array<number>(10).fill(0);
    for (const { atUs, text } of lines) {
      const at = Math.min(9, Math.floor((atUs - from) / 100_000));
      perTenth[at] = (perTenth[at] ?? 0) + text.length + 1;
    }
    expect(perTenth.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(0.6 * 50_000);
    expect(Math.max(...perTenth)).toBeLessThan(0.75 * 5000);
  });

  it('leaves 300 bytes of stack whatever it is asked, by its own count and by the emulator', () => {
    // Everything at once: six tiles, rattling contacts, gates, lines of every kind, strip writes.
    const moving = movingWorld(6);
    const rattle = (atUs: number, halfUs: number): boolean => Math.floor(atUs / halfUs) % 2 === 1;
    const rig = createRig({
      ...BOOT,
      chip: 'uno',
      world: {
        ...moving,
        contact: (tile, atUs) => rattle(atUs, 900 + 311 * tile),
        gate: (gate, atUs) => rattle(atUs, 40_000 + 1000 * gate),
        stud: (_, atUs) => rattle(atUs, 70_000),
        nextEdgeUs: (after) => (Math.floor(after / 100) + 1) * 100,
      },
    });
    rig.run(READY_US);
    const orders: DownlinkFrame[] = [
      show(1, 4),
      { kind: 'identify', tag: 2, tileMask: 63 },
      { kind: 'selftest', tag: 3 },
      { kind: 'greet', tag: 4 },
      { kind: 'configure', tag: 5, key: 1, value: 24 },
      { kind: 'assign', tag: 6, device: '5C0FFEE1', side: 'A' },
      { kind: 'arm', tag: 7, armed: true },
      show(8, 1),
      { kind: 'arm', tag: 9, armed: false },
      { kind: 'ping', tag: 10 },
    ];
    for (const order of orders) rig.ask(order);
    const health = framesOf(rig.run(rig.nowUs() + 1_100_000), 'health').at(-1);
    expect(health?.stackFreeBytes).toBeGreaterThanOrEqual(300);
    // 0x8FF is the last byte of memory; what lies below the lowest stack pointer was never used.
    const { lowestStack, erasedWordsRun, receiveOverruns } = rig.board.figures();
    expect(Math.abs((health?.stackFreeBytes ?? 0) - (lowestStack + 1 - 0x100 - ramBytes()))).toBeLessThan(40);
    expect(erasedWordsRun).toBe(0);
    expect(receiveOverruns).toBe(0);
    expect(health).toMatchObject({ rxFaults: 0, rxOverruns: 0, txDrops: 0 });
    expect(health?.edgeDrops).toBeGreaterThan(100);
  });
});

/** One sensor's field from a moment on; the others lie still. */
function liftedFrom(onsetUs: number, sensor: number, mT: number): BoardWorld {
  return {
    ...STILL,
    fieldMt: (one, atUs) => (one === sensor && atUs >= onsetUs ? mT : noiseMt(one, atUs, 0.1)),
  };
}

describe('the firmware sends what happened before it noticed', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('16 to 25 ms, with an onset %i ms into a block', (phase) => {
    const onsetUs = READY_US + 1000 * phase + 300;
    const rig = createRig({ ...BOOT, chip: 'uno', world: liftedFrom(onsetUs, 5, 20 * MT_PER_COUNT) });
    const bursts = framesOf(rig.run(READY_US + 60_000), 'burst');
    expect(bursts[0]?.tileMask).toBe(4);
    // The first scan in which hall 1 of tile 2 stands higher, counted from the first one sent.
    const levels = bursts.flatMap(({ samples }) => [...samples].filter((_, i) => i % 2 === 1));
    const moved = levels.findIndex((counts) => counts > 525);
    expect(moved).toBeGreaterThanOrEqual(16);
    expect(moved).toBeLessThan(25);
  });
});

describe('the firmware answers as the protocol says', () => {
  const ready = () => {
    const rig = createRig({ ...BOOT, chip: 'uno', world: STILL });
    rig.run(READY_US);
    return rig;
  };
  const configure = (tag: number, key: number, value: number): DownlinkFrame => ({
    ...{ kind: 'configure', tag, key, value },
  });

  it('refuses what is out of range, and does not know what it does not know', () => {
    const rig = ready();
    for (const [key, least, most] of [
      [1, 8, 1020],
      [2, 50, 5000],
      [3, 1, 100],
      [4, 100, 1000],
      [5, 0, 255],
    ] as const) {
      expect(rig.ask(configure(1, key, least)).status).toBe('ok');
      expect(rig.ask(configure(2, key, most)).status).toBe('ok');
      if (least > 0) expect(rig.ask(configure(3, key, least - 1)).status).toBe('refused');
      expect(rig.ask(configure(4, key, most + 1)).status).toBe('refused');
    }
    expect(rig.ask(configure(5, 6, 1)).status).toBe('unknown');
    expect(rig.ask({ ...show(6, 0), tileMask: 0x040 } as DownlinkFrame).status).toBe('refused');
    expect(rig.ask({ kind: 'assign', tag: 7, device: '5C0FFEE1', side: 'both' }).status).toBe('refused');
  });

  it('answers the same line twice without harm', () => {
    const rig = ready();
    const arm = { kind: 'arm', tag: 2, armed: true } as const;
    const disarm = { kind: 'arm', tag: 4, armed: false } as const;
    const answers = [show(1, 0), arm, show(3, 0), arm, disarm].map((order) => {
      const { status } = rig.ask(order);
      expect(rig.ask(order).status).toBe(status);
      return status;
    });
    expect(answers).toEqual(['ok', 'ok', 'held', 'ok', 'ok']);
  });

  it('does nothing that writes or blinks while armed', () => {
    const rig = ready();
    rig.ask({ kind: 'arm', tag: 1, armed: true });
    expect(rig.ask({ kind: 'identify', tag: 2, tileMask: 1 }).status).toBe('refused');
    expect(rig.ask({ kind: 'selftest', tag: 3 }).status).toBe('refused');
    expect(rig.ask({ kind: 'assign', tag: 4, device: '5C0FFEE1', side: 'A' }).status).toBe('refused');
    expect(rig.ask(configure(5, 1, 20)).status).toBe('ok');
  });

  it('shows what it was told before it calls itself armed', () => {
    const rig = ready();
    for (let i = 0; i < 6; i++) {
      const rgb = 0x010101 * (20 + i);
      rig.ask({ kind: 'led', tag: i, tileMask: 63, rgb, level: 255, animation: 0 });
      expect(rig.ask({ kind: 'arm', tag: 16, armed: true }).tookUs).toBeLessThan(8000);
      expect([...rig.board.leds().rgb]).toEqual(new Array(36).fill(rgb));
      rig.ask({ kind: 'arm', tag: 17, armed: false });
    }
  });

  it('bounds the level and the pace of its LEDs as configured', () => {
    const rig = ready();
    rig.ask(configure(1, 5, 63));
    rig.ask(configure(2, 4, 500));
    rig.ask(show(3, 4));
    rig.run(rig.nowUs() + 600_000);
    const before = rig.board.leds();
    rig.run(rig.nowUs() + 1_000_000);
    const after = rig.board.leds();
    expect(after.writes - before.writes).toBe(2);
    const most = Math.max(...[...after.rgb].flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
    expect(most).toBeLessThanOrEqual(63);
    expect(most).toBeGreaterThan(0);
  });

  it('finds halls at a rail and inputs that are closed when it tests itself', () => {
    const rig = createRig({
      ...BOOT,
      chip: 'uno',
      world: {
        ...STILL,
        fieldMt: (sensor, atUs) => (sensor === 3 ? -99 : sensor === 8 ? 99 : STILL.fieldMt(sensor, atUs)),
        contact: (tile) => tile === 4,
        gate: (gate) => gate === 1,
      },
    });
    rig.run(READY_US);
    rig.ask({ kind: 'selftest', tag: 1 });
    const found = framesOf(rig.run(rig.nowUs() + 20_000), 'fault').map(({ code, detail }) => [code, detail]);
    expect(found).toEqual([
      [1, 3],
      [2, 8],
      [4, 4],
      [4, 17],
    ]);
  });

  it('calls itself unset, and says why, when its EEPROM fails its check', () => {
    const rig = ready();
    rig.ask({ kind: 'assign', tag: 1, device: '5C0FFEE1', side: 'A' });
    const eeprom = rig.board.eeprom.slice();
    eeprom[4] = (eeprom[4] ?? 0) ^ 0x10;
    const lines = createRig({ ...BOOT, chip: 'uno', world: STILL, eeprom }).run(READY_US);
    expect(lines[0]?.frame).toMatchObject({ kind: 'hello', device: '00000000', side: 'unset', bootId: 2 });
    expect(framesOf(lines, 'fault')).toMatchObject([{ code: 7, detail: 0 }]);
  });

  it('tells at most 32 edges in 100 ms, never hides a launch behind a contact, and says that it dropped some', () => {
    const blocked = (atUs: number): boolean => atUs > 500_000 && atUs < 520_000;
    const rig = createRig({
      ...BOOT,
      chip: 'uno',
      world: {
        ...STILL,
        contact: (tile, atUs) => tile === 2 && Math.floor(atUs / 600) % 2 === 1,
        gate: (gate, atUs) => gate === 0 && blocked(atUs),
        nextEdgeUs: (after) => (Math.floor(after / 100) + 1) * 100,
      },
    });
    const lines = rig.run(1_700_000);
    const edges = framesOf(lines, 'edge');
    expect(edges.filter(({ input }) => input === 16).map(({ closed }) => closed)).toEqual([true, false]);
    const times = edges.map(({ deviceUs }) => deviceUs);
    for (const from of times) {
      expect(times.filter((at) => at >= from && at < from + 100_000).length).toBeLessThanOrEqual(32);
    }
    expect(framesOf(lines, 'fault')[0]).toMatchObject({ code: 5, detail: 2 });
    expect(framesOf(lines, 'health').at(-1)?.edgeDrops).toBeGreaterThan(500);
  });
});

/** Static memory of the Uno image. */
function ramBytes(): number {
  return build.boards.uno.ramBytes;
}
