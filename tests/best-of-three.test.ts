import { describe, expect, it } from 'vitest';
import { settingFor } from '../bin/bench/virtual-table.ts';
import { advance, startTable } from '../host/advance/advance.ts';
import type { Command, Input } from '../host/advance/input.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableSetting } from '../host/advance/setting.ts';
import type { TableState } from '../host/advance/state.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { Actor } from '../host/game/ruleset.ts';
import type { Json, Side } from '../host/ids.ts';
import { matchScore } from '../host/pages/panels/ribbon.ts';
import { composeScene } from '../host/scene/compose.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { differences } from './support/chain.ts';

// A match of three games goes to whoever wins two first; a game ends at once when a player concedes (1.5).
const OPERATOR: Actor = { role: 'operator' };
const optionsOf = (seed: number): { readonly [key: string]: Json } =>
  JSON.parse(JSON.stringify(demoOptions(FIXED_12.cells, seed)));

class Series {
  readonly setting: TableSetting;
  readonly state: TableState;
  readonly inputs: Input[] = [];

  constructor(bestOf?: 1 | 3) {
    const setting = settingFor(createSimTable({ layout: FIXED_12, seed: 1 }), optionsOf(1));
    this.setting = bestOf === undefined ? setting : { ...setting, bestOf };
    this.state = startTable(this.setting, 0);
  }

  /** What became of a command: `accepted`, or the code of its refusal. */
  ask(command: Command): string {
    const input: Input = {
      kind: 'command',
      atMs: this.inputs.length + 1,
      id: `c${this.inputs.length}`,
      command,
    };
    this.inputs.push(input);
    for (const said of advance(this.state, input, this.setting)) {
      if (said.kind === 'refused') return said.refusal.code;
    }
    return 'accepted';
  }

  winsGame(side: Side): void {
    const player = side === 'A' ? 'B' : 'A';
    expect(this.ask({ do: 'play', input: { type: 'concede', by: { role: 'player', player } } })).toBe(
      'accepted',
    );
  }

  get seed(): Json | undefined {
    const { options } = this.state.play;
    return typeof options === 'object' && options !== null && 'seed' in options ? options.seed : undefined;
  }

  get match() {
    return composeScene(knownOf(this.state, decidedIn(this.state), this.setting), { kind: 'venue' }).match;
  }
}

const player = (side: Side): Actor => ({ role: 'player', player: side });

describe('a match of three games', () => {
  it('ends at two wins, its games begun by its players', () => {
    const series = new Series(3);
    expect(series.match).toEqual({ bestOf: 3, game: 1, won: { A: 0, B: 0 }, winner: null });
    expect(series.ask({ do: 'new-game', by: player('A') }), 'not while a game is on').toBe(
      'new-game/not-yours',
    );
    series.winsGame('A');
    expect(series.match).toEqual({ bestOf: 3, game: 1, won: { A: 1, B: 0 }, winner: null });
    expect(series.ask({ do: 'new-game', by: player('B') })).toBe('accepted');
    const { match } = series;
    expect(match).toEqual({ bestOf: 3, game: 2, won: { A: 1, B: 0 }, winner: null });
    expect(match === undefined ? '' : matchScore(match)).toBe('Game 2 of 3, 1–0');
    series.winsGame('B');
    expect(series.ask({ do: 'new-game', by: OPERATOR })).toBe('accepted');
    series.winsGame('A');
    expect(series.match).toEqual({ bestOf: 3, game: 3, won: { A: 2, B: 1 }, winner: 'A' });
    expect(series.ask({ do: 'new-game', by: player('A') }), 'the match is over').toBe('new-game/not-yours');
    expect(series.ask({ do: 'new-game', by: OPERATOR })).toBe('accepted');
    expect(series.match).toEqual({ bestOf: 3, game: 1, won: { A: 0, B: 0 }, winner: null });
  });

  it('is over after two games that the same player won', () => {
    const series = new Series(3);
    series.winsGame('B');
    series.ask({ do: 'new-game', by: OPERATOR });
    series.winsGame('B');
    expect(series.match).toMatchObject({ game: 2, won: { A: 0, B: 2 }, winner: 'B' });
  });

  it('counts no game that was broken off, and plays on with the decks it began with', () => {
    const series = new Series();
    expect(series.match).toBeUndefined();
    const options = optionsOf(9);
    expect(series.ask({ do: 'new-game', by: OPERATOR, options, bestOf: 3 })).toBe('accepted');
    expect(series.ask({ do: 'new-game', by: OPERATOR })).toBe('accepted');
    expect(series.match).toMatchObject({ game: 1, won: { A: 0, B: 0 } });
    // The same decks in another order: what was seen of the first game tells nothing of the next.
    const first = series.seed;
    expect(series.state.play.options).toEqual({ ...options, seed: first });
    expect(first).not.toBe(options.seed);
    series.winsGame('A');
    expect(series.ask({ do: 'new-game', by: player('A'), options: optionsOf(2) })).toBe('new-game/not-yours');
    expect(series.ask({ do: 'new-game', by: player('A'), bestOf: 1 })).toBe('new-game/not-yours');
    series.ask({ do: 'new-game', by: player('A') });
    expect(series.match).toMatchObject({ game: 2, won: { A: 1, B: 0 } });
    expect(series.state.play.options).toEqual({ ...options, seed: series.seed });
    expect([options.seed, first]).not.toContain(series.seed);
    // A match of its own, whatever was won before.
    series.ask({ do: 'new-game', by: OPERATOR, bestOf: 1 });
    expect(series.match).toBeUndefined();
  });

  it('is refused when it is of two games', () => {
    const command = { do: 'new-game', by: OPERATOR, bestOf: 2 } as unknown as Command;
    expect(new Series(3).ask(command)).toBe('command/not-understood');
  });

  it('is saved with the table and is the same when played again', () => {
    const series = new Series(3);
    series.winsGame('A');
    series.ask({ do: 'new-game', by: player('A') });
    expect(differences(loadTable(series.setting, saveTable(series.state)), series.state)).toEqual([]);
    const again = startTable(series.setting, 0);
    for (const input of series.inputs) advance(again, input, series.setting);
    expect(differences(again, series.state)).toEqual([]);
    expect(again.match.games).toEqual(['A']);
  });
});

describe('a match of one game', () => {
  it('is no series: nothing is shown of it or kept, and its players begin no other', () => {
    const series = new Series();
    series.winsGame('A');
    expect(series.match).toBeUndefined();
    expect(series.ask({ do: 'new-game', by: player('A') })).toBe('new-game/not-yours');
    expect(Object.keys(JSON.parse(saveTable(series.state)).plain)).not.toContain('match');
  });
});
