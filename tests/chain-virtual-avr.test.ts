import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import { assignedEeprom } from '../sim/avr/identity.ts';
import type { BoardFactory } from '../sim/table.ts';
import { finalsIn, untilShown, watchArmed, watchStrips, wrongIn, wrongLeds } from './support/chain.ts';
import { virtualTable } from './support/virtual-table.ts';

/** Looked for from the root of the project, where tests run. */
const hex = readFileSync('firmware-protocol/hex/uno.hex', 'utf8');

const emulated: BoardFactory = ({ world, side, device }) =>
  createAvrBoard({ chip: 'uno', hex, world, eeprom: assignedEeprom('uno', device, side) });

describe('boards that run the committed firmware', () => {
  it('carry a whole turn: the roll is ruled as it was, the strips latch the colours of the scene', () => {
    const armed = watchArmed();
    const strips = watchStrips();
    const table = virtualTable({
      seed: 7,
      judge: true,
      boards: emulated,
      onTurn(now) {
        armed.look(now);
        strips.look(now);
      },
    });
    const turn = (): number => (table.state.play.state as { readonly turn: number }).turn;
    expect(table.runUntil(() => turn() === 2, 25_000)).toBe(true);
    expect(untilShown(table)).toBe(true);

    const truths = table.sim.truth();
    const finals = finalsIn(table.outputs);
    expect(finals.length).toBeGreaterThan(0);
    for (const ruling of finals) {
      const truth = truths.find(({ roll }) => roll === ruling.roll);
      if (truth === undefined) throw new Error(`${ruling.roll} never happened`);
      expect(wrongIn(ruling, truth)).toEqual([]);
      expect(ruling.balls.map(({ opened }) => opened)).not.toContain('undetermined');
      const firstMs = Math.min(...truth.balls.map(({ releaseMs }) => releaseMs));
      for (const side of ['A', 'B'] as const) {
        const covers = armed.spans[side].some(
          ({ fromMs, toMs }) => fromMs <= firstMs && toMs >= ruling.atMs - 20,
        );
        expect(covers, `side ${side} armed in ${ruling.roll}`).toBe(true);
      }
    }
    expect(finals.some(({ balls }) => balls.some(({ opened }) => opened === 'yes'))).toBe(true);
    expect(armed.writesWhileArmed).toBe(0);

    expect(strips.wrong).toEqual([]);
    expect(strips.looks).toBeGreaterThan(20);
    expect(wrongLeds(table)).toEqual([]);

    // Nothing was lost or damaged on two good cables.
    for (const { counts } of table.scene({ kind: 'operator' }).links) {
      expect(counts.lost ?? 0).toBe(0);
      expect(counts['fault.bad-checksum'] ?? 0).toBe(0);
      expect(counts.fresh).toBe(counts.lines);
    }
    expect(table.outputs.filter(({ kind }) => kind === 'fault')).toEqual([]);
  }, 180_000);
});
