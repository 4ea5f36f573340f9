import { describe, expect, it } from 'vitest';
import { createRig, movingWorld, notingScans } from '../bin/bench/avr-rig.ts';
import { countsOf } from '../sim/avr/adc.ts';
import { voltsOf } from '../sim/world.ts';
import { framesOf, READY_US } from './support/avr-heard.ts';
import { worldOf } from './support/avr-program.ts';

describe('what the committed firmware says of the fields and contacts that it was fed', () => {
  /** Samples that a world gave, scan by scan, and what the board said of them. */
  function compareBursts(chip: 'uno' | 'mega', seconds: number, activeTiles: number) {
    const sensors = chip === 'uno' ? 12 : 24;
    const given: { atUs: number; counts: number }[][] = Array.from({ length: sensors }, () => []);
    const world = movingWorld(activeTiles, READY_US + 100_000);
    const rig = createRig({
      chip,
      world: {
        ...world,
        fieldMt(sensor, atUs) {
          const mT = world.fieldMt(sensor, atUs);
          given[sensor]?.push({ atUs, counts: countsOf(voltsOf(mT), 5) });
          return mT;
        },
      },
    });
    const lines = rig.run(READY_US + 100_000 + seconds * 1e6);
    // The first scan starts at device time 1000 µs.
    const bootUs = (given[0]?.[0]?.atUs ?? 0) - 1000;
    let compared = 0;
    let wrong = 0;
    for (const burst of framesOf(lines, 'burst')) {
      const tiles = Array.from({ length: 12 }, (_, tile) => tile).filter(
        (tile) => (burst.tileMask >> tile) & 1,
      );
      for (const [place, tile] of tiles.entries()) {
        for (let scan = 0; scan < 8; scan++) {
          if ((burst.gapMask >> scan) & 1) continue;
          for (let hall = 0; hall < 2; hall++) {
            const atUs = bootUs + burst.deviceUs + 1000 * scan;
            // A scan of twelve channels takes 0.7 ms, so its samples lie within 0.8 ms of its start.
            const taken =
              given[2 * tile + hall]?.filter((one) => one.atUs > atUs - 50 && one.atUs < atUs + 850) ?? [];
            // Fed from a slower scan, where the board shares its rate: repeats what it had.
            if (taken.length === 0 && chip === 'mega') continue;
            compared += 1;
            const said = burst.samples[(place * 8 + scan) * 2 + hall];
            if (taken.length !== 1 || taken[0]?.counts !== said) wrong += 1;
          }
        }
      }
    }
    return { rig, lines, compared, wrong };
  }

  it('sends, at 1 kHz from six tiles, exactly the samples it was fed', () => {
    const { rig, lines, compared, wrong } = compareBursts('uno', 1, 6);
    expect(wrong).toBe(0);
    // One second of twelve channels at 1 kHz, less what is still on its way.
    expect(compared).toBeGreaterThan(11_500);
    expect(lines.every((line) => line.frame)).toBe(true);
    const bursts = framesOf(lines, 'burst');
    // At least 16 ms from before the onset.
    expect(Math.min(...bursts.map((burst) => burst.deviceUs))).toBeLessThan(
      READY_US + 100_000 - 1_000_000 - 16_000,
    );
    // Numbered without a gap.
    const seqs = lines.map((line) => line.frame?.seq ?? -1);
    expect(seqs.every((seq, i) => i === 0 || seq === (seqs[i - 1] ?? 0) + 1)).toBe(true);
    expect(rig.board.figures().receiveOverruns).toBe(0);
  });

  it.each(['uno', 'mega'] as const)('scans six active tiles of the %s at 1 kHz while armed', (chip) => {
    const world = movingWorld(6, READY_US);
    const { world: noted, scans } = notingScans(world);
    const rig = createRig({
      chip,
      world: noted,
    });
    rig.run(READY_US);
    rig.ask({ kind: 'arm', tag: 1, armed: true });
    rig.run(READY_US + 300_000);
    scans.length = 0;
    rig.run(rig.nowUs() + 500_000);
    expect(scans.length).toBe(500);
    const steps = scans.slice(1).map((at, i) => at - (scans[i] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(980);
    expect(Math.max(...steps)).toBeLessThan(1020);
  });

  it('sends what six tiles of the Mega were fed', () => {
    const { compared, wrong } = compareBursts('mega', 0.5, 6);
    expect(wrong).toBe(0);
    expect(compared).toBeGreaterThan(5000);
  });

  it('tells contacts, gates and the stud by edges with their time', () => {
    const edges: readonly [number, number, boolean][] = [
      [1_200_300, 2, true],
      [1_230_700, 2, false],
      [1_250_100, 16, true],
      [1_255_900, 16, false],
      [1_270_000, 17, true],
      [1_300_000, 18, true],
    ];
    const level = (input: number, atUs: number): boolean =>
      edges.filter(([us, one]) => one === input && us <= atUs).at(-1)?.[2] ?? false;
    const rig = createRig({
      chip: 'uno',
      world: worldOf({
        contact: (tile, us) => level(tile, us),
        gate: (gate, us) => level(16 + gate, us),
        stud: (_, us) => level(18, us),
        nextEdgeUs: (after) => edges.find(([us]) => us > after)?.[0] ?? Number.POSITIVE_INFINITY,
      }),
    });
    const lines = rig.run(1_400_000);
    const told = framesOf(lines, 'edge');
    expect(told.map((edge) => [edge.input, edge.closed])).toEqual(
      edges.map(([, input, closed]) => [input, closed]),
    );
    // The board's clock starts with its first scan less a millisecond, some ms after the bootloader's end.
    const offsets = told.map((edge, i) => (edges[i]?.[0] ?? 0) - edge.deviceUs);
    expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(520);
    const { inputs } = framesOf(lines, 'quiet').at(-1) ?? { inputs: 0 };
    expect(inputs).toBe((1 << 17) | (1 << 18));
  });
});
