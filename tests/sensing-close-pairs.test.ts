import { describe, expect, it } from 'vitest';
import { createScene, launch, opens, signalCalibration, watchScene } from '../bin/bench/signals.ts';

const TOUCH_MS = 2000;

/** What is said of two balls of one polarity whose latches let go so far apart on one core, from `latchMs` after the touch. */
function openedOf(gapMs: number, latchMs: number): readonly string[] {
  const scene = createScene();
  launch(scene, 'A', TOUCH_MS - 250);
  launch(scene, 'B', TOUCH_MS - 250 + gapMs);
  opens(scene, 'q0r0', TOUCH_MS, 0.8, { latchMs });
  opens(scene, 'q0r0', TOUCH_MS + gapMs, 0.6, { latchMs, joined: true });
  const watched = watchScene(scene, { calibration: signalCalibration({ A: 1, B: 1 }) });
  return watched.final?.balls.map(({ opened }) => opened) ?? [];
}

describe('two balls of one polarity on one core within 20 ms (5.7.2.2)', () => {
  // Traces are kept in bins of 8 ms that begin with the first touch: latches at all places within a bin.
  it.each([17, 20])('%i ms apart are both seen, wherever in a bin of the trace they land', (gapMs) => {
    const places = [0, 1, 2, 3, 4, 5, 6, 7].map((ms) => openedOf(gapMs, 15 + ms));
    expect(places).toEqual(places.map(() => ['yes', 'yes']));
  });

  it('one ball that slides into its seat is not two', () => {
    for (let ms = 0; ms < 8; ms += 1) {
      const scene = createScene();
      launch(scene, 'A', TOUCH_MS - 250);
      launch(scene, 'B', TOUCH_MS - 200, 0.3);
      opens(scene, 'q0r0', TOUCH_MS, 1.2, { latchMs: 15 + ms });
      const watched = watchScene(scene, { calibration: signalCalibration({ A: 1, B: 1 }) });
      expect(watched.final?.balls.filter(({ opened }) => opened === 'yes').length).toBe(1);
    }
  });
});
