import type { Side } from '../ids.ts';
import { BALL_BLOCKS_MS, BALL_MM, type Gates, launchMs } from './gates.ts';
import type { SensingLimits } from './limits.ts';
import { REASONS } from './reasons.ts';
import type { BallAudit, Measure, Reason } from './ruling.ts';
import type { Tiles } from './tiles.ts';

/** A stay of one ball on one tile, as the report needs it. */
export interface Stay {
  readonly cell: number;
  readonly atMs: number;
  readonly untilMs: number;
  /** Flights found while it was over the tile. */
  readonly flights: number;
}

const missing = (why: string): Measure => ({ measured: false, why });
const tenth = (value: number): number => Math.round(value * 10) / 10;
const NO_GATES = 'the board has no launch gates or they were not heard';

/** First crossing of the near gates, own minus other, ms (5.7.1). */
export function releaseSkew(own: Gates, other: Gates, known: boolean): Measure {
  if (!known) return missing(NO_GATES);
  const a = own.near.blockedMs;
  const b = other.near.blockedMs;
  if (!(a >= 0)) return missing('the ball did not cross its near gate: it was released beyond it');
  if (!(b >= 0)) return missing('the other ball did not cross its near gate: it was released beyond it');
  return {
    measured: true,
    value: tenth(a - b),
    plusMinus: tenth(own.near.errorMs + other.near.errorMs + 1),
    unit: 'ms',
  };
}

/** How far from the own edge the release was at most (5.7.1.2): a free ball at the far gate was released before it. */
export function releaseZone(own: Gates, farMm: number, known: boolean): Measure {
  if (!known) return missing(NO_GATES);
  const { blockedMs, freeMs } = own.far;
  if (!(blockedMs >= 0)) return missing('nothing crossed the far gate: the release is unseen');
  const blocked = freeMs - blockedMs;
  if (!(blocked >= 0)) return missing('something still blocks the far gate');
  if (blocked > BALL_BLOCKS_MS) return missing('the far gate was blocked for longer than a free ball would');
  return { measured: true, value: farMm, plusMinus: BALL_MM / 2, unit: 'mm' };
}

/** Speed between the gates, m/s, with the error of their times. */
export function launchSpeed(own: Gates, nearMm: number, farMm: number, known: boolean): Measure {
  if (!known) return missing(NO_GATES);
  const way = farMm - nearMm;
  const took = own.far.blockedMs - own.near.blockedMs;
  if (own.near.blockedMs >= 0 && took > 0 && own.near.freeMs - own.near.blockedMs < BALL_BLOCKS_MS) {
    const value = way / took;
    const error = value * ((own.near.errorMs + own.far.errorMs + 0.5) / took + 2 / way);
    return {
      measured: true,
      value: Math.round(value * 100) / 100,
      plusMinus: Math.ceil(error * 100) / 100,
      unit: 'm/s',
    };
  }
  const blocked = own.far.freeMs - own.far.blockedMs;
  if (!(blocked > 0)) return missing('the ball did not cross the far gate');
  if (blocked > BALL_BLOCKS_MS) return missing('the far gate was blocked for longer than a free ball would');
  const value = BALL_MM / blocked;
  // The chord depends on the ball's radius (35 to 44 mm) and on its height over the beam.
  return {
    measured: true,
    value: Math.round(value * 100) / 100,
    plusMinus: Math.ceil(value * 25) / 100,
    unit: 'm/s',
  };
}

/** Cells in the order of touch, and the share of the way between first and last that lay over a tile then touched. */
export function pathOf(tiles: Tiles, stays: readonly Stay[]): BallAudit['path'] {
  const cells = stays.map((stay) => tiles.cells[stay.cell]?.cell ?? '');
  const first = stays[0];
  const last = stays.at(-1);
  if (first === undefined || last === undefined) return { cells: [], coverage: 0 };
  if (stays.length === 1) return { cells, coverage: 1 };
  const span = last.atMs - first.atMs;
  if (span <= 0) return { cells, coverage: 1 };
  let covered = 0;
  let end = first.atMs;
  for (const stay of stays) {
    const to = Math.min(stay.untilMs, last.atMs);
    covered += Math.max(0, to - Math.max(end, stay.atMs));
    end = Math.max(end, to);
  }
  return { cells, coverage: Math.round(Math.min(1, covered / span) * 100) / 100 };
}

/** Flights over tiles (5.7.1.3). Bare mat feels nothing. */
export function bouncesOf(stays: readonly Stay[]): Measure {
  if (stays.length === 0) return missing('the ball touched no tile, and the bare mat feels nothing');
  return {
    measured: true,
    value: stays.reduce((n, stay) => n + stay.flights, 0),
    plusMinus: 1,
    unit: 'flights',
  };
}

/** What makes the roll void by its release (AM-09, AM-10), in the order A, B. */
export function illegalReasons(
  gates: Readonly<Record<Side, Gates>>,
  sides: readonly Side[],
  known: boolean,
  fromMs: number,
  limits: SensingLimits,
): readonly Reason[] {
  if (!known) return [];
  const out: Reason[] = [];
  const a = gates.A.near.blockedMs;
  const b = gates.B.near.blockedMs;
  const error = gates.A.near.errorMs + gates.B.near.errorMs;
  if (sides.length === 2 && Math.abs(a - b) - error > limits.syncMs) out.push(REASONS.notTogether);
  for (const side of sides) {
    const { near, far } = gates[side];
    // Past the far gate just before the call and through neither gate since: that was the launch.
    const passed = far.beforeMs < fromMs && fromMs - far.beforeMs < limits.syncMs && !far.blocked;
    if (passed && !(launchMs(gates[side]) >= 0) && !near.blocked) {
      out.push({ ...REASONS.early, text: `Player ${side}: ${REASONS.early.text}` });
    }
  }
  return out;
}
