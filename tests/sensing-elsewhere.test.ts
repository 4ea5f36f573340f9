import { describe, expect, it } from 'vitest';
import {
  CALL_MS,
  createScene,
  hand,
  launch,
  opens,
  restsClosed,
  rollOver,
  type Scene,
  SEATED_MT,
  watchScene,
} from '../bin/bench/signals.ts';
import { bothOpen, finalCodes, opened } from './support/watched-rolls.ts';

/** T_rest and the allowance for it. */
const REST_MS = 700;
const ALLOWED_MS = 150;
/** Both balls of `bothOpen` are still by then. */
const STILL_MS = 2065;
const OPEN_A = 'q0r1';
/** Shares a side with A's tile, and lies away from both. */
const BESIDE_A = 'q1r0';
const FAR_OFF = 'q2r-1';

function finalMs(scene: Scene): number {
  return watchScene(scene).final?.atMs ?? Number.POSITIVE_INFINITY;
}

/** A closed contact with the faint field of a ball, as a ring on a finger has: no hand by its looks. */
function ringed(scene: Scene, cell: string, fromMs: number, toMs: number): void {
  hand(scene, cell, fromMs, toMs);
  const mt = (ms: number): number => (ms >= fromMs && ms < toMs ? 0.02 * SEATED_MT : 0);
  scene.fields.push({ cell, mt, side: mt });
}

describe('what can be no ball, since both stand where they opened', () => {
  it('does not put the end off: a ball is in one place', () => {
    const scene = bothOpen();
    ringed(scene, 'q-1r0', 2300, 2600);
    expect(finalMs(scene)).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });

  it('nor does it where it had touched its tile before the balls came', () => {
    const scene = bothOpen();
    ringed(scene, 'q-1r0', 1930, 2600);
    expect(finalMs(scene)).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });

  it('nor beside a ball at rest, which touches no further tile', () => {
    const scene = bothOpen();
    ringed(scene, BESIDE_A, 2300, 2600);
    expect(finalMs(scene)).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });

  it('nor does a hand that stays in a gate through which both balls went', () => {
    const scene = bothOpen();
    scene.gates.push({ side: 'A', gate: 'near', span: [1450, 2600] });
    expect(finalMs(scene)).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });

  it('but may be the ball that stands on no tile', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, OPEN_A, 1950, 1.1);
    rollOver(scene, FAR_OFF, 2300, 300);
    expect(finalMs(scene)).toBeGreaterThanOrEqual(2600 + REST_MS);
  });
});

describe('what touches a tile beside a ball that has opened and is at rest', () => {
  /** A stands open; something with a faint field of A's own sign stands beside it from `fromMs` on. */
  function beside(fromMs: number): Scene {
    const scene = createScene();
    launch(scene, 'A', 1700);
    opens(scene, OPEN_A, 1950, 1.1);
    restsClosed(scene, BESIDE_A, fromMs, 0.1);
    return scene;
  }

  it('is the other ball, whosever way seemed to lead there', () => {
    const scene = beside(2900);
    launch(scene, 'B', 1720, 0.3);
    expect(opened(watchScene(scene))).toEqual(['yes', 'no']);
    expect(finalMs(scene)).toBeLessThanOrEqual(3100 + REST_MS + ALLOWED_MS);
  });
});

describe('a closed ball on a dirty contact', () => {
  /** Closed for 60 ms at a time, open for 20 and now and then for so long that the ball might have left. */
  function dirty(scene: Scene, cell: string, fromMs: number): void {
    let at = fromMs;
    for (let i = 0; at < 9000; i += 1) {
      scene.contacts.push({ cell, span: [at, at + 60] });
      at += 60 + (i % 5 === 4 ? 170 : 20);
    }
    const mt = (ms: number): number => (ms >= fromMs ? 0.01 * SEATED_MT : 0);
    scene.fields.push({ cell, mt, side: mt });
  }

  it('came with the first touch, and is ruled when it has rested since', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q1r-1', 1990, -1.1);
    dirty(scene, OPEN_A, 2100);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['no', 'yes']);
    // It may be out of contact as its time comes, and the landing that its next touch may be is heard out.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2100 + REST_MS);
    expect(watched.final?.atMs).toBeLessThanOrEqual(2100 + REST_MS + 170 + 110 + ALLOWED_MS);
  });
});

describe('a ball thrown before the call that no tile has shown', () => {
  it('is waited for as long as its speed lasts, and no 20 s', () => {
    const scene = createScene();
    launch(scene, 'B', CALL_MS - 300);
    launch(scene, 'A', 1700);
    opens(scene, OPEN_A, 1950, 1.1);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['yes', 'undetermined']);
    expect(finalCodes(watched)).toContain('doubt/never-seen');
    expect(watched.final?.atMs).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });

  it('may still be thrown where a hand has been in the gate since', () => {
    const scene = createScene();
    launch(scene, 'B', CALL_MS - 400);
    scene.gates.push({ side: 'B', gate: 'near', span: [CALL_MS - 200, CALL_MS - 50] });
    launch(scene, 'A', 1700);
    opens(scene, OPEN_A, 1950, 1.1);
    expect(finalMs(scene)).toBeGreaterThan(CALL_MS + 20_000);
  });
});
