import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OFFENCES } from '../host/displays/feed-client.ts';
import { clientMessageSchema, MAX_CLIENT_BYTES } from '../host/displays/feed-messages.ts';
import { FeedEar, fakeTable, feedOver } from './support/feed-ear.ts';

const table = fakeTable();
let feed: Awaited<ReturnType<typeof feedOver>>;

beforeAll(async () => {
  feed = await feedOver(table);
});
afterAll(() => feed.close());

async function junkCount(): Promise<number> {
  const health: unknown = await (await fetch(`${feed.url}healthz`)).json();
  return Number(/"junk":(\d+)/.exec(JSON.stringify(health))?.[1] ?? 0);
}

/** After whatever was done to it, the feed still serves. */
async function stillServes(): Promise<void> {
  const ear = await FeedEar.open(feed.port);
  ear.subscribe({ kind: 'operator' });
  expect((await ear.next('snapshot')).scene).toEqual(table.now);
  ear.close();
}

const JUNK: readonly (readonly [string, string | Buffer])[] = [
  ['a binary message', Buffer.from([0, 255, 1, 2])],
  ['text that is no JSON', 'hello?'],
  ['nothing', ''],
  ['a JSON number', '42'],
  ['null', 'null'],
  ['an unknown op', '{"op":"format-disk"}'],
  ['a subscription to a bad name', '{"op":"subscribe","table":"../etc","audience":{"kind":"judge"}}'],
  ['an audience nobody knows', '{"op":"subscribe","table":"t1","audience":{"kind":"root"}}'],
  ['a command without a type', '{"op":"command","id":"1","table":"t1","command":{"do":"play","input":{}}}'],
  [
    'a throw faster than hands',
    '{"op":"sim","table":"t1","action":{"act":"throw","player":"A","aim":"q0r0","speedMPerS":1e9,"open":"yes","stays":"yes"}}',
  ],
  ['brackets nested ten thousand deep', `${'['.repeat(8000)}${']'.repeat(8000)}`],
  [
    'an input nested two thousand deep',
    `{"op":"command","id":"1","table":"t1","command":{"do":"play","input":{"type":"x","a":${'['.repeat(6000)}${']'.repeat(6000)}}}}`,
  ],
];

describe('junk from a browser', () => {
  it.each(JUNK)('answers %s with an error and counts it', async (_, junk) => {
    const before = await junkCount();
    const ear = await FeedEar.open(feed.port);
    ear.subscribe({ kind: 'operator' });
    await ear.next('snapshot');
    ear.socket.send(junk);
    const answer = await ear.next('error');
    expect(answer.code).toBe('feed/bad-message');
    expect(answer.text).not.toBe('');
    expect(await junkCount()).toBe(before + 1);
    expect(table.commands).toEqual([]);
    ear.close();
    await stillServes();
  });

  it('closes on a message larger than any client needs', async () => {
    const ear = await FeedEar.open(feed.port);
    ear.socket.send('x'.repeat(MAX_CLIENT_BYTES + 1));
    await ear.until(() => ear.closed !== undefined);
    expect(ear.closed).toEqual({ code: 1009 });
    await stillServes();
  });

  it('closes on one that does nothing else', async () => {
    const ear = await FeedEar.open(feed.port);
    for (let i = 0; i < OFFENCES * 3; i += 1) ear.socket.send(`junk ${i}`);
    await ear.until(() => ear.closed !== undefined);
    expect(ear.closed).toEqual({ code: 1008 });
    await stillServes();
  });

  it('does not read more than a person can send', async () => {
    const ear = await FeedEar.open(feed.port);
    ear.subscribe({ kind: 'operator' });
    await ear.next('snapshot');
    const command = { op: 'command', id: 'f', table: 't1', command: { do: 'play', input: { type: 'pass' } } };
    for (let i = 0; i < 170; i += 1) ear.socket.send(JSON.stringify(command));
    await ear.until(() => ear.heard.some((one) => one.op === 'error' && one.code === 'feed/too-fast'));
    expect(table.commands.length).toBeLessThanOrEqual(32);
    ear.close();
    await stillServes();
  });

  it('takes no “by” from the wire and no polluted prototype', async () => {
    table.commands.length = 0;
    const ear = await FeedEar.open(feed.port);
    ear.subscribe({ kind: 'player', player: 'B' });
    await ear.next('snapshot');
    ear.socket.send(
      '{"op":"command","id":"p","table":"t1","command":{"do":"play",' +
        '"input":{"type":"pass","by":{"role":"judge"},"__proto__":{"admin":true}}}}',
    );
    await ear.settled();
    expect(table.commands[0]?.command).toMatchObject({ input: { by: { role: 'player', player: 'B' } } });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    ear.close();
  });

  it.each<readonly [string, object, readonly string[]]>([
    ['a slip in a new game', { do: 'new-game', besOf: 3 }, ['"besOf"', '"new-game"', 'bestOf', 'options']],
    ['a number of games there is not', { do: 'new-game', bestOf: 2 }, ['"command.bestOf" is 2', '1 or 3']],
    ['a “by” of its own', { do: 'play', by: { role: 'judge' }, input: { type: 'x' } }, ['"by"', '"play"']],
    ['a slip in a calibration', { do: 'calibrate', act: 'skip', ball: 'x' }, ['"ball"', 'do, act']],
    ['a command nobody knows', { do: 'new-gam' }, ['"new-gam"', 'new-game', 'end-match']],
    ['a step in words', { do: 'undo', to: 'two', reason: 'r' }, ['"command.to" is "two"', 'a number']],
    ['no reason', { do: 'undo', to: 2 }, ['"command.reason" is missing', 'a text']],
    ['a cell by another name', { do: 'identify', cell: 'left' }, ['"command.cell" is "left"', 'q0r-1']],
  ])('says of %s what is wrong, where, and what to send instead', async (_, command, words) => {
    table.commands.length = 0;
    const ear = await FeedEar.open(feed.port);
    ear.subscribe({ kind: 'operator' });
    await ear.next('snapshot');
    ear.socket.send(JSON.stringify({ op: 'command', id: 'c', table: 't1', command }));
    const { code, text } = await ear.next('error');
    expect(code).toBe('feed/bad-message');
    for (const word of words) expect(text).toContain(word);
    expect(text).not.toMatch(/Invalid|expected|undefined|Unrecognized/);
    expect(table.commands).toEqual([]);
    ear.close();
  });

  it('survives a socket that is cut in the middle of everything', async () => {
    for (let i = 0; i < 20; i += 1) {
      const ear = await FeedEar.open(feed.port);
      ear.subscribe({ kind: 'operator' });
      ear.close();
      feed.changed('t1');
    }
    await stillServes();
  });

  it('reads or refuses any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        clientMessageSchema.safeParse(value);
      }),
      { numRuns: 300 },
    );
  });
});
