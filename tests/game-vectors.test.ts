import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import type { BakuganOptions } from '../host/game/bakugan/options.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import { FIXED_12, neighboursOf } from '../host/sensing/layout.ts';
import {
  brawl,
  by,
  type Given,
  judge,
  OPTIONS,
  onField,
  position,
  rolled,
  seen,
  Table,
  TEAM,
  withPile,
  withPrint,
} from './support/bakugan-game.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

const PLAIN: readonly [Given, Given, Given] = [{ card: 'BB-343' }, { card: 'BB-283' }, { card: 'BB-318' }];
const other = (card: string): readonly [Given, Given, Given] => [
  { card },
  { card: 'BB-283' },
  { card: 'BB-312' },
];
const withRules = (rules: NonNullable<BakuganOptions['rules']>): BakuganOptions => ({ ...OPTIONS, rules });

/** A position and the ids of the first cores of A and B on the field, given these prints. */
function laid(state: GameState, a: readonly number[], b: readonly number[]) {
  const onA = onField(state, 'A').slice(0, a.length);
  const onB = onField(state, 'B').slice(0, b.length);
  let next = state;
  for (const [index, core] of onA.entries()) next = withPrint(next, core, a[index] ?? 0);
  for (const [index, core] of onB.entries()) next = withPrint(next, core, b[index] ?? 0);
  return { state: next, onA, onB };
}

const totals = (state: GameState, id: string) => {
  const { bPower, damage } = seen(state, id);
  return `${bPower}/${damage}`;
};

describe('set-up and start', () => {
  const byHand: BakuganOptions = {
    ...OPTIONS,
    players: { A: TEAM, B: { ...TEAM, name: 'Q' } },
    placement: 'by-hand',
    placing: 'A',
  };

  it('TV-06: the players lay 12 cores in turn; who lays the last one starts turn 1', () => {
    const table = new Table(bakugan.setup(byHand).state);
    const order: string[] = [];
    while (table.state.at === 'SU-4') {
      const player = table.state.acting ?? 'A';
      order.push(player);
      expect(bakugan.legalInputs(table.state, player === 'A' ? 'B' : 'A').every((one) => one.aside)).toBe(
        true,
      );
      const place = bakugan.legalInputs(table.state, player)[0]?.input;
      table.do(by(player, 'place', { core: place?.core ?? '', cell: place?.cell ?? '' }));
    }
    expect(order.join('')).toBe('ABABABABABAB');
    expect(table.state).toMatchObject({ at: 'ST-2', turn: 1, startingPlayer: 'B' });
  });

  it('TV-07: after the first core, only cells side to side with a core; the first lies in the middle (1.4.3)', () => {
    const table = new Table(bakugan.setup(byHand).state);
    expect(table.refused(by('A', 'place', { core: 'A1', cell: 'q2r-2' }))).toBe('place/not-in-the-middle');
    expect(table.refused(by('B', 'place', { core: 'B1', cell: 'q0r0' }))).toBe('place/not-your-turn');
    expect(table.refused(by('A', 'place', { core: 'B1', cell: 'q0r0' }))).toBe('place/not-that-core');
    table.do(by('A', 'place', { core: 'A1', cell: 'q0r0' }));
    expect(table.refused(by('B', 'place', { core: 'B1', cell: 'q2r0' }))).toBe('place/not-adjacent');
    expect(table.refused(by('B', 'place', { core: 'B1', cell: 'q0r0' }))).toBe('place/taken');
    expect(table.refused(by('B', 'place', { core: 'B1', cell: 'q9r9' }))).toBe('place/no-such-cell');
    const listed = bakugan
      .legalInputs(table.state, 'B')
      .flatMap(({ input }) => (input.core === 'B1' ? [input.cell] : []));
    const near = neighboursOf({ q: 0, r: 0 }).filter((cell) =>
      FIXED_12.cells.some((one) => one.cell === cell),
    );
    expect(listed.sort()).toEqual([...near].sort());
    table.do(by('B', 'place', { core: 'B1', cell: 'q1r0' }));
  });

  it('TV-09: both draw on turn 1 too', () => {
    const { A, B } = bakugan.setup(OPTIONS).state.players;
    expect([A.hand.count, A.deck.count, B.hand.count, B.deck.count]).toEqual([6, 34, 6, 34]);
  });

  it('TV-10: an empty deck is no loss in the Draw Step', () => {
    const start = position(PLAIN, PLAIN);
    const table = brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
    table.until(
      (state) => state.at === 'ST-13',
      () => by('A', 'none'),
    );
    table.state = withPile(table.state, 'A', 'deck', 0);
    const hand = table.state.players.A.hand.count;
    table.close();
    expect(table.state).toMatchObject({ turn: 2, winner: null });
    expect(table.state.players.A).toMatchObject({ hand: { count: hand }, deck: { count: 0 } });
    expect(table.types()).toContain('draw/skipped');
  });

  it('TV-11: one decision to energize each, starting player first', () => {
    const table = new Table(position(PLAIN, PLAIN));
    expect(table.refused(by('B', 'energize', { energize: true }))).toBe('energize/not-your-turn');
    table.do(by('A', 'energize', { energize: false }));
    expect(table.refused(by('A', 'energize', { energize: true }))).toBe('energize/decided');
    table.do(by('B', 'energize', { energize: true }));
    expect(table.state.players.B).toMatchObject({
      charged: { count: 1 },
      uncharged: { count: 0 },
      hand: { count: 5 },
    });
    expect(table.state.at).toBe('ST-3');
  });

  it('TV-12: no card in the Start Phase', () => {
    const table = new Table(position(PLAIN, PLAIN));
    const smash = { bakugan: 'A/1', bPower: 0, damage: 3, until: 'turn', label: 'Smash' };
    expect(table.refused(by('A', 'modify', smash))).toBe('window/none');
    expect(table.refused(by('A', 'pass'))).toBe('window/none');
  });
});

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

describe('power and Victor', () => {
  it('TV-27: the whole of a plain turn', () => {
    const start = withPile(position(PLAIN, other('BB-318')), 'B', 'deck', 30);
    const { state, onA, onB } = laid(start, [24], [29]);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: onB });
    expect([totals(table.state, 'A/1'), totals(table.state, 'B/1')]).toEqual(['400/5', '200/4']);
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-9', victor: 'A' });
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-10', damage: { to: 'B', amount: 5, flipped: 0 } });
    const discard = table.state.players.B.discard.count;
    table.do(by('B', 'flip', { count: 5 }));
    expect(table.state.players.B).toMatchObject({ deck: { count: 25 }, discard: { count: discard + 5 } });
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-12', returning: [{ player: 'B', cores: onB }] });
    expect(seen(table.state, 'B/1')).toMatchObject({ open: false, revealed: false });
    const cell = bakugan.legalInputs(table.state, 'B')[0]?.input.cell ?? '';
    expect(table.refused(by('A', 'place', { core: onB[0] ?? '', cell }))).toBe('place/not-your-turn');
    table.do(by('B', 'place', { core: onB[0] ?? '', cell }));
    expect(table.state.at).toBe('ST-13');
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-2', turn: 2, startingPlayer: 'A' });
    expect(seen(table.state, 'A/1')).toMatchObject({ open: true, cores: onA });
  });

  it('TV-28: a faction core and a negative one', () => {
    const { state, onA, onB } = laid(position(PLAIN, other('BB-318')), [35], [31]);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: onB });
    expect([seen(table.state, 'A/1').bPower, seen(table.state, 'B/1').bPower]).toEqual([600, 0]);
    expect(table.close().state.victor).toBe('A');
  });

  it('TV-29: a sole opener passes through the Power Step and wins; the other retracts nothing (AM-15)', () => {
    const a: readonly [Given, Given, Given] = [{ card: 'BB-328' }, PLAIN[1], PLAIN[2]];
    const start = withPile(position(a, PLAIN), 'B', 'deck', 20);
    const table = brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
    expect(table.state.at).toBe('ST-8');
    table
      .close()
      .close()
      .do(by('B', 'flip', { count: 7 }));
    expect(table.state.players.B.deck.count).toBe(13);
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-13', victor: 'A', returning: [] });
  });

  it('AM-01: the Victor of the last Brawl starts the next turn; a turn without a Victor keeps the old one', () => {
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: [] });
    const second = table.until(
      (state) => state.turn === 2 && state.at === 'ST-5',
      () => by('A', 'none'),
    );
    expect(second.state.startingPlayer).toBe('B');
    const skip = { roll: 't2.1', verdict: 'no-brawl', reason: 'Table was hit.' };
    second.do(judge('judge-roll', skip)).close();
    expect(second.state).toMatchObject({ turn: 3, startingPlayer: 'B' });
  });

  it('AM-15 by option: a sole opener is Victor at once', () => {
    const start = position(PLAIN, PLAIN, withRules({ soleOpener: 'victorAtOnce' }));
    expect(brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' }).state.at).toBe('ST-9');
    expect(brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: [] }).state.at).toBe('ST-8');
  });

  it('TV-31: a Damage Rating below 0 deals nothing, and is still an attack (AM-37)', () => {
    const a: readonly [Given, Given, Given] = [{ card: 'BB-283' }, PLAIN[0], PLAIN[2]];
    const { state, onA } = laid(position(a, other('BB-318')), [21], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: [] });
    expect(seen(table.state, 'A/1').damage).toBe(-2);
    table.close().close();
    expect(table.state).toMatchObject({ at: 'ST-11', damage: { amount: 0, flipped: 0 } });
    expect(table.types()).toContain('damage/dealing');
  });

  it('TV-32: Domination needs more cores than the opponent; equal is not most', () => {
    const a: readonly [Given, Given, Given] = [
      { card: 'BB-328', open: true, cores: [22] },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(seen(position(a, PLAIN), 'A/1').bPower).toBe(600);
    const b: readonly [Given, Given, Given] = [
      { card: 'BB-343', open: true, cores: [1] },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(seen(position(a, b), 'A/1').bPower).toBe(200);
  });

  it('TV-34: "Shield or Fist" once', () => {
    const a = (cores: readonly number[]): readonly [Given, Given, Given] => [
      { card: 'BB-361', open: true, cores },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(totals(position(a([27]), PLAIN), 'A/1')).toBe('650/7');
    // AM-23: a second icon adds its core bonus and no second icon text.
    expect(totals(position(a([27, 2]), PLAIN), 'A/1')).toBe('650/9');
  });

  it('TV-35: ShadowStrike keeps reductions off, own cores included (AM-14)', () => {
    const b = (print: number): readonly [Given, Given, Given] => [
      { card: 'BB-313', open: true, cores: [print] },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(totals(position(b(31), PLAIN), 'A/1')).toBe('400/3');
    expect(totals(position(b(43), PLAIN), 'A/1')).toBe('900/3');
    expect(seen(position(b(31), PLAIN), 'A/1').keywords).toEqual(['ShadowStrike']);
    const damageOnly = withRules({ shadowStrike: 'damage' });
    expect(totals(position(b(31), PLAIN, damageOnly), 'A/1')).toBe('100/3');
  });

  it('core #51 gives ShadowStrike, core #52 FrostStrike, and sources of FrostStrike add up', () => {
    const a: readonly [Given, Given, Given] = [
      { card: 'BB-296', open: true, cores: [22, 52] },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(seen(position(a, PLAIN), 'A/1').keywords).toEqual(['FrostStrike 3']);
    const b: readonly [Given, Given, Given] = [
      { card: 'BB-343', open: true, cores: [51, 31] },
      PLAIN[1],
      PLAIN[2],
    ];
    expect(totals(position(b, PLAIN), 'A/1')).toBe('200/5');
  });

  const tie = (deckA: number, deckB: number): Table => {
    const start = withPile(withPile(position(PLAIN, PLAIN), 'A', 'deck', deckA), 'B', 'deck', deckB);
    const table = brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: [] });
    return table.close();
  };

  it('TV-37: equal costs turn another pair; the higher cost wins (AM-03)', () => {
    const table = tie(20, 20);
    expect(table.state.at).toBe('ST-8t');
    table.do(by('B', 'tie-flip', { cost: 2 }));
    expect(table.refused(by('B', 'tie-flip', { cost: 3 }))).toBe('tie/turned');
    table.do(by('A', 'tie-flip', { cost: 2 }));
    expect(table.state).toMatchObject({ at: 'ST-8t', tie: { A: null, B: null } });
    table.do(by('A', 'tie-flip', { cost: 4 })).do(by('B', 'tie-flip', { cost: 1 }));
    expect(table.state).toMatchObject({ at: 'ST-9', victor: 'A' });
    expect([table.state.players.A.deck.count, table.state.players.B.deck.count]).toEqual([18, 18]);
    expect(table.state.players.A.discard.count).toBe(2);
  });

  it('TV-38: X counts as 0', () => {
    const table = tie(20, 20)
      .do(by('A', 'tie-flip', { cost: 'X' }))
      .do(by('B', 'tie-flip', { cost: 1 }));
    expect(table.state).toMatchObject({ at: 'ST-9', victor: 'B' });
    expect(tie(5, 5).refused(by('A', 'tie-flip', { cost: -1 }))).toBe('tie/bad-cost');
  });

  it('TV-39: an empty deck loses the game, two empty decks are a draw', () => {
    expect(tie(0, 4).state).toMatchObject({ at: 'GO', winner: 'B' });
    expect(tie(0, 0).state).toMatchObject({ at: 'GO', winner: 'draw' });
    const later = tie(1, 4)
      .do(by('A', 'tie-flip', { cost: 2 }))
      .do(by('B', 'tie-flip', { cost: 2 }));
    expect(later.state).toMatchObject({ at: 'GO', winner: 'B' });
    const last = tie(1, 1)
      .do(by('A', 'tie-flip', { cost: 2 }))
      .do(by('B', 'tie-flip', { cost: 1 }));
    expect(last.state).toMatchObject({ at: 'ST-9', victor: 'A', winner: null });
  });
});

describe('damage and Team Attack', () => {
  const attack = (a: readonly [Given, Given, Given], on: readonly number[], options = OPTIONS): Table => {
    const { state, onA } = laid(position(a, PLAIN, options), on, []);
    const table = brawl(state, { bakugan: 'A/3', on: onA }, { bakugan: 'B/1', on: 'no' });
    return table.close().close();
  };

  it('TV-54: a needed flip without a card loses the game (AM-02)', () => {
    const start = withPile(position(PLAIN, PLAIN), 'B', 'deck', 3);
    const table = brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' }).close().close();
    expect(table.refused(by('B', 'flip', { count: 4 }))).toBe('flip/bad-count');
    table.do(by('B', 'flip', { count: 3 }));
    expect(table.state).toMatchObject({ at: 'GO', winner: 'A', players: { B: { deck: { count: 0 } } } });
    expect(bakugan.over(table.state)).toBe('A');
  });

  it('AM-02: exactly the last card is no loss by default, and one by option', () => {
    const empty = (loseWhen: 'cannotFlip' | 'emptyAfterDamage' | 'emptyAtTurnEnd') => {
      const start = withPile(position(PLAIN, PLAIN, withRules({ loseWhen })), 'B', 'deck', 5);
      const table = brawl(start, { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
      return table
        .close()
        .close()
        .do(by('B', 'flip', { count: 5 }));
    };
    expect(empty('cannotFlip').close().close().state).toMatchObject({ at: 'ST-2', turn: 2, winner: null });
    expect(empty('emptyAfterDamage').state).toMatchObject({ at: 'GO', winner: 'A' });
    const atEnd = empty('emptyAtTurnEnd');
    expect(atEnd.state.winner).toBeNull();
    expect(atEnd.close().close().state).toMatchObject({ at: 'GO', winner: 'A' });
  });

  const three: readonly [Given, Given, Given] = [
    { card: 'BB-343', open: true },
    { card: 'BB-344', open: true, cores: [1] },
    { card: 'BB-357' },
  ];

  it('TV-56: a Team Attack sums the team with core bonuses; DoubleStrike of another does not count', () => {
    const table = attack(three, [16]);
    expect(table.state).toMatchObject({ at: 'ST-10', teamAttack: true, damage: { amount: 18 } });
    table.do(by('B', 'flip', { count: 18 })).close();
    expect(table.state.at).toBe('ST-12');
    expect(table.state.players.A.bakugan.map((one) => one.open)).toEqual([false, false, false]);
    expect(table.state.returning).toMatchObject([{ player: 'A' }]);
    expect(table.state.returning[0]?.cores).toHaveLength(2);
    table.until(
      (state) => state.at === 'ST-13',
      () => by('A', 'none'),
    );
    expect(table.state.cores.every((core) => core.cell !== null)).toBe(true);
  });

  it('AM-13: DoubleStrike of the Victor doubles the sum, or by option adds its own rating again', () => {
    const doubled: readonly [Given, Given, Given] = [
      three[0],
      { card: 'BB-357', open: true },
      { card: 'BB-344' },
    ];
    // 5 + 5 + (1 printed + 1 core + 1 icon) = 13
    expect(attack(doubled, [1]).state.damage?.amount).toBe(26);
    expect(attack(doubled, [1], withRules({ doubleStrike: 'victorAgain' })).state.damage?.amount).toBe(16);
  });

  it('DoubleStrike without a Team Attack deals the rating twice', () => {
    const single: readonly [Given, Given, Given] = [PLAIN[0], PLAIN[1], { card: 'BB-344' }];
    expect(attack(single, [1]).state).toMatchObject({ teamAttack: false, damage: { amount: 6 } });
  });

  it('TV-58: a negative rating of another Bakugan does not reduce the sum', () => {
    // 5, 3 - 5 = -2, and the Victor's 3.
    const team: readonly [Given, Given, Given] = [
      { card: 'BB-343', open: true },
      { card: 'BB-283', open: true, cores: [21] },
      { card: 'BB-371' },
    ];
    expect(attack(team, []).state.damage?.amount).toBe(8);
  });

  it('TV-59: the third opens and loses: no Team Attack, only that one retracts', () => {
    const { state, onB } = laid(position(three, other('BB-309')), [], [40]);
    const table = brawl(state, { bakugan: 'A/3', on: [] }, { bakugan: 'B/1', on: onB });
    table.close().close();
    expect(table.state).toMatchObject({ victor: 'B', teamAttack: false, damage: { to: 'A', amount: 1 } });
    table.do(by('A', 'flip', { count: 1 })).close();
    expect(table.state.players.A.bakugan.map((one) => one.open)).toEqual([true, true, false]);
    expect(seen(table.state, 'B/1').open).toBe(true);
  });

  it('5.13.2 before 5.13.3: the loser places first, then the Victor (AM-20)', () => {
    const { state, onA, onB } = laid(position(three, other('BB-309')), [40, 16], [41]);
    const table = brawl(state, { bakugan: 'A/3', on: onA }, { bakugan: 'B/1', on: onB });
    table.close().close();
    table.do(by('B', 'flip', { count: table.state.damage?.amount ?? 0 })).close();
    expect(table.state.returning.map((one) => one.player)).toEqual(['B', 'A']);
  });
});

describe('shared cores (AM-08)', () => {
  const shared = (options: BakuganOptions): Table => {
    const { state, onA } = laid(position(PLAIN, other('BB-309'), options), [24], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: onA }).close().close();
    return table.do(by('A', 'flip', { count: 1 })).close();
  };
  it('a core stays with its last holder when the other retracts', () => {
    const table = shared(OPTIONS);
    expect(table.state).toMatchObject({ at: 'ST-13', returning: [] });
    expect(seen(table.state, 'B/1')).toMatchObject({ open: true, bPower: 1000 });
    expect(table.types()).toContain('retract/core-stays');
  });
  it('by option it goes back with the first', () => {
    const table = shared(withRules({ sharedCore: 'firstRetract' }));
    expect(table.state).toMatchObject({ at: 'ST-12', returning: [{ player: 'A' }] });
    expect(seen(table.state, 'B/1')).toMatchObject({ open: true, bPower: 800 });
  });
});

describe('end of turn', () => {
  it('TV-67: a boost for the turn ends in the Reset Step, a core bonus stays', () => {
    const { state, onA } = laid(position(PLAIN, PLAIN), [24], []);
    const table = brawl(state, { bakugan: 'A/1', on: onA }, { bakugan: 'B/1', on: 'no' });
    const boost = { bakugan: 'A/1', bPower: 700, damage: 0, until: 'turn', label: 'Magma Boost' };
    table.do(by('A', 'modify', boost));
    expect(seen(table.state, 'A/1').bPower).toBe(400);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.at).toBe('ST-8');
    expect(seen(table.state, 'A/1').bPower).toBe(1100);
    table.until(
      (now) => now.turn === 2,
      () => by('A', 'none'),
    );
    expect(seen(table.state, 'A/1').bPower).toBe(400);
  });

  it('TV-68: uncharged Energy is charged, the pool is lost', () => {
    const table = brawl(position(PLAIN, PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' });
    const { A } = table.state.players;
    const piles = { charged: { count: 1, known: [] }, uncharged: { count: 3, known: [] }, pool: 1 };
    table.state = { ...table.state, players: { ...table.state.players, A: { ...A, ...piles } } };
    table.until(
      (now) => now.turn === 2,
      () => by('A', 'none'),
    );
    expect(table.state.players.A).toMatchObject({ charged: { count: 4 }, uncharged: { count: 0 }, pool: 0 });
  });
});
