import { advance, nextWake, startTable } from './advance/advance.ts';
import { answerTo } from './advance/answer.ts';
import { isOver } from './advance/best-of.ts';
import type { Answer, Command, Input, Output, Question } from './advance/input.ts';
import { type Decided, decidedIn, knownOf } from './advance/known.ts';
import { mayBeginAnew } from './advance/new-game.ts';
import type { TableSetting } from './advance/setting.ts';
import type { TableState } from './advance/state.ts';
import type { Clock } from './clock.ts';
import { wordsOf } from './fault.ts';
import { faultLog } from './fault-log.ts';
import type { Audience, Refusal } from './game/ruleset.ts';
import type { AtMs, Json, LinkId } from './ids.ts';
import type { Journal } from './journal/capture.ts';
import { openOutbox } from './journal/outbox.ts';
import type { Snapshots, SnapshotWhy } from './journal/snapshots.ts';
import { afterKeeping, keepingCutShort } from './kept-calibration.ts';
import { linkEvents } from './link-events.ts';
import type { Log } from './log.ts';
import { composeScene } from './scene/compose.ts';
import type { Scene } from './scene/scene.ts';
import type { Calibration } from './sensing/calibration.ts';
import { savedWithHash } from './state-hash.ts';
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
  /** The match in progress, when the table goes on from its journal: its state, and what was never told. */
  readonly resume?: { readonly state: TableState; readonly untold: readonly Output[] };
  /** Keeps the state at calm moments, so that a start is quick. */
  readonly snapshots?: Snapshots;
  /** Writes a calibration to its file. Absent: it is used and not kept. */
  readonly keepCalibration?: (calibration: Calibration) => Promise<void>;
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
  /** Answers a judge's question from those decisions; changes and records nothing. */
  ask(question: Question): Answer | Refusal;
  /**
   * Records that a match was removed: which, who, why. Resolves when that is safe and no record before it is written any
   * more. Rejects with a TableFault when it cannot be recorded.
   */
  entomb(removal: { readonly [key: string]: Json }): Promise<void>;
  /** Closes the ways in, then the journal. Rejects with a TableFault when its last records could not be saved. */
  close(): Promise<void>;
}

/** A line to a board that waited longer than this is not sent: the board is told anew what it should show, ms. */
const STALE_LINE_MS = 500;

/**
 * Runs one table: reads the clock once for each thing heard, records it, takes the pure step, records what it says,
 * and carries that out when the recorder releases it. Holds one alarm, set from the state. Rejects when a way in does
 * not open; the journal is closed then.
 */
export async function runTable(options: TableOptions): Promise<Table> {
  const { setting, clock, journal, listener, log } = options;
  const state = options.resume?.state ?? startTable(setting, journal.beganAtMs);
  const transports = new Map<LinkId, Transport>();
  /** The newest decisions that are safe on disk; pictures show no others. */
  let safe = decidedIn(state);
  const faults = faultLog(log);
  let cancelAlarm: (() => void) | undefined;
  let closed = false;
  /** A mistake of ours was met: nothing more is concluded from here on. */
  let broken = false;
  let opening: Input[] | undefined = [];
  const keepEveryMs = options.snapshots?.everyMs ?? Number.POSITIVE_INFINITY;
  let keepDueMs = journal.beganAtMs + (options.snapshots?.firstMs ?? keepEveryMs);
  let wasOver = isOver(state, setting);

  const release = (output: Output): void => {
    // Whatever leaves is safe, and so is everything before it.
    if (outbox.waiting === 0) safe = decidedIn(state);
    if (output.kind === 'send') {
      carry(output);
      return;
    }
    if (output.kind === 'calibrated') void keepMade(output);
    if (output.kind === 'fault') faults.tell(output.link, output.code, output.text, output.atMs);
    listener.told(output);
  };
  const outbox = openOutbox(journal, release);

  const keepMade = async (made: Extract<Output, { readonly kind: 'calibrated' }>): Promise<void> => {
    const failed = (why: string): void => log.error(why, { table: setting.table });
    const command = await afterKeeping(made, options.keepCalibration, failed);
    hear({ kind: 'command', atMs: clock.now(), id: `${made.id}-kept`, command });
  };

  /** Hands a line to its wire. What does not leave is told to the table, so that the record says so. */
  const carry = ({ link, line, device, atMs }: Extract<Output, { readonly kind: 'send' }>): void => {
    // After trouble with the disk old lights would leave in a burst; boards are told anew what they should show.
    const stale = clock.now() - atMs > STALE_LINE_MS;
    const transport = transports.get(link);
    if (!stale && transport?.send(line, device === '' ? {} : { device }) !== false) return;
    const what = `line to a board${stale ? ', too late to be of use' : ' that its wire did not take'}`;
    queueMicrotask(() => hear({ kind: 'dropped', atMs: clock.now(), link, what, count: 1 }));
  };

  /** What is told while the ways in still open waits until every answer can leave. */
  const hear = (input: Input): void => {
    if (opening === undefined) take(input);
    else opening.push(input);
  };

  const take = (input: Input): void => {
    if (closed || broken) return;
    try {
      step(input);
    } catch (error) {
      stop(error);
    }
  };

  const stop = (error: unknown): void => {
    broken = true;
    cancelAlarm?.();
    const text = `The table stopped: ${wordsOf(error)}. Its record is kept; start the host again.`;
    log.error(text, { table: setting.table });
    listener.told({ kind: 'fault', atMs: clock.now(), link: '', code: 'table/stopped', text });
  };

  const step = (input: Input): void => {
    if (input.kind !== 'tick') outbox.heard(input);
    const outputs = advance(state, input, setting);
    // Time alone is no news; only a tick of which something came is recorded, before what came of it.
    if (input.kind === 'tick' && outputs.length > 0) outbox.heard(input);
    outbox.put(outputs);
    sealEnd(outputs);
    if (outputs.length === 0 && isTimeToKeep()) void keep('calm');
    if (outbox.waiting === 0) safe = decidedIn(state);
    listener.changed();
    setAlarm();
  };

  /** Taking a state takes some ms: it waits until no ball rolls and nothing that was said still waits to leave. */
  const isTimeToKeep = (): boolean =>
    state.atMs >= keepDueMs && state.activity.kind !== 'roll' && outbox.waiting === 0;

  /** Vouches for a match as soon as it is over: whoever takes its record away then has all of it signed. */
  const sealEnd = (outputs: readonly Output[]): void => {
    if (!outputs.some(({ kind }) => kind === 'event')) return;
    const over = isOver(state, setting);
    if (over && !wasOver) journal.checkpoint?.();
    wasOver = over;
  };

  /** Records the hash of the state as it is now, and keeps it; never that of a table that stopped. Never rejects. */
  const keep = async (why: SnapshotWhy, wanted = (): boolean => true): Promise<string | undefined> => {
    if (options.snapshots === undefined || broken) return undefined;
    try {
      if (!wanted()) return undefined;
      keepDueMs = state.atMs + keepEveryMs;
      settleNow(state.atMs);
      const { text, hash } = savedWithHash(state);
      await options.snapshots.save(state.atMs, text, hash, why);
      return hash;
    } catch (error) {
      stop(error);
      return undefined;
    }
  };

  /** A tick that is recorded in any case: a replay then stands where this table stands. */
  const settleNow = (atMs: AtMs): void => {
    const tick: Input = { kind: 'tick', atMs };
    outbox.heard(tick);
    outbox.put(advance(state, tick, setting));
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

  if (options.resume !== undefined) {
    outbox.put(options.resume.untold);
    // Nothing was heard meanwhile: a roll that was going on is in doubt, and boards are asked who they are.
    for (const { link } of setting.links) {
      const reason = 'The host was started again.';
      take({ kind: 'link', atMs: clock.now(), link, up: false, reason, restarted: true });
    }
    const command = keepingCutShort(state);
    if (command !== undefined) take({ kind: 'command', atMs: clock.now(), id: 'cut-short', command });
  }
  try {
    const events = linkEvents(hear, clock, log);
    for (const transport of await options.openLinks(events)) transports.set(transport.link, transport);
  } catch (error) {
    cancelAlarm?.();
    closed = true;
    await journal.close(clock.now()).catch((failed: unknown) => log.error(wordsOf(failed)));
    throw error;
  }
  const early = opening;
  opening = undefined;
  for (const input of early) take(input);
  setAlarm();

  return {
    scene: (audience) =>
      composeScene({ ...knownOf(state, safe, setting), trouble: journal.trouble }, audience),
    decided: () => safe,
    ask: (question) => answerTo(safe, setting, question),
    command(id, command) {
      const atMs = clock.now();
      if (command.do === 'new-game') {
        const { lowSpace } = journal;
        if (lowSpace !== undefined) {
          const { code, sentence, remedy } = lowSpace;
          const refusal = { code, message: `${sentence} ${remedy}`, rules: [] };
          release({ kind: 'refused', atMs, id, refusal });
          return;
        }
        take({ kind: 'tick', atMs });
        // What is refused begins no match: the record would tell two where there is one.
        void keep('match-start', () => mayBeginAnew(state, setting, command, state.atMs));
      }
      take({ kind: 'command', atMs, id, command });
    },
    async entomb(removal) {
      journal.append('tombstone', clock.now(), { ...removal, wallTime: clock.wall() });
      await (journal.nextSegment?.() ?? journal.flush());
      if (journal.trouble !== undefined) throw journal.trouble;
    },
    async close() {
      cancelAlarm?.();
      await Promise.all([...transports.values()].map((transport) => transport.close()));
      // Whatever fell due up to the last moment is settled, so that a replay ends where this table ended.
      const atMs = clock.now();
      take({ kind: 'tick', atMs });
      cancelAlarm?.();
      closed = true;
      await journal.close(atMs, await keep('stop'));
    },
  };
}
