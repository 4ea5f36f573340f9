import { describe, expect, it, vi } from 'vitest';
import { calibrateSimulated } from '../bin/calibrate-simulated.ts';
import { uncalibrated } from '../host/calibration-file.ts';
import { calibrationMade } from '../host/sensing/calibrate.ts';
import { calibrationReport } from '../host/sensing/calibration-report.ts';
import type { HealthFinding } from '../host/sensing/health-finding.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { SERIAL_WIRE } from '../host/sensing/links.ts';
import type { Span } from '../sim/spans.ts';
import { type VirtualTable, type VirtualTableAsk, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const SEED = 5;
const CELL = FIXED_12.cells[4]?.cell ?? '';

/** A table on which something is wrong from the third second on, as its operator sees it `afterMs` later. */
function foundOn(
  inject: (table: VirtualTable) => void,
  afterMs = 8000,
  ask: Partial<VirtualTableAsk> = {},
): readonly HealthFinding[] {
  const { setting, ...more } = ask;
  const table = virtualTable({
    seed: SEED,
    auto: false,
    setting: { checksSensors: true, ...setting },
    ...more,
  });
  table.run(3000);
  inject(table);
  table.run(afterMs);
  return table.scene({ kind: 'operator' }).health;
}

const codes = (found: readonly HealthFinding[]): readonly string[] => found.map(({ code }) => code);

/** One tile shaken by half a mT to and fro, slower than quiet lines come, as by a loose plug. */
function shake(table: VirtualTable): void {
  const fromMs = table.nowMs;
  for (let n = 0; n < 160; n += 1) {
    const span: Span = { fromUs: (fromMs + n * 50) * 1000, toUs: (fromMs + n * 50 + 50) * 1000 };
    table.sim.mat.shove(CELL, span, n % 2 === 0 ? 0.5 : -0.5);
  }
}

describe('what is wrong with a mat, put there and found', () => {
  it('finds nothing on a sound one', () => {
    expect(foundOn(() => {})).toEqual([]);
  });

  it.each<[string, string, boolean, (table: VirtualTable) => void, number?]>([
    ['dead hall', 'health/hall-dead', true, ({ sim }) => sim.mat.kill(CELL, 0, 3)],
    ['second hall that is dead', 'health/hall-dead', false, ({ sim }) => sim.mat.kill(CELL, 1, 3)],
    [
      'tile that is unplugged',
      'health/tile-missing',
      true,
      ({ sim }) => {
        sim.mat.kill(CELL, 0, -80);
        sim.mat.kill(CELL, 1, -80);
      },
    ],
    ['noisy hall', 'health/hall-noisy', false, shake],
    [
      'magnet nearby',
      'health/magnet-near',
      true,
      ({ sim }) => {
        sim.act({ act: 'seat', bakugan: sim.bodies[0]?.bakugan ?? '', cell: CELL });
      },
    ],
    [
      'stuck contact',
      'health/contact-stuck',
      false,
      ({ sim }) => sim.act({ act: 'fault', fault: 'stuck-contact', player: 'A', tile: 4, on: true }),
      16_000,
    ],
  ])('names a %s with its cell, its weight and what to do', (_what, code, blocks, inject, afterMs) => {
    const found = foundOn(inject, afterMs);
    const one = found.find((finding) => finding.code === code);
    expect(codes(found)).toContain(code);
    expect(one).toMatchObject({ blocks, cell: CELL });
    expect(one?.remedy.length).toBeGreaterThan(20);
    // Nothing is said of tiles that are sound.
    expect(found.every(({ cell }) => cell === undefined || cell === CELL)).toBe(true);
  });

  it('names a board that is unplugged, by its side', () => {
    const found = foundOn(({ sim }) => sim.act({ act: 'fault', fault: 'unplug', player: 'B', on: true }));
    expect(found.find(({ code }) => code === 'health/board-missing')).toMatchObject({
      blocks: true,
      text: 'Nothing is heard of side B.',
    });
  });

  it('names a mat that was never calibrated', () => {
    const found = foundOn(() => {}, 4000, { setting: { calibration: uncalibrated(FIXED_12) } });
    expect(codes(found)).toEqual(['health/uncalibrated']);
  });

  it('names a USB chip that holds lines back for 16 ms, and no prompt one', () => {
    const held = (toMs: number) =>
      foundOn(() => {}, 4000, {
        ways: ['sim-a', 'sim-b'].map((board) => ({
          link: board,
          board,
          wire: SERIAL_WIRE,
          arrivals: (atMs: number) => [Math.ceil(atMs / toMs) * toMs - atMs],
        })),
      });
    const found = held(16);
    expect(codes(found)).toEqual(['health/usb-latency-timer', 'health/usb-latency-timer']);
    expect(found[0]).toMatchObject({ blocks: false, link: 'sim-a' });
    expect(found[0]?.remedy).toMatch(/latency_timer/);
    expect(held(2)).toEqual([]);
  });

  it('names a wrong baud rate', () => {
    const bytes = Buffer.from(Array.from({ length: 24 }, (_, i) => 0x80 + ((i * 37) % 96))).toString(
      'base64',
    );
    const garbled = virtualTable({
      seed: SEED,
      auto: false,
      setting: {
        checksSensors: true,
        links: [
          { link: 'sim-a', wire: SERIAL_WIRE },
          { link: 'sim-b', wire: SERIAL_WIRE },
          { link: 'third', wire: SERIAL_WIRE },
        ],
      },
    });
    garbled.run(3000);
    garbled.wire('third', true, 'opened');
    for (let n = 0; n < 20; n += 1) garbled.hear('third', { b64: bytes });
    const found = garbled.scene({ kind: 'operator' }).health;
    expect(found.find(({ code }) => code === 'health/wrong-baud')).toMatchObject({
      blocks: true,
      link: 'third',
    });
  });
});

describe('what is wrong with the wiring of a mat, found by its calibration', () => {
  const HALLS = 2;
  /** Means are quarter counts around mid-supply. */
  const MIDDLE = 2048;
  type Means = Uint16Array;

  const report = (wire: (means: Means) => void) => {
    const { calibrator } = calibrateSimulated({
      layout: FIXED_12,
      seed: SEED,
      wiring(frame, side) {
        if (side === 'B') return frame;
        const means = frame.means.slice();
        wire(means);
        return { ...frame, means };
      },
    });
    const made = calibrationMade(calibrator);
    if (made === undefined) throw new Error(`stopped: ${calibrator.problem}`);
    return { made, rows: calibrationReport(FIXED_12, made) };
  };
  const scaled = (tile: number, by: number) => (means: Means) => {
    for (let h = 0; h < HALLS; h += 1) {
      const at = tile * HALLS + h;
      means[at] = MIDDLE + Math.round(((means[at] ?? MIDDLE) - MIDDLE) * by);
    }
  };

  const swapped = (one: number, other: number) => (means: Means) => {
    for (let h = 0; h < HALLS; h += 1) {
      const [a, b] = [means[one * HALLS + h] ?? 0, means[other * HALLS + h] ?? 0];
      means[one * HALLS + h] = b;
      means[other * HALLS + h] = a;
    }
  };

  it.each<[string, string, (means: Means) => void, readonly string[], RegExp]>([
    ['a sensor that is turned over', 'health/hall-reversed', scaled(3, -1), ['A3'], /turned over/],
    ['a weak sensor', 'health/hall-weak', scaled(2, 0.25), ['A2'], /far less/],
    ['swapped plugs of neighbours', 'health/tiles-swapped', swapped(1, 2), ['A1', 'A2'], /swapped/],
    ['swapped plugs far apart', 'health/tiles-swapped', swapped(0, 5), ['A0', 'A5'], /swapped/],
  ])('names %s in the report and in the health of the table', (_what, code, wire, tiles, words) => {
    const { made, rows } = report(wire);
    expect(rows.filter(({ pass }) => !pass).map(({ tile }) => tile)).toEqual(tiles);
    for (const row of rows.filter(({ pass }) => !pass)) expect(row.fix.join(' ')).toMatch(words);
    const found = foundOn(() => {}, 100, { setting: { calibration: made } });
    const cells = FIXED_12.cells.filter((cell) => tiles.includes(`${cell.side}${cell.tile}`));
    const named = new Set(found.filter((finding) => finding.code === code).map(({ cell }) => cell));
    expect([...named]).toEqual(cells.map(({ cell }) => cell));
  });
});
