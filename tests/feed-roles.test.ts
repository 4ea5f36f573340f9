import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commandBy, type FeedToken, grantFor } from '../host/displays/feed-roles.ts';
import { readFeedTokens } from '../host/displays/feed-tokens.ts';
import { TableFault } from '../host/fault.ts';
import type { Audience } from '../host/game/ruleset.ts';
import { FeedEar, fakeTable, feedOver } from './support/feed-ear.ts';

const TOKENS: readonly FeedToken[] = [
  { role: 'operator', secret: 'operator-secret-0001' },
  { role: 'judge', name: 'Aiko', secret: 'judge-secret-0000001' },
  { role: 'player', player: 'A', secret: 'player-a-secret-0001' },
];
const LOCAL = { everyone: true, tokens: [] };
const GUARDED = { everyone: false, tokens: TOKENS };
const PASS = { do: 'play', input: { type: 'pass' } } as const;

describe('who may do what', () => {
  it('lets everyone on this machine be what they ask for', () => {
    for (const kind of ['operator', 'judge'] as const) {
      expect(grantFor({ kind }, undefined, LOCAL).grant).toMatchObject({
        audience: { kind },
        may: { command: true },
      });
    }
  });

  it.each<Audience>([{ kind: 'operator' }, { kind: 'judge' }, { kind: 'player', player: 'A' }])(
    'makes $kind without a token a watcher, and says why',
    (asked) => {
      const { grant, problem } = grantFor(asked, undefined, GUARDED);
      expect(grant).toEqual({ audience: { kind: 'venue' }, may: { command: false, sim: false } });
      expect(problem).toContain('#token=');
      expect(grantFor(asked, 'wrong-secret-000000', GUARDED).grant.audience.kind).toBe('venue');
    },
  );

  it('opens to a token its own role and no other', () => {
    const own: readonly (readonly [string, Audience, boolean])[] = [
      ['player-a-secret-0001', { kind: 'player', player: 'A' }, true],
      ['player-a-secret-0001', { kind: 'player', player: 'B' }, false],
      ['player-a-secret-0001', { kind: 'judge' }, false],
      ['judge-secret-0000001', { kind: 'judge' }, true],
      ['judge-secret-0000001', { kind: 'operator' }, false],
      ['judge-secret-0000001', { kind: 'player', player: 'A' }, false],
      ['operator-secret-0001', { kind: 'operator' }, true],
      ['operator-secret-0001', { kind: 'player', player: 'B' }, true],
    ];
    for (const [secret, asked, opens] of own) {
      expect([secret, asked, grantFor(asked, secret, GUARDED).grant.audience]).toEqual([
        secret,
        asked,
        opens ? asked : { kind: 'venue' },
      ]);
    }
  });

  it('gives watchers no commands, and players only their own plays', () => {
    const watcher = grantFor({ kind: 'public' }, undefined, LOCAL).grant;
    const player = grantFor({ kind: 'player', player: 'A' }, undefined, LOCAL).grant;
    expect(commandBy(watcher, PASS, LOCAL)).toHaveProperty('notAllowed');
    expect(commandBy(player, PASS, LOCAL)).toEqual({
      do: 'play',
      input: { type: 'pass', by: { role: 'player', player: 'A' } },
    });
    expect(commandBy(player, { ...PASS, for: 'B' }, LOCAL)).toHaveProperty('notAllowed');
    expect(commandBy(player, { ...PASS, for: 'judge' }, LOCAL)).toHaveProperty('notAllowed');
    // The next game of a match; the table refuses it at any other time.
    expect(commandBy(player, { do: 'new-game' }, LOCAL)).toEqual({
      do: 'new-game',
      by: { role: 'player', player: 'A' },
    });
    expect(commandBy(player, { do: 'new-game', first: 'B' }, LOCAL)).toMatchObject({ first: 'B' });
    expect(commandBy(watcher, { do: 'new-game' }, LOCAL)).toHaveProperty('notAllowed');
    // A player concedes the match, and ends it no other way.
    expect(commandBy(player, { do: 'end-match' }, LOCAL)).toEqual({
      do: 'end-match',
      by: { role: 'player', player: 'A' },
    });
    expect(commandBy(player, { do: 'end-match', winner: 'A' }, LOCAL)).toHaveProperty('notAllowed');
    expect(commandBy(player, { do: 'resume-match', reason: 'so' }, LOCAL)).toHaveProperty('notAllowed');
    expect(commandBy(watcher, { do: 'end-match' }, LOCAL)).toHaveProperty('notAllowed');
    for (const more of [{ bestOf: 3 as const }, { options: {} }, { despite: 'so' }]) {
      expect(commandBy(player, { do: 'new-game', ...more }, LOCAL)).toHaveProperty('notAllowed');
    }
    expect(commandBy(player, { do: 'identify', cell: 'q0r0' }, LOCAL)).toHaveProperty('notAllowed');
    expect(
      commandBy(player, { do: 'replace-ruling', roll: 't1.1', input: { type: 'x' }, reason: 'r' }, LOCAL),
    ).toHaveProperty('notAllowed');
  });

  it('records a judge by name, for a player or for itself; an operator stands in for a judge', () => {
    const judge = grantFor({ kind: 'judge' }, 'judge-secret-0000001', GUARDED).grant;
    const operator = grantFor({ kind: 'operator' }, undefined, LOCAL).grant;
    expect(commandBy(judge, PASS, GUARDED)).toMatchObject({ input: { by: { role: 'judge', name: 'Aiko' } } });
    expect(commandBy(judge, { ...PASS, for: 'B' }, GUARDED)).toMatchObject({
      input: { by: { role: 'judge', player: 'B' } },
    });
    // A judge may do what the table lets a judge do: start a match, and end one.
    expect(commandBy(judge, { do: 'new-game', bestOf: 3 }, GUARDED)).toEqual({
      do: 'new-game',
      by: { role: 'judge', name: 'Aiko' },
      bestOf: 3,
    });
    expect(commandBy(judge, { do: 'end-match', winner: 'B', reason: 'Left.' }, GUARDED)).toEqual({
      do: 'end-match',
      by: { role: 'judge', name: 'Aiko' },
      winner: 'B',
      reason: 'Left.',
    });
    expect(commandBy(operator, { ...PASS, for: 'A' }, GUARDED)).toMatchObject({
      input: { by: { role: 'operator', player: 'A' } },
    });
    expect(commandBy(operator, { ...PASS, for: 'judge' }, GUARDED)).toMatchObject({
      input: { by: { role: 'judge' } },
    });
    expect(commandBy(operator, { do: 'new-game', options: { seed: 3 } }, GUARDED)).toEqual({
      do: 'new-game',
      by: { role: 'operator' },
      options: { seed: 3 },
    });
  });
});

describe('a feed bound to the network', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(tokens: readonly FeedToken[], asked: Audience, secret?: string) {
    const table = fakeTable();
    const feed = await feedOver(table, { host: '0.0.0.0', tokens, sim: { act() {} } });
    closing.push(() => feed.close());
    const ear = await FeedEar.open(feed.port);
    closing.push(() => ear.close());
    ear.subscribe(asked, secret);
    return { table, ear, first: await ear.next('snapshot') };
  }

  it('shows anyone the public scene and takes no command from them', async () => {
    const { table, ear, first } = await open([], { kind: 'operator' });
    expect(first).toMatchObject({ audience: { kind: 'venue' }, may: { command: false, sim: false } });
    expect(first.scene).toMatchObject({ legal: [], levels: [], links: [] });
    expect((await ear.next('error')).code).toBe('feed/not-granted');
    ear.send({ op: 'command', id: 'c', table: 't1', command: PASS });
    expect((await ear.next('refused')).refusal.code).toBe('feed/not-allowed');
    ear.send({ op: 'sim', id: 's', table: 't1', action: { act: 'auto', on: true } });
    expect((await ear.next('refused')).refusal.code).toBe('feed/not-allowed');
    expect(table.commands).toEqual([]);
  });

  it('lets in whoever has the token', async () => {
    const { table, ear, first } = await open(TOKENS, { kind: 'player', player: 'A' }, 'player-a-secret-0001');
    expect(first).toMatchObject({
      audience: { kind: 'player', player: 'A' },
      may: { command: true, sim: false },
    });
    ear.send({ op: 'command', id: 'c', table: 't1', command: PASS });
    await ear.settled();
    expect(table.commands[0]?.command).toMatchObject({ input: { by: { role: 'player', player: 'A' } } });
  });

  it('asks for tokens on loopback too, once there are any', async () => {
    const table = fakeTable();
    const feed = await feedOver(table, { tokens: TOKENS });
    closing.push(() => feed.close());
    const ear = await FeedEar.open(feed.port);
    closing.push(() => ear.close());
    ear.subscribe({ kind: 'operator' });
    expect((await ear.next('snapshot')).audience).toEqual({ kind: 'venue' });
  });
});

describe('token files', () => {
  it('reads secrets, and names the file and the remedy of a bad one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feed-tokens-'));
    try {
      const [good, short, gone] = [join(folder, 'good'), join(folder, 'short'), join(folder, 'gone')];
      await writeFile(good, '  0123456789abcdef0123\n');
      await writeFile(short, 'hunter2\n');
      expect(await readFeedTokens([{ role: 'judge', file: good }])).toEqual([
        { role: 'judge', secret: '0123456789abcdef0123' },
      ]);
      for (const [files, word] of [
        [[{ role: 'judge', file: short }], 'openssl rand'],
        [[{ role: 'judge', file: gone }], gone],
        [[{ role: 'player', file: good }], 'player: A or B'],
        [
          [
            { role: 'judge', file: good },
            { role: 'operator', file: good },
          ],
          'same token',
        ],
      ] as const) {
        const error: unknown = await readFeedTokens(files).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(TableFault);
        expect(String(error)).toContain(word);
        expect(String(error)).not.toContain('hunter2');
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
