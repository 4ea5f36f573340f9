import { describe, expect, it } from 'vitest';
import { signalCalibration } from '../bin/bench/signals.ts';
import { settingFor } from '../bin/bench/virtual-table.ts';
import { CAPABILITY, type HelloFrame } from '../firmware-protocol/frame.ts';
import { decodeLine } from '../firmware-protocol/line.ts';
import { advance, nextWake, startTable } from '../host/advance/advance.ts';
import type { Input, Output } from '../host/advance/input.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableSetting } from '../host/advance/setting.ts';
import type { TableState } from '../host/advance/state.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import type { CellId, Side } from '../host/ids.ts';
import { composeScene } from '../host/scene/compose.ts';
import { healthOf } from '../host/sensing/health.ts';
import { FIXED_12, type Layout, neighboursOf } from '../host/sensing/layout.ts';
import { createSensing, dueAt, hearFrame, type Sensing, settle } from '../host/sensing/sensing.ts';
import { createSimTable } from '../sim/table.ts';
import { differences } from './support/chain.ts';
import { BoardVoice, DEVICE_A, DEVICE_B } from './support/link-table.ts';

// Line N: six device ids, one a side of the tile, clockwise from the side towards player B, `00000000` for none; at each
// change, and once a second. 4.7.3: a core lies side to side with another core of the field.
const NONE = '00000000';
const TELLS = 15 | CAPABILITY.adjacency;

/** What the tile of this cell would say on a mat that lies as the layout has it. */
function asLaid(layout: Layout, cell: CellId, boards: Readonly<Record<Side, string>>): string[] {
  const own = layout.cells.find((one) => one.cell === cell);
  if (own === undefined) throw new Error(`no cell ${cell}`);
  return neighboursOf(own).map((beside) => {
    const there = layout.cells.find((one) => one.cell === beside);
    return there === undefined ? NONE : boards[there.side];
  });
}

describe('what tiles say of their neighbours', () => {
  const hello = (device: string, side: Side, capabilities: number): HelloFrame => ({
    kind: 'hello',
    boot: 42,
    seq: 0,
    deviceUs: 0,
    bootId: 42,
    device,
    side,
    protocol: 1,
    firmware: '1.0.0',
    build: '9F86D081',
    tiles: 6,
    halls: 2,
    sampleHz: 1000,
    capabilities,
    resetCause: 1,
  });
  const BOARDS = { A: '5C0FFEE1', B: '00ABCDEF' };
  const mat = (layout: Layout = FIXED_12, capabilities = TELLS): Sensing => {
    const sensing = createSensing({ layout, calibration: signalCalibration() });
    for (const side of ['A', 'B'] as const)
      hearFrame(sensing, side, hello(BOARDS[side], side, capabilities), 0, 1, []);
    return sensing;
  };
  const say = (sensing: Sensing, side: Side, tile: number, neighbours: readonly string[], atMs = 1): void =>
    hearFrame(
      sensing,
      side,
      { kind: 'adjacency', boot: 42, seq: 1, deviceUs: atMs * 1000, tile, neighbours },
      atMs,
      1,
      [],
    );
  const found = (sensing: Sensing, vacant: readonly CellId[] = []) =>
    healthOf(sensing, [], 1, new Set(vacant)).filter(({ code }) => code === 'health/neighbours-differ');

  it('is nothing to complain of where every tile of the mat lies as the layout has it', () => {
    const sensing = mat();
    for (const { cell, side, tile } of FIXED_12.cells)
      say(sensing, side, tile, asLaid(FIXED_12, cell, BOARDS));
    expect(sensing.neighbours.reports).toHaveLength(12);
    expect(found(sensing)).toEqual([]);
  });

  it('names the tile, what it says, what the layout says and what to do: the line of the document', () => {
    const line = 'N1,2A0600,005B8D80,00,00000000,00ABCDEF,00000000,00000000,12345678,00000000,4B27';
    const decoded = decodeLine(line);
    if (!decoded.ok) throw new Error(line);
    const sensing = mat();
    hearFrame(sensing, 'A', decoded.frame, 1, 1, []);
    // Tile 0 of side A is q-1r2; towards player B lies q-1r1, then clockwise q0r1, both of side A. Nobody knows 12345678.
    expect(found(sensing)).toEqual([
      {
        code: 'health/neighbours-differ',
        blocks: true,
        cell: 'q-1r2',
        text: 'Tile q-1r2 reports no tile towards q-1r1, where the layout has one; a tile of board 00ABCDEF towards q0r1, where the layout has another.',
        remedy: 'Move the tile to its place of the layout, or correct the layout.',
      },
    ]);
    // It clears once they agree.
    say(sensing, 'A', 0, asLaid(FIXED_12, 'q-1r2', BOARDS), 2);
    expect(found(sensing)).toEqual([]);
  });

  it('is no reason to hold a match where a side merely touches nothing', () => {
    const sensing = mat();
    say(sensing, 'A', 0, [NONE, '5C0FFEE1', NONE, NONE, NONE, NONE]);
    expect(found(sensing)).toMatchObject([{ cell: 'q-1r2', blocks: false }]);
    expect(found(sensing)[0]?.text).toBe(
      'Tile q-1r2 reports no tile towards q-1r1, where the layout has one.',
    );
    // A core that is held elsewhere has its tile with it.
    expect(found(sensing, ['q-1r1'])).toEqual([]);
    expect(found(sensing, ['q-1r2'])).toEqual([]);
  });

  it('names the cell of a board that has one tile', () => {
    const layout: Layout = {
      ...FIXED_12,
      name: 'three',
      cells: [
        { cell: 'q0r0', q: 0, r: 0, side: 'A', tile: 0 },
        { cell: 'q0r1', q: 0, r: 1, side: 'A', tile: 1 },
        { cell: 'q0r-1', q: 0, r: -1, side: 'B', tile: 0 },
      ],
    };
    const sensing = mat(layout);
    say(sensing, 'A', 0, [BOARDS.A, NONE, NONE, BOARDS.B, NONE, NONE]);
    expect(found(sensing)[0]?.text).toBe(
      'Tile q0r0 reports a tile of board 5C0FFEE1 towards q0r-1, where the layout has another; tile q0r-1 towards q0r1, where the layout has another.',
    );
  });

  it('is not listened to where a board says that it cannot tell', () => {
    const sensing = mat(FIXED_12, 15);
    say(sensing, 'A', 0, [NONE, NONE, NONE, NONE, NONE, NONE]);
    expect(sensing.neighbours.reports).toEqual([]);
    expect(dueAt(sensing)).toBeUndefined();
  });

  it('is forgotten after three seconds without a word, and when another board takes the place', () => {
    const sensing = mat();
    say(sensing, 'A', 0, [NONE, NONE, NONE, NONE, NONE, NONE], 1000);
    say(sensing, 'A', 0, asLaid(FIXED_12, 'q-1r2', BOARDS), 900);
    expect(found(sensing), 'a line that comes late changes nothing').toHaveLength(1);
    expect(dueAt(sensing)).toBe(4000);
    settle(sensing, 3999, []);
    expect(found(sensing)).toHaveLength(1);
    settle(sensing, 4000, []);
    expect(found(sensing)).toEqual([]);
    expect(dueAt(sensing)).toBeUndefined();
    say(sensing, 'A', 0, [NONE, NONE, NONE, NONE, NONE, NONE], 5000);
    hearFrame(sensing, 'A', hello('00000A0A', 'A', TELLS), 5001, 1, []);
    expect(sensing.neighbours.reports).toEqual([]);
  });
});

describe('laying a core where tiles tell their neighbours (4.7.3)', () => {
  const DEVICES = { A: DEVICE_A, B: DEVICE_B };

  /** A table in set-up by hand on which one core lies, with both boards heard. */
  class Told {
    readonly setting: TableSetting;
    readonly state: TableState;
    readonly inputs: Input[] = [];
    readonly voices = { A: new BoardVoice(), B: new BoardVoice({ device: DEVICE_B, side: 'B' }) };
    said: readonly Output[] = [];
    atMs = 100;

    constructor() {
      const options = { ...demoOptions(FIXED_12.cells, 1), placement: 'by-hand', placing: 'A' };
      const sim = createSimTable({ layout: FIXED_12, seed: 1 });
      this.setting = settingFor(sim, JSON.parse(JSON.stringify(options)));
      this.state = startTable(this.setting, 0);
      for (const side of ['A', 'B'] as const) {
        this.voices[side].capabilities = TELLS;
        this.line(side, this.voices[side].hello(this.atMs));
      }
    }

    take(input: Input): void {
      this.inputs.push(input);
      this.said = advance(this.state, input, this.setting);
    }

    line(side: Side, line: string): void {
      const link = this.setting.links[side === 'A' ? 0 : 1]?.link ?? '';
      this.take({ kind: 'line', atMs: this.atMs, link, raw: { line } });
    }

    tell(cell: CellId, neighbours: readonly string[]): void {
      const own = FIXED_12.cells.find((one) => one.cell === cell);
      if (own === undefined) throw new Error(cell);
      this.atMs += 1;
      this.line(own.side, this.voices[own.side].neighbours(this.atMs, own.tile, neighbours));
    }

    /** Cells that a page offers, and those that glow. */
    offered(player: Side): readonly string[] {
      const known = knownOf(this.state, decidedIn(this.state), this.setting);
      const scene = composeScene(known, { kind: 'player', player });
      const cells = scene.legal.flatMap(({ input }) => (input.type === 'place' ? [String(input.cell)] : []));
      const green = this.state.lights.flatMap(({ cell, rgb }) => (rgb === 0x00ff40 ? [cell] : []));
      expect([...new Set(cells)].sort()).toEqual([...green].sort());
      return [...new Set(cells)].sort();
    }

    place(player: Side, cell: CellId, role: 'player' | 'judge' = 'player'): void {
      const legal = this.setting.ruleset.legalInputs(this.state.play.state, player);
      const core = legal.find(({ input }) => input.type === 'place' && input.cell === cell)?.input.core ?? '';
      this.atMs += 1;
      const input = { type: 'place', core, cell, by: { role, player } };
      this.take({ kind: 'command', atMs: this.atMs, id: `c${this.atMs}`, command: { do: 'play', input } });
    }

    laid(): readonly (string | null)[] {
      return (this.state.play.state as unknown as GameState).cores.flatMap(({ cell }) => cell ?? []);
    }
  }

  function begun(): { table: Told; first: CellId; beside: CellId; alone: string[] } {
    const table = new Told();
    const [first = ''] = table.offered('A');
    table.place('A', first);
    expect(table.laid()).toEqual([first]);
    const [beside = ''] = table.offered('B');
    return { table, first, beside, alone: [NONE, NONE, NONE, NONE, NONE, NONE] };
  }

  it('offers, lights and takes no cell whose tile reports that it lies alone', () => {
    const { table, beside, alone, first } = begun();
    const before = table.offered('B');
    expect(before.length).toBeGreaterThan(1);
    table.tell(beside, alone);
    expect(table.offered('B')).toEqual(before.filter((cell) => cell !== beside));
    table.place('B', beside);
    expect(table.laid()).toEqual([first]);
    expect(table.said.find(({ kind }) => kind === 'refused')).toMatchObject({
      refusal: { code: 'place/reported-alone', rules: ['4.7.3'] },
    });
    // Set down side to side with the core, it may.
    table.tell(beside, asLaid(FIXED_12, beside, DEVICES));
    expect(table.offered('B')).toEqual(before);
    table.place('B', beside);
    expect(table.laid().length).toBe(2);
  });

  it('leaves it to a judge to see better', () => {
    const { table, beside, alone } = begun();
    table.tell(beside, alone);
    table.place('B', beside, 'judge');
    expect(table.laid()).toContain(beside);
  });

  it('takes a stranger, a tile that may hold a core, and two tiles that contradict each other for doubt', () => {
    const { table, beside, first, alone } = begun();
    const before = table.offered('B');
    const own = FIXED_12.cells.find(({ cell }) => cell === beside);
    const at = own === undefined ? -1 : neighboursOf(own).indexOf(first);
    const core = FIXED_12.cells.find(({ cell }) => cell === first);
    table.tell(beside, alone.with(at, '12345678'));
    expect(table.offered('B')).toEqual(before);
    table.tell(beside, alone.with(at, DEVICES[core?.side ?? 'A']));
    expect(table.offered('B')).toEqual(before);
    table.tell(beside, alone);
    expect(table.offered('B')).not.toContain(beside);
    // The tile of the core says that it touches it.
    table.tell(first, asLaid(FIXED_12, first, DEVICES));
    expect(table.offered('B')).toEqual(before);
    // Only tiles of a board none of whose cells has a core: no core lies beside it.
    table.tell(first, alone);
    table.tell(beside, alone.with(at, DEVICES[core?.side === 'A' ? 'B' : 'A']));
    expect(table.offered('B')).not.toContain(beside);
  });

  it('forgets it in its own time, is saved with the table, and is the same when played again', () => {
    const { table, beside, alone } = begun();
    table.tell(beside, alone);
    const saved = saveTable(table.state);
    const loaded = loadTable(table.setting, saved);
    expect(loaded.alone).toEqual([beside]);
    expect(differences(loaded, table.state)).toEqual([]);
    // Nothing is said for longer than three seconds: what is known then is what both come to, however they are woken.
    const told = table.state.sensing.neighbours.reports[0]?.atMs ?? NaN;
    for (let n = 0; n < 100 && nextWake(table.state, table.setting) <= told + 3000; n += 1) {
      table.take({ kind: 'tick', atMs: nextWake(table.state, table.setting) });
      if (table.state.atMs < told + 3000) expect(table.state.alone).toEqual([beside]);
    }
    expect(table.state.alone).toEqual([]);
    advance(loaded, { kind: 'tick', atMs: table.state.atMs }, table.setting);
    expect(differences(loaded, table.state)).toEqual([]);
    const again = startTable(table.setting, 0);
    for (const input of table.inputs) if (input.kind !== 'tick') advance(again, input, table.setting);
    advance(again, { kind: 'tick', atMs: table.state.atMs }, table.setting);
    expect(differences(again, table.state)).toEqual([]);
  });
});
