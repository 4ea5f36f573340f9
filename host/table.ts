import { advance, nextWake, startTable } from './advance/advance.ts';
import type { Command, Input, Output } from './advance/input.ts';
import { type Decided, decidedIn, knownOf } from './advance/known.ts';
import type { TableSetting } from './advance/setting.ts';
import type { Clock } from './clock.ts';
import { wordsOf } from './fault.ts';
import type { Audience } from './game/ruleset.ts';
import type { LinkId } from './ids.ts';
import type { Journal } from './journal/capture.ts';
import { openOutbox } from './journal/outbox.ts';
import type { Log } from './log.ts';
import { composeScene } from './scene/compose.ts';
import type { Scene } from './scene/scene.ts';
import type { Transport, TransportEvents } from './transports/transport.ts';

/** Who is told of what a table says. Called only with what the recorder has released. */
export interface Listener {
  /** One output, in order. */
  told(output: Output): void;
  /** The scene changed; read it when it suits. */
  changed(): void;
}

export interface TableOptions {
  readonly setting: TableSetting;
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly listener: Listener;
  /** Opens every way in; each tells this table's events. */
  readonly openLinks: (events: TransportEvents) => Promise<readonly Transport[]>;
}

/** A table that runs: the shell around the pure step, holder of the one mutable value. */
export interface Table {
  /** What this audience may see now: no decision that is not yet safe in the journal. */
  scene(audience: Audience): Scene;
  /** The newest decisions that are safe in the journal; for automatic play. */
  decided(): Decided;
  command(id: string, command: Command): void;
  /** Closes the ways in, then the journal. Rejects with a TableFault when its last records could not be saved. */
  close(): Promise<void>;
}

/**
 * Runs one table: reads the clock once for each thing heard, records it, takes the pure step, records what it says,
 * and carries that out when the recorder releases it. Holds one alarm, set from the state. Rejects when a way in does
 * not open; the journal is closed then.
 */
export async function runTable(options: TableOptions): Promise<Table> {
  const { setting, clock, journal, listener, log } = options;
  const state = startTable(setting, journal.beganAtMs);
  const transports = new Map<LinkId, Transport>();
  /** The newest decisions that are safe on disk; pictures show no others. */
  let safe = decidedIn(state);
  const faults = faultLog(log);
  let cancelAlarm: (() => void) | undefined;
  let closed = false;

  const release = (output: Output): void => {
    // Whatever leaves is safe, and so is everything before it.
    if (outbox.waiting === 0) safe = decidedIn(state);
    if (output.kind === 'send') {
      transports.get(output.link)?.send(output.line, output.device === '' ? {} : { device: output.device });
      return;
    }
    if (output.kind === 'fault') faults.tell(output.link, output.code, output.text, output.atMs);
    listener.told(output);
  };
  const outbox = openOutbox(journal, release);

  const take = (input: Input): void => {
    if (closed) return;
    outbox.heard(input);
    outbox.put(advance(state, input, setting));
    if (outbox.waiting === 0) safe = decidedIn(state);
    listener.changed();
    setAlarm();
  };

  const setAlarm = (): void => {
    cancelAlarm?.();
    cancelAlarm = undefined;
    const due = nextWake(state, setting);
    if (due === Number.POSITIVE_INFINITY) return;
    cancelAlarm = clock.after(Math.max(0, due - clock.now()), () => {
      cancelAlarm = undefined;
      // Timers may go off a little early: nothing is settled before its time.
      if (clock.now() < due) setAlarm();
      else take({ kind: 'tick', atMs: clock.now() });
    });
  };

  const events: TransportEvents = {
    line(link, raw, from) {
      take({
        kind: 'line',
        atMs: clock.now(),
        link,
        raw,
        ...(from?.device === undefined ? {} : { device: from.device }),
        ...(from?.retained === undefined ? {} : { retained: from.retained }),
      });
    },
    up(link, detail) {
      take({ kind: 'link', atMs: clock.now(), link, up: true, reason: detail });
    },
    down(link, reason, remedy) {
      take({
        kind: 'link',
        atMs: clock.now(),
        link,
        up: false,
        reason,
        ...(remedy === undefined ? {} : { remedy }),
      });
    },
    dropped(link, what, count) {
      take({ kind: 'dropped', atMs: clock.now(), link, what, count });
    },
  };

  try {
    for (const transport of await options.openLinks(events)) transports.set(transport.link, transport);
  } catch (error) {
    cancelAlarm?.();
    closed = true;
    await journal.close(clock.now()).catch((failed: unknown) => log.error(wordsOf(failed)));
    throw error;
  }
  setAlarm();

  return {
    scene: (audience) =>
      composeScene({ ...knownOf(state, safe, setting), trouble: journal.trouble }, audience),
    decided: () => safe,
    command(id, command) {
      take({ kind: 'command', atMs: clock.now(), id, command });
    },
    async close() {
      cancelAlarm?.();
      await Promise.all([...transports.values()].map((transport) => transport.close()));
      // Whatever fell due up to the last moment is settled, so that a replay ends where this table ended.
      const atMs = clock.now();
      take({ kind: 'tick', atMs });
      cancelAlarm?.();
      closed = true;
      await journal.close(atMs);
    },
  };
}

/** A fault that comes again within this time is counted, not said again, ms. */
const SAY_AGAIN_MS = 30_000;

/** Says faults of links in the log without flooding it: everything stands in the journal. */
function faultLog(log: Log): { tell(link: LinkId, code: string, text: string, atMs: number): void } {
  const told = new Map<string, { atMs: number; kept: number }>();
  return {
    tell(link, code, text, atMs) {
      const key = `${link} ${code}`;
      const last = told.get(key);
      if (last !== undefined && atMs - last.atMs < SAY_AGAIN_MS) {
        last.kept += 1;
        return;
      }
      log.warn(text, {
        link,
        code,
        ...(last === undefined || last.kept === 0 ? {} : { alsoBefore: last.kept }),
      });
      told.set(key, { atMs, kept: 0 });
    },
  };
}
