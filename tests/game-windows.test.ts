import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import {
  brawl,
  by,
  type Given,
  judge,
  onField,
  position,
  seen,
  Table,
  withPile,
  withPrint,
} from './support/bakugan-game.ts';
import { PLAIN } from './support/bakugan-vectors.ts';

const first = (card: string): readonly [Given, Given, Given] => [{ card }, PLAIN[1], PLAIN[2]];

/** Power Step with A/1 and B/1 open on no core. */
const power = (a = PLAIN, b = PLAIN): Table =>
  brawl(position(a, b), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: [] });

const card = (bakuganId: string, bPower: number, damage: number, more = {}) => ({
  bakugan: bakuganId,
  bPower,
  damage,
  until: 'turn',
  label: 'Smash',
  ...more,
});

describe('windows of a turn', () => {
  it('ST-4, ST-8, ST-9, ST-11 and ST-13 open with the starting player as holder and close by two passes', () => {
    const table = new Table(position(PLAIN, PLAIN));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
    const visited: string[] = [];
    const roll = () => ({
      type: 'rolled',
      by: { role: 'sensing' as const },
      roll: 't1.1',
      results: [
        { player: 'A', opened: 'yes' },
        { player: 'B', opened: 'no' },
      ],
    });
    while (table.state.turn === 1) {
      const { at, window } = table.state;
      if (window === null) {
        table.do(at === 'ST-5' ? roll() : by('B', 'flip', { count: 5 }));
        continue;
      }
      visited.push(at);
      expect(window).toMatchObject({ holder: 'A', passes: 0, batch: [] });
      expect(table.refused(by('B', 'pass'))).toBe('window/not-holder');
      table.do(by('A', 'pass'));
      expect(table.state.window).toMatchObject({ holder: 'B', passes: 1 });
      table.do(by('B', 'pass'));
    }
    expect(visited).toEqual(['ST-4', 'ST-8', 'ST-9', 'ST-11', 'ST-13']);
  });

  it("a stud passes for its player when it is that player's turn, and is nothing otherwise", () => {
    const table = power();
    expect(bakugan.studInput(table.state, 'B')).toBeUndefined();
    const pass = bakugan.studInput(table.state, 'A');
    expect(pass).toEqual({ type: 'pass', by: { role: 'sensing', player: 'A' } });
    if (pass !== undefined) table.do(pass);
    expect(table.state.window?.holder).toBe('B');
    expect(bakugan.studInput(position(PLAIN, PLAIN), 'A')).toBeUndefined();
  });
});

describe('cards entered by hand', () => {
  it('TV-15: before the roll; it enters the batch and happens after two passes', () => {
    const table = new Table(position(PLAIN, PLAIN));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
    table.do(by('A', 'modify', card('A/1', 100, 0)));
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
    const table = power();
    table.do(by('A', 'pass')).do(by('B', 'modify', card('B/1', 0, 3)));
    table.do(by('B', 'pass')).do(by('A', 'pass'));
    expect(table.state).toMatchObject({ at: 'ST-8', window: { holder: 'A', passes: 0, batch: [] } });
    expect(seen(table.state, 'B/1').damage).toBe(8);
    table.do(by('A', 'pass'));
    expect(table.state.at).toBe('ST-8');
    table.do(by('B', 'pass'));
    expect(table.state.at).toBe('ST-8t');
  });

  it('last in, first out (4.4.3)', () => {
    const table = power();
    table.do(by('A', 'modify', card('A/1', 100, 0, { label: 'low' })));
    table.do(by('A', 'modify', card('A/1', 200, 0, { label: 'top' })));
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(seen(table.state, 'A/1').bPowerParts.at(-1)?.label).toBe('top');
    expect(table.state.window?.batch.map((one) => one.label)).toEqual(['low']);
  });

  it('a card from hand costs Energy: pool first, then charged cards; then it lies in the discard pile', () => {
    const table = power();
    const { A } = table.state.players;
    const rich = { ...A, charged: { count: 2, known: [] }, pool: 1 };
    table.state = { ...table.state, players: { ...table.state.players, A: rich } };
    expect(table.refused(by('A', 'modify', card('A/1', 100, 0, { cost: 4 })))).toBe('modify/too-dear');
    table.do(by('A', 'modify', card('A/1', 100, 0, { cost: 2 })));
    expect(table.state.players.A).toMatchObject({ pool: 0, charged: { count: 1 }, uncharged: { count: 1 } });
    expect(table.state.players.A.hand.count).toBe(A.hand.count - 1);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.state.players.A.discard).toEqual({ count: A.discard.count + 1, known: ['Smash'] });
    table.state = withPile(table.state, 'A', 'hand', 0);
    expect(table.refused(by('A', 'modify', card('A/1', 100, 0, { cost: 0 })))).toBe('modify/no-card');
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
    expect(power().refused(by('A', 'modify', card('A/1', 100, 0, more)))).toBe(code);
    expect(power().refused(by('B', 'modify', card('A/1', 100, 0)))).toBe('window/not-holder');
  });

  it('a judge corrects values at once, in any state, under their name', () => {
    const table = new Table(position(PLAIN, PLAIN));
    table.do(judge('modify', card('B/2', -100, 0, { until: 'game' })));
    expect(seen(table.state, 'B/2').bPower).toBe(300);
    expect(table.state.at).toBe('ST-2');
    expect(table.events.at(-1)?.data.by).toBe('judge (J)');
  });
});

describe('Flip cards entered by hand (5.11.2)', () => {
  /** A deals 7 to B. */
  const attack = (): Table =>
    brawl(position(first('BB-328'), PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' })
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
      .do(by('A', 'modify', card('A/1', 0, 5)))
      .do(by('A', 'pass'))
      .do(by('B', 'pass'));
    expect(table.state.damage?.amount).toBe(7);
    expect(table.events.find((event) => event.type === 'damage/no-effect')?.rules).toEqual(['5.11.2.1.1']);
    table
      .do(by('A', 'pass'))
      .do(by('B', 'modify', card('A/1', 0, -4)))
      .do(by('B', 'pass'))
      .do(by('A', 'pass'));
    expect(table.state.damage).toMatchObject({ amount: 3, flipped: 1 });
  });

  it('nobody else may act while damage is dealt', () => {
    const table = attack();
    expect(table.refused(by('A', 'pass'))).toBe('window/none');
    expect(table.refused(by('A', 'flip', { count: 1 }))).toBe('flip/not-yours');
    expect(table.refused(by('B', 'modify', card('A/1', 0, -4)))).toBe('window/none');
    expect(table.refused(by('B', 'flip', { count: 1, flipCard: 'x' }))).toBe('flip/bad-card');
    expect(table.refused(by('B', 'flip', { count: 0 }))).toBe('flip/bad-count');
  });
});

describe('abilities of Battle Brawlers Characters that trigger', () => {
  it('BB 360 on opening: the opposing Bakugan gets -1 Damage this turn', () => {
    const table = power(first('BB-360'), PLAIN);
    expect(table.state.window?.batch).toHaveLength(1);
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(seen(table.state, 'B/1')).toMatchObject({ damage: 4 });
    expect(seen(table.state, 'B/1').damageParts.at(-1)).toMatchObject({ source: 'card', amount: -1 });
    table.close();
  });
  it('its target may be missing: that part is skipped (1.3.4)', () => {
    const table = brawl(
      position(first('BB-360'), PLAIN),
      { bakugan: 'A/1', on: [] },
      { bakugan: 'B/1', on: 'no' },
    );
    table.do(by('A', 'pass')).do(by('B', 'pass'));
    expect(table.types()).toContain('batch/nothing');
  });
  it('both open: the starting player puts theirs in first, so the other happens first (4.4.2)', () => {
    const table = power(first('BB-360'), first('BB-360'));
    expect(table.state.window?.batch.map((one) => one.controller)).toEqual(['A', 'B']);
  });
  const victor = (cardId: string): Table =>
    brawl(position(first(cardId), PLAIN), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: 'no' }).close();
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

describe('conceding and the end', () => {
  it('is possible at any time, and then nothing is', () => {
    const table = power().do(by('B', 'concede'));
    expect(table.state).toMatchObject({ at: 'GO', winner: 'A' });
    expect(bakugan.over(table.state)).toBe('A');
    expect(table.refused(by('A', 'pass'))).toBe('game/over');
    for (const who of ['A', 'B', 'judge'] as const) expect(bakugan.legalInputs(table.state, who)).toEqual([]);
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'game-over', winner: 'A' });
  });
});

describe('who may do what', () => {
  it('sensors pass and report, they do not decide', () => {
    const table = new Table(position(PLAIN, PLAIN));
    const input = { type: 'energize', energize: true };
    expect(table.refused({ ...input, by: { role: 'sensing', player: 'A' } })).toBe('who/not-for-sensors');
    expect(table.refused({ ...input, by: { role: 'judge' } })).toBe('who/no-player');
    table.do({ ...input, by: { role: 'judge', player: 'A' } });
  });
  it('an input without a place in this state is refused with the rules of the state', () => {
    const { state } = new Table(position(PLAIN, PLAIN));
    for (const type of [
      'flip',
      'select',
      'place',
      'tie-flip',
      'rolled',
      'judge-roll',
      'nonsense',
      'toString',
    ]) {
      const outcome = bakugan.step(state, by('A', type));
      expect(outcome.ok === false && outcome.refusal).toMatchObject({
        code: 'step/not-now',
        rules: ['5.2.1', '5.4.1'],
      });
    }
  });
});

describe('what light and screens may show', () => {
  it('shows cores and vacant cells, where a ball holds a core, and the Victor', () => {
    const start = position(PLAIN, PLAIN);
    const [core = ''] = onField(start, 'A');
    const cell = start.cores.find((one) => one.core === core)?.cell ?? '';
    const table = brawl(
      withPrint(start, core, 24),
      { bakugan: 'A/1', on: [core] },
      { bakugan: 'B/1', on: [] },
    );
    const cues = bakugan.cues(table.state);
    expect(cues).toContainEqual({ cue: 'attached', cell, player: 'A' });
    expect(cues).toContainEqual({ cue: 'vacant', cell });
    expect(cues.filter((one) => one.cue === 'core')).toHaveLength(11);
    expect(cues).toContainEqual({ cue: 'acts', player: 'A' });
    table.close();
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'victor', player: 'A', cells: [cell] });
  });
  it('shows where a ball opened and did not stay', () => {
    const start = position(PLAIN, PLAIN);
    const [core = ''] = onField(start, 'A');
    const table = new Table(start);
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
    table.close();
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'rolling' });
    const results = [
      { player: 'A', opened: 'yes', cores: [], touched: [core] },
      { player: 'B', opened: 'no' },
    ];
    table.do({ type: 'rolled', by: { role: 'sensing' }, roll: 't1.1', results });
    const cell = start.cores.find((one) => one.core === core)?.cell ?? '';
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'opened', cell, player: 'A' });
  });
  it('shows where a core may go back', () => {
    const start = position(PLAIN, first('BB-318'));
    const [core = ''] = onField(start, 'B');
    const bakuganOn = brawl(
      withPrint(start, core, 31),
      { bakugan: 'A/1', on: [] },
      { bakugan: 'B/1', on: [core] },
    );
    bakuganOn
      .close()
      .close()
      .do(by('B', 'flip', { count: 5 }))
      .close();
    const cell = start.cores.find((one) => one.core === core)?.cell ?? '';
    expect(bakugan.cues(bakuganOn.state)).toContainEqual({ cue: 'may-place', cell, player: 'B' });
    expect(bakugan.activity(bakuganOn.state)).toEqual({ kind: 'hands', why: 'retract' });
  });
});

describe('views', () => {
  it('the print of a core is seen by its owner and officials, by all once it was picked up', () => {
    const start = position(PLAIN, PLAIN);
    const [core = ''] = onField(start, 'A');
    const table = brawl(start, { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: [] });
    const seenPrint = (state: Table['state'], audience: Parameters<typeof bakugan.view>[1]) =>
      bakugan.view(state, audience).cores.find((one) => one.core === core)?.print !== undefined;
    const audiences = [
      { kind: 'player', player: 'A' },
      { kind: 'judge' },
      { kind: 'operator' },
      { kind: 'player', player: 'B' },
      { kind: 'venue' },
      { kind: 'public' },
    ] as const;
    expect(audiences.map((one) => seenPrint(table.state, one))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    const known = brawl(start, { bakugan: 'A/1', on: 'no' }, { bakugan: 'B/1', on: [core] });
    expect(audiences.map((one) => seenPrint(known.state, one))).toEqual([true, true, true, true, true, true]);
  });
  it('holds nothing of the chance or the options', () => {
    const view = JSON.stringify(bakugan.view(position(PLAIN, PLAIN), { kind: 'judge' }));
    expect(view).not.toContain('seed');
    expect(view).not.toContain('chance');
  });
});
