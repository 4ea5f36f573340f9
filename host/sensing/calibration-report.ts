import type { CellId } from '../ids.ts';
import type { Calibration } from './calibration.ts';
import type { Layout } from './layout.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { tileFaults } from './tile-faults.ts';
import { HALL_NAMES } from './tiles.ts';

/** One hall sensor in the report, all in mT. */
export interface HallReport {
  /** As people call it: `axis`, `collector`, `offset`. */
  readonly hall: string;
  /** Standard deviation of one sample. */
  readonly noiseMt: number;
  /** Level of the seated ball, with its sign. */
  readonly seatedMt: number;
  /** Level of the ball as it was lifted off, with the sign of its pole; null where it was not seen. */
  readonly liftMt: number | null;
  /** Shift by full light, with its sign. */
  readonly lightMt: number;
}

/** One tile of the report at the end of a calibration. */
export interface TileReport {
  readonly tile: string;
  readonly cell: CellId;
  /** Every hall of the layout, in the order of its channels. */
  readonly halls: readonly HallReport[];
  /** Largest share of a neighbour's ball seen here. */
  readonly crosstalk: number;
  /** Each neighbour's share, by its tile. */
  readonly neighbours: Readonly<Record<string, number>>;
  readonly contact: boolean;
  readonly pass: boolean;
  /** What to mend, each a sentence that names the hall where it is one; empty when it passes. */
  readonly fix: readonly string[];
}

const mt = (counts: number): number => Math.round(counts * DEFAULT_LIMITS.mtPerCount * 100) / 100;

/** What a calibration shows of each tile, and what to mend. */
export function calibrationReport(layout: Layout, calibration: Calibration): readonly TileReport[] {
  const faults = tileFaults(layout, calibration);
  return layout.cells.map((cell): TileReport => {
    const tile = `${cell.side}${cell.tile}`;
    const known = calibration.tiles.find((one) => one.tile === tile);
    const fix = faults
      .filter((fault) => fault.tile === tile)
      .map(
        ({ finding }) => `${finding.text.charAt(0).toUpperCase()}${finding.text.slice(1)} ${finding.remedy}`,
      );
    if (known === undefined) fix.push('It was not measured: calibrate it.');
    if (known?.contactWorks === false) fix.push('Its contact did not close: clean the core and the contact.');
    return {
      tile,
      cell: cell.cell,
      halls: HALL_NAMES[layout.sensors].map((name, h): HallReport => {
        const hall = known?.halls[h];
        const lift = hall?.liftCounts;
        return {
          hall: name,
          noiseMt: mt(hall?.noiseCounts ?? 0),
          seatedMt: mt(hall?.seatedCounts ?? 0),
          liftMt: lift === undefined ? null : mt(lift),
          lightMt: mt(hall?.ledCounts ?? 0),
        };
      }),
      crosstalk: Object.values(known?.neighbours ?? {}).reduce((most, s) => Math.max(most, Math.abs(s)), 0),
      neighbours: known?.neighbours ?? {},
      contact: known?.contactWorks ?? false,
      pass: fix.length === 0,
      fix,
    };
  });
}
