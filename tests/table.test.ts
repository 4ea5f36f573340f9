import { describe, expect, it, vi } from 'vitest';
import type { Command, Input, Output } from '../host/advance/input.ts';
import type { TableSetting } from '../host/advance/setting.ts';
import type { Audience } from '../host/game/ruleset.ts';
import { canonicalText } from '../host/journal/canonical.ts';
import { entryOfInput, entryOfOutput } from '../host/journal/records.ts';
import { collectingLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import type { JournalRecord } from '../host/record.ts';
import { openRecordedTable } from '../host/recorded-table.ts';
import { beginRefold, settingOfHead } from '../host/refold.ts';
import { isSaid, textOfOutput } from '../host/said.ts';
import type { Table } from '../host/table.ts';
import { createVirtualClock } from '../sim/clock.ts';
import { finalsIn } from './support/chain.ts';
import { type MemoryDisk, memoryDisk } from './support/memory-disk.ts';
import { type StrictTransport, strictTransport } from './support/strict-transport.ts';
import { legalIn, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const OPERATOR: Audience = { kind: 'operator' };
const EVERYONE: readonly Audience[] = [
  OPERATOR,
  { kind: 'judge' },
  { kind: 'player', player: 'A' },
  { kind: 'venue' },
  { kind: 'public' },
];

/** A run whose inputs are played to the shell, each at its time. */
const recorded = (() => {
  const table = virtualTable({ seed: 7, judge: true });
  table.runUntil(() => finalsIn(table.outputs).length >= 2, 60_000);
  table.run(1500);
  return table;
})();
const heard = recorded.inputs.filter(({ kind }) => kind !== 'tick');

/** Lets promises settle: writes and syncs of a disk in memory. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
};

interface Bench {
  readonly table: Table;
  readonly disk: MemoryDisk;
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly log: ReturnType<typeof collectingLog>;
  /** What was told, each with the last record that was safe then. */
  readonly told: readonly { readonly output: Output; readonly safeSeq: number }[];
  /** How often the scene was said to have changed. */
  readonly changes: number;
  readonly transports: ReadonlyMap<string, StrictTransport>;
  /** Plays recorded inputs at their times. */
  play(inputs: readonly Input[], after?: () => void): Promise<void>;
}

interface BenchAsk {
  readonly setting?: Partial<TableSetting>;
  readonly onTold?: (output: Output, table: Table | undefined) => void;
  readonly breaks?: (line: string) => boolean;
}

async function bench(ask: BenchAsk = {}): Promise<Bench> {
  const disk = memoryDisk();
  const clock = createVirtualClock();
  const log = collectingLog();
  const told: { output: Output; safeSeq: number }[] = [];
  const transports = new Map<string, StrictTransport>();
  let changes = 0;
  let opened: Table | undefined;
  const table = await openRecordedTable({
    dataDir: '/data',
    origin: 'bakucore/test/t1',
    configHash: 'test',
    setting: { ...recorded.setting, ...ask.setting },
    parts: PARTS,
    clock,
    log,
    newMatch: false,
    disk,
    listener: {
      told(output) {
        told.push({ output, safeSeq: disk.safeSeq() });
        ask.onTold?.(output, opened);
      },
      changed: () => {
        changes += 1;
      },
    },
    openLinks: async (events) =>
      recorded.setting.links.map(({ link }) => {
        const transport = strictTransport(link, events, ask.breaks);
        transports.set(link, transport);
        return transport;
      }),
  });
  opened = table;
  const give = (input: Input): void => {
    if (input.kind === 'tick') return;
    if (input.kind === 'command') {
      table.command(input.id, input.command);
      return;
    }
    const transport = transports.get(input.link);
    if (transport === undefined) throw new Error(`no link ${input.link}`);
    if (input.kind === 'line') transport.line(input.raw);
    else if (input.kind === 'dropped') transport.dropped(input.what, input.count);
    else if (input.up) transport.up(input.reason);
    else transport.down(input.reason);
  };
  return {
    table,
    disk,
    clock,
    log,
    told,
    transports,
    get changes() {
      return changes;
    },
    async play(inputs, after) {
      for (const input of inputs) {
        clock.runTo(input.atMs);
        give(input);
        await settle();
        after?.();
      }
    },
  };
}

const heardUpTo = (atMs: number): readonly Input[] => heard.filter((input) => input.atMs <= atMs);
const operator: Command = { do: 'new-game', by: { role: 'operator' } };

/** Numbers of the safe records that say the same as these outputs, in order; fails where one is not safe. */
function placesOf(records: readonly JournalRecord[], outputs: readonly Output[]): readonly number[] {
  let from = 0;
  return outputs.map((output) => {
    const { kind, data } = entryOfOutput(output);
    const text = canonicalText(data);
    const at = records.findIndex(
      (record, i) => i >= from && record.kind === kind && canonicalText(record.data) === text,
    );
    if (at < 0) throw new Error(`not recorded: ${kind} ${text.slice(0, 100)}`);
    from = at + 1;
    return records[at]?.seq ?? -1;
  });
}

describe('a table that runs', () => {
  it('tells and sends what the pure step says of the same inputs, in the same order', async () => {
    const { table, clock, told, transports, play } = await bench();
    await play(heard);
    clock.runTo(recorded.nowMs);
    await settle();
    const said = recorded.outputs.filter(({ kind }) => kind !== 'send');
    expect(told.map(({ output }) => output)).toEqual(said);
    for (const { link } of recorded.setting.links) {
      const sent = recorded.outputs.flatMap((o) => (o.kind === 'send' && o.link === link ? [o.line] : []));
      expect(transports.get(link)?.sent).toEqual(sent);
      expect(transports.get(link)?.wrong).toEqual([]);
    }
    expect(table.scene(OPERATOR)).toEqual(recorded.scene(OPERATOR));
    await table.close();
  });

  it('tells nothing before it and the input that it rests on are safe', async () => {
    const { table, disk, told, play } = await bench();
    await play(heard);
    await settle();
    const records = disk.safeRecords();
    const places = placesOf(
      records,
      told.map(({ output }) => output),
    );
    expect(told.length).toBeGreaterThan(50);
    for (const [i, { output, safeSeq }] of told.entries()) {
      // Faults of links leave at once; they decide nothing.
      if (output.kind !== 'fault')
        expect(safeSeq).toBeGreaterThanOrEqual(places[i] ?? Number.POSITIVE_INFINITY);
    }
    // What was heard stands word for word, in order, before what came of it.
    const lines = heard
      .filter(({ kind }) => kind !== 'command')
      .map((input) => canonicalText(entryOfInput(input).data));
    const kept = records
      .filter(({ kind }) => kind === 'line' || kind === 'link')
      .map(({ data }) => canonicalText(data));
    expect(kept).toEqual(lines.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(lines.length - 30);
    await table.close();
  });

  it('holds everything back while a sync lasts, boards too, and lets it go in order', async () => {
    const { table, disk, told, transports, play } = await bench();
    // Just after the roll was called, before the ruling: the next command calls a new game.
    await play(heardUpTo(2300));
    const before = { told: told.length, scene: table.scene(OPERATOR) };
    const sent = (): number => [...transports.values()].reduce((sum, one) => sum + one.sent.length, 0);
    const sentBefore = sent();
    disk.hold = true;
    table.command('c1', operator);
    table.command('c2', { do: 'identify', by: { role: 'operator' }, cell: 'q0r0' });
    await settle();
    expect(told.length).toBe(before.told);
    expect(sent()).toBe(sentBefore);
    expect(table.scene(OPERATOR).view).toEqual(before.scene.view);
    expect(table.decided().play.seq).toBe(recordedSeqAt(2300));
    disk.hold = false;
    disk.letGo();
    await settle();
    const answers = told.slice(before.told).map(({ output }) => output);
    expect(answers.filter(({ kind }) => kind === 'accepted').map((o) => 'id' in o && o.id)).toEqual([
      'c1',
      'c2',
    ]);
    expect(sent()).toBeGreaterThan(sentBefore);
    await table.close();
  });

  it('shows safe decisions only, whatever the disk’s pace', async () => {
    const { table, disk, clock, play } = await bench();
    disk.hold = true;
    let looks = 0;
    let next = 0;
    await play(heard, () => {
      // The disk finishes a sync every now and then.
      if (clock.now() >= next) {
        disk.letGo();
        next = clock.now() + 40 + ((looks * 37) % 90);
      }
      looks++;
      if (looks % 5 !== 0) return;
      const records = disk.safeRecords();
      const safe = new Set(
        records.flatMap(({ kind, data }) => {
          const ruling =
            kind === 'ruling' && typeof data === 'object' && data !== null && 'ruling' in data
              ? data.ruling
              : undefined;
          return ruling === undefined ? [] : [canonicalText(ruling)];
        }),
      );
      for (const ruling of table.scene(OPERATOR).rulings) expect(safe.has(canonicalText(ruling))).toBe(true);
      const accepted = records.filter(
        ({ kind, data }) => kind === 'event' && typeof data === 'object' && data !== null && 'event' in data,
      ).length;
      const shown = table.decided().play.events.length;
      const set = startEvents();
      expect(shown).toBeLessThanOrEqual(Math.min(200, set + accepted));
    });
    expect(looks).toBeGreaterThan(500);
    disk.hold = false;
    disk.letGo();
    await settle();
    expect(table.scene(OPERATOR).rulings.length).toBeGreaterThan(0);
    await table.close();
  });

  it('takes what a listener asks for in the midst of being told, once, in order', async () => {
    let asked = false;
    const { table, told, play } = await bench({
      onTold(output, running) {
        if (asked || output.kind !== 'accepted') return;
        asked = true;
        running?.command('nested', { do: 'identify', by: { role: 'operator' }, cell: 'q9r9' });
      },
    });
    await play(heardUpTo(3500));
    const ids = told.flatMap(({ output }) => (output.kind === 'refused' ? [output.id] : []));
    expect(asked).toBe(true);
    expect(ids).toEqual(['nested']);
    await table.close();
  });

  it('outlives a wire that breaks in the midst of a send', async () => {
    let breaks = true;
    const { table, told, transports, play } = await bench({
      breaks(line) {
        if (!breaks || !line.startsWith('L1')) return false;
        breaks = false;
        return true;
      },
    });
    await play(heardUpTo(1400));
    expect(breaks).toBe(false);
    const lost = told.filter(({ output }) => output.kind === 'fault' && output.code === 'link/lost');
    expect(lost.length).toBeGreaterThan(0);
    expect([...transports.values()].flatMap(({ wrong }) => wrong)).toEqual([]);
    await table.close();
  });
});

/** Events that a game begins with, told to nobody since they were there first. */
function startEvents(): number {
  return recorded.setting.ruleset.setup(recorded.setting.rulesetOptions).events.length;
}

/** Accepted inputs up to a moment of the recorded run. */
function recordedSeqAt(atMs: number): number {
  const refold = beginRefold(recorded.setting, 0);
  const records = heardUpTo(atMs).map((input, seq): JournalRecord => {
    const { kind, data } = entryOfInput(input);
    return { seq, atMs: input.atMs, kind, table: 't1', data: JSON.parse(JSON.stringify(data)) };
  });
  for (const record of records) refold.take(record);
  refold.take({ seq: records.length, atMs, kind: 'close', table: 't1', data: {} });
  return refold.state.play.seq;
}

describe('a disk that fails', () => {
  it('holds play, says so to everyone, and lets all of it go when it works again', async () => {
    const { table, disk, clock, log, told, play } = await bench();
    await play(heardUpTo(2300));
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toBeNull();
    const before = told.length;
    disk.failWith = 'ENOSPC';
    table.command('c1', operator);
    await settle();
    expect(told.length).toBe(before);
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toMatch(/\.$/);
    expect(table.scene(OPERATOR).trouble).toMatch(/disk is full.*Free some space/);
    expect(
      log.lines
        .filter(({ level }) => level === 'error')
        .map(({ text }) => text)
        .join(),
    ).toMatch(/disk is full/);
    // Seconds of failing, with people who try: nothing of it is told, nothing is lost.
    for (let i = 2; i <= 4; i++) {
      clock.runTo(clock.now() + 1500);
      table.command(`c${i}`, { do: 'identify', by: { role: 'operator' }, cell: 'q9r9' });
      await settle();
    }
    expect(told.filter(({ output }) => output.kind !== 'fault').length).toBe(before);
    disk.failWith = undefined;
    clock.runTo(clock.now() + 1500);
    await settle();
    const answers = told.flatMap(({ output }) =>
      output.kind === 'accepted' || output.kind === 'refused' ? [output.id] : [],
    );
    expect(answers.slice(-4)).toEqual(['c1', 'c2', 'c3', 'c4']);
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toBeNull();
    await table.close();
    expect(differenceIn(disk.safeRecords())).toEqual([]);
  });

  it('tells screens that something changed, so that they show it without anything being heard', async () => {
    const rig = await bench();
    await rig.play(heardUpTo(1500));
    rig.disk.failWith = 'EIO';
    rig.table.command('c1', operator);
    const asked = rig.changes;
    await settle();
    expect(rig.changes).toBeGreaterThan(asked);
    const failing = rig.changes;
    rig.disk.failWith = undefined;
    rig.clock.runTo(rig.clock.now() + 1100);
    await settle();
    expect(rig.changes).toBeGreaterThan(failing);
    await rig.table.close();
  });
});

/** Places where a replay says something else than the records, either way; `bakucore replay --check` does the same. */
function differenceIn(records: readonly JournalRecord[]): readonly string[] {
  const [open] = records;
  if (open?.kind !== 'open') throw new Error('a journal begins with its head');
  const refold = beginRefold(settingOfHead(open, PARTS), open.atMs, PARTS);
  const replayed = records.flatMap((record) => refold.take(record).map(textOfOutput));
  const said = records.filter(isSaid).map(({ kind, atMs, data }) => canonicalText({ kind, atMs, data }));
  const different: string[] = [];
  for (let i = 0; i < Math.max(said.length, replayed.length) && different.length < 3; i++) {
    if (said[i] !== replayed[i]) different.push(`${i}: said ${said[i]}, replayed ${replayed[i]}`);
  }
  return different;
}

describe('a new game', () => {
  const starts = ({ disk }: Bench): number =>
    disk
      .safeRecords()
      .filter(
        ({ kind, data }) =>
          kind === 'snapshot' && 'why' in Object(data) && Object(data).why === 'match-start',
      ).length;

  it('begins a match in the record when it is taken, and none when it is refused', async () => {
    const rig = await bench();
    await rig.play(heardUpTo(1500));
    const by = { role: 'operator' } as const;
    rig.table.command('no', { do: 'new-game', by, options: { players: {} } });
    rig.table.command('nor', { do: 'new-game', by: { role: 'player', player: 'A' } });
    await settle();
    expect(rig.told.filter(({ output }) => output.kind === 'refused')).toHaveLength(2);
    expect(starts(rig)).toBe(0);
    rig.table.command('yes', { do: 'new-game', by });
    await settle();
    expect(starts(rig)).toBe(1);
    await rig.table.close();
    expect(differenceIn(rig.disk.safeRecords())).toEqual([]);
  });

  it('met by a mistake of the rules stops this table alone, and its record is still closed', async () => {
    const unhandled: unknown[] = [];
    const hear = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', hear);
    const { ruleset } = recorded.setting;
    let wrong = false;
    const setup: typeof ruleset.setup = (options) => {
      if (wrong) throw new TypeError('a mistake of ours');
      return ruleset.setup(options);
    };
    const rig = await bench({ setting: { ruleset: { ...ruleset, setup } } });
    await rig.play(heardUpTo(1500));
    wrong = true;
    rig.table.command('n1', operator);
    rig.table.command('n2', operator);
    await settle();
    await rig.table.close();
    await settle();
    process.off('unhandledRejection', hear);
    expect(unhandled).toEqual([]);
    expect(
      rig.told.filter(({ output }) => output.kind === 'fault' && output.code === 'table/stopped'),
    ).toHaveLength(1);
    expect(rig.disk.safeRecords().at(-2)?.kind).toBe('close');
  });
});

describe('a table that is closed', () => {
  it('settles what fell due, closes the ways in, and replays to exactly what it said', async () => {
    const { table, disk, clock, told, transports, play } = await bench();
    await play(heard);
    // Boards have fallen silent: notices fall due that nobody woke the table for.
    clock.runTo(recorded.nowMs + 10_000);
    await table.close();
    for (const transport of transports.values()) {
      expect(transport.isClosed).toBe(true);
      expect(transport.wrong).toEqual([]);
    }
    const records = disk.safeRecords();
    expect(records.at(0)?.kind).toBe('open');
    expect(records.some(({ kind }) => kind === 'close')).toBe(true);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, i) => i));
    expect(differenceIn(records)).toEqual([]);
    const said = records.filter((record) => isSaid(record) && record.kind !== 'sent');
    expect(told).toHaveLength(said.length);
    expect(told.some(({ output }) => output.kind === 'fault' && output.code === 'link/silent')).toBe(true);
  });

  it.each([1100, 2300, 3200, 3900, 4700])(
    'at %i ms, in whatever it was doing: replays to exactly what it said',
    async (atMs) => {
      const { table, disk, clock, play } = await bench();
      await play(heardUpTo(atMs));
      clock.runTo(atMs + 0.5);
      await table.close();
      expect(differenceIn(disk.safeRecords())).toEqual([]);
    },
  );

  it('hears and tells nothing afterwards, five minutes long', async () => {
    const { table, disk, clock, told, play } = await bench();
    await play(heardUpTo(3000));
    await table.close();
    const before = told.length;
    const safe = disk.safeSeq();
    table.command('late', operator);
    clock.runTo(clock.now() + 300_000);
    await settle();
    expect(told).toHaveLength(before);
    expect(disk.safeSeq()).toBe(safe);
    expect(clock.nextDue()).toBe(Number.POSITIVE_INFINITY);
  });

  it('says so when its last records could not be saved', async () => {
    const { table, disk, clock, play } = await bench();
    await play(heardUpTo(1500));
    disk.failWith = 'EIO';
    table.command('c1', operator);
    await settle();
    const closing = expect(table.close()).rejects.toMatchObject({ code: 'journal/write-failed' });
    for (let i = 0; i < 10; i++) {
      clock.runTo(clock.now() + 1000);
      await settle();
    }
    await closing;
  });
});

describe('a table whose links do not open', () => {
  it('does not start, and leaves nothing running behind', async () => {
    const disk = memoryDisk();
    const clock = createVirtualClock();
    const opening = openRecordedTable({
      dataDir: '/data',
      origin: 'bakucore/test/t1',
      configHash: 'test',
      setting: recorded.setting,
      parts: PARTS,
      clock,
      log: collectingLog(),
      newMatch: false,
      disk,
      listener: { told() {}, changed() {} },
      openLinks: async () => {
        throw new Error('no such port');
      },
    });
    await expect(opening).rejects.toThrow('no such port');
    expect(disk.safeRecords().some(({ kind }) => kind === 'close')).toBe(true);
    expect(await disk.list('/data/t1')).not.toContain('lock');
    expect(clock.nextDue()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('automatic passes of a table that runs', () => {
  it('come by the alarm that is read from the state, recorded with the tick they came of', async () => {
    const { table, disk, clock, told, play } = await bench({ setting: { autoPassMs: 2000 } });
    const booted = heardUpTo(2400).filter(({ kind }) => kind !== 'command');
    await play(booted);
    const { state } = recorded;
    expect(legalIn(state, 'judge').length).toBeGreaterThan(0);
    for (let i = 0; i < 6 && table.decided().play.state !== undefined; i++) {
      const first = (['A', 'B'] as const)
        .flatMap((side) => recorded.setting.ruleset.legalInputs(table.decided().play.state, side))
        .find(({ input, aside }) => aside !== true && input.type !== 'pass');
      if (first === undefined) break;
      const by = { role: 'player', player: first.player } as never;
      table.command(`p${i}`, { do: 'play', input: { ...first.input, by } });
      await settle();
    }
    const before = table.decided().play.seq;
    clock.runTo(clock.now() + 2100);
    await settle();
    expect(table.decided().play.seq).toBeGreaterThan(before);
    expect(told.length).toBeGreaterThan(0);
    await table.close();
    const records = disk.safeRecords();
    expect(records.some(({ kind }) => kind === 'tick')).toBe(true);
    expect(differenceIn(records)).toEqual([]);
  });
});
