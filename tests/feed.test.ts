import { afterEach, describe, expect, it } from 'vitest';
import type { Feed } from '../host/displays/feed.ts';
import { demoScene } from './support/demo-scene.ts';
import { FeedEar, fakeTable, feedOver } from './support/feed-ear.ts';

const OPERATOR = { kind: 'operator' } as const;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function setUp(first = demoScene('brawl')) {
  const table = fakeTable(first);
  const feed = await feedOver(table);
  closing.push(() => feed.close());
  const listen = async (): Promise<FeedEar> => {
    const ear = await FeedEar.open(feed.port);
    closing.push(() => ear.close());
    return ear;
  };
  return { table, feed, listen };
}

function show(table: ReturnType<typeof fakeTable>, feed: Feed, now: ReturnType<typeof demoScene>): void {
  table.now = now;
  feed.changed(now.table);
}

describe('the feed', () => {
  it('begins with the whole scene', async () => {
    const { table, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    const first = await ear.next('snapshot');
    expect(first).toMatchObject({
      table: 't1',
      audience: OPERATOR,
      may: { command: true, sim: true },
      missed: 0,
    });
    expect(first.scene).toEqual(table.now);
  });

  it('sends only the keys that changed, in order, each on the revision before', async () => {
    const { table, feed, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    const first = await ear.next('snapshot');
    show(table, feed, { ...table.now, cues: [{ cue: 'rolling' }] });
    const second = await ear.next('change');
    expect(Object.keys(second.set).sort()).toEqual(['atMs', 'cues', 'table']);
    expect(second).toMatchObject({ from: first.revision, revision: first.revision + 1 });
    show(table, feed, { ...table.now, rulings: [], lights: [] });
    const third = await ear.next('change');
    expect(Object.keys(third.set).sort()).toEqual(['atMs', 'lights', 'rulings', 'table']);
    expect(third.from).toBe(second.revision);
    expect(ear.scene).toEqual(table.now);
  });

  it('says nothing when nothing but time has passed', async () => {
    const { table, feed, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    for (let i = 1; i <= 5; i += 1)
      show(table, feed, { ...structuredClone(table.now), atMs: table.now.atMs + i });
    show(table, feed, { ...table.now, cues: [] });
    expect(Object.keys((await ear.next('change')).set)).toContain('cues');
    expect(ear.heard.filter((one) => one.op === 'change')).toHaveLength(1);
  });

  it('gives a late joiner the whole value at the same revision as everyone', async () => {
    const { table, feed, listen } = await setUp();
    const early = await listen();
    early.subscribe(OPERATOR);
    await early.next('snapshot');
    show(table, feed, demoScene('victor'));
    await early.next('change');
    const late = await listen();
    late.subscribe(OPERATOR);
    const first = await late.next('snapshot');
    expect(first.scene).toEqual(early.scene);
    expect(first.revision).toBe(early.revision);
  });

  it('tells a ruling after the scene it made, then its retraction, explicitly', async () => {
    const { table, feed, listen } = await setUp(demoScene('rolling'));
    const ear = await listen();
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    const ruling = demoScene('brawl').rulings.at(-1);
    if (ruling === undefined) throw new Error('the demo has a ruling');
    table.now = { ...demoScene('brawl'), rulings: [ruling] };
    feed.told('t1', { kind: 'ruling', atMs: 81_200, ruling });
    const told = await ear.next('told');
    expect(told.news).toEqual({ kind: 'ruling', atMs: 81_200, ruling });
    expect(ear.scene?.rulings).toEqual([ruling]);
    expect(told.revision).toBe(ear.revision);

    const retracted = { roll: ruling.roll, revision: ruling.revision, why: 'lines came late' };
    table.now = { ...table.now, rulings: [], retracted: [retracted] };
    const output = { kind: 'retraction', atMs: 81_900, stage: 'final', ...retracted } as const;
    feed.told('t1', output);
    expect((await ear.next('told')).news).toEqual(output);
    expect(ear.scene).toMatchObject({ rulings: [], retracted: [retracted] });
  });

  it('sends all that one step told with one look at the table', async () => {
    const { table, feed, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    const before = table.looks;
    table.now = demoScene('victor');
    for (const text of ['one', 'two', 'three']) {
      const event = { type: 'test/said', rules: [], text, data: {} };
      feed.told('t1', { kind: 'event', atMs: 1, event });
      feed.changed('t1');
    }
    const told = [await ear.next('told'), await ear.next('told'), await ear.next('told')];
    expect(told.map(({ news }) => (news.kind === 'event' ? news.event.text : ''))).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(table.looks - before).toBe(1);
  });

  it('keeps tables apart', async () => {
    const one = fakeTable(demoScene('brawl', 't1'));
    const two = fakeTable(demoScene('set-up', 't2'));
    const feed = await feedOver(one, {
      tables: new Map([
        ['t1', one],
        ['t2', two],
      ]),
    });
    closing.push(() => feed.close());
    const ear = await FeedEar.open(feed.port);
    closing.push(() => ear.close());
    ear.subscribe(OPERATOR, undefined, 't2');
    expect((await ear.next('snapshot')).scene).toEqual(two.now);
    one.now = { ...one.now, cues: [] };
    feed.changed('t1');
    two.now = { ...two.now, cues: [{ cue: 'rolling' }] };
    feed.changed('t2');
    expect((await ear.next('change')).set).toMatchObject({ table: 't2', cues: [{ cue: 'rolling' }] });
    expect(ear.heard.filter((message) => message.op === 'change')).toHaveLength(1);
  });

  it('carries a command to the table and its answer back to the sender alone', async () => {
    const { table, feed, listen } = await setUp();
    const [asker, other] = [await listen(), await listen()];
    for (const ear of [asker, other]) {
      ear.subscribe(OPERATOR);
      await ear.next('snapshot');
    }
    asker.send({
      op: 'command',
      id: 'x1',
      table: 't1',
      command: { do: 'play', for: 'A', input: { type: 'pass' } },
    });
    asker.send({
      op: 'command',
      id: 'x2',
      table: 't1',
      command: { do: 'play', for: 'B', input: { type: 'pass' } },
    });
    await asker.settled();
    expect(table.commands.map(({ command }) => command)).toEqual([
      { do: 'play', input: { type: 'pass', by: { role: 'operator', player: 'A' } } },
      { do: 'play', input: { type: 'pass', by: { role: 'operator', player: 'B' } } },
    ]);
    const [first, second] = table.commands;
    expect(first?.id).not.toBe(second?.id);
    const refusal = { code: 'pass/not-yours', message: 'Not your turn.', rules: ['5.1.3'] };
    feed.told('t1', { kind: 'refused', atMs: 5, id: second?.id ?? '', refusal });
    feed.told('t1', { kind: 'accepted', atMs: 6, id: first?.id ?? '' });
    expect(await asker.next('refused')).toEqual({ op: 'refused', id: 'x2', table: 't1', refusal });
    expect(await asker.next('accepted')).toEqual({ op: 'accepted', id: 'x1', table: 't1' });
    await other.settled();
    expect(other.heard.some((one) => one.op === 'accepted' || one.op === 'refused')).toBe(false);
  });

  it('passes what is done to a simulated world, and says when a table is real', async () => {
    const table = fakeTable();
    const acts: unknown[] = [];
    const feed = await feedOver(table, {
      sim: {
        act(_, action) {
          if (action.act === 'lift') throw new Error('There is no ball to lift.');
          acts.push(action);
        },
      },
    });
    closing.push(() => feed.close());
    const ear = await FeedEar.open(feed.port);
    closing.push(() => ear.close());
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    const thrown = {
      act: 'throw',
      player: 'A',
      aim: 'q0r0',
      speedMPerS: 0.6,
      open: 'yes',
      stays: 'physics',
    } as const;
    ear.send({ op: 'sim', id: 's1', table: 't1', action: thrown });
    expect((await ear.next('accepted')).id).toBe('s1');
    ear.send({ op: 'sim', id: 's2', table: 't1', action: { act: 'lift', player: 'A', cell: 'q0r0' } });
    expect((await ear.next('refused')).refusal.message).toBe('There is no ball to lift.');
    ear.send({ op: 'sim', id: 's3', table: 't1', action: { ...thrown, speedMPerS: 40 } });
    expect((await ear.next('error')).code).toBe('feed/bad-message');
    expect(acts).toEqual([thrown]);

    const real = await setUp();
    const there = await real.listen();
    there.subscribe(OPERATOR);
    await there.next('snapshot');
    there.send({ op: 'sim', id: 's4', table: 't1', action: { act: 'stud', player: 'A' } });
    expect((await there.next('refused')).refusal.code).toBe('feed/not-simulated');
  });

  it('outlives a table that cannot say its scene or take a command', async () => {
    const { table, feed, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    const { scene, command } = table;
    table.scene = () => {
      throw new Error('broken scene');
    };
    table.command = () => {
      throw new Error('broken command');
    };
    feed.told('t1', {
      kind: 'event',
      atMs: 1,
      event: { type: 'a/b', rules: [], text: 'still told', data: {} },
    });
    await ear.next('told');
    ear.send({ op: 'command', id: 'c', table: 't1', command: { do: 'play', input: { type: 'pass' } } });
    expect((await ear.next('refused')).refusal.code).toBe('feed/fault');
    table.scene = scene;
    table.command = command;
    show(table, feed, demoScene('game-over'));
    await ear.until(() => ear.scene?.cues.some((cue) => cue.cue === 'game-over') === true);
  });

  it('tells clients that it stops, and closes', async () => {
    const { feed, listen } = await setUp();
    const ear = await listen();
    ear.subscribe(OPERATOR);
    await ear.next('snapshot');
    await feed.close();
    await ear.until(() => ear.closed !== undefined);
    expect(ear.closed).toEqual({ code: 1001 });
  });
});
