import { describe, expect, it } from 'vitest';
import { createScene, launch, opens, watchScene } from '../bin/bench/signals.ts';
import type { WatchAsk } from '../bin/bench/watch.ts';
import type { LinkNotice } from '../host/sensing/seen.ts';
import { hearNotice } from '../host/sensing/sensing.ts';
import { bothOpen, finalCodes, opened } from './support/watched-rolls.ts';

describe('doubt', () => {
  const silent = (side: string, fromMs: number, toMs: number): NonNullable<WatchAsk['wire']> => {
    return (arrived, from) => from !== side || arrived.arriveMs < fromMs || arrived.arriveMs >= toMs;
  };

  it('a board lost in mid-roll leaves its ball undetermined; the next roll is right', () => {
    const watched = watchScene(bothOpen(), { wire: silent('A', 1900, 3900) });
    const a = watched.final?.balls.find((b) => b.player !== 'B');
    expect(a?.opened).toBe('undetermined');
    expect(finalCodes(watched)).toContain('doubt/board-silent');
    expect(a?.confidence.opened).toBeLessThanOrEqual(0.5);
    expect(opened(watchScene(bothOpen()))).toEqual(['yes', 'yes']);
  });

  it('a board that never comes back leaves a doubt, not a guess', () => {
    const watched = watchScene(bothOpen(), { wire: silent('A', 1900, Infinity) });
    expect(watched.final?.balls.find((b) => b.player !== 'B')?.opened).toBe('undetermined');
  });

  it('both sides missing are treated alike', () => {
    for (const side of ['A', 'B']) {
      const watched = watchScene(bothOpen(), { wire: silent(side, 1900, 2600) });
      const other = side === 'A' ? 'B' : 'A';
      const lost = watched.final?.balls.find((b) => b.player !== other);
      expect(lost?.opened, side).toBe('undetermined');
    }
  });

  const notice = (code: string, fromMs: number, toMs: number): LinkNotice => ({
    code,
    link: 'serial-a',
    side: 'A',
    fromMs,
    toMs,
    text: `test of ${code}`,
  });

  /** Hears a notice at its time. */
  const noticed = (n: LinkNotice): NonNullable<WatchAsk['before']> => {
    let done = false;
    return (sensing, atMs, out) => {
      if (!done && atMs >= n.toMs) {
        done = true;
        hearNotice(sensing, n, out);
      }
      return sensing;
    };
  };

  it.each([
    ['link/reset', 2000, 2300, 'doubt/board-reset', 'undetermined'],
    ['link/lost', 2000, 2300, 'doubt/link-lost', 'undetermined'],
    ['link/clock', 2000, 2010, 'doubt/clock', 'undetermined'],
    ['link/gap', 2000, 2200, 'doubt/samples-missing', 'undetermined'],
    // One lost line heals at the next.
    ['link/gap', 2000, 2008, undefined, 'yes'],
    // Before the roll it is no matter.
    ['link/reset', 600, 900, undefined, 'yes'],
  ])('%s from %i to %i ms in mid-roll', (code, from, to, doubt, verdict) => {
    const watched = watchScene(bothOpen(), { before: noticed(notice(code, from, to)) });
    expect(watched.final?.balls.find((b) => b.player !== 'B')?.opened).toBe(verdict);
    if (doubt === undefined) expect(finalCodes(watched).filter((c) => c.startsWith('doubt/'))).toEqual([]);
    else expect(finalCodes(watched)).toContain(doubt);
  });

  it('two lost lines in a hundred change nothing', () => {
    let n = 0;
    const wire = (): boolean => {
      n += 1;
      return n % 50 !== 0;
    };
    const watched = watchScene(bothOpen(), { wire });
    expect(opened(watched)).toEqual(['yes', 'yes']);
  });

  it('a magnet that lay on a core before the roll makes an open there doubtful', () => {
    const scene = createScene();
    scene.fields.push({ cell: 'q0r1', mt: () => 8, side: () => 1 });
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 1990, -1.1);
    const watched = watchScene(scene);
    expect(finalCodes(watched)).toContain('doubt/magnet-before-roll');
    expect(opened(watched)).toEqual(['undetermined', 'yes']);
  });
});
