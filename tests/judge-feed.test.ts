import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../host/advance/input.ts';
import type { WireCommand, WireQuestion } from '../host/displays/feed-messages.ts';
import type { BakuganView } from '../host/game/bakugan/view.ts';
import type { Audience, GameEvent, Refusal } from '../host/game/ruleset.ts';
import type { JournalRecord } from '../host/record.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import { FeedEar } from './support/feed-ear.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT, type Kept } from './support/kept.ts';

// A judge's corrections as people give them: over WebSockets with tokens, to a whole host on simulated boards.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SECRETS = {
  aiko: 'secret-of-aiko-0001',
  ines: 'secret-of-ines-0001',
  playerA: 'secret-of-player-a-1',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'bakucore-judges-'));
const fileOf = (name: keyof typeof SECRETS): string => {
  const path = join(folder, name);
  writeFileSync(path, `${SECRETS[name]}\n`);
  return path;
};

let rig: Rig;
let aiko: FeedEar;
let player: FeedEar;
let venue: FeedEar;
let rulings: readonly RollRuling[] = [];
let ids = 0;

/** Connects one more screen. The host's time stands still meanwhile. */
async function screen(audience: Audience, secret?: string): Promise<FeedEar> {
  const ear = await FeedEar.open(Number(new URL(rig.host.url).port));
  ear.subscribe(audience, secret);
  await ear.next('snapshot');
  return ear;
}

async function ask(ear: FeedEar, question: WireQuestion): Promise<Answer | Refusal> {
  const id = `q${++ids}`;
  ear.send({ op: 'ask', id, table: 't1', question });
  const of = (one: FeedEar['heard'][number]): boolean =>
    (one.op === 'answer' || one.op === 'refused') && one.id === id;
  await ear.until(() => ear.heard.some(of));
  const heard = ear.heard.find(of);
  if (heard?.op === 'answer') return heard.answer;
  if (heard?.op === 'refused') return heard.refusal;
  throw new Error('no answer');
}

/** Gives a command; undefined when it was accepted. */
async function give(ear: FeedEar, command: WireCommand): Promise<Refusal | undefined> {
  const id = `c${++ids}`;
  ear.send({ op: 'command', id, table: 't1', command });
  const of = (one: FeedEar['heard'][number]): boolean =>
    (one.op === 'accepted' || one.op === 'refused') && one.id === id;
  while (!ear.heard.some(of)) {
    await rig.pass(5);
    await new Promise((next) => setImmediate(next));
  }
  const heard = ear.heard.find(of);
  return heard?.op === 'refused' ? heard.refusal : undefined;
}

function foreseenIn(answer: Answer | Refusal): Extract<Answer, { readonly kind: 'foresee' }> {
  if (!('kind' in answer) || answer.kind !== 'foresee') throw new Error(JSON.stringify(answer));
  return answer;
}

function historyIn(answer: Answer | Refusal): Extract<Answer, { readonly kind: 'history' }> {
  if (!('kind' in answer) || answer.kind !== 'history') throw new Error(JSON.stringify(answer));
  return answer;
}

const events = (): readonly GameEvent[] =>
  rig.outputs.flatMap((output) => (output.kind === 'event' ? [output.event] : []));

const viewOf = (ear: FeedEar): BakuganView => ear.scene?.view as unknown as BakuganView;

beforeAll(async () => {
  rig = await hostRig({
    seed: 7,
    http: {
      tokens: { judges: { Aiko: fileOf('aiko'), Ines: fileOf('ines') }, playerAFile: fileOf('playerA') },
    },
  });
  await rig.boot();
  const first = await rig.nextRoll();
  const second = await rig.nextRoll();
  rulings = [first.ruling, second.ruling];
  rig.play = false;
  await rig.pass(200);
  aiko = await screen({ kind: 'judge' }, SECRETS.aiko);
  player = await screen({ kind: 'player', player: 'A' }, SECRETS.playerA);
  venue = await screen({ kind: 'venue' });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const noneOpened = (roll: string): WireCommand => ({
  do: 'replace-ruling',
  roll,
  input: {
    type: 'judge-roll',
    roll,
    reason: 'Seen on video',
    results: (['A', 'B'] as const).map((side) => ({ player: side, opened: 'no', cores: [] })),
  },
  reason: 'Seen on video',
  rule: '5.7.1.4',
});

describe('a judge at a table, over the feed', () => {
  it('reads every step of the game with what it led to, page by page', async () => {
    const newest = historyIn(await ask(aiko, { kind: 'history' }));
    expect(newest.newest).toBeGreaterThan(10);
    expect(newest.steps.at(-1)?.seq).toBe(newest.newest);
    const earlier = historyIn(await ask(aiko, { kind: 'history', before: 6 }));
    expect(earlier.steps.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    const settled = newest.steps.filter(({ type }) => type === 'rolled');
    expect(settled.map(({ roll }) => roll)).toEqual(rulings.map(({ roll }) => roll));
    for (const { by, events: told } of settled) {
      expect(by).toEqual({ role: 'sensing' });
      expect(told.map(({ type }) => type)).toContain('roll/opened');
    }
  });

  it('sees what a correction would change, and nothing changes by looking', async () => {
    const before = JSON.stringify(aiko.scene);
    const roll = rulings[0]?.roll ?? '';
    const foreseen = foreseenIn(await ask(aiko, { kind: 'foresee', command: noneOpened(roll) }));
    expect(foreseen.withdrawn.map(({ type }) => type)).toContain('roll/opened');
    expect(foreseen.added.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['roll/judged', 'roll/repeat']),
    );
    expect(foreseen.rolls).toContain(roll);
    // The second roll rested on the first.
    expect(foreseen.rolls).toContain(rulings[1]?.roll);
    expect(foreseen.counts.dropped).toBe(foreseen.dropped.length);
    expect(foreseen.because?.rules.length).toBeGreaterThan(0);
    const parts = foreseen.changes.map(({ part }) => part);
    expect(parts).toContain('state');
    expect(parts.some((part) => part.startsWith('players.'))).toBe(true);
    await aiko.settled();
    expect(JSON.stringify(aiko.scene)).toBe(before);
    expect(events().map(({ type }) => type)).not.toContain('correction/made');
  });

  it('looks before a count is corrected, too', async () => {
    const deck = viewOf(aiko).players.A.deck;
    const input = { type: 'count', player: 'A', zone: 'deck', count: deck - 2, reason: 'Counted' } as const;
    const command: WireCommand = { do: 'play', for: 'judge', input };
    const foreseen = foreseenIn(await ask(aiko, { kind: 'foresee', command }));
    expect(foreseen.changes).toEqual([{ part: 'players.A.deck', before: deck, after: deck - 2 }]);
    expect(foreseen.withdrawn).toEqual([]);
    expect(await give(aiko, command)).toBeUndefined();
    await aiko.until(() => viewOf(aiko).players.A.deck === deck - 2);
  });

  it('cannot accept what was shown of a game that has gone on since', async () => {
    const { newest } = historyIn(await ask(aiko, { kind: 'history' }));
    const undo: WireCommand = { do: 'undo', to: newest - 1, reason: 'Wrong pile' };
    const { basis } = foreseenIn(await ask(aiko, { kind: 'foresee', command: undo }));
    const hand = viewOf(aiko).players.B.hand;
    const count = { type: 'count', player: 'B', zone: 'hand', count: hand, reason: 'Counted' } as const;
    expect(await give(aiko, { do: 'play', for: 'judge', input: count })).toBeUndefined();
    expect(await give(aiko, { ...undo, basis })).toMatchObject({ code: 'correct/went-on' });
  });

  it('is told apart from players, watchers, and from a judge who confirms his own order', async () => {
    const undo: WireCommand = { do: 'undo', to: 0, reason: 'I lost' };
    expect(await give(player, undo)).toMatchObject({ code: 'feed/not-allowed' });
    expect(await give(venue, undo)).toMatchObject({ code: 'feed/not-allowed' });
    for (const ear of [player, venue]) {
      expect(await ask(ear, { kind: 'history' })).toMatchObject({ code: 'feed/not-allowed' });
      expect(await ask(ear, { kind: 'foresee', command: undo })).toMatchObject({ code: 'feed/not-allowed' });
    }
    const confirmed = (token: string): WireCommand => ({ ...undo, second: { token } }) as WireCommand;
    expect(await give(aiko, confirmed(SECRETS.aiko))).toMatchObject({ code: 'replace/second' });
    expect(await give(aiko, confirmed('a-secret-nobody-has'))).toMatchObject({ code: 'feed/not-allowed' });
    expect(await give(aiko, confirmed(SECRETS.playerA))).toMatchObject({ code: 'feed/not-allowed' });
    expect(await give(aiko, { ...undo, reason: ' ' })).toMatchObject({ code: 'correct/reason' });
    expect(await give(aiko, { ...undo, to: 9999 })).toMatchObject({ code: 'play/no-such-input' });
    const { newest } = historyIn(await ask(aiko, { kind: 'history' }));
    expect(await give(aiko, { ...undo, to: newest })).toMatchObject({ code: 'undo/nothing' });
  });

  it('takes the game back to a point, as shown, with rule, reason and second judge in the record', async () => {
    const history = historyIn(await ask(aiko, { kind: 'history' }));
    const second = rulings[1]?.roll;
    const at = history.steps.find(({ roll, type }) => roll === second && type === 'rolled');
    const to = (at?.seq ?? 0) - 1;
    const undo = { do: 'undo', to, reason: 'The mat was pushed', rule: '5.7.1' } as const;
    const foreseen = foreseenIn(await ask(aiko, { kind: 'foresee', command: undo }));
    expect(foreseen.dropped.map(({ seq }) => seq)).toEqual(
      history.steps.map(({ seq }) => seq).filter((seq) => seq > to),
    );
    expect(foreseen.rolls).toEqual([second]);
    expect(foreseen.added).toEqual([]);
    const accepted = await give(aiko, { ...undo, basis: foreseen.basis, second: { token: SECRETS.ines } });
    expect(accepted).toBeUndefined();
    // As it was, in the judge's view: every change that was shown, and no other step.
    const now = historyIn(await ask(aiko, { kind: 'history' }));
    expect(now.newest).toBe(to);
    expect(now.steps).toEqual(history.steps.filter(({ seq }) => seq <= to));
    await venue.until(() => viewOf(venue).state === 'ST-5');
    expect(viewOf(venue).roll?.id).toBe(second);
    expect(venue.scene?.retracted.map(({ roll }) => roll)).toContain(second);
    const made = events().findLast(({ type }) => type === 'correction/made');
    expect(made?.text).toContain('Aiko (judge)');
    expect(made?.text).toContain('confirmed by Ines (judge)');
    expect(made?.rules).toEqual(['5.7.1', 'AM-39']);
    expect(made?.data).toMatchObject({
      to,
      who: { role: 'judge', name: 'Aiko' },
      second: { role: 'judge', name: 'Ines' },
      why: 'The mat was pushed',
      rule: '5.7.1',
    });
    const withdrawn = events().findLast(({ type }) => type === 'play/withdrawn');
    expect(withdrawn?.data).toMatchObject({
      events: foreseen.counts.withdrawn,
      dropped: foreseen.counts.dropped,
    });
  });

  it('overrides a past ruling: the game is as it was shown, and the roll is made anew', async () => {
    const roll = rulings[0]?.roll ?? '';
    const command = noneOpened(roll);
    const foreseen = foreseenIn(await ask(aiko, { kind: 'foresee', command }));
    const corrected = { ...command, basis: foreseen.basis } as WireCommand;
    expect(await give(aiko, corrected)).toBeUndefined();
    await aiko.until(() => viewOf(aiko).state === 'ST-5');
    for (const { part, after } of foreseen.changes) {
      const now = part.split('.').reduce<unknown>((value, key) => memberOf(value, key), viewOf(aiko));
      expect([part, now ?? null]).toEqual([part, after]);
    }
    // 5.7.2.1: neither opened, so the Rolling Step is repeated; the sensors rule that roll as any other.
    // The balls of the roll that did not count are taken off the mat first.
    for (const { player, cell } of rig.sim.standing()) rig.sim.act({ act: 'lift', player, cell });
    await rig.pass(2500);
    rig.play = true;
    const again = await rig.nextRoll();
    expect(again.ruling.roll).toBe(roll.replace(/\.1$/, '.2'));
    expect(again.wrong).toEqual([]);
  });

  it('leaves a journal that is intact, replays to the same, and holds no secret', async () => {
    for (const ear of [aiko, player, venue]) ear.close();
    const kept: Kept = await rig.close();
    expect(kept).toMatchObject(ALL_KEPT);
    const commands = kept.records.filter((record: JournalRecord) => record.kind === 'command');
    const undo = commands.filter(({ data }) => JSON.stringify(data).includes('"do":"undo"'));
    expect(undo.length).toBeGreaterThan(0);
    for (const secret of Object.values(SECRETS)) {
      expect(kept.records.some(({ data }) => JSON.stringify(data).includes(secret))).toBe(false);
      expect(JSON.stringify(rig.logged)).not.toContain(secret);
    }
  });
});

/** A member of an object, or of a list by its name. */
function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    return value.find((one) => [one?.id, one?.core, one?.cell, one?.player].includes(key));
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
