import { describe, expect, it } from 'vitest';
import { CALL_MS, createScene, launch, opens, watchScene } from '../bin/bench/signals.ts';
import type { WatchAsk } from '../bin/bench/watch.ts';
import { advance } from '../host/advance/advance.ts';
import { hearNotice, interruptRoll } from '../host/sensing/sensing.ts';
import { finalsIn } from './support/chain.ts';
import { virtualTable } from './support/virtual-table.ts';

const CUT_MS = 2300;

/** The host is started again in mid-roll; a board was silent besides, from before the call on or not. */
function cutAt(silentFromMs: number | undefined): NonNullable<WatchAsk['before']> {
  let done = false;
  return (sensing, atMs, out) => {
    if (done || atMs < CUT_MS) return sensing;
    done = true;
    if (silentFromMs !== undefined) {
      const span = { fromMs: silentFromMs, toMs: atMs };
      hearNotice(sensing, { code: 'link/silent', link: 'serial-a', side: 'A', text: 'silent', ...span }, out);
    }
    interruptRoll(sensing, atMs);
    return sensing;
  };
}

describe('a roll that a restart of the host cut through', () => {
  it.each([
    ['nothing else is missing', undefined],
    ['a board was silent from before the call on', CALL_MS - 300],
    ['a board was silent later', CALL_MS + 300],
  ])('is in doubt as a whole where %s', (_, silentFromMs) => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 1990, -1.1);
    const { final } = watchScene(scene, { before: cutAt(silentFromMs) });
    expect(final?.balls.map(({ opened }) => opened)).toEqual(['undetermined', 'undetermined']);
    for (const { attached, reasons } of final?.balls ?? []) {
      expect(attached.sure).toEqual([]);
      expect(reasons.map(({ code }) => code)).toContain('doubt/interrupted');
    }
  });

  it.each([20, 2500, 60_000])(
    'is so when the host comes back %i ms later, whatever fell due meanwhile',
    (awayMs) => {
      const table = virtualTable({ seed: 3 });
      const said = (): boolean =>
        table.outputs.some((o) => o.kind === 'ruling' && o.ruling.balls.some((b) => b.opened === 'yes'));
      expect(table.runUntil(() => table.state.activity.kind === 'roll' && said(), 60_000)).toBe(true);
      const { state, setting } = table;
      const roll = state.activity.kind === 'roll' ? state.activity.roll : '';
      const atMs = state.atMs + awayMs;
      const outputs = setting.links.flatMap(({ link }) =>
        advance(state, { kind: 'link', atMs, link, up: false, reason: 'away', restarted: true }, setting),
      );
      outputs.push(...advance(state, { kind: 'tick', atMs: atMs + 30_000 }, setting));
      const final = finalsIn(outputs).find((ruling) => ruling.roll === roll);
      expect(final?.balls.map(({ opened }) => opened)).toEqual(['undetermined', 'undetermined']);
      for (const { reasons } of final?.balls ?? [])
        expect(reasons.map(({ code }) => code)).toContain('doubt/interrupted');
    },
  );
});
