import { describe, expect, it, vi } from 'vitest';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { eventsIn, finalsIn } from './support/chain.ts';
import { legalIn, type VirtualTable, virtualTable, winnerIn } from './support/virtual-table.ts';

// The game without cards (D-9.1) and ends that people call, on the simulated mat: rolls are sensed.
vi.setConfig({ testTimeout: 240_000 });

const demo = demoOptions(FIXED_12.cells, 5);
const BASIC = JSON.parse(
  JSON.stringify({
    ...demo,
    mode: 'basic',
    players: { A: { ...demo.players.A, deck: 0 }, B: { ...demo.players.B, deck: 0 } },
  }),
);
const gameOf = (table: VirtualTable): GameState => table.state.play.state as never;

describe('the game without cards, by sensed rolls (D-9.1)', () => {
  const table = virtualTable({ seed: 5, judge: true, options: BASIC });
  const ended = table.runUntil(() => winnerIn(table.state) !== undefined, 240_000);

  it('ends when one player has all three Bakugan open', () => {
    expect(ended).toBe(true);
    const winner = winnerIn(table.state);
    if (winner !== 'A' && winner !== 'B') throw new Error('somebody wins');
    const over = eventsIn(table.outputs, 'game/over');
    expect(over.map(({ rules, data }) => [rules, data.winner])).toEqual([[['D-9.1'], winner]]);
    expect(gameOf(table).players[winner].bakugan.every(({ open }) => open)).toBe(true);
  });

  it('is decided by rolls alone: no card, no Energy, no Damage', () => {
    const types = new Set(table.outputs.flatMap((o) => (o.kind === 'event' ? [o.event.type] : [])));
    for (const type of ['draw/drew', 'energize/energized', 'damage/dealing', 'batch/added']) {
      expect([type, types.has(type)]).toEqual([type, false]);
    }
    expect(finalsIn(table.outputs).length).toBeGreaterThan(2);
    expect(eventsIn(table.outputs, 'victor/declared').length).toBeGreaterThan(2);
  });

  it('closes the loser and leaves the Victor open after each Brawl', () => {
    const closed = eventsIn(table.outputs, 'retract/closed');
    const opened = eventsIn(table.outputs, 'roll/opened');
    expect(opened.length - closed.length).toBeGreaterThanOrEqual(3);
  });
});

describe('ends that people call, through what screens list', () => {
  const midGame = (): VirtualTable => {
    const table = virtualTable({ seed: 7, judge: true });
    table.runUntil(() => finalsIn(table.outputs).length >= 1, 60_000);
    return table;
  };

  it('time is called by the judge; the turn is played out, then cards are counted (D-8.3)', () => {
    const table = midGame();
    const time = legalIn(table.state, 'judge').find(({ input }) => input.type === 'time');
    if (time === undefined) throw new Error('a judge may call time');
    const by = { role: 'judge', name: 'Ines' } as const;
    expect(table.command({ do: 'play', input: { ...time.input, by } })).toBe(true);
    const { turn } = gameOf(table);
    expect(winnerIn(table.state)).toBeUndefined();
    expect(table.runUntil(() => winnerIn(table.state) !== undefined, 60_000)).toBe(true);
    expect(gameOf(table).turn).toBe(turn);
    const [over] = eventsIn(table.outputs, 'game/over');
    expect(over?.rules).toEqual(['D-8.3']);
    const { A, B } = gameOf(table).players;
    if (A.deck.count !== B.deck.count) {
      expect(winnerIn(table.state)).toBe(A.deck.count > B.deck.count ? 'A' : 'B');
    }
  });

  it('a player concedes at any time and has lost (1.5)', () => {
    const table = midGame();
    const concede = legalIn(table.state, 'B').find(({ input }) => input.type === 'concede');
    if (concede === undefined) throw new Error('a player may concede');
    const by = { role: 'player', player: 'B' } as const;
    expect(table.command({ do: 'play', input: { ...concede.input, by } })).toBe(true);
    expect(winnerIn(table.state)).toBe('A');
    // Best of three: the operator begins the next game on the same table.
    expect(table.command({ do: 'new-game', by: { role: 'operator' } })).toBe(true);
    expect(winnerIn(table.state)).toBeUndefined();
    expect(table.state.game).toBe(2);
  });
});
