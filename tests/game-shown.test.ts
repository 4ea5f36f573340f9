import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { brawl, by, onField, position, Table, withPrint } from './support/bakugan-game.ts';
import { ledBy, PLAIN } from './support/bakugan-vectors.ts';

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
    const start = position(PLAIN, ledBy('BB-318'));
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
