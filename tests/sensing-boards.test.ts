import { describe, expect, it } from 'vitest';
import { createScene, opens, rollOver, signalCalibration, watchScene } from '../bin/bench/signals.ts';
import { CAPABILITY, type HelloFrame } from '../firmware-protocol/frame.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSensing, hearFrame, levelsOf, type SenseOutput } from '../host/sensing/sensing.ts';
import { opened } from './support/watched-rolls.ts';

describe('boards and studs', () => {
  it('a press of the stud is said once, chatter and quiet lines and all', () => {
    const scene = createScene();
    for (const span of [
      [1200, 1203],
      [1204, 1350],
      [1351, 1352],
      [1700, 1800],
    ] as const) {
      scene.studs.push({ side: 'B', span });
    }
    const watched = watchScene(scene, { activity: { kind: 'idle' }, untilMs: 2500 });
    const studs = watched.said.flatMap((s) => (s.output.kind === 'stud' ? [s.output] : []));
    expect(studs.map((s) => [s.player, Math.round(s.atMs / 10) * 10])).toEqual([
      ['B', 1200],
      ['B', 1700],
    ]);
  });

  it('frames of an unset board change nothing; a board for both sides serves both', () => {
    const sensing = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    const out: SenseOutput[] = [];
    const stamp = { boot: 1, seq: 1, deviceUs: 0 };
    const means = new Uint16Array(24).fill(2048);
    means[2 * 6] = 2048 + 400;
    const frame = { kind: 'quiet', ...stamp, inputs: 1 << 11, means } as const;
    hearFrame(sensing, 'unset', frame, 1000, 0, out);
    expect(levelsOf(sensing).every((cell) => cell.fieldMt[0] === 0 && !cell.contact)).toBe(true);
    hearFrame(sensing, 'both', frame, 1000, 0, out);
    const levels = levelsOf(sensing);
    // Board tile 6 is B's first, tile 11 B's last; 100 counts are 9.77 mT.
    expect(levels.find((l) => l.cell === 'q2r-2')?.fieldMt[0]).toBeCloseTo(9.77, 2);
    expect(levels.find((l) => l.cell === 'q-1r0')?.contact).toBe(true);
    expect(out).toEqual([]);
  });

  it('without launch gates nothing about the launch is claimed, and a lost ball is out by time', () => {
    const scene = createScene();
    opens(scene, 'q0r1', 1950, 1.1);
    rollOver(scene, 'q1r-1', 1990, 60);
    const noGates = (hello: HelloFrame): HelloFrame => ({
      ...hello,
      capabilities: hello.capabilities & ~CAPABILITY.gates,
    });
    const watched = watchScene(scene, {
      wire(arrived) {
        if (arrived.frame.kind === 'hello') Object.assign(arrived.frame, noGates(arrived.frame));
        return true;
      },
    });
    expect(opened(watched)).toEqual(['yes', 'no']);
    expect(watched.final?.balls[0]?.audit.releaseSkew).toMatchObject({ measured: false });
    expect(watched.final?.illegal).toEqual([]);
  });
});
