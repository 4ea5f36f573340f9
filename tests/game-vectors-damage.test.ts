import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import {
  brawl,
  by,
  type Given,
  OPTIONS,
  position,
  seen,
  type Table,
  withPile,
} from './support/bakugan-game.ts';
import { laid, other, PLAIN, withRules } from './support/bakugan-vectors.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

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
