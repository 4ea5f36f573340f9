import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import type { BakuganState, GameState } from '../../host/game/bakugan/state.ts';
import type { BakuganSeen } from '../../host/game/bakugan/view.ts';
import type { GameEvent, GameInput, LegalInput } from '../../host/game/ruleset.ts';
import { SIDES, type Side } from '../../host/ids.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

/** Team of the digest's first vectors: Pyrus Dragonoid, Aquos Dragonoid, Darkus Hydorous. */
export const TEAM = {
  name: 'P',
  characters: ['BB-343', 'BB-283', 'BB-318'],
  cores: [16, 1, 2, 4, 7, 24],
  deck: 40,
};

export const OPTIONS: BakuganOptions = demoOptions(FIXED_12.cells, 7);

/** An input by a player. */
export function by(player: Side, type: string, fields: Omit<GameInput, 'type' | 'by'> = {}): GameInput {
  return { ...fields, type, by: { role: 'player', player } };
}

/** An input of a judge. */
export function judge(type: string, fields: Omit<GameInput, 'type' | 'by'>): GameInput {
  return { ...fields, type, by: { role: 'judge', name: 'J' } };
}

/** What sensors say of the roll that the game waits for. */
export function rolled(
  state: GameState,
  a: readonly string[] | 'no',
  b: readonly string[] | 'no',
  more: Omit<GameInput, 'type' | 'by'> = {},
): GameInput {
  const result = (player: Side, cores: readonly string[] | 'no') =>
    cores === 'no' ? { player, opened: 'no' } : { player, opened: 'yes', cores };
  return {
    roll: state.roll?.id ?? '-',
    results: [result('A', a), result('B', b)],
    ...more,
    type: 'rolled',
    by: { role: 'sensing' },
  };
}

/** Steps that must be accepted; keeps the events. */
export class Table {
  state: GameState;
  events: GameEvent[] = [];
  constructor(state: GameState) {
    this.state = state;
  }
  do(input: GameInput): this {
    const outcome = bakugan.step(this.state, input);
    if (!outcome.ok) {
      throw new Error(
        `${this.state.at} refused ${JSON.stringify(input)}: ${JSON.stringify(outcome.refusal)}`,
      );
    }
    this.state = outcome.state;
    this.events.push(...outcome.events);
    return this;
  }
  refused(input: GameInput): string {
    const outcome = bakugan.step(this.state, input);
    if (outcome.ok) throw new Error(`${this.state.at} accepted ${JSON.stringify(input)}`);
    return outcome.refusal.code;
  }
  /** Both pass until the window closes. */
  close(): this {
    const at = this.state.at;
    while (this.state.at === at && this.state.window !== null) {
      this.do(by(this.state.window.holder, 'pass'));
    }
    return this;
  }
  /** First listed input of the normal course for whoever acts, until a condition holds. */
  until(done: (state: GameState) => boolean, roll: (state: GameState) => GameInput): this {
    for (let steps = 0; !done(this.state); steps += 1) {
      if (steps > 2000) throw new Error(`stuck in ${this.state.at}`);
      if (this.state.at === 'ST-5') {
        this.do(roll(this.state));
        continue;
      }
      const next = normalInputs(this.state)[0];
      if (next === undefined) throw new Error(`nobody can act in ${this.state.at}`);
      this.do(acted(next));
    }
    return this;
  }
  types(): string[] {
    return this.events.map((event) => event.type);
  }
}

/** Inputs of the normal course for either player. */
export function normalInputs(state: GameState): LegalInput[] {
  return SIDES.flatMap((side) => bakugan.legalInputs(state, side)).filter((one) => one.aside !== true);
}

/** A listed input with its player. */
export function acted(legal: LegalInput): GameInput {
  return legal.player === 'judge'
    ? { ...legal.input, by: { role: 'judge', name: 'J' } }
    : { ...legal.input, by: { role: 'automatic', player: legal.player } };
}

/** A Bakugan for a made-up position: card, and prints of the cores it holds. */
export type Given = { readonly card: string; readonly open?: boolean; readonly cores?: readonly number[] };

/**
 * A position in the Energize Step of turn 1 with these Bakugan and the cores they hold; further cores of each player
 * lie on the field. A is the starting player.
 */
export function position(
  a: readonly [Given, Given, Given],
  b: readonly [Given, Given, Given],
  options: BakuganOptions = OPTIONS,
): GameState {
  const { state } = bakugan.setup({ ...options, placing: 'B' });
  let cores = state.cores;
  const teamOf = (side: Side, given: readonly [Given, Given, Given]) => {
    const bakuganAt = (index: 0 | 1 | 2): BakuganState => {
      const { card, open = false, cores: held = [] } = given[index];
      const id = `${side}/${index + 1}`;
      for (const print of held) {
        const free = cores.find((core) => core.core.startsWith(side) && core.cell !== null);
        cores = cores.map((core) =>
          core === free ? { ...core, print, cell: null, from: core.cell, heldBy: [id], known: true } : core,
        );
      }
      return { id, card, open, revealed: open, modifiers: [], evos: [], openedIn: 0 };
    };
    return { ...state.players[side], bakugan: [bakuganAt(0), bakuganAt(1), bakuganAt(2)] as const };
  };
  const players = { A: teamOf('A', a), B: teamOf('B', b) };
  return { ...state, cores, players };
}

/** Cores that lie on the field, in order. */
export function onField(state: GameState, side: Side): readonly string[] {
  return state.cores
    .filter((core) => core.core.startsWith(side) && core.cell !== null)
    .map((core) => core.core);
}

/** From the Energize Step to the Power Step: nobody energizes, these two roll, with these results. */
export function brawl(
  state: GameState,
  a: { readonly bakugan: string; readonly on: readonly string[] | 'no' },
  b: { readonly bakugan: string; readonly on: readonly string[] | 'no' },
): Table {
  const table = new Table(state);
  for (const side of state.startingPlayer === 'A' ? SIDES : ['B' as const, 'A' as const]) {
    table.do(by(side, 'energize', { energize: false }));
  }
  for (const side of state.startingPlayer === 'A' ? SIDES : ['B' as const, 'A' as const]) {
    table.do(by(side, 'select', { bakugan: side === 'A' ? a.bakugan : b.bakugan }));
  }
  table.close();
  return table.do(rolled(table.state, a.on, b.on));
}

/** A Bakugan as the audience sees it. */
export function seen(state: GameState, id: string): BakuganSeen {
  const side = id.startsWith('A') ? 'A' : 'B';
  const found = bakugan.view(state, { kind: 'judge' }).players[side].bakugan.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

/** A core of a player that lies on the field, given this print. */
export function withPrint(state: GameState, core: string, print: number): GameState {
  return { ...state, cores: state.cores.map((one) => (one.core === core ? { ...one, print } : one)) };
}

/** Changes a pile's count. */
export function withPile(state: GameState, side: Side, pile: 'deck' | 'hand', count: number): GameState {
  const player = { ...state.players[side], [pile]: { count, known: [] } };
  return { ...state, players: { ...state.players, [side]: player } };
}
