import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import {
  brawl,
  by,
  type Given,
  judge,
  position,
  seen,
  type Table,
  withPile,
} from './support/bakugan-game.ts';
import { laid, other, PLAIN, totals, withRules } from './support/bakugan-vectors.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

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
