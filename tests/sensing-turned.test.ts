import { describe, expect, it } from 'vitest';
import { createScene, launch, opens, type Scene, watchScene } from '../bin/bench/signals.ts';
import { healthOf } from '../host/sensing/health.ts';
import { loadSensing, saveSensing } from '../host/sensing/save.ts';
import type { Sensing } from '../host/sensing/state.ts';
import { bothLaunched } from './support/watched-rolls.ts';

/** B's magnet is in the wrong way round: it reads positive, as A's do. A's ball opens beside its own edge, B's beside its. */
function apart(): Scene {
  const scene = bothLaunched();
  opens(scene, 'q-1r2', 1930, 1.1);
  opens(scene, 'q2r-2', 1930, 1.1);
  return scene;
}

/** As calibrated: B's reads negative. */
function asCalibrated(): Scene {
  const scene = bothLaunched();
  opens(scene, 'q-1r2', 1930, 1.1);
  opens(scene, 'q2r-2', 1930, -1.1);
  return scene;
}

/** Watched by a detector that has seen these balls read the other way round. */
function watchedKnowing(turned: readonly string[], scene: Scene) {
  let told = false;
  return watchScene(scene, {
    before(sensing: Sensing) {
      if (!told) sensing.turned = turned;
      told = true;
      return sensing;
    },
  });
}

const codesOf = (sensing: Sensing): readonly string[] =>
  healthOf(sensing, [], 30_000).map(({ code }) => code);

describe('a ball whose magnet sits the wrong way round', () => {
  it('is found out by the first roll that tells the balls apart by their ways, and shown before the next', () => {
    const { sensing, final } = watchScene(apart());
    expect(final?.balls.map(({ player, attached }) => [player, attached.sure])).toEqual([
      ['A', ['A1']],
      ['B', ['B1']],
    ]);
    expect(sensing.turned).toEqual(['B/1']);
    expect(codesOf(sensing)).toContain('health/ball-turned');
  });

  it('is remembered through a restart of the host', () => {
    const { sensing } = watchScene(apart());
    expect(loadSensing(sensing.setting, saveSensing(sensing)).turned).toEqual(['B/1']);
  });

  it('is forgotten once it reads as calibrated again', () => {
    const { sensing } = watchedKnowing(['B/1'], asCalibrated());
    expect(sensing.turned).toEqual([]);
    expect(codesOf(sensing)).not.toContain('health/ball-turned');
  });

  // A's ball touches nothing; B's opens beside B's edge, where A's could just have come to: only the sign speaks for A.
  it('is no longer given to the other player for its sign alone', () => {
    const scene = createScene();
    launch(scene, 'A', 1560);
    launch(scene, 'B', 1700);
    opens(scene, 'q1r-1', 1990, 1.1);
    const known = watchedKnowing(['B/1'], scene).final?.balls ?? [];
    expect(known.filter(({ player, opened }) => player === 'A' && opened === 'yes')).toEqual([]);
    expect(known.filter(({ player, opened }) => player === 'B' && opened === 'no')).toEqual([]);
  });
});
