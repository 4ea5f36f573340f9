import { describe, expect, it } from 'vitest';
import {
  committedScore,
  GATE,
  type GateName,
  gateFailures,
  gateIdle,
  gateScore,
} from '../bin/bench/detection-gate.ts';

const SLOW = 600_000;

describe('the detection gate', () => {
  for (const name of Object.keys(GATE) as GateName[]) {
    it(
      `holds the committed scores: ${name}`,
      () => {
        expect(gateFailures(name, committedScore(name), gateScore(name))).toEqual([]);
      },
      SLOW,
    );
  }

  it('lets hands on an armed table invent no open', () => expect(gateIdle()).toBe(0), SLOW);

  // It can fail: detectors made worse on purpose do not pass.
  for (const [variant, name] of [
    ['noHysteresis', 'impaired'],
    ['noCrosstalk', 'coupled'],
    ['forced', 'reset'],
  ] as const) {
    it(
      `turns away a detector with ${variant}`,
      () => {
        expect(gateFailures(name, committedScore(name), gateScore(name, variant))).not.toEqual([]);
      },
      SLOW,
    );
  }
});
