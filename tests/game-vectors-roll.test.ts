import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { brawl, by, type Given, position, rolled, seen, Table } from './support/bakugan-game.ts';
import { laid, other, PLAIN, totals } from './support/bakugan-vectors.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

describe('selection and roll', () => {
  it('TV-13: an open Bakugan cannot be chosen', () => {
    const open: readonly [Given, Given, Given] = [
      { card: 'BB-372', open: true, cores: [24] },
      PLAIN[1],
      PLAIN[2],
    ];
    const table = new Table(position(open, PLAIN));
    table.do(by('A', 'energize', { energize: false })).do(by('B', 'energize', { energize: false }));
    expect(table.refused(by('A', 'select', { bakugan: 'A/1' }))).toBe('select/already-open');
    expect(table.refused(by('A', 'select', { bakugan: 'B/1' }))).toBe('select/not-yours');
    expect(table.refused(by('B', 'select', { bakugan: 'B/1' }))).toBe('select/not-your-turn');
    const listed = bakugan.legalInputs(table.state, 'A').flatMap(({ input }) => input.bakugan ?? []);
    expect(listed).toEqual(['A/2', 'A/3']);
    table.do(by('A', 'select', { bakugan: 'A/2' }));
  });

  it('5.6.1: with none unopened, all three are retracted first', () => {
    const all: readonly [Given, Given, Given] = [
      { card: 'BB-343', open: true, cores: [24] },
      { card: 'BB-283', open: true, cores: [1, 2] },
      { card: 'BB-318', open: true },
    ];
    const table = new Table(position(all, PLAIN));
    table.do(by('A', 'energize', { energize: false })).do(by('B', 'energize', { energize: false }));
    expect(table.state).toMatchObject({ at: 'ST-3', acting: 'A' });
    expect(table.state.players.A.bakugan.every((one) => !one.open)).toBe(true);
    expect(table.state.returning[0]?.cores).toHaveLength(3);
    expect(table.refused(by('A', 'select', { bakugan: 'A/1' }))).toBe('select/place-first');
    expect(bakugan.activity(table.state)).toEqual({ kind: 'hands', why: 'retract' });
    while (table.state.returning.length > 0) {
      const place = bakugan.legalInputs(table.state, 'A')[0]?.input;
      table.do(by('A', 'place', { core: place?.core ?? '', cell: place?.cell ?? '' }));
    }
    expect(table.state.cores.every((core) => core.cell !== null)).toBe(true);
    table.do(by('A', 'select', { bakugan: 'A/1' }));
  });

  it('TV-16: one opener goes to the Brawl Phase with its core', () => {
    const { state, onA } = laid(position(PLAIN, PLAIN), [24], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: 'no' });
    expect(table.state.at).toBe('ST-8');
    expect(seen(table.state, 'A/1')).toMatchObject({ open: true, revealed: true, cores: onA });
    expect(seen(table.state, 'B/1')).toMatchObject({ open: false, revealed: false, cores: [] });
  });

  it('TV-17: neither opened: the Rolling Step again with the same two', () => {
    const start = position(PLAIN, PLAIN);
    const table = brawl(start, { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/2', on: 'no' });
    expect(table.state).toMatchObject({ at: 'ST-5', window: null, selected: { A: 'A/1', B: 'B/2' } });
    expect(table.state.roll).toMatchObject({ id: 't1.2', attempt: 2 });
    expect(table.state.players).toEqual(new Table(start).state.players);
    expect(table.events.find((event) => event.type === 'roll/repeat')?.rules).toContain('5.7.2.1');
  });

  it('TV-18: an open from contact with the other ball only is a non-open', () => {
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: [] });
    expect(seen(table.state, 'A/1').open).toBe(false);
    expect(table.state.at).toBe('ST-8');
  });

  it('TV-20: opened by #3 and slid off: open without a bonus', () => {
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
    expect(totals(table.state, 'A/1')).toBe('200/5');
    expect(table.events.find((event) => event.type === 'roll/opened')?.rules).toContain('5.7.2.3');
  });

  it('TV-21: both on #26 both get its bonus', () => {
    const a: readonly [Given, Given, Given] = [{ card: 'BB-283' }, PLAIN[0], PLAIN[2]];
    const { state, onA } = laid(position(a, other('BB-313')), [26], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: onA });
    expect([seen(table.state, 'A/1').bPower, seen(table.state, 'B/1').bPower]).toEqual([700, 700]);
    expect(table.events.find((event) => event.type === 'roll/shared-core')?.rules).toContain('5.7.2.2');
  });

  it.each([
    ['TV-22: released outside the zone', '5.7.1.2'],
    ['TV-23: left the surface', '5.7.1.3'],
  ])('%s: void, both roll again; the second time in a turn counts as not opened (AM-09)', (_, rule) => {
    const illegal = [{ player: 'A', code: 'roll/illegal', rules: [rule], text: 'Broke a roll rule.' }];
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: 'no' });
    table.do(rolled(table.state, [], [], { illegal }));
    expect(table.state).toMatchObject({ at: 'ST-5', roll: { id: 't1.3' } });
    expect(table.types()).toContain('roll/void');
    table.do(rolled(table.state, [], [], { illegal }));
    expect(table.state.at).toBe('ST-8');
    expect([seen(table.state, 'A/1').open, seen(table.state, 'B/1').open]).toEqual([false, true]);
    expect(table.types()).toContain('roll/second-offence');
  });

  it('TV-24: releases too far apart void the roll and count against nobody (AM-10)', () => {
    const illegal = [{ code: 'roll/skew', rules: ['5.7.1'], text: 'Releases 2.5 s apart.' }];
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: 'no' });
    for (const attempt of [3, 4, 5]) {
      table.do(rolled(table.state, [], [], { illegal }));
      expect(table.state).toMatchObject({ at: 'ST-5', roll: { attempt, offences: { A: 0, B: 0 } } });
    }
  });

  it('TV-25: two cores count both', () => {
    const a: readonly [Given, Given, Given] = [{ card: 'BB-339' }, PLAIN[1], PLAIN[2]];
    const { state, onA } = laid(position(a, PLAIN), [1, 24], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: 'no' });
    expect(totals(table.state, 'A/1')).toBe('900/5');
    expect(
      seen(table.state, 'A/1').bPowerParts.map((part) => [part.source, part.label, part.amount]),
    ).toEqual([
      ['printed', 'Pegatrix', 500],
      ['core', 'BakuCore A2', 200],
      ['icon', '[FT]', 200],
    ]);
  });
});
