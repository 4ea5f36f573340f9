/** A simulated mat in real time behind serial ports of this machine, and people who play it through an operator's page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../../host/advance/input.ts';
import type { WireCommand } from '../../host/displays/feed-messages.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { RollId } from '../../host/ids.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { Pace } from '../../sim/autoplay.ts';
import { type LiveTable, startLiveTable } from '../../sim/live.ts';
import { type LivePort, servePorts } from '../../sim/live-ports.ts';
import { FeedEar } from './feed-ear.ts';
import { type Seats, seatsAt, standingIn } from './seats.ts';

export interface RealMat {
  readonly folder: string;
  readonly world: LiveTable;
  readonly a: LivePort;
  readonly b: LivePort;
  /** Time that the world had to give up since this was asked last, ms: this machine is too busy for real time. */
  lateMs(): number;
  /** Path of a config for this mat; `more` are links beside its two. */
  config(more?: object): string;
  close(): Promise<void>;
}

export async function realMat(seed = 3): Promise<RealMat> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-mat-'));
  let late = 0;
  const world = await startLiveTable(
    { layout: FIXED_12, seed, hex: undefined },
    {
      refused() {},
      late(ms) {
        late += ms;
      },
      time() {},
      died() {},
    },
  );
  const ports = await servePorts(world, folder);
  const [a, b] = ports.ports;
  if (a === undefined || b === undefined) throw new Error('two ports');
  writeFileSync(join(folder, 'calibration.json'), JSON.stringify(world.calibration));
  return {
    folder,
    world,
    a,
    b,
    lateMs() {
      const was = late;
      late = 0;
      return was;
    },
    config(more = {}) {
      const links = {
        'side-a': { transport: 'serial', path: a.path },
        'side-b': { transport: 'serial', path: b.path },
        ...more,
      };
      const table = {
        rulesetOptions: demoOptions(FIXED_12.cells, seed),
        calibration: './calibration.json',
        links,
      };
      writeFileSync(join(folder, 'table.yaml'), JSON.stringify({ http: { port: 0 }, tables: { t1: table } }));
      return join(folder, 'table.yaml');
    },
    async close() {
      await ports.close();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Rolls in a row that may be in doubt: a busy machine brings lines late, and clocks are known late. */
const MOST_IN_DOUBT = 6;
/** People who do not think long but give the boards time to answer. */
const BRISK: Pace = { think: [30, 120], throw: [350, 600], lift: [60, 200], again: 2500, byStud: 0 };

/** An operator's page with two players and a judge in front of it. */
export interface Desk {
  readonly seats: Seats;
  readonly scene: Scene | undefined;
  complaints(): readonly string[];
  until(what: string, holds: () => boolean, withinMs?: number): Promise<void>;
  /** Plays on until balls of the next roll are on their way; gives that roll. */
  midRoll(): Promise<RollId>;
  finalOf(roll: RollId): RollRuling | undefined;
  /**
   * Plays on until a roll is ruled without doubt, or one at all on a machine too busy for real time. Rejects when any
   * says what is not so, or too many in a row say nothing.
   */
  nextRoll(): Promise<RollRuling>;
  close(): void;
}

export async function deskAt(
  port: number,
  world: LiveTable,
  lateMs: () => number = () => 0,
  seed = 3,
): Promise<Desk> {
  const ear = await FeedEar.open(port);
  ear.subscribe({ kind: 'operator' });
  await ear.next('snapshot');
  const seats = seatsAt(
    {
      // Nobody plays before the sensors were looked at.
      look: () =>
        ear.scene === undefined || ear.scene.start.blocks.length > 0 ? undefined : standingIn(ear.scene),
      command(id, command) {
        if (ear.closed === undefined) ear.send({ op: 'command', id, table: 't1', command: wireOf(command) });
      },
      act(action) {
        world.act(action);
        return true;
      },
      know: (activity) => world.know(activity),
      thrown: () => world.seen().thrown,
      standing: () => world.seen().standing,
    },
    seed,
    BRISK,
  );
  const nextRuling = async (): Promise<RollRuling> => {
    const was = seats.rollsThrown;
    const ruled = (): boolean => seats.rollsThrown > was && desk.finalOf(seats.rollThrown) !== undefined;
    await desk.until('a roll is ruled', ruled, 240_000);
    const ruling = desk.finalOf(seats.rollThrown);
    if (ruling === undefined) throw new Error('no ruling');
    return ruling;
  };
  const timer = setInterval(() => seats.look(performance.now()), 25);
  const desk: Desk = {
    seats,
    get scene() {
      return ear.scene;
    },
    complaints: () => ear.scene?.links.flatMap(({ complaints }) => complaints) ?? [],
    async until(what, holds, withinMs = 120_000) {
      const untilMs = performance.now() + withinMs;
      while (!holds()) {
        if (performance.now() > untilMs)
          throw new Error(`not within ${withinMs} ms: ${what}; complaints: ${desk.complaints().join(' ')}`);
        await new Promise((next) => setTimeout(next, 10));
      }
    },
    async midRoll() {
      const was = seats.rollsThrown;
      await desk.until(
        'balls are thrown',
        () => seats.rollsThrown > was && world.seen().thrown.length === 2,
        240_000,
      );
      await new Promise((next) => setTimeout(next, 350));
      return seats.rollThrown;
    },
    finalOf: (roll) => ear.scene?.rulings.find((one) => one.roll === roll && one.stage === 'final'),
    async nextRoll() {
      const doubts: string[] = [];
      lateMs();
      for (let i = 0; i < MOST_IN_DOUBT; i++) {
        const ruling = await nextRuling();
        const untrue = untrueIn(ruling, seats.aims);
        if (untrue.length > 0) throw new Error(untrue.join());
        // A board whose time stands still now and then has a clock that cannot be trusted, and the host says so.
        if (isSure(ruling) || lateMs() > 0) return ruling;
        doubts.push(...ruling.balls.flatMap(({ reasons }) => reasons.map(({ text }) => text)));
      }
      throw new Error(`too many rolls in doubt: ${doubts.join()}`);
    },
    close() {
      clearInterval(timer);
      ear.close();
    },
  };
  return desk;
}

/** What a ruling of a plain throw at these cores says that is not so; doubt is never wrong. */
export function untrueIn({ balls }: RollRuling, aims: Desk['seats']['aims']): readonly string[] {
  return balls.flatMap(({ player, opened, attached }) => {
    if (player === 'undetermined' || opened === 'undetermined') return [];
    const core = aims[player] ?? '';
    const held = [...attached.sure, ...attached.possible].join();
    return opened === 'yes' && held.includes(core) ? [] : [`${player}: ${opened} ${held}, thrown at ${core}`];
  });
}

export function isSure({ balls }: RollRuling): boolean {
  return balls.every(({ player, opened }) => player !== 'undetermined' && opened !== 'undetermined');
}

function wireOf(command: Command): WireCommand {
  switch (command.do) {
    case 'play': {
      const { by, ...input } = command.input;
      const whose = by.role === 'judge' ? 'judge' : by.player;
      return { do: 'play', input: input as never, ...(whose === undefined ? {} : { for: whose }) };
    }
    case 'new-game':
      return { do: 'new-game' };
    case 'identify':
      return { do: 'identify', cell: command.cell };
    case 'replace-ruling':
      return {
        do: 'replace-ruling',
        roll: command.roll,
        input: command.input as never,
        reason: command.reason,
      };
    case 'undo':
      return { do: 'undo', to: command.to, reason: command.reason };
    case 'start-match':
    case 'end-match':
    case 'resume-match':
    case 'calibrate':
    case 'use-calibration':
      throw new Error('players do not do this');
    default:
      return command satisfies never;
  }
}
