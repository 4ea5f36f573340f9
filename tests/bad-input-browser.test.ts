/** Browsers that send junk to a whole host that plays, and many of them at once. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerMessage } from '../host/displays/feed-messages.ts';
import type { Audience } from '../host/game/ruleset.ts';
import { FeedEar } from './support/feed-ear.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT } from './support/kept.ts';

const CLEAN_ROLL = { wrong: [], doubts: [] };
const JUDGED = { type: 'judge-roll', roll: 't1.1', verdict: 'again', reason: 'x' };
const ROLLED = { type: 'rolled', roll: 't1.1', revision: 99, results: [], illegal: [] };
const THROW = { act: 'throw', player: 'A', aim: 'q0r0', speedMPerS: 1, open: 'yes', stays: 'yes' };
const play = (input: unknown, more: object = {}): object => ({ do: 'play', input, ...more });

/** Commands in every wrong shape, by who gives them; none may be done. */
const COMMANDS: readonly (readonly [string, Audience, unknown])[] = [
  ['no command', { kind: 'operator' }, null],
  ['a list', { kind: 'operator' }, []],
  ['a word', { kind: 'operator' }, 'play'],
  ['an unknown command', { kind: 'operator' }, { do: 'drop-table' }],
  ['a command of the prototype', { kind: 'operator' }, { do: '__proto__' }],
  ['an input that is none', { kind: 'operator' }, play(null)],
  ['an input of the prototype', { kind: 'operator' }, play({ type: '__proto__' }, { for: 'A' })],
  ['an input called as a method', { kind: 'operator' }, play({ type: 'hasOwnProperty' }, { for: 'A' })],
  ['a huge type', { kind: 'operator' }, play({ type: 'x'.repeat(9000) })],
  [
    'a huge label',
    { kind: 'operator' },
    play(
      { type: 'modify', bakugan: 'A/1', bPower: 1, damage: 0, until: 'turn', label: 'x'.repeat(9000) },
      { for: 'A' },
    ),
  ],
  ['a number that is none', { kind: 'operator' }, play({ type: 'flip', count: 'NaN' }, { for: 'A' })],
  ['half a card', { kind: 'operator' }, play({ type: 'flip', count: 0.5 }, { for: 'A' })],
  ['minus a card', { kind: 'operator' }, play({ type: 'flip', count: -1 }, { for: 'A' })],
  [
    'a beyond count',
    { kind: 'judge' },
    play({ type: 'count', player: 'A', zone: 'deck', count: 1e21, reason: 'x' }, { for: 'judge' }),
  ],
  [
    'a count of a zone of the prototype',
    { kind: 'judge' },
    play({ type: 'count', player: 'A', zone: 'constructor', count: 1, reason: 'x' }, { for: 'judge' }),
  ],
  [
    'a modifier of 1e999',
    { kind: 'operator' },
    play(
      { type: 'modify', bakugan: 'A/1', bPower: 1e300, damage: 0, until: 'turn', label: 'x' },
      { for: 'A' },
    ),
  ],
  ['a forged ruling', { kind: 'operator' }, play(ROLLED)],
  ['a forged ruling by a player', { kind: 'player', player: 'A' }, play(ROLLED)],
  ['a ruling by a player', { kind: 'player', player: 'A' }, play(JUDGED)],
  ['a player for the judge', { kind: 'player', player: 'A' }, play(JUDGED, { for: 'judge' })],
  ['a player for the other', { kind: 'player', player: 'A' }, play({ type: 'concede' }, { for: 'B' })],
  ['a player as judge by word', { kind: 'player', player: 'A' }, play({ ...JUDGED, by: { role: 'judge' } })],
  ['a new game by a player', { kind: 'player', player: 'A' }, { do: 'new-game' }],
  ['a new game by a judge', { kind: 'judge' }, { do: 'new-game' }],
  ['a new game of nothing', { kind: 'operator' }, { do: 'new-game', options: { players: 1 } }],
  [
    'a new game of the prototype',
    { kind: 'operator' },
    { do: 'new-game', options: { constructor: {}, players: {} } },
  ],
  [
    'a replaced ruling by a player',
    { kind: 'player', player: 'A' },
    { do: 'replace-ruling', roll: 't1.1', input: JUDGED, reason: 'x' },
  ],
  [
    'a replaced ruling of a roll that never was',
    { kind: 'judge' },
    { do: 'replace-ruling', roll: 't77.1', input: { ...JUDGED, roll: 't77.1' }, reason: 'x' },
  ],
  [
    'a replaced ruling without a reason',
    { kind: 'judge' },
    { do: 'replace-ruling', roll: 't1.1', input: JUDGED, reason: '' },
  ],
  ['a game taken back by a player', { kind: 'player', player: 'A' }, { do: 'undo', to: 0, reason: 'x' }],
  ['a game taken back to nowhere', { kind: 'judge' }, { do: 'undo', to: 99_999, reason: 'x' }],
  ['a game taken back by half a step', { kind: 'judge' }, { do: 'undo', to: 0.5, reason: 'x' }],
  ['a game taken back without a reason', { kind: 'judge' }, { do: 'undo', to: 0, reason: '' }],
  ['a cell off the mat', { kind: 'operator' }, { do: 'identify', cell: 'q99r99' }],
  ['a cell that is a path', { kind: 'operator' }, { do: 'identify', cell: '../../etc/passwd' }],
  ['anything by the public', { kind: 'public' }, play({ type: 'pass' })],
  ['anything by the venue', { kind: 'venue' }, { do: 'new-game' }],
];

/** Messages that are none; text as it goes over the wire. */
const MESSAGES: readonly (readonly [string, string | Buffer])[] = [
  ['bytes', Buffer.from([0xff, 0, 0xfe, 0x80])],
  ['nothing', ''],
  ['NaN', '{"op":"sim","table":"t1","action":{"act":"throw","player":"A","aim":"q0r0","speedMPerS":NaN}}'],
  [
    '1e999',
    '{"op":"sim","table":"t1","action":{"act":"throw","player":"A","aim":"q0r0","speedMPerS":1e999,"open":"yes","stays":"yes"}}',
  ],
  ['half a message', '{"op":"command","table":"t1","id":"1","command":{"do":"pl'],
  [
    'a polluted message',
    '{"__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}},"op":"__proto__"}',
  ],
  ['a throw by the prototype', '{"op":"sim","table":"t1","action":{"act":"constructor"}}'],
  ['a table of the prototype', '{"op":"subscribe","table":"__proto__","audience":{"kind":"operator"}}'],
  ['a lone surrogate', '{"op":"\\ud800","table":"t1"}'],
  ['brackets', '['.repeat(15_000)],
];

let rig: Rig;
let port = 0;
beforeAll(async () => {
  rig = await hostRig({ seed: 5 });
  port = Number(new URL(rig.host.url).port);
  await rig.boot();
});
afterAll(async () => {
  const kept = await rig.close();
  expect(kept).toMatchObject(ALL_KEPT);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const decided = () => rig.host.decided('t1');

async function health(): Promise<{
  readonly counts: Readonly<Record<string, number>>;
  readonly clients: number;
}> {
  return (await (await fetch(`${rig.host.url}healthz`)).json()) as Awaited<ReturnType<typeof health>>;
}

function isAnswer(message: ServerMessage): boolean {
  return message.op === 'accepted' || message.op === 'refused' || message.op === 'error';
}

/** Sends a message as this audience and waits for what is said to it. */
async function answerTo(audience: Audience, message: string | Buffer): Promise<ServerMessage> {
  const ear = await FeedEar.open(port);
  ear.subscribe(audience);
  await ear.next('snapshot');
  const before = ear.heard.length;
  ear.socket.send(message);
  await rig.alongside(ear.until(() => ear.heard.slice(before).some(isAnswer) || ear.closed !== undefined));
  const answer = ear.heard.slice(before).find(isAnswer);
  ear.close();
  if (answer === undefined) throw new Error(`closed with ${ear.closed?.code}`);
  return answer;
}

describe('a browser that sends junk', () => {
  it.each(COMMANDS)('as a command: %s', async (_, audience, command) => {
    rig.play = false;
    await rig.pass(5);
    const before = decided()?.play;
    const answer = await answerTo(audience, JSON.stringify({ op: 'command', id: 'j', table: 't1', command }));
    if (answer.op === 'refused') expect(answer.refusal.message).toMatch(/\S{3}/);
    else expect(answer).toMatchObject({ op: 'error', text: expect.stringMatching(/\S{3}/) });
    expect(decided()?.play).toBe(before);
  });

  it.each(MESSAGES)('as a message: %s', async (_, message) => {
    const before = (await health()).counts.junk ?? 0;
    const answer = await answerTo({ kind: 'operator' }, message);
    expect(answer).toMatchObject({
      op: 'error',
      code: 'feed/bad-message',
      text: expect.stringMatching(/\S{3}/),
    });
    expect((await health()).counts.junk).toBe(before + 1);
  });

  it('as an action: a throw by a player, by a judge, by the public', async () => {
    for (const audience of [
      { kind: 'player', player: 'A' },
      { kind: 'judge' },
      { kind: 'public' },
    ] as const) {
      const answer = await answerTo(
        audience,
        JSON.stringify({ op: 'sim', id: 's', table: 't1', action: THROW }),
      );
      expect(answer).toMatchObject({ op: 'refused', refusal: { code: 'feed/not-allowed' } });
    }
    expect(rig.sim.thrown()).toEqual([]);
  });

  it('on the port of the pages, outside of any protocol', async () => {
    const deeds = [
      'GARBAGE\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n',
      `GET http://[bad/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /../../../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /%E0%A4%A HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /api/v1/tables/__proto__ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n`,
      `POST /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\nZZZZ\r\n`,
    ];
    for (const bytes of deeds) {
      const reply = await rawReply(port, bytes);
      expect(reply).not.toMatch(/root:|^HTTP\/1\.1 (200|101|500)/);
      expect(reply).not.toMatch(/\n\s+at .*:\d+/);
    }
    expect(await health()).toMatchObject({ ok: true });
  });

  it('and the next roll is ruled', async () => {
    rig.play = true;
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });
});

/** What a server says to these bytes, up to the end of the first head, or until it hangs up. */
async function rawReply(to: number, latin1: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(to, '127.0.0.1', () => socket.write(Buffer.from(latin1, 'latin1')));
    const end = (): void => {
      socket.destroy();
      resolve(heard);
    };
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      if (heard.includes('\r\n\r\n')) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

describe('fifty browsers', () => {
  it('all see the same ruling, though some of them read nothing and some are cut', async () => {
    const kinds: readonly Audience[] = [
      { kind: 'public' },
      { kind: 'venue' },
      { kind: 'player', player: 'A' },
      { kind: 'judge' },
      { kind: 'operator' },
    ];
    const ears: FeedEar[] = [];
    for (let i = 0; i < 50; i++) {
      const ear = await FeedEar.open(port);
      ear.subscribe(kinds[i % kinds.length] ?? { kind: 'public' });
      ears.push(ear);
    }
    await Promise.all(ears.map((ear) => ear.next('snapshot')));
    expect((await health()).clients).toBe(50);
    const [deaf, cut, ...rest] = ears;
    deaf?.socket.pause();
    cut?.close();
    const ruled = await rig.nextRoll();
    expect(ruled).toMatchObject(CLEAN_ROLL);
    const sees = (ear: FeedEar): boolean =>
      ear.scene?.rulings.some(({ roll, stage }) => roll === ruled.ruling.roll && stage === 'final') === true;
    await rig.alongside(Promise.all(rest.map((ear) => ear.until(() => sees(ear)))));
    for (const ear of rest) expect(ear.closed).toBeUndefined();
    deaf?.socket.resume();
    if (deaf !== undefined) await rig.alongside(deaf.until(() => sees(deaf)));
    for (const ear of ears) ear.close();
    await expect.poll(async () => (await health()).clients).toBe(0);
  });
});
