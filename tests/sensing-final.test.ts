import { describe, expect, it } from 'vitest';
import { CALL_MS, createScene, launch, opens, rollOf, rollOver, watchScene } from '../bin/bench/signals.ts';
import type { Watched } from '../bin/bench/watch.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import { bothOpen, finalCodes, opened } from './support/watched-rolls.ts';

function rulingsOf(watched: Watched): readonly RollRuling[] {
  return watched.said.flatMap((s) => (s.output.kind === 'ruling' ? [s.output.ruling] : []));
}

describe('end of a roll', () => {
  it('is final when both balls have rested T_rest (AM-07), and dated then', () => {
    const watched = watchScene(bothOpen());
    // Latch at 2005, ringing and chatter over within 100 ms.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 700);
    expect(watched.final?.atMs).toBeLessThanOrEqual(2005 + 700 + 150);
    const said = watched.said.find((s) => s.output.kind === 'ruling' && s.output.ruling.stage === 'final');
    expect((said?.outMs ?? 0) - (watched.final?.atMs ?? 0)).toBeLessThanOrEqual(20);
  });

  it('T_rest is a setting', () => {
    const watched = watchScene(bothOpen(), { limits: { restMs: 1500 } });
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 1500);
  });

  it('a ball that was launched and never seen again is out once it can come to no tile any more', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    rollOver(scene, 'q1r-1', 1900, 60);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['no', 'no']);
    // 250 mm from the gate to the last tile, at half of 0.6 m/s: a ball that slows down evenly and gets there is no slower.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(1720 + 250 / 0.3);
    expect(watched.final?.atMs).toBeLessThanOrEqual(1720 + 250 / 0.3 + 700);
    expect(finalCodes(watched)).toContain('open/rolled-out');
  });

  it('where a hand stayed in the far gate that is 3 s after the last motion', () => {
    const scene = createScene();
    launch(scene, 'A', 1700, 0.08);
    launch(scene, 'B', 1720);
    rollOver(scene, 'q1r-1', 1900, 60);
    const watched = watchScene(scene);
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(1700 + 36 / 0.08 + 3000);
    expect(watched.final?.atMs).toBeLessThanOrEqual(1700 + 36 / 0.08 + 3100);
  });

  it('a slow ball is waited for until its speed is spent, at 0.2 m/s each second', () => {
    const scene = createScene();
    opens(scene, 'q1r-1', 1990, -1.1);
    launch(scene, 'B', 1720);
    // 0.3 m/s at the gate: it stands 225 mm on, after 1.5 s, and opens with the last of its speed.
    launch(scene, 'A', 1700, 0.3);
    opens(scene, 'q0r0', 1700 + 1450, 1.1);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['yes', 'yes']);
    expect(watched.said.some(({ output }) => output.kind === 'retraction')).toBe(false);
  });

  it('a ball that opened and left its core is waited for no longer than for one that rests (5.7.2.3)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700, 0.3);
    launch(scene, 'B', 1720, 0.3);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 1990, -1.1, { dwellMs: 200 });
    const watched = watchScene(scene);
    expect(watched.final?.balls.map((b) => [b.opened, b.attached.sure])).toEqual([
      ['yes', ['A3']],
      ['yes', []],
    ]);
    // Its latch lets go at 2005, it is gone 200 ms later.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 200 + 700);
    expect(watched.final?.atMs).toBeLessThanOrEqual(2005 + 200 + 700 + 150);
  });

  it('of a ball that nobody ever saw nothing is claimed, and that after 20 s', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.1);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['yes', 'undetermined']);
    expect(watched.final?.atMs).toBeGreaterThan(CALL_MS + 20_000);
    expect(finalCodes(watched)).toContain('doubt/never-seen');
  });

  it('nothing at all: undetermined for both, once, after 20 s', () => {
    const watched = watchScene(createScene());
    expect(opened(watched)).toEqual(['undetermined', 'undetermined']);
    expect(rulingsOf(watched)).toHaveLength(1);
  });

  it('a single ball (reroll, 1.18) has one entry', () => {
    const scene = createScene();
    launch(scene, 'B', 1700);
    opens(scene, 'q1r-1', 1950, -1.1);
    const activity = { ...rollOf(), balls: [{ player: 'B', bakugan: 'B/1' }] } as const;
    const watched = watchScene(scene, { activity });
    expect(watched.final?.balls.map((b) => [b.player, b.opened])).toEqual([['B', 'yes']]);
    expect(finalCodes(watched)).toContain('owner/only-ball');
  });

  it('nothing is said outside a roll, whatever happens on the mat', () => {
    const watched = watchScene(bothOpen(), { activity: { kind: 'hands', why: 'set-up' }, untilMs: 6000 });
    expect(watched.said).toEqual([]);
  });

  it('an open that comes after the final ruling takes it back', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q1r-1', 1950, -1.1);
    rollOver(scene, 'q0r1', 1900, 40);
    opens(scene, 'q0r1', 5600, 1.1);
    const watched = watchScene(scene, { goOn: true, untilMs: 8000 });
    const finals = rulingsOf(watched).filter((r) => r.stage === 'final');
    expect(finals.map((r) => r.balls[0]?.opened)).toEqual(['no', 'yes']);
    const retraction = watched.said.find((s) => s.output.kind === 'retraction')?.output;
    expect(retraction).toMatchObject({ roll: 't1.1', revision: finals[0]?.revision });
  });
});
