import type { Side } from '../host/ids.ts';
import { beamsSeen, type Calibrator } from '../host/sensing/calibrate.ts';
import type { TileReport } from '../host/sensing/calibration-report.ts';

/** The launch gates of a side as they were tried: which beams were seen blocked and then free. */
export interface GateReport {
  readonly side: Side;
  readonly near: boolean;
  readonly far: boolean;
}

/** Every side whose gates were tried. */
export function gatesOf(c: Calibrator): readonly GateReport[] {
  return (c.ask.gates ?? []).map((side) => ({ side, ...beamsSeen(c, side) }));
}

/** The report of a calibration as lines for people: a line a hall, the whole row of neighbours, what to mend; gates. */
export function calibrationTable(
  report: readonly TileReport[],
  gates: readonly GateReport[],
): readonly string[] {
  const lines = ['tile cell   hall        noise   ball  taken off  light  contact'];
  for (const one of report) {
    for (const [h, hall] of one.halls.entries()) {
      const first = h === 0;
      lines.push(
        [
          (first ? one.tile : '').padEnd(4),
          (first ? one.cell : '').padEnd(6),
          hall.hall.padEnd(9),
          hall.noiseMt.toFixed(2).padStart(7),
          hall.seatedMt.toFixed(1).padStart(6),
          (hall.liftMt === null ? '-' : hall.liftMt.toFixed(1)).padStart(10),
          hall.lightMt.toFixed(2).padStart(6),
          ...(first ? [(one.contact ? 'works' : 'dead').padStart(8), one.pass ? '  pass' : '  FIX'] : []),
        ].join(' '),
      );
    }
    const shares = Object.entries(one.neighbours).map(
      ([tile, share]) => `${tile} ${(share * 100).toFixed(1)} %`,
    );
    lines.push(
      `       neighbours' balls show here: ${shares.length === 0 ? 'not measured' : shares.join(', ')}`,
    );
    lines.push(...one.fix.map((text) => `       ${text}`));
  }
  lines.push('Levels in mT; taken off: what the ball brought about on its way up, with its own pole.');
  for (const { side, near, far } of gates) {
    const of = (name: string, works: boolean): string => `${name} ${works ? 'works' : 'NOT SEEN TO WORK'}`;
    lines.push(`Launch gate of side ${side}: ${of('near beam', near)}, ${of('far beam', far)}.`);
  }
  if (gates.length === 0) lines.push('Launch gates: not tried.');
  return lines;
}
