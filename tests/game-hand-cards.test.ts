import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { brawl, by, judge, position, seen, Table, withPile } from './support/bakugan-game.ts';
import { handCard, ledBy, PLAIN, powerStep } from './support/bakugan-vectors.ts';

describe('cards entered by hand', () => {
  it('TV-15: before the roll; it enters the batch and happens after two passes', () => {
    const table = new Table(position(PLAIN, PLAIN));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
    table.do(by('A', 'modify', handCard('A/1', 100, 0)));
    expect(table.state.window).toMatchObject({ holder: 'A', passes: 0 });
    expect(bakugan.view(table.state, { kind: 'public' }).batch).toEqual([
      { controller: 'A', label: 'Smash' },
    ]);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.at).toBe('ST-4');
    expect(seen(table.state, 'A/1').bPowerParts.at(-1)).toEqual({
      source: 'hand',
      label: 'Smash',
      amount: 100,
    });
    expect(table.events.find((event) => event.type === 'modify/applied')?.data).toMatchObject({
      by: 'player A',
    });
    expect(table.close().state.at).toBe('ST-5');
  });

  it('TV-43: after a pass the other may still play; the window closes after two more passes', () => {
    const table = powerStep();
    table.do(by('A', 'pass')).do(by('B', 'modify', handCard('B/1', 0, 3)));
    table.do(by('B', 'pass')).do(by('A', 'pass'));
    expect(table.state).toMatchObject({ at: 'ST-8', window: { holder: 'A', passes: 0, batch: [] } });
    expect(seen(table.state, 'B/1').damage).toBe(8);
    table.do(by('A', 'pass'));
    expect(table.state.at).toBe('ST-8');
    table.do(by('B', 'pass'));
    expect(table.state.at).toBe('ST-8t');
  });

  it('last in, first out (4.4.3)', () => {
    const table = powerStep();
    table.do(by('A', 'modify', handCard('A/1', 100, 0, { label: 'low' })));
    table.do(by('A', 'modify', handCard('A/1', 200, 0, { label: 'top' })));
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(seen(table.state, 'A/1').bPowerParts.at(-1)?.label).toBe('top');
    expect(table.state.window?.batch.map((one) => one.label)).toEqual(['low']);
  });

  it('a card from hand costs Energy: pool first, then charged cards; then it lies in the discard pile', () => {
    const table = powerStep();
    const { A } = table.state.players;
    const rich = { ...A, charged: { count: 2, known: [] }, pool: 1 };
    table.state = { ...table.state, players: { ...table.state.players, A: rich } };
    expect(table.refused(by('A', 'modify', handCard('A/1', 100, 0, { cost: 4 })))).toBe('modify/too-dear');
    table.do(by('A', 'modify', handCard('A/1', 100, 0, { cost: 2 })));
    expect(table.state.players.A).toMatchObject({ pool: 0, charged: { count: 1 }, uncharged: { count: 1 } });
    expect(table.state.players.A.hand.count).toBe(A.hand.count - 1);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.players.A.discard).toEqual({ count: A.discard.count + 1, known: ['Smash'] });
    table.state = withPile(table.state, 'A', 'hand', 0);
    expect(table.refused(by('A', 'modify', handCard('A/1', 100, 0, { cost: 0 })))).toBe('modify/no-card');
  });

  it.each([
    ['modify/no-such-bakugan', { bakugan: 'C/1' }],
    ['modify/bad-amount', { bPower: 1.5 }],
    ['modify/bad-amount', { bPower: 1e9 }],
    ['modify/nothing', { bPower: 0 }],
    ['modify/until', { until: 'ever' }],
    ['modify/label', { label: '' }],
    ['modify/bad-cost', { cost: -1 }],
  ])('refuses %s', (code, more) => {
    expect(powerStep().refused(by('A', 'modify', handCard('A/1', 100, 0, more)))).toBe(code);
    expect(powerStep().refused(by('B', 'modify', handCard('A/1', 100, 0)))).toBe('window/not-holder');
  });

  it('a judge corrects values at once, in any state, under their name', () => {
    const table = new Table(position(PLAIN, PLAIN));
    table.do(judge('modify', handCard('B/2', -100, 0, { until: 'game' })));
    expect(seen(table.state, 'B/2').bPower).toBe(300);
    expect(table.state.at).toBe('ST-2');
    expect(table.events.at(-1)?.data.by).toBe('judge (J)');
  });
});

describe('Flip cards entered by hand (5.11.2)', () => {
  /** A deals 7 to B. */
  const attack = (): Table =>
    brawl(position(ledBy('BB-328'), PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' })
      .close()
      .close();

  it('TV-48: Stop on the fourth card: four flipped, the rest vanishes', () => {
    const table = attack().do(by('B', 'flip', { count: 4, flipCard: 'Counter Haos', stop: true }));
    expect(table.state).toMatchObject({
      at: 'ST-10f',
      window: { holder: 'A', batch: [{ label: 'Counter Haos' }] },
    });
    table.close();
    expect(table.state).toMatchObject({ at: 'ST-11', damage: { amount: 4, flipped: 4 } });
    expect(table.state.players.B.discard.known).toEqual(['Counter Haos']);
  });

  it('a Flip card without Stop lets the rest be dealt', () => {
    const table = attack()
      .do(by('B', 'flip', { count: 2, flipCard: 'Lava Flow', stop: false }))
      .close();
    expect(table.state).toMatchObject({ at: 'ST-10', damage: { amount: 7, flipped: 2 } });
    table.do(by('B', 'flip', { count: 5 }));
    expect(table.state.at).toBe('ST-11');
  });

  it('AM-26: as the last point it may be played; Stop has nothing left to stop', () => {
    const table = attack()
      .do(by('B', 'flip', { count: 7, flipCard: 'Halt', stop: true }))
      .close();
    expect(table.state).toMatchObject({ at: 'ST-11', damage: { amount: 7, flipped: 7 } });
  });

  it('5.11.2.1.1: the attacker cannot raise the damage in response; the Flip owner may lower it (AM-25)', () => {
    const table = attack().do(by('B', 'flip', { count: 1, flipCard: 'Lava Flow', stop: false }));
    table
      .do(by('A', 'modify', handCard('A/1', 0, 5)))
      .do(by('A', 'pass'))
      .do(by('B', 'pass'));
    expect(table.state.damage?.amount).toBe(7);
    expect(table.events.find((event) => event.type === 'damage/no-effect')?.rules).toEqual(['5.11.2.1.1']);
    table
      .do(by('A', 'pass'))
      .do(by('B', 'modify', handCard('A/1', 0, -4)))
      .do(by('B', 'pass'))
      .do(by('A', 'pass'));
    expect(table.state.damage).toMatchObject({ amount: 3, flipped: 1 });
  });

  it('nobody else may act while damage is dealt', () => {
    const table = attack();
    expect(table.refused(by('A', 'pass'))).toBe('window/none');
    expect(table.refused(by('A', 'flip', { count: 1 }))).toBe('flip/not-yours');
    expect(table.refused(by('B', 'modify', handCard('A/1', 0, -4)))).toBe('window/none');
    expect(table.refused(by('B', 'flip', { count: 1, flipCard: 'x' }))).toBe('flip/bad-card');
    expect(table.refused(by('B', 'flip', { count: 0 }))).toBe('flip/bad-count');
  });
});
