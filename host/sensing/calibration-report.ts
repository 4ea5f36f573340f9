import type { CellId } from '../ids.ts';
import type { Calibration } from './calibration.ts';
import type { Layout } from './layout.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { tileFaults } from './tile-faults.ts';

/** One tile of the report at the end of a calibration. */
export interface TileReport {
  readonly tile: string;
  readonly cell: CellId;
  /** First hall: noise of a sample, level of the seated ball with its sign, shift by full light; mT. */
  readonly noiseMt: number;
  readonly seatedMt: number;
  readonly lightMt: number;
  /** Largest share of a neighbour's ball seen here. */
  readonly crosstalk: number;
  /** Each neighbour's share, by its tile. */
  readonly neighbours: Readonly<Record<string, number>>;
  readonly contact: boolean;
  readonly pass: boolean;
  /** What to mend, each a sentence; empty when it passes. */
  readonly fix: readonly string[];
}

/** Noise and light that still leave a ball's field clear of them, mT. */
const NOISE_MT = 0.3;
const LIGHT_MT = 0.8;

/** What a calibration shows of each tile, and what to mend. */
export function calibrationReport(layout: Layout, calibration: Calibration): readonly TileReport[] {
  const faults = tileFaults(calibration);
  return layout.cells.map((cell): TileReport => {
    const tile = `${cell.side}${cell.tile}`;
    const known = calibration.tiles.find((one) => one.tile === tile);
    const hall = known?.halls[0];
    const mt = (counts: number): number => Math.round(counts * DEFAULT_LIMITS.mtPerCount * 100) / 100;
    const noiseMt = mt(hall?.noiseCounts ?? 0);
    const lightMt = mt(hall?.ledCounts ?? 0);
    const fix = faults
      .filter((fault) => fault.tile === tile)
      .map(
        ({ finding }) => `${finding.text.charAt(0).toUpperCase()}${finding.text.slice(1)} ${finding.remedy}`,
      );
    if (known === undefined) fix.push('It was not measured: calibrate it.');
    if (known?.contactWorks === false) fix.push('Its contact did not close: clean the core and the contact.');
    if (noiseMt > NOISE_MT) fix.push(`Its noise is ${noiseMt} mT: look for loose plugs, phones and motors.`);
    if (Math.abs(lightMt) > LIGHT_MT) {
      fix.push(`Its lights move it by ${lightMt} mT: give the LEDs their own supply and ground.`);
    }
    return {
      tile,
      cell: cell.cell,
      noiseMt,
      seatedMt: mt(hall?.seatedCounts ?? 0),
      lightMt,
      crosstalk: Object.values(known?.neighbours ?? {}).reduce((most, s) => Math.max(most, Math.abs(s)), 0),
      neighbours: known?.neighbours ?? {},
      contact: known?.contactWorks ?? false,
      pass: fix.length === 0,
      fix,
    };
  });
}
