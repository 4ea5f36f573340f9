import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import type { BakuganOptions } from '../host/game/bakugan/options.ts';
import { FIXED_12, neighboursOf } from '../host/sensing/layout.ts';
import { brawl, by, OPTIONS, position, Table, TEAM, withPile } from './support/bakugan-game.ts';
import { PLAIN } from './support/bakugan-vectors.ts';

/** Vectors of the rules digest, by number. P1 is player A, P2 player B. */

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
