import type { Output } from '../../host/advance/input.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import type { Retention } from '../../host/audit/retention.ts';
import type { Clock } from '../../host/clock.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import type { Disk } from '../../host/journal/disk.ts';
import type { IsAlive } from '../../host/journal/holder.ts';
import { type Log, silentLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import { openRecordedTable } from '../../host/recorded-table.ts';
import type { Table } from '../../host/table.ts';
import type { Transport, TransportEvents } from '../../host/transports/transport.ts';
import { type AutoState, autoplay, QUICK_PACE, startAutoplay } from '../../sim/autoplay.ts';
import { createLineCutter } from '../../sim/line-cutter.ts';
import type { SimTable } from '../../sim/table.ts';
import { openFilesOf } from './open-files.ts';
import type { AwaitedDisk } from './quick-disk.ts';

/** Virtual time with timers; the wall clock runs along from a given moment. */
export interface VirtualClock extends Clock {
  ms: number;
  wallMs: number;
  /** Lets a millisecond pass and runs what is due; promises settle in between. */
  tick(): Promise<void>;
  /** Forgets every timer, as when a process dies. */
  clear(): void;
}

export function virtualClock(fromMs = 0, wallMs = Date.UTC(2026, 10, 30, 10)): VirtualClock {
  let timers: { readonly at: number; readonly then: () => void }[] = [];
  const clock: VirtualClock = {
    ms: fromMs,
    wallMs,
    now: () => clock.ms,
    wall: () => new Date(clock.wallMs).toISOString(),
    after(ms, then) {
      const timer = { at: clock.ms + ms, then };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async tick() {
      clock.ms += 1;
      clock.wallMs += 1;
      for (;;) {
        const due = timers.find(({ at }) => at <= clock.ms);
        if (due === undefined) break;
        timers = timers.filter((one) => one !== due);
        due.then();
      }
      await new Promise((done) => setImmediate(done));
    },
    clear() {
      timers = [];
    },
  };
  return clock;
}

/** A recorded table on a simulated one, in virtual time, with automatic players and a judge. */
export interface TableRun {
  readonly table: Table;
  /** Everything that was told to screens, in order. */
  readonly told: readonly Output[];
  /** Runs on for so many ms; ends early when `until` holds. */
  run(ms: number, until?: () => boolean): Promise<void>;
  /** The process dies: nothing of it happens any more. */
  die(): void;
  close(): Promise<void>;
}

export interface TableRunAsk {
  readonly sim: SimTable;
  readonly setting: TableSetting;
  /** With one that can be awaited, no virtual time passes while it works. */
  readonly disk: Disk | AwaitedDisk;
  readonly clock: VirtualClock;
  readonly dataDir?: string;
  readonly log?: Log;
  readonly isAlive?: IsAlive;
  readonly newMatch?: boolean;
  readonly retention?: Retention;
  readonly seed: number;
  /** Whether automatic players play. */
  readonly auto?: boolean;
}

/** Boards have booted and their clocks are known; nobody rolls before. */
const BOOTED_MS = 2500;

export async function tableRun(ask: TableRunAsk): Promise<TableRun> {
  const { sim, setting, clock, seed } = ask;
  const told: Output[] = [];
  let players: AutoState = startAutoplay(seed);
  let dead = false;
  let wakeMs = 0;
  let commands = 0;
  const playedFrom = sim.nowUs() / 1000 + BOOTED_MS;
  let judgeFrom = Number.POSITIVE_INFINITY;
  const detach: (() => void)[] = [];
  const files = openFilesOf(ask.disk);
  const tick = async (): Promise<void> => {
    await clock.tick();
    if ('idle' in ask.disk) await ask.disk.idle();
  };

  const open = async (events: TransportEvents): Promise<readonly Transport[]> =>
    sim.links.map((link) => {
      const cutter = createLineCutter(
        (raw) => !dead && events.line(link, raw),
        (what, count) => !dead && events.dropped(link, what, count),
      );
      const stop = sim.listen(link, {
        up() {
          cutter.reset();
          if (!dead) events.up(link, 'simulated');
        },
        down: (reason) => !dead && events.down(link, reason),
        chunk: ({ bytes }) => cutter.take(bytes),
      });
      detach.push(stop);
      if (sim.isUp(link)) events.up(link, 'simulated');
      return {
        link,
        send: (line) =>
          !dead &&
          sim.feed(
            link,
            Uint8Array.from(`${line}\n`, (c) => c.charCodeAt(0)),
          ),
        close: async () => stop(),
      };
    });
  const opening = openRecordedTable({
    dataDir: ask.dataDir ?? '/data',
    origin: 'bakucore/test/t1',
    configHash: 'test',
    setting,
    parts: PARTS,
    clock,
    log: ask.log ?? silentLog,
    listener: { told: (output) => !dead && told.push(output), changed() {} },
    openLinks: open,
    newMatch: ask.newMatch === true,
    ...(ask.retention === undefined ? {} : { retention: ask.retention }),
    disk: files.disk,
    ...(ask.isAlive === undefined ? {} : { isAlive: ask.isAlive }),
  });
  let table: Table | undefined;
  let failed: unknown;
  void opening.then(
    (opened) => {
      table = opened;
    },
    (error: unknown) => {
      failed = error;
    },
  );
  for (let i = 0; table === undefined && failed === undefined && i < 100_000; i += 1) {
    await tick();
    sim.runTo(sim.nowUs() + 1000);
  }
  if (table === undefined) throw failed ?? new Error('the table does not open');
  const running = table;

  const players1ms = (): void => {
    const { play, activity } = running.decided();
    sim.know(activity);
    const atMs = sim.nowUs() / 1000;
    if (ask.auto === false || atMs < playedFrom || atMs < wakeMs) return;
    const game = play.state as never;
    const asked = bakugan.cues(game).some((cue) => cue.cue === 'judge-needed');
    const over = bakugan.over(game) !== undefined;
    if (asked || over) {
      judgeFrom = Math.min(judgeFrom, atMs + 300);
      if (atMs < judgeFrom) return;
      judgeFrom = Number.POSITIVE_INFINITY;
      const again = bakugan
        .legalInputs(game, 'judge')
        .find(({ input }) => input.type === 'judge-roll' && input.verdict === 'again')?.input;
      commands += 1;
      if (over) running.command(`auto-${commands}`, { do: 'new-game', by: { role: 'automatic' } });
      else if (again !== undefined) {
        running.command(`auto-${commands}`, {
          do: 'play',
          input: { ...again, by: { role: 'judge', name: 'automatic judge' } },
        });
      }
      return;
    }
    const legal = { A: bakugan.legalInputs(game, 'A'), B: bakugan.legalInputs(game, 'B') };
    const seen = { atMs, activity, legal, thrown: sim.thrown(), standing: sim.standing() };
    const result = autoplay(players, seen, QUICK_PACE);
    players = result.state;
    wakeMs = Math.min(result.wakeMs, atMs + 50);
    for (const doing of result.doings) {
      if (doing.kind === 'act') sim.act(doing.action);
      else {
        commands += 1;
        running.command(`auto-${commands}`, doing.command);
      }
    }
  };

  return {
    table: running,
    told,
    async run(ms, until) {
      for (let i = 0; i < ms && !dead && until?.() !== true; i += 1) {
        await tick();
        sim.runTo(sim.nowUs() + 1000);
        if (!dead) players1ms();
      }
    },
    die() {
      dead = true;
      clock.clear();
      for (const stop of detach) stop();
      files.closeAll();
    },
    async close() {
      let done = false;
      const closing = running.close().finally(() => {
        done = true;
      });
      while (!done) {
        await tick();
      }
      await closing;
    },
  };
}
