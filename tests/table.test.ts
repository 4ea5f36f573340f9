import { describe, expect, it, vi } from 'vitest';
import type { Output } from '../host/advance/input.ts';
import { canonicalText } from '../host/journal/canonical.ts';
import { entryOfInput, entryOfOutput } from '../host/journal/records.ts';
import type { JournalRecord } from '../host/record.ts';
import { beginRefold } from '../host/refold.ts';
import { differenceIn } from './support/replay-difference.ts';
import { heard, heardUpTo, NEW_GAME, OPERATOR, recorded, tableBench } from './support/table-bench.ts';
import { settle } from './support/transports.ts';
import { legalIn } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

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

describe('a table that runs', () => {
  it('tells and sends what the pure step says of the same inputs, in the same order', async () => {
    const { table, clock, told, transports, play } = await tableBench();
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
    const { table, disk, told, play } = await tableBench();
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
    const { table, disk, told, transports, play } = await tableBench();
    // Just after the roll was called, before the ruling: the next command calls a new game.
    await play(heardUpTo(2300));
    const before = { told: told.length, scene: table.scene(OPERATOR) };
    const sent = (): number => [...transports.values()].reduce((sum, one) => sum + one.sent.length, 0);
    const sentBefore = sent();
    disk.hold = true;
    table.command('c1', NEW_GAME);
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
    const { table, disk, clock, play } = await tableBench();
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
    const { table, told, play } = await tableBench({
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
    const { table, told, transports, play } = await tableBench({
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

describe('automatic passes of a table that runs', () => {
  it('come by the alarm that is read from the state, recorded with the tick they came of', async () => {
    const { table, disk, clock, told, play } = await tableBench({ setting: { autoPassMs: 2000 } });
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
