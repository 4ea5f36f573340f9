import { advance, nextWake, startTable } from '../../host/advance/advance.ts';
import type { Command, Input, Output } from '../../host/advance/input.ts';
import { decidedIn, knownOf } from '../../host/advance/known.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import { blockedCells, legalFree } from '../../host/advance/standing.ts';
import type { TableState } from '../../host/advance/state.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { Audience, LegalInput } from '../../host/game/ruleset.ts';
import type { Json, LinkId, Side } from '../../host/ids.ts';
import type { RawLine } from '../../host/record.ts';
import { composeScene } from '../../host/scene/compose.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { STANDARD_THEME } from '../../host/scene/theme.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { SERIAL_WIRE, type Wire } from '../../host/sensing/links.ts';
import { type AutoState, autoplay, QUICK_PACE, startAutoplay } from '../../sim/autoplay.ts';
import { createLineCutter } from '../../sim/line-cutter.ts';
import { createSimTable, type SimTable, type SimTableAsk } from '../../sim/table.ts';

/** One way in to the host: a board's lines as they come out of one wire. Two ways may lead to one board. */
export interface Way {
  readonly link: LinkId;
  /** Link of the simulated table whose board is heard here. */
  readonly board: LinkId;
  readonly wire: Wire;
  /** Device that the wire itself names, as a topic does; such a wire stays up while a board is away. */
  readonly device?: string;
  /** When a line that a board sends now arrives: delays in ms, one a copy, none when it is lost. Straight by default. */
  arrivals?(atMs: number, raw: RawLine): readonly number[];
}

/** A simulated table and its host in one virtual time, with automatic players. No clock, no I/O. */
export interface VirtualTable {
  readonly sim: SimTable;
  readonly state: TableState;
  readonly setting: TableSetting;
  /** Everything heard and said so far, in order. */
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly nowMs: number;
  /** What an audience may see now. */
  scene(audience: Audience): Scene;
  /** Runs on for so long, ms. */
  run(ms: number): void;
  /** Runs until this holds; false when it did not within the time. */
  runUntil(holds: () => boolean, withinMs: number): boolean;
  /** Gives a command; true when it was accepted. */
  command(command: Command): boolean;
  /** A line that no board sent comes in. */
  hear(link: LinkId, raw: RawLine): void;
  /** A wire itself comes or goes, whatever its boards do. */
  wire(link: LinkId, up: boolean, reason: string): void;
}

/** Boards have booted and their clocks are known; nobody rolls before. */
const BOOTED_MS = 2500;
/** A judge who is asked answers after this long, ms. */
const JUDGE_MS = 400;

export interface VirtualTableAsk extends Partial<Omit<SimTableAsk, 'seed'>> {
  readonly seed: number;
  readonly auto?: boolean;
  /** A judge has the table cleared and orders another roll whenever one is in doubt. */
  readonly judge?: boolean;
  readonly options?: Json;
  /** Ways in; by default one for each board. */
  readonly ways?: readonly Way[];
  /** Parts of the setting that differ. */
  readonly setting?: Partial<TableSetting>;
  /** Called after each virtual millisecond. */
  readonly onTurn?: (table: VirtualTable) => void;
}

export function settingFor(
  sim: SimTable,
  options: Json,
  links: TableSetting['links'] = sim.links.map((link) => ({ link, wire: SERIAL_WIRE })),
): TableSetting {
  return {
    table: 't1',
    links,
    layout: sim.layout,
    calibration: sim.calibration(),
    ruleset: bakugan,
    rulesetOptions: options,
    theme: STANDARD_THEME,
    limits: DEFAULT_LIMITS,
    ledBudgetMa: 1000,
    simulated: true,
  };
}

export function demoFor(seed: number): Json {
  return JSON.parse(JSON.stringify(demoOptions(FIXED_12.cells, seed)));
}

/** What this player or the judge may do now, as pages show it. */
export function legalIn(state: TableState, who: Side | 'judge'): readonly LegalInput[] {
  const game = state.play.state as never;
  return legalFree(bakugan.legalInputs(game, who), blockedCells(bakugan.cues(game), state));
}

/** Winner of the game that is on, or undefined. */
export function winnerIn(state: TableState): Side | 'draw' | undefined {
  return bakugan.over(state.play.state as never);
}

export function virtualTable(ask: VirtualTableAsk): VirtualTable {
  const { seed, auto = true, judge = false, options = demoFor(seed), onTurn, ...rest } = ask;
  const sim = createSimTable({ layout: FIXED_12, seed, ...rest });
  const ways = ask.ways ?? sim.links.map((link): Way => ({ link, board: link, wire: SERIAL_WIRE }));
  const links = [...new Map(ways.map(({ link, wire }) => [link, { link, wire }])).values()];
  const setting: TableSetting = { ...settingFor(sim, options, links), ...ask.setting };
  const state = startTable(setting, 0);
  const inputs: Input[] = [];
  const outputs: Output[] = [];
  let players: AutoState = startAutoplay(seed);
  let wakeMs = 0;
  let commands = 0;
  let clock = 0;
  let judgeMs = Number.POSITIVE_INFINITY;
  /** Lines on their way, each at its moment, in order of sending where moments are equal. */
  let onTheWay: { readonly atMs: number; readonly input: Input }[] = [];

  const take = (input: Input): readonly Output[] => {
    inputs.push(input);
    const said = advance(state, input, setting);
    for (const output of said) {
      outputs.push(output);
      if (output.kind !== 'send') continue;
      const bytes = Uint8Array.from(`${output.line}\n`, (c) => c.charCodeAt(0));
      const on = ways.filter(
        ({ link, device }) =>
          link === output.link && (device === undefined || output.device === '' || device === output.device),
      );
      for (const board of new Set(on.map((way) => way.board))) sim.feed(board, bytes);
    }
    sim.know(state.activity);
    wakeMs = 0;
    return said;
  };

  const arrive = (way: Way, raw: RawLine): void => {
    const named = way.device === undefined ? {} : { device: way.device };
    const delays = way.arrivals?.(clock, raw) ?? [0];
    for (const delay of delays) {
      const input: Input = { kind: 'line', atMs: clock + delay, link: way.link, raw, ...named };
      if (delay === 0) take(input);
      else onTheWay.push({ atMs: clock + delay, input });
    }
  };

  for (const link of new Set(ways.flatMap((way) => (way.device === undefined ? [] : [way.link])))) {
    take({ kind: 'link', atMs: 0, link, up: true, reason: 'connected' });
  }
  for (const board of sim.links) {
    const mine = ways.filter((way) => way.board === board);
    const bare = mine.filter((way) => way.device === undefined);
    const cutter = createLineCutter(
      (raw) => {
        for (const way of mine) arrive(way, raw);
      },
      (what, count) => {
        for (const { link } of bare) take({ kind: 'dropped', atMs: clock, link, what, count });
      },
    );
    sim.listen(board, {
      up: () => {
        cutter.reset();
        for (const { link } of bare) {
          take({ kind: 'link', atMs: clock, link, up: true, reason: 'simulated' });
        }
      },
      down: (reason) => {
        for (const { link } of bare) take({ kind: 'link', atMs: clock, link, up: false, reason });
      },
      chunk: ({ bytes }) => cutter.take(bytes),
    });
  }

  const deliver = (): void => {
    if (onTheWay.length === 0) return;
    const due = onTheWay.filter(({ atMs }) => atMs <= clock);
    if (due.length === 0) return;
    onTheWay = onTheWay.filter(({ atMs }) => atMs > clock);
    due.sort((a, b) => a.atMs - b.atMs);
    for (const { input } of due) take({ ...input, atMs: clock });
  };

  const command = (asked: Command): boolean => {
    const id = `test-${++commands}`;
    const said = take({ kind: 'command', atMs: clock, id, command: asked });
    return said.some((output) => output.kind === 'accepted' && output.id === id);
  };

  const rule = (): void => {
    const again = legalIn(state, 'judge').find(({ input }) => input.verdict === 'again');
    if (again === undefined || state.activity.kind === 'roll') {
      judgeMs = Number.POSITIVE_INFINITY;
      return;
    }
    for (const { player, cell } of sim.standing()) sim.act({ act: 'lift', player, cell });
    if (sim.mat.tracks().some((track) => track.goneUs > clock * 1000)) return;
    if (judgeMs === Number.POSITIVE_INFINITY) judgeMs = clock + JUDGE_MS;
    else if (clock >= judgeMs) {
      judgeMs = Number.POSITIVE_INFINITY;
      command({ do: 'play', input: { ...again.input, by: { role: 'judge', name: 'Ines' } } });
    }
  };

  const turn = (): void => {
    clock += 1;
    sim.runTo(clock * 1000);
    deliver();
    if (nextWake(state, setting) <= clock) take({ kind: 'tick', atMs: clock });
    if (judge && clock % 20 === 0) rule();
    if (auto && clock >= BOOTED_MS && clock >= wakeMs) play();
    onTurn?.(table);
  };

  const play = (): void => {
    const result = autoplay(
      players,
      {
        atMs: clock,
        activity: state.activity,
        legal: { A: legalIn(state, 'A'), B: legalIn(state, 'B') },
        thrown: sim.thrown(),
        standing: sim.standing(),
      },
      QUICK_PACE,
    );
    players = result.state;
    wakeMs = result.wakeMs;
    for (const doing of result.doings) {
      if (doing.kind === 'act') sim.act(doing.action);
      else take({ kind: 'command', atMs: clock, id: `auto-${++commands}`, command: doing.command });
    }
  };

  const table: VirtualTable = {
    sim,
    state,
    setting,
    inputs,
    outputs,
    get nowMs() {
      return clock;
    },
    scene: (audience) => composeScene(knownOf(state, decidedIn(state), setting), audience),
    run(ms) {
      for (let i = 0; i < ms; i++) turn();
    },
    runUntil(holds, withinMs) {
      for (let i = 0; i < withinMs; i++) {
        if (holds()) return true;
        turn();
      }
      return holds();
    },
    command,
    hear: (link, raw) => void take({ kind: 'line', atMs: clock, link, raw }),
    wire: (link, up, reason) => void take({ kind: 'link', atMs: clock, link, up, reason }),
  };
  return table;
}
