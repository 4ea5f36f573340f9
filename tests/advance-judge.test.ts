import { describe, expect, it, vi } from 'vitest';
import { encodeDown } from '../firmware-protocol/line.ts';
import { advance, nextWake, startTable } from '../host/advance/advance.ts';
import type { Command, Output } from '../host/advance/input.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableState } from '../host/advance/state.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import { inputsOf } from '../host/game/play.ts';
import { composeScene } from '../host/scene/compose.ts';
import { differences, eventsIn, finalsIn, fiveMinutesOn } from './support/chain.ts';
import { legalIn, virtualTable, winnerIn } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const JUDGE = { role: 'judge', name: 'Ines' } as const;

/** Some turns with rolls, ended in a priority window. */
const recorded = (() => {
  const table = virtualTable({ seed: 7, judge: true });
  table.runUntil(() => finalsIn(table.outputs).length >= 3, 60_000);
  table.run(600);
  return table;
})();
const { setting, inputs } = recorded;

const gameOf = (state: TableState): GameState => state.play.state as never;

const saved = saveTable(recorded.state);
const fresh = (): TableState => loadTable(setting, saved);

let ids = 0;
function give(state: TableState, command: Command, afterMs = 1): readonly Output[] {
  ids += 1;
  return advance(state, { kind: 'command', atMs: state.atMs + afterMs, id: `c${ids}`, command }, setting);
}

const firstRoll = finalsIn(recorded.outputs)[0];
const replacing = (roll: string, fields: object): Command => ({
  do: 'replace-ruling',
  by: JUDGE,
  roll,
  input: { type: 'judge-roll', by: JUDGE, roll, reason: 'seen on video', ...fields } as never,
  reason: 'seen on video',
});

describe('a ruling that a judge replaces', () => {
  const roll = firstRoll?.roll ?? '';
  const none = { results: (['A', 'B'] as const).map((player) => ({ player, opened: 'no', cores: [] })) };

  it('was a ruling with an opener, with play after it', () => {
    expect(firstRoll?.balls.some(({ opened }) => opened === 'yes')).toBe(true);
    expect(inputsOf(recorded.state.play).length).toBeGreaterThan(8);
  });

  it('folds the game anew: as if the judge had ruled so in the first place', () => {
    const state = fresh();
    const said = give(state, replacing(roll, none));
    expect(said.map(({ kind }) => kind)).toContain('accepted');
    // The same game played from its inputs, with the judge's instead of the sensors'.
    const kept = inputsOf(state.play).map(({ input }) => input);
    const old = inputsOf(recorded.state.play).map(({ input }) => input);
    const at = old.findIndex((input) => input.roll === roll);
    expect(kept.slice(0, at)).toEqual(old.slice(0, at));
    expect(kept[at]).toMatchObject({ type: 'judge-roll', by: JUDGE, roll });
    let expected = setting.ruleset.setup(setting.rulesetOptions).state;
    for (const input of kept) {
      const outcome = setting.ruleset.step(expected, input);
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      expected = outcome.state;
    }
    expect(state.play.state).toEqual(expected);
  });

  it('takes back the ruling, names what did not happen, and tells what happened instead', () => {
    const state = fresh();
    const told = recorded.outputs.flatMap((o) => (o.kind === 'event' ? [o.event.text] : []));
    const said = give(state, replacing(roll, none));
    const [retraction] = said.filter(({ kind }) => kind === 'retraction');
    expect(retraction).toMatchObject({
      roll,
      revision: firstRoll?.revision,
      stage: 'final',
      why: 'seen on video',
    });
    const [withdrawn] = eventsIn(said, 'play/withdrawn');
    expect(withdrawn?.text).toContain(roll);
    expect(withdrawn?.text).toContain('seen on video');
    expect(withdrawn?.rules).toEqual(['AM-39']);
    const list = withdrawn?.data.withdrawn as readonly { type: string; text: string }[];
    expect(list.length).toBeGreaterThan(3);
    // Everything that is withdrawn was told, and the openers are among it.
    for (const { text } of list) expect(told).toContain(text);
    expect(list.map(({ type }) => type)).toContain('roll/opened');
    // Retraction first, then what is withdrawn, then what holds instead.
    const kinds = said.map((o) => (o.kind === 'event' ? o.event.type : o.kind));
    expect(kinds.indexOf('retraction')).toBeLessThan(kinds.indexOf('play/withdrawn'));
    expect(kinds.indexOf('play/withdrawn')).toBeLessThan(kinds.indexOf('roll/judged'));
  });

  it('stands as taken back in every scene, and rolls that fell away with it do too', () => {
    const state = fresh();
    give(state, replacing(roll, none));
    const scene = composeScene(knownOf(state, decidedIn(state), setting), { kind: 'venue' });
    expect(scene.retracted.map((one) => one.roll)).toContain(roll);
    const settled = new Set(
      inputsOf(state.play).flatMap(({ input }) => (typeof input.roll === 'string' ? [input.roll] : [])),
    );
    for (const ruling of scene.rulings) {
      const gone = scene.retracted.some(
        (one) => one.roll === ruling.roll && one.revision === ruling.revision,
      );
      expect(gone, ruling.roll).toBe(ruling.roll === roll || !settled.has(ruling.roll));
    }
  });

  it('gives sensing the activity that the new state asks for, and lights the new scene', () => {
    const state = fresh();
    const said = give(state, replacing(roll, none));
    expect(state.activity).toEqual(setting.ruleset.activity(state.play.state));
    expect(state.sensing.activity).toEqual(state.activity);
    if (state.activity.kind === 'roll') expect(state.boards.get('A0000001')?.armWanted).toBe(true);
    expect(said.some(({ kind }) => kind === 'send')).toBe(true);
  });

  it('may itself be replaced', () => {
    const state = fresh();
    give(state, replacing(roll, none));
    const opened = firstRoll?.balls.map((ball) => ({
      player: ball.player,
      opened: ball.opened,
      cores: [...ball.attached.sure],
    }));
    const said = give(state, replacing(roll, { results: opened }));
    expect(said.map(({ kind }) => kind)).toContain('accepted');
    expect(eventsIn(said, 'roll/opened').length).toBeGreaterThan(0);
  });

  it('survives saving and loading', () => {
    const state = fresh();
    give(state, replacing(roll, none));
    const loaded = loadTable(setting, saveTable(state));
    expect(differences(loaded, state)).toEqual([]);
    expect(fiveMinutesOn(loaded, setting)).toEqual(fiveMinutesOn(state, setting));
  });

  it('a roll of the same name that is made anew is not shown as taken back', () => {
    const state = fresh();
    give(state, replacing(roll, { verdict: 'again' }));
    const name = state.activity.kind === 'roll' ? state.activity.roll : '';
    expect(name).not.toBe('');
    state.retracted = [...state.retracted, { roll: name, revision: 1, stage: 'final', why: 'folded away' }];
    // Nobody throws: sensing says so in the end.
    const said = fiveMinutesOn(state, setting);
    expect(finalsIn(said).map((one) => one.roll)).toContain(name);
    expect(state.retracted.map((one) => one.roll)).not.toContain(name);
  });
});

describe('automatic passes', () => {
  const AUTO_PASS_MS = 3000;

  /** Boards, players who play on their own but never pass. */
  const table = (() => {
    const virtual = virtualTable({ seed: 7, auto: false, setting: { autoPassMs: AUTO_PASS_MS } });
    virtual.run(2500);
    return virtual;
  })();
  const { state } = table;

  /** Does everything that is not a pass for both players, until somebody may only pass. */
  function untilWindow(): void {
    for (let n = 0; n < 50; n++) {
      if (gameOf(state).window !== null) return;
      const next = (['A', 'B'] as const)
        .flatMap((side) => legalIn(state, side))
        .find((one) => one.aside !== true);
      const judge = legalIn(state, 'judge').find(({ input }) => input.verdict === 'no-brawl');
      const { input, player } = next ?? judge ?? { input: { type: 'none' }, player: 'judge' as const };
      const by = player === 'judge' ? JUDGE : { role: 'player' as const, player };
      if (!table.command({ do: 'play', input: { ...input, by } })) return;
    }
  }

  it('come after the time that was set, recorded as automatic, for the holder alone', () => {
    untilWindow();
    const before = gameOf(state).window;
    expect(before).not.toBeNull();
    const sinceMs = state.passSinceMs ?? -1;
    expect(sinceMs).toBeGreaterThan(0);
    const inputsBefore = inputsOf(state.play).length;
    table.run(Math.floor(sinceMs + AUTO_PASS_MS - table.nowMs) - 1);
    expect(inputsOf(state.play)).toHaveLength(inputsBefore);
    table.run(2);
    const [pass] = inputsOf(state.play).slice(inputsBefore);
    expect(pass?.input).toMatchObject({ type: 'pass', by: { role: 'automatic', player: before?.holder } });
    const told = table.outputs.filter((o) => o.kind === 'event' && o.atMs === sinceMs + AUTO_PASS_MS);
    expect(told.length).toBeGreaterThan(0);
  });

  it('start their wait anew whenever somebody does something', () => {
    untilWindow();
    table.run(AUTO_PASS_MS - 500);
    const pass = (['A', 'B'] as const)
      .flatMap((side) => legalIn(state, side))
      .find(({ input }) => input.type === 'pass');
    if (pass === undefined) throw new Error('a window is open');
    const by = { role: 'player', player: pass.player } as never;
    const holder = gameOf(state).window?.holder;
    table.command({ do: 'play', input: { ...pass.input, by } });
    const count = inputsOf(state.play).length;
    if (gameOf(state).window?.holder !== holder && gameOf(state).window !== null) {
      table.run(1000);
      expect(inputsOf(state.play)).toHaveLength(count);
      table.run(AUTO_PASS_MS);
      expect(inputsOf(state.play).length).toBeGreaterThan(count);
    }
  });

  it('never come where nobody holds a window', () => {
    table.runUntil(() => gameOf(state).window === null, 60_000);
    expect(state.passSinceMs).toBeNull();
    const count = inputsOf(state.play).length;
    table.run(3 * AUTO_PASS_MS);
    expect(inputsOf(state.play)).toHaveLength(count);
  });

  it('do not come at all when nobody asked for them, five minutes long', () => {
    const patient = fresh();
    const count = inputsOf(patient.play).length;
    fiveMinutesOn(patient, setting);
    expect(
      inputsOf(patient.play)
        .slice(count)
        .map(({ input }) => input.type),
    ).not.toContain('pass');
  });
});

describe('a new game', () => {
  it('is started by the operator: everything of the old one is gone, and the boards show the new field', () => {
    const state = fresh();
    const options = JSON.parse(JSON.stringify(setting.rulesetOptions));
    const said = give(state, { do: 'new-game', by: { role: 'operator' }, options: { ...options, seed: 99 } });
    expect(said.some(({ kind }) => kind === 'accepted')).toBe(true);
    expect(state.game).toBe(2);
    expect(winnerIn(state)).toBeUndefined();
    expect(state.rulings).toEqual([]);
    expect(state.retracted).toEqual([]);
    expect(inputsOf(state.play)).toEqual([]);
    expect(gameOf(state).turn).toBeLessThanOrEqual(1);
    expect(differences(loadTable(setting, saveTable(state)), state)).toEqual([]);
  });

  it('in mid-roll leaves no roll behind', () => {
    const state = startTable(setting, 0);
    for (const input of inputs) {
      advance(state, input, setting);
      if (state.activity.kind === 'roll' && state.rulings.length > 0) break;
    }
    expect(state.activity.kind).toBe('roll');
    give(state, { do: 'new-game', by: { role: 'operator' } });
    expect(state.activity.kind).not.toBe('roll');
    expect(finalsIn(fiveMinutesOn(state, setting))).toEqual([]);
    expect(nextWake(state, setting)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('finding a tile', () => {
  it('blinks the tile of the cell on its own board', () => {
    for (const cell of setting.layout.cells) {
      const state = fresh();
      if (state.activity.kind === 'roll') throw new Error('no roll is live');
      const said = give(state, { do: 'identify', by: JUDGE, cell: cell.cell }, 500);
      const tag = state.boards.get(`${cell.side}0000001`)?.inFlight?.tag ?? -1;
      expect(said.filter(({ kind }) => kind === 'send')).toEqual([
        {
          kind: 'send',
          atMs: state.atMs,
          link: `sim-${cell.side.toLowerCase()}`,
          device: `${cell.side}0000001`,
          line: encodeDown({ kind: 'identify', tag, tileMask: 1 << cell.tile }),
        },
      ]);
    }
  });

  it('is refused while a roll is live, and where no board is heard', () => {
    const rolling = startTable(setting, 0);
    for (const input of inputs) {
      advance(rolling, input, setting);
      if (rolling.activity.kind === 'roll') break;
    }
    const [live] = give(rolling, { do: 'identify', by: JUDGE, cell: 'q0r0' });
    expect(live).toMatchObject({ kind: 'refused', refusal: { code: 'identify/rolling' } });
    const [nobody] = give(startTable(setting, 0), { do: 'identify', by: JUDGE, cell: 'q0r0' });
    expect(nobody).toMatchObject({ kind: 'refused', refusal: { code: 'identify/not-heard' } });
  });
});
