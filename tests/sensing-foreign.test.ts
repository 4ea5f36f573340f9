import { describe, expect, it } from 'vitest';
import { runIdle } from '../bin/bench/detection-idle.ts';
import {
  createScene,
  launch,
  laysMagnet,
  opens,
  rollOver,
  type Scene,
  watchScene,
} from '../bin/bench/signals.ts';
import type { BallRuling } from '../host/sensing/ruling.ts';
import { bothLaunched, codesOf } from './support/watched-rolls.ts';

/** All that was ever said of A's ball, the last word last. */
function wordsOnA(scene: Scene): readonly BallRuling[] {
  return watchScene(scene).said.flatMap(({ output }) =>
    output.kind === 'ruling' ? output.ruling.balls.filter((ball) => ball.player === 'A') : [],
  );
}

/** B rolls and opens, so that A's ball alone is looked at; A's gates see something pass as quickly as a ball. */
function onlyBOpens(): Scene {
  const scene = bothLaunched();
  opens(scene, 'q1r-1', 1950, -1.1);
  return scene;
}

describe('magnets that are no balls of this roll', () => {
  // A latch shakes its contact at least four times after the bounce of closing; a hand that lays something down does not.
  it('a magnet carried through a gate and laid on a core is never an open, not even for a moment', () => {
    for (const level of [0.8, 1.1, 2, -1.1]) {
      const scene = onlyBOpens();
      laysMagnet(scene, 'q0r1', 2000, level);
      const words = wordsOnA(scene);
      expect(words.map((ball) => ball.opened)).not.toContain('yes');
      expect(words.at(-1)?.opened, `level ${level}`).toBe('undetermined');
    }
  });

  it('and the ruling says why', () => {
    const scene = onlyBOpens();
    laysMagnet(scene, 'q0r1', 2000, 1.1);
    expect(codesOf(wordsOnA(scene).at(-1))).toContain('doubt/laid-down');
  });

  it('the same field with the shaking of a latch is an open', () => {
    const scene = onlyBOpens();
    opens(scene, 'q0r1', 2000, 1.1);
    expect(wordsOnA(scene).at(-1)?.opened).toBe('yes');
  });

  it('where the contact is dead nothing can be heard of a latch: its silence is no evidence', () => {
    const scene = onlyBOpens();
    opens(scene, 'q0r1', 2000, 1.1, { contact: false });
    expect(codesOf(wordsOnA(scene).at(-1))).not.toContain('doubt/laid-down');
  });

  // A magnet of one and a half balls' strength, pulled through B's far gate and laid on a tile for a second.
  it('a window of foreign magnets over an armed table invents no open', () => {
    expect(runIdle('magnets', 60_800_051, 0.005)).toMatchObject({ falseOpens: 0 });
  });
});

describe('magnets that lie on a core at the call and go', () => {
  // The call is at 1000 ms: a ball that opens before it lies there already, and nothing of its opening is in the roll.
  function opensAndLeaves(): Scene {
    const scene = createScene();
    opens(scene, 'q0r1', 780, 1.1, { dwellMs: 800 });
    launch(scene, 'B', 2700);
    opens(scene, 'q1r-1', 2950, -1.1);
    return scene;
  }

  it('may be the ball that was launched before the call: not seen to open is no answer', () => {
    const scene = opensAndLeaves();
    launch(scene, 'A', 620);
    rollOver(scene, 'q1r1', 1800, 120);
    const word = wordsOnA(scene).at(-1);
    expect(word?.opened).toBe('undetermined');
    expect(codesOf(word)).toContain('doubt/opened-before-call');
  });

  it('are no ball of a player who launches after it: somebody fetched what lay there', () => {
    const scene = opensAndLeaves();
    launch(scene, 'A', 2700);
    rollOver(scene, 'q1r1', 2950, 120);
    expect(wordsOnA(scene).at(-1)?.opened).toBe('no');
  });
});
