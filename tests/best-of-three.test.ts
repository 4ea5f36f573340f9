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
import { matchScore } from '../host/pages/match-words.ts';
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

  constructor(bestOf?: 1 | 3, more: Partial<TableSetting> = {}) {
    const setting = { ...settingFor(createSimTable({ layout: FIXED_12, seed: 1 }), optionsOf(1)), ...more };
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

  it.each([{ bestOf: 2 }, { besOf: 3 }, { first: 'C' }, { Options: {} }])('is refused with %j', (more) => {
    const command = { do: 'new-game', by: OPERATOR, ...more } as unknown as Command;
    const series = new Series(3);
    const { play } = series.state;
    expect(series.ask(command)).toBe('command/not-understood');
    expect(series.state.play).toBe(play);
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

describe('a match of three games that ends early', () => {
  const WHY = 'Left the hall.';

  it('is conceded by a player: the other one wins it and nothing more is played', () => {
    const series = new Series(3);
    series.winsGame('A');
    series.ask({ do: 'new-game', by: player('B') });
    expect(series.ask({ do: 'end-match', by: player('A') })).toBe('accepted');
    expect(series.match).toEqual({
      bestOf: 3,
      game: 2,
      won: { A: 1, B: 0 },
      winner: 'B',
      ended: { by: player('A'), why: '' },
    });
    const scene = composeScene(knownOf(series.state, decidedIn(series.state), series.setting), {
      kind: 'operator',
    });
    expect(scene.legal).toEqual([]);
    expect(scene.cues).toContainEqual({ cue: 'game-over', winner: 'B' });
    expect(series.state.activity).toEqual({ kind: 'idle' });
    expect(series.ask({ do: 'play', input: { type: 'concede', by: player('B') } })).toBe('match/ended');
    expect(series.ask({ do: 'end-match', by: player('B') })).toBe('match/ended');
    expect(series.ask({ do: 'new-game', by: player('B') })).toBe('new-game/not-yours');
    expect(series.ask({ do: 'new-game', by: OPERATOR })).toBe('accepted');
    expect(series.match).toEqual({ bestOf: 3, game: 1, won: { A: 0, B: 0 }, winner: null });
  });

  it('is ended by a judge who says who wins and why, and that may be taken back', () => {
    const series = new Series(3);
    const judge: Actor = { role: 'judge', name: 'Aiko' };
    expect(series.ask({ do: 'end-match', by: judge, reason: WHY })).toBe('match/winner');
    expect(series.ask({ do: 'end-match', by: judge, winner: 'A' })).toBe('match/reason');
    expect(series.ask({ do: 'end-match', by: player('A'), winner: 'A' })).toBe('match/not-yours');
    expect(series.ask({ do: 'end-match', by: { role: 'automatic' }, winner: 'A', reason: WHY })).toBe(
      'match/not-yours',
    );
    expect(series.ask({ do: 'resume-match', by: judge, reason: WHY })).toBe('match/not-ended');
    const before = series.match;
    expect(series.ask({ do: 'end-match', by: judge, winner: 'draw', reason: WHY })).toBe('accepted');
    expect(series.match).toMatchObject({ winner: 'draw', ended: { by: judge, why: WHY } });
    expect(series.ask({ do: 'resume-match', by: player('A'), reason: WHY })).toBe('match/not-yours');
    expect(series.ask({ do: 'resume-match', by: judge, reason: ' ' })).toBe('match/reason');
    expect(series.ask({ do: 'resume-match', by: judge, reason: 'Came back.' })).toBe('accepted');
    expect(series.match).toEqual(before);
    series.winsGame('B');
    expect(series.match).toMatchObject({ game: 1, won: { A: 0, B: 1 }, winner: null });
  });

  it('may be conceded between two games, and not once it is decided', () => {
    const series = new Series(3);
    series.winsGame('A');
    expect(series.ask({ do: 'end-match', by: player('B') })).toBe('accepted');
    expect(series.match).toMatchObject({ won: { A: 1, B: 0 }, winner: 'A' });
    const decided = new Series(3);
    decided.winsGame('A');
    decided.ask({ do: 'new-game', by: OPERATOR });
    decided.winsGame('A');
    expect(decided.ask({ do: 'end-match', by: player('B') })).toBe('match/decided');
    expect(new Series(1).ask({ do: 'end-match', by: player('B') })).toBe('match/one-game');
  });

  it('is saved with the table and is the same when played again', () => {
    const series = new Series(3);
    series.ask({ do: 'end-match', by: OPERATOR, winner: 'B', reason: WHY });
    expect(differences(loadTable(series.setting, saveTable(series.state)), series.state)).toEqual([]);
    const again = startTable(series.setting, 0);
    for (const input of series.inputs) advance(again, input, series.setting);
    expect(differences(again, series.state)).toEqual([]);
    expect(again.match.ended).toEqual({ winner: 'B', by: OPERATOR, why: WHY });
  });
});

describe('who begins the next game', () => {
  const placing = (series: Series): Json | undefined => {
    const { options } = series.state.play;
    return typeof options === 'object' && options !== null && 'placing' in options
      ? options.placing
      : undefined;
  };

  it('is said by the loser of the last one where the event wants it so: who places the first core (1.4.2)', () => {
    const series = new Series(3, { loserChooses: true });
    expect(series.match?.chooser).toBeUndefined();
    series.winsGame('A');
    expect(series.match?.chooser).toBe('B');
    expect(series.ask({ do: 'new-game', by: player('A'), first: 'A' })).toBe('new-game/loser-chooses');
    expect(series.ask({ do: 'new-game', by: player('B') })).toBe('new-game/say-first');
    expect(series.ask({ do: 'new-game', by: OPERATOR })).toBe('new-game/say-first');
    expect(series.ask({ do: 'new-game', by: player('B'), first: 'A' })).toBe('accepted');
    expect(placing(series)).toBe('A');
    expect(series.match?.chooser).toBeUndefined();
    const cores = series.state.play.events.find(({ type }) => type === 'setup/placing-player');
    expect(cores?.data.player).toBe('A');
    series.winsGame('B');
    expect(series.match?.chooser).toBe('A');
    expect(series.ask({ do: 'new-game', by: OPERATOR, first: 'A' })).toBe('accepted');
    expect(placing(series)).toBe('A');
  });

  it('is for the lot where nobody says otherwise, and nobody may choose then', () => {
    const series = new Series(3);
    const before = placing(series);
    series.winsGame('A');
    expect(series.match?.chooser).toBeUndefined();
    expect(series.ask({ do: 'new-game', by: player('B'), first: 'B' })).toBe('new-game/no-choice');
    expect(series.ask({ do: 'new-game', by: player('A') })).toBe('accepted');
    expect(placing(series)).toBe(before);
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
