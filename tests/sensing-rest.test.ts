import { describe, expect, it } from 'vitest';
import {
  createScene,
  hand,
  launch,
  opens,
  restsClosed,
  type Scene,
  SEATED_MT,
  watchScene,
} from '../bin/bench/signals.ts';
import { addEdge, createContacts } from '../host/sensing/contact.ts';
import { movedMs } from '../host/sensing/rest.ts';
import { BIN_MS, beginVisit, createVisit, type Visit } from '../host/sensing/visits.ts';
import { bothOpen } from './support/watched-rolls.ts';

const OPEN_A = 'q0r1';
const OPEN_B = 'q1r-1';
/** The latch of the later ball; ringing and chatter are over within 60 ms (the stop's five time constants). */
const LATCH_MS = 2005;
const STILL_MS = LATCH_MS + 60;
/** T_rest and the allowance for it. */
const REST_MS = 700;
const ALLOWED_MS = 150;
/** Level of B's ball, which comes to rest last: a weaker one than A's. */
const LEVEL_B = -0.6;

/** Even from -1 to 1, the same for the same frame and draw. */
function evenOf(frame: number, draw: number): number {
  let h = Math.imul(frame + 1, 0x9e3779b1) ^ Math.imul(draw + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2147483648 - 1;
}

/**
 * A ball that stands from the first bin on, under lights that shift its level anew 60 times a second. Of one bin in 40
 * nearly all samples are lost, and what is left is a spike.
 */
function standingUnderLights(level: number, share: number, draw: number): Visit {
  const visit = beginOn(0);
  for (let i = 0; i < 250; i += 1) {
    const lost = i % 40 === 20 + (draw % 15);
    const light = share * evenOf(Math.floor((i * BIN_MS) / 16.667), draw);
    visit.level[i] = level + (lost ? 0.17 : light);
    visit.touch[i] = 1;
  }
  visit.bins = 250;
  return visit;
}

function beginOn(cell: number): Visit {
  const visit = createVisit();
  beginVisit(visit, cell, 1000);
  visit.contactMs = 1000;
  visit.confirmed = true;
  return visit;
}

function finalMs(scene: Scene): number {
  return watchScene(scene).final?.atMs ?? Number.POSITIVE_INFINITY;
}

describe('when both balls rest', () => {
  it('neither lights nor what is left of a lost line are motion of a standing ball', () => {
    for (const level of [0.2, -0.6, 1.1]) {
      for (let draw = 0; draw < 50; draw += 1) {
        const visit = standingUnderLights(level, 0.03, draw);
        const contacts = createContacts(1);
        addEdge(contacts, 0, 1000, true);
        expect(movedMs(visit, contacts, 1000 + visit.bins * BIN_MS)).toBeLessThanOrEqual(1000 + 100);
      }
    }
  });

  it('a step of the level is motion, and dated to two bins', () => {
    const visit = standingUnderLights(0.4, 0, 0);
    for (let i = 0; i < 100; i += 1) visit.level[i] = 0.8;
    const stepMs = visit.fromMs + 100 * BIN_MS;
    expect(Math.abs(movedMs(visit, createContacts(1), 4000) - stepMs)).toBeLessThanOrEqual(2 * BIN_MS);
  });

  it('a ball that creeps on counts as moving till it stands', () => {
    const scene = bothOpen(LEVEL_B);
    // Pushed along its core for 300 ms: a tenth of its field within that time.
    const pushed = (ms: number): number => Math.max(0, Math.min(1, (ms - 2300) / 300));
    scene.fields.push({ cell: OPEN_A, mt: (ms) => -0.2 * SEATED_MT * pushed(ms), side: () => 0 });
    expect(finalMs(scene)).toBeGreaterThanOrEqual(2450 + REST_MS);
    expect(finalMs(scene)).toBeLessThanOrEqual(2600 + REST_MS + ALLOWED_MS);
  });

  it('a ball that rocks at 4 Hz counts as moving', () => {
    const scene = bothOpen(LEVEL_B);
    const rocking = (ms: number): number => (ms < 2100 || ms > 2600 ? 0 : Math.sin((ms - 2100) * 0.0251));
    scene.fields.push({ cell: OPEN_A, mt: (ms) => 0.2 * SEATED_MT * rocking(ms), side: () => 0 });
    expect(finalMs(scene)).toBeGreaterThanOrEqual(2500 + REST_MS);
    expect(finalMs(scene)).toBeLessThanOrEqual(2600 + REST_MS + ALLOWED_MS);
  });

  it('a sleeve on another tile does not put the end off: it is no ball', () => {
    const scene = bothOpen(LEVEL_B);
    hand(scene, 'q2r-1', 2200, 2560);
    expect(finalMs(scene)).toBeLessThanOrEqual(STILL_MS + REST_MS + ALLOWED_MS);
  });
});

describe('a contact that closes as the noise before it ends', () => {
  it('is the ball: none that lies on a working contact goes unseen', () => {
    for (let after = 40; after < 120; after += 4) {
      const scene = createScene();
      launch(scene, 'A', 1700);
      launch(scene, 'B', 1720);
      opens(scene, OPEN_B, 1990, -1.1);
      // A stray field of 15 ms on the tile, and the closed ball on it about when that is told to be nothing.
      const stray = (ms: number): number => (ms >= 2000 && ms < 2015 ? 0.9 : 0);
      scene.fields.push({ cell: OPEN_A, mt: stray, side: () => 0 });
      restsClosed(scene, OPEN_A, 2100 + after, 0.005);
      const watched = watchScene(scene);
      const ball = watched.final?.balls.find((b) => b.player === 'A');
      expect(ball?.contact.sure).toEqual(['A3']);
      expect(watched.final?.atMs).toBeLessThanOrEqual(2300 + after + REST_MS + ALLOWED_MS);
    }
  });
});

describe('a level that falls to nothing under a closed contact', () => {
  const LANDS_MS = 2400;
  function firstOpen(dwellMs?: number): Scene {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 2150);
    opens(scene, OPEN_A, 1950, 1.1, dwellMs === undefined ? {} : { dwellMs });
    return scene;
  }

  it('is a second ball of the other polarity (5.7.2.2), and said 300 ms after its latch', () => {
    const scene = firstOpen();
    opens(scene, OPEN_A, LANDS_MS, -1.05, { joined: true, latchMs: 0 });
    const open = watchScene(scene).said.find(
      ({ output }) => output.kind === 'ruling' && output.ruling.balls.every((ball) => ball.opened === 'yes'),
    );
    expect(open?.outMs).toBeLessThanOrEqual(LANDS_MS + 300);
  });

  it('is a departure where the contact is let go as late as the slowest ball does, 10 mm at 0.06 m/s', () => {
    const scene = firstOpen(LANDS_MS - 1965);
    scene.contacts.push({ cell: OPEN_A, span: [LANDS_MS, LANDS_MS + 165] });
    const claims = watchScene(scene).said.flatMap(({ output }) =>
      output.kind === 'ruling' ? output.ruling.balls.filter((ball) => ball.player === 'B') : [],
    );
    expect(claims.length).toBeGreaterThan(0);
    expect(claims.map((ball) => ball.opened)).not.toContain('yes');
  });
});
