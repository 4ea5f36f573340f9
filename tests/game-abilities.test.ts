import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { brawl, by, position, seen, type Table } from './support/bakugan-game.ts';
import { ledBy, PLAIN, powerStep } from './support/bakugan-vectors.ts';

describe('abilities of Battle Brawlers Characters that trigger', () => {
  it('BB 360 on opening: the opposing Bakugan gets -1 Damage this turn', () => {
    const table = powerStep(ledBy('BB-360'), PLAIN);
    expect(table.state.window?.batch).toHaveLength(1);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(seen(table.state, 'B/1')).toMatchObject({ damage: 4 });
    expect(seen(table.state, 'B/1').damageParts.at(-1)).toMatchObject({ source: 'card', amount: -1 });
    table.close();
  });
  it('its target may be missing: that part is skipped (1.3.4)', () => {
    const table = brawl(
      position(ledBy('BB-360'), PLAIN),
      { bakugan: 'A/1', on: [] },
      { bakugan: 'B/1', on: 'no' },
    );
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.types()).toContain('batch/nothing');
  });
  it('both open: the starting player puts theirs in first, so the other happens first (4.4.2)', () => {
    const table = powerStep(ledBy('BB-360'), ledBy('BB-360'));
    expect(table.state.window?.batch.map((one) => one.controller)).toEqual(['A', 'B']);
  });
  const victor = (cardId: string): Table =>
    brawl(position(ledBy(cardId), PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' }).close();
  it('BB 311 as Victor: the opponent discards a card', () => {
    const table = victor('BB-311');
    const { hand, discard } = table.state.players.B;
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.players.B).toMatchObject({
      hand: { count: hand.count - 1 },
      discard: { count: discard.count + 1 },
    });
  });
  it('BB 356 as Victor: one Energy until the end of the turn', () => {
    const table = victor('BB-356').do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.players.A.pool).toBe(1);
    expect(bakugan.view(table.state, { kind: 'public' }).players.A.energyPool).toBe(1);
    table.until(
      (state) => state.turn === 2,
      () => by('A', 'none'),
    );
    expect(table.state.players.A.pool).toBe(0);
  });
  it('BB 373 as Victor: may energize one from hand, uncharged; the controller decides as it happens', () => {
    const table = victor('BB-373').do(by('A', 'pass')).do(by('B', 'pass'));
    expect(
      bakugan
        .legalInputs(table.state, 'A')
        .filter((one) => one.aside !== true)
        .map((one) => one.input),
    ).toEqual([
      { type: 'decide', yes: true },
      { type: 'decide', yes: false },
    ]);
    expect(table.refused(by('A', 'pass'))).toBe('window/decision');
    expect(table.refused(by('B', 'decide', { yes: true }))).toBe('decide/not-yours');
    expect(bakugan.studInput(table.state, 'A')).toBeUndefined();
    const { hand } = table.state.players.A;
    table.do(by('A', 'decide', { yes: true }));
    expect(table.state.players.A).toMatchObject({ uncharged: { count: 1 }, hand: { count: hand.count - 1 } });
    expect(table.refused(by('A', 'decide', { yes: true }))).toBe('decide/nothing');
  });
});
