import { describe, expect, it } from 'vitest';
import type { BakuganOptions } from '../host/game/bakugan/options.ts';
import { brawl, by, OPTIONS, position, seen, type Table } from './support/bakugan-game.ts';
import { laid, other, PLAIN, withRules } from './support/bakugan-vectors.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

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
