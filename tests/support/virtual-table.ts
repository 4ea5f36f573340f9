import { advance, nextWake, startTable } from '../../host/advance/advance.ts';
import type { Command, Input, Output } from '../../host/advance/input.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import type { TableState } from '../../host/advance/state.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { Json, LinkId } from '../../host/ids.ts';
import { STANDARD_THEME } from '../../host/scene/theme.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { SERIAL_WIRE } from '../../host/sensing/links.ts';
import { type AutoState, autoplay, QUICK_PACE, startAutoplay } from '../../sim/autoplay.ts';
import { createLineCutter } from '../../sim/line-cutter.ts';
import { createSimTable, type SimTable, type SimTableAsk } from '../../sim/table.ts';

/** A simulated table and its host in one virtual time, with automatic players. No clock, no I/O. */
export interface VirtualTable {
  readonly sim: SimTable;
  readonly state: TableState;
  readonly setting: TableSetting;
  /** Everything heard and said so far, in order. */
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** Runs on for so long, ms. */
  run(ms: number): void;
  /** Runs until this holds; false when it did not within the time. */
  runUntil(holds: () => boolean, withinMs: number): boolean;
  command(command: Command): void;
}

/** Boards have booted and their clocks are known; nobody rolls before. */
const BOOTED_MS = 2500;

export interface VirtualTableAsk extends Partial<Omit<SimTableAsk, 'seed'>> {
  readonly seed: number;
  readonly auto?: boolean;
  readonly options?: Json;
}

export function settingFor(sim: SimTable, options: Json, links = sim.links): TableSetting {
  return {
    table: 't1',
    links: links.map((link) => ({ link, wire: SERIAL_WIRE })),
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

export function virtualTable(ask: VirtualTableAsk): VirtualTable {
  const { seed, auto = true, options = demoFor(seed), ...rest } = ask;
  const sim = createSimTable({ layout: FIXED_12, seed, ...rest });
  const setting = settingFor(sim, options);
  const state = startTable(setting, 0);
  const inputs: Input[] = [];
  const outputs: Output[] = [];
  let players: AutoState = startAutoplay(seed);
  let wakeMs = 0;
  let commands = 0;
  let clock = 0;

  const take = (input: Input): void => {
    inputs.push(input);
    for (const output of advance(state, input, setting)) {
      outputs.push(output);
      if (output.kind === 'send') {
        sim.feed(
          output.link,
          Uint8Array.from(`${output.line}\n`, (c) => c.charCodeAt(0)),
        );
      }
    }
    sim.know(state.activity);
    wakeMs = 0;
  };

  for (const link of sim.links) listen(link);
  function listen(link: LinkId): void {
    const cutter = createLineCutter(
      (raw) => take({ kind: 'line', atMs: clock, link, raw }),
      (what, count) => take({ kind: 'dropped', atMs: clock, link, what, count }),
    );
    sim.listen(link, {
      up: () => {
        cutter.reset();
        take({ kind: 'link', atMs: clock, link, up: true, reason: 'simulated' });
      },
      down: (reason) => take({ kind: 'link', atMs: clock, link, up: false, reason }),
      chunk: ({ bytes }) => cutter.take(bytes),
    });
  }

  const turn = (): void => {
    clock += 1;
    sim.runTo(clock * 1000);
    if (nextWake(state, setting) <= clock) take({ kind: 'tick', atMs: clock });
    if (!auto || clock < BOOTED_MS || clock < wakeMs) return;
    const { play } = state;
    const result = autoplay(
      players,
      {
        atMs: clock,
        activity: state.activity,
        legal: {
          A: bakugan.legalInputs(play.state as never, 'A'),
          B: bakugan.legalInputs(play.state as never, 'B'),
        },
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

  return {
    sim,
    state,
    setting,
    inputs,
    outputs,
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
    command: (command) => take({ kind: 'command', atMs: clock, id: `test-${++commands}`, command }),
  };
}
