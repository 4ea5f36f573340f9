import { describe, expect, it } from 'vitest';
import { CALL_MS, createScene, launch, opens, watchScene } from '../bin/bench/signals.ts';

describe('a field that flickers from right before the call on', () => {
  // A light that changes 60 times a second, over the onset threshold of 0.4 mT for 4 ms at a time.
  it.each([-12, -8, -4])('from %i ms on hides no ball that opens there with a dead contact', (fromMs) => {
    const scene = createScene();
    const flicker = (ms: number): number =>
      ms >= CALL_MS + fromMs && ms < 2400 && (ms - CALL_MS - fromMs) % 16 < 4 ? 1 : 0;
    scene.fields.push({ cell: 'q0r1', mt: flicker, side: () => 0 });
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.2, { contact: false });
    const ball = watchScene(scene).final?.balls.find(({ player }) => player === 'A');
    expect(ball?.openScore).toBeGreaterThan(0.5);
  });
});
