/** True rolls and claims on them, written down by hand. */
import type { Claim } from '../../bin/bench/detection-claims.ts';
import type { Side } from '../../host/ids.ts';
import type { BallTruth, CellVisit, RollTruth } from '../../sim/truth.ts';

/** Opened on the last cell of its path when it latched; holds that core unless told otherwise. */
export function ballTruth(
  player: Side,
  more: { readonly restMs: number; readonly path: readonly CellVisit[] } & Partial<BallTruth>,
): BallTruth {
  const last = more.path.at(-1);
  const opened = more.latchMs !== undefined;
  const core = last?.core;
  return {
    player,
    bakugan: `${player}/1`,
    polarity: player === 'A' ? 1 : -1,
    strength: 1,
    radiusMm: 18,
    mode: 'rolled',
    ending: opened ? 'attach' : 'pass',
    releaseMs: 1200,
    releaseMm: 100,
    releaseMPerS: 0.6,
    lossMPerS2: 0.3,
    contact: more.path.flatMap((visit) => visit.core ?? []),
    opened,
    attached: opened && core !== undefined ? [core] : [],
    ...(opened && last !== undefined ? { latchCell: last.cell } : {}),
    bounces: 0,
    ...more,
  };
}

export function rollTruth(balls: readonly BallTruth[], more: Partial<RollTruth> = {}): RollTruth {
  return {
    roll: 't1.1',
    seed: 1,
    layout: 'fixed-12',
    fromMs: 1000,
    toMs: 4000,
    cores: [
      { cell: 'q0r1', core: 'A1' },
      { cell: 'q1r-1', core: 'B1' },
      { cell: 'q0r0', core: 'A2' },
    ],
    balls,
    contactFaults: [],
    hands: [],
    ...more,
  };
}

/** Says that a ball touched nothing and did not open, unless told otherwise. */
export function claim(player: Side, more: Partial<Claim>): Claim {
  return {
    player,
    opened: 'no',
    contact: [],
    attached: [],
    doubt: false,
    confidence: 1,
    touchedMs: new Map(),
    attachSaidMs: new Map(),
    ...more,
  };
}
