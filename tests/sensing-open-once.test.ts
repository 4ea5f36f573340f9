import { describe, expect, it } from 'vitest';
import {
  CALL_MS,
  createScene,
  hand,
  launch,
  laysMagnet,
  opens,
  rollOver,
  type Scene,
  watchScene,
} from '../bin/bench/signals.ts';
import type { BallRuling } from '../host/sensing/ruling.ts';
import { bothLaunched, codesOf } from './support/watched-rolls.ts';

/** The last word on a player's ball; of a ball whose owner is in doubt there is none. */
function lastWord(scene: Scene, player: 'A' | 'B'): BallRuling | undefined {
  return watchScene(scene).final?.balls.find((ball) => ball.player === player);
}

// A's ball opens at once and stays; B's only rolls through. The field is q, r of 45 mm cells; q0r1 is A3, q1r-1 is B3.
function rolled(): Scene {
  const scene = bothLaunched();
  rollOver(scene, 'q1r-1', 1900, 60);
  opens(scene, 'q0r1', 1950, 1.1);
  return scene;
}

describe('a latch lets go once', () => {
  it('a magnet laid down far from the open ball is no second core of it', () => {
    const scene = rolled();
    laysMagnet(scene, 'q2r-2', 2300, 1.2);
    const word = lastWord(scene, 'A');
    expect(word?.opened).toBe('yes');
    expect(word?.attached).toEqual({ sure: ['A3'], possible: [] });
  });

  it('nor one that was laid down before the ball came', () => {
    const scene = rolled();
    laysMagnet(scene, 'q2r0', 1500, 1.6);
    expect(lastWord(scene, 'A')?.attached).toEqual({ sure: ['A3'], possible: [] });
  });

  it('nor one laid on the next core a while later', () => {
    const scene = rolled();
    laysMagnet(scene, 'q-1r2', 2400, 0.9);
    expect(lastWord(scene, 'A')?.attached.sure).toEqual(['A3']);
  });

  it('two openings in different places at different times are two balls, whatever way they came', () => {
    const scene = rolled();
    opens(scene, 'q2r-2', 2600, 1.1);
    const balls = watchScene(scene).final?.balls ?? [];
    expect(balls.every(({ attached }) => attached.sure.length < 2)).toBe(true);
    // Either each is given its own, or it is said that nobody knows whose they are: neither is told no.
    expect(balls.map(({ opened }) => opened)).not.toContain('no');
    if (balls.some(({ player }) => player === 'undetermined')) {
      expect(balls.flatMap(codesOf)).toContain('doubt/owner-unclear');
    }
  });

  it('a magnet that may be the other ball, whose latch was only not heard, leaves that one in doubt', () => {
    const scene = rolled();
    laysMagnet(scene, 'q2r-2', 2300, -1.2);
    expect(lastWord(scene, 'A')?.attached.sure).toEqual(['A3']);
    expect(lastWord(scene, 'B')?.opened).toBe('undetermined');
  });
});

describe('a ball that was launched before the call', () => {
  it('owns what comes to the tiles after it, though the beam broke before', () => {
    // Through its far gate 40 ms before the call, on its first tile 150 ms later; B's ball rolls out through A's gate.
    const scene = createScene();
    launch(scene, 'A', CALL_MS - 40);
    launch(scene, 'B', CALL_MS - 60);
    opens(scene, 'q0r1', CALL_MS + 240, 1.1);
    rollOver(scene, 'q2r-2', CALL_MS + 130, 50);
    scene.gates.push({ side: 'A', gate: 'far', span: [CALL_MS + 700, CALL_MS + 760] });
    const word = lastWord(scene, 'A');
    expect(word?.opened).toBe('yes');
    expect(codesOf(word)).toContain('owner/polarity');
    expect(lastWord(scene, 'B')?.opened).toBe('no');
  });

  it('and touched nothing was seen all the same: it had not come to a tile by the call', () => {
    const scene = createScene();
    launch(scene, 'A', CALL_MS - 40);
    launch(scene, 'B', 1700);
    rollOver(scene, 'q1r-1', 1950, 60);
    expect(lastWord(scene, 'A')?.opened).toBe('no');
  });

  it('so long that it may have opened and left by the call is not said to have stayed shut', () => {
    const scene = createScene();
    launch(scene, 'A', CALL_MS - 700);
    launch(scene, 'B', 1700);
    rollOver(scene, 'q1r-1', 1950, 60);
    expect(lastWord(scene, 'A')?.opened).toBe('undetermined');
  });

  it('no ball is through a beam within 5 ms: such a block is no launch', () => {
    const scene = createScene();
    scene.gates.push({ side: 'A', gate: 'far', span: [CALL_MS - 40, CALL_MS - 35] });
    launch(scene, 'B', 1700);
    rollOver(scene, 'q1r-1', 1950, 60);
    expect(lastWord(scene, 'A')?.opened).toBe('undetermined');
  });

  it('what came onto a tile with the call is judged by nobody', () => {
    const scene = createScene();
    launch(scene, 'A', CALL_MS - 300);
    launch(scene, 'B', 1700);
    rollOver(scene, 'q1r-1', 1950, 60);
    opens(scene, 'q0r1', CALL_MS - 18, 1.1, { dwellMs: 120 });
    expect(lastWord(scene, 'A')?.opened).toBe('undetermined');
  });
});

describe('two balls on one core', () => {
  it('a level that vanishes under closed contact is a second magnet, though something else was touched later', () => {
    // The second one lands 30 ms after the first and cancels it; a hand touches another tile when both have come to rest.
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1650);
    opens(scene, 'q0r1', 1990, 1);
    opens(scene, 'q0r1', 2020, -1.1, { joined: true });
    hand(scene, 'q1r-1', 2600, 2700);
    expect(lastWord(scene, 'B')?.opened).not.toBe('no');
    expect(lastWord(scene, 'A')?.opened).not.toBe('no');
  });
});
