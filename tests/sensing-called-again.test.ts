import { describe, expect, it } from 'vitest';
import { createScene, launch, opens, rollOf, watchScene } from '../bin/bench/signals.ts';
import { setActivity } from '../host/sensing/sensing.ts';

/** The second roll is called so long after play has left the first one, ms. */
const CALLED_AGAIN_MS = [1, 40, 300];

describe('a roll called again while the ball of the last one still lies on its core', () => {
  it.each(CALLED_AGAIN_MS)(
    '%i ms after play left it: what comes there after it was fetched opens',
    (afterMs) => {
      const scene = createScene();
      launch(scene, 'A', 1700);
      // Opens at 1965 ms and is lifted at 3560 ms, in the second roll; then the other player's ball opens on that core.
      opens(scene, 'q0r1', 1950, 1.1, { dwellMs: 1595 });
      launch(scene, 'B', 4050);
      opens(scene, 'q0r1', 4300, -1.1);
      let calls = 0;
      const watched = watchScene(scene, {
        goOn: true,
        untilMs: 12_000,
        before(sensing, atMs, out) {
          if (calls === 0 && atMs >= 3200) {
            calls = 1;
            setActivity(sensing, { kind: 'idle' }, 3200, out);
          }
          if (calls === 1 && atMs >= 3200 + afterMs) {
            calls = 2;
            setActivity(sensing, { ...rollOf(), roll: 't1.2' }, 3200 + afterMs, out);
          }
          return sensing;
        },
      });
      const rulings = watched.said.flatMap(({ output }) => (output.kind === 'ruling' ? [output.ruling] : []));
      const said = (roll: string, player: string): readonly string[] =>
        rulings
          .filter((ruling) => ruling.roll === roll)
          .map(({ balls }) => balls.find((ball) => ball.player === player)?.opened ?? '');
      expect(said('t1.1', 'A')).toContain('yes');
      expect(said('t1.2', 'A')).not.toContain('yes');
      expect(said('t1.2', 'B').at(-1)).toBe('yes');
    },
  );
});
