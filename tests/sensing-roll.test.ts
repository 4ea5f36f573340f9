import { describe, expect, it } from 'vitest';
import { createScene, launch, opens, watchScene } from '../bin/bench/signals.ts';
import { bothOpen } from './support/watched-rolls.ts';

describe('roll rules', () => {
  it('measures the skew of the near gates and calls more than 1.0 s void (AM-10)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 2850);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 3100, -1.1);
    const watched = watchScene(scene);
    expect(watched.final?.illegal.map((r) => [r.code, r.rules])).toEqual([
      ['illegal/not-together', ['5.7.1', 'AM-10']],
    ]);
    const skew = watched.final?.balls[0]?.audit.releaseSkew;
    expect(skew?.measured === true && Math.abs(skew.value + 1150) <= skew.plusMinus).toBe(true);
  });

  it('0.4 s apart is legal (TV-24)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 2100);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 2350, -1.1);
    expect(watchScene(scene).final?.illegal).toEqual([]);
  });

  it('a ball rolled just before the call is void (AM-09)', () => {
    const scene = createScene();
    launch(scene, 'A', 900);
    launch(scene, 'B', 1700);
    opens(scene, 'q0r1', 1150, 1.1);
    opens(scene, 'q1r-1', 1950, -1.1);
    const watched = watchScene(scene);
    expect(watched.final?.illegal.map((r) => r.code)).toEqual(['illegal/early']);
  });

  it('measures speed and zone by the gates, and says why not where it cannot', () => {
    const a = watchScene(bothOpen()).final?.balls[0]?.audit;
    expect(a?.speed.measured === true && Math.abs(a.speed.value - 0.6) <= a.speed.plusMinus).toBe(true);
    expect(a?.releaseZone).toMatchObject({ measured: true, value: 177.8, unit: 'mm' });
    expect(a?.path).toEqual({ cells: ['q0r1'], coverage: 1 });
    const scene = bothOpen();
    scene.gates.length = 0;
    const blind = watchScene(scene).final?.balls[0]?.audit;
    expect(blind?.releaseSkew).toMatchObject({ measured: false });
    expect(blind?.speed).toMatchObject({ measured: false });
  });
});
