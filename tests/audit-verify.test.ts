import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import type { Verdict, VerifyAsk } from '../host/audit/verdict.ts';
import { verifyLines } from '../host/audit/verify.ts';
import { createChain } from '../host/journal/chain.ts';
import { diskOver } from '../host/journal/disk.ts';
import { openSigner } from '../host/journal/keys.ts';
import { linesOf } from '../host/journal/lines.ts';
import { readNote } from '../host/journal/note.ts';
import { journalChunks, segmentsIn } from '../host/journal/segments.ts';
import { drawFrom, powerCutFiles } from './support/power-cut-files.ts';
import { FIRST_SEGMENT, handClock, writeJournal } from './support/small-journal.ts';

async function check(bytes: Uint8Array, ask: VerifyAsk = {}): Promise<Verdict> {
  async function* chunks() {
    yield bytes;
  }
  return verifyLines(linesOf(chunks()), NODE_TOOLS, ask);
}

const text = async (records: number): Promise<string> => (await writeJournal(records)).text(FIRST_SEGMENT);
const linesIn = (journal: string): string[] => journal.split('\n').filter((line) => line !== '');
const joined = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

describe('verify', () => {
  it('finds a journal intact, counts its checkpoints and names its key', async () => {
    const verdict = await check(Buffer.from(await text(700)));
    expect(verdict).toMatchObject({ state: 'intact', from: 0, origin: 'bakucore/t1', notes: [] });
    // After 256 and 512 records, and one over the stop.
    expect(verdict.checkpoints).toBe(3);
    expect(verdict.keys).toHaveLength(1);
    expect(verdict.signedSize).toBe(verdict.records - 1);
  });

  it('names the record of every single flipped bit of a journal', async () => {
    const bytes = Buffer.from(await text(20));
    const starts: number[] = [];
    let at = 0;
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line !== '') starts.push(at);
      at += Buffer.byteLength(line) + 1;
    }
    for (let i = 0; i < bytes.length; i += 1) {
      for (const bit of [0, 1, 5, 7]) {
        const flipped = Buffer.from(bytes);
        flipped[i] = (flipped[i] ?? 0) ^ (1 << bit);
        const verdict = await check(flipped);
        expect(verdict.state, `byte ${i} bit ${bit}`).toBe('broken');
        const touched = starts.findLastIndex((start) => start <= i);
        expect(
          Math.abs((verdict.broken?.seq ?? -9) - touched),
          `byte ${i}: ${verdict.broken?.text}`,
        ).toBeLessThanOrEqual(1);
      }
    }
  });

  it('names a flipped bit anywhere in a long journal', async () => {
    const bytes = Buffer.from(await text(2000));
    const draw = drawFrom(4);
    for (let n = 0; n < 60; n += 1) {
      const flipped = Buffer.from(bytes);
      const i = draw(bytes.length);
      flipped[i] = (flipped[i] ?? 0) ^ (1 << draw(8));
      expect((await check(flipped)).state).toBe('broken');
    }
  });

  it('names a record that was changed, removed, swapped or added', async () => {
    const lines = linesIn(await text(300));
    const changed = lines.map((line, i) => (i === 120 ? line.replace('E1,', 'E9,') : line));
    expect((await check(joined(changed))).broken).toMatchObject({ what: 'changed', seq: 120 });
    const removed = lines.filter((_, i) => i !== 77);
    expect((await check(joined(removed))).broken).toMatchObject({ what: 'removed', seq: 77 });
    const gone = lines.filter((_, i) => i < 77 || i >= 90);
    expect((await check(joined(gone))).broken).toMatchObject({ what: 'removed', seq: 77, text: /77 to 89/ });
    const swapped = [...lines];
    [swapped[40], swapped[41]] = [lines[41] ?? '', lines[40] ?? ''];
    expect((await check(joined(swapped))).broken).toMatchObject({ what: 'swapped', seq: 40 });
    const doubled = [...lines.slice(0, 60), lines[59] ?? '', ...lines.slice(60)];
    expect((await check(joined(doubled))).broken).toMatchObject({ what: 'swapped', seq: 60 });
    expect((await check(joined(lines.slice(5)))).broken).toMatchObject({ what: 'not-the-beginning' });
  });

  it('says when the tail was cut, and names it against a checkpoint kept elsewhere', async () => {
    const lines = linesIn(await text(300));
    const note = readNote(JSON.parse(lines.at(-1) ?? '').data.note);
    if (note === undefined) throw new Error('no note');
    const cut = lines.slice(0, 250);
    expect(await check(joined(cut))).toMatchObject({
      state: 'open',
      notes: [expect.stringMatching(/tail was cut off/)],
    });
    expect((await check(joined(cut), { kept: [note] })).broken).toMatchObject({ what: 'removed', seq: 250 });
    const half = Buffer.from(`${lines.slice(0, 250).join('\n')}\n${lines[250]?.slice(0, 30)}`);
    expect((await check(half)).broken).toMatchObject({ what: 'torn-tail', seq: 250 });
    expect(await check(joined(lines), { kept: [note] })).toMatchObject({ state: 'intact' });
  });

  it('names a checkpoint that was forged, and a journal that was written anew with another key', async () => {
    const files = await writeJournal(300);
    const lines = linesIn(files.text(FIRST_SEGMENT));
    const honest = await openSigner(diskOver(files), '/data', 'bakucore/t1');
    const liar = powerCutFiles();
    await liar.mkdir('/data', { recursive: true });
    const other = await openSigner(diskOver(liar), '/data', 'bakucore/t1');
    // The whole journal made anew: a ruling changed, every hash and checkpoint right again, by another key.
    const chain = createChain('t1');
    const forged = lines.map((line) => {
      const { atMs, kind, data } = JSON.parse(line);
      if (kind === 'ruling') data.ruling.confidence = 1;
      if (kind !== 'checkpoint') return chain.add(kind, atMs, data);
      return chain.add(kind, atMs, {
        note: other.sign({ origin: 'bakucore/t1', size: chain.nextSeq, root: chain.tree.root() }),
      });
    });
    expect((await check(joined(forged))).broken).toMatchObject({ what: 'checkpoint-forged' });
    const owned = JSON.parse(forged[0] ?? '');
    const { keyText } = await import('../host/journal/note.ts');
    const again = createChain('t1');
    const whole = lines.map((line, i) => {
      const { atMs, kind, data } = JSON.parse(line);
      if (i === 0) return again.add(kind, atMs, { ...owned.data, key: keyText(other.key) });
      if (kind !== 'checkpoint') return again.add(kind, atMs, data);
      return again.add(kind, atMs, {
        note: other.sign({ origin: 'bakucore/t1', size: again.nextSeq, root: again.tree.root() }),
      });
    });
    // Consistent in itself: only who knows the host's key, or kept a checkpoint, can tell.
    expect((await check(joined(whole))).state).toBe('intact');
    expect((await check(joined(whole), { key: honest.key })).broken).toMatchObject({
      what: 'checkpoint-forged',
    });
    const kept = readNote(JSON.parse(lines.at(-1) ?? '').data.note);
    if (kept === undefined) throw new Error('no note');
    expect((await check(joined(whole), { kept: [kept] })).broken).toMatchObject({ what: 'not-consistent' });
  });

  it('tells of a clock that was set back, and names records whose own time goes back', async () => {
    const clock = handClock();
    const files = await writeJournal(10, powerCutFiles(), { clock });
    clock.wallMs -= 3_600_000;
    await writeJournal(10, files, { clock });
    const disk = diskOver(files);
    const segments = await segmentsIn(disk, '/data/t1');
    const verdict = await verifyLines(linesOf(journalChunks(disk, segments)), NODE_TOOLS);
    expect(verdict.state).toBe('intact');
    expect(verdict.notes.join()).toMatch(/set back by about 3600 s/);
    const chain = createChain('t1');
    const back = [
      chain.add('line', 10, { link: 'a', line: 'x' }),
      chain.add('line', 9, { link: 'a', line: 'y' }),
    ];
    expect((await check(joined(back))).broken).toMatchObject({ what: 'clock-set-back', seq: 1 });
  });

  it('says what this machine cannot check', async () => {
    async function* chunks() {
      yield Buffer.from(await text(20));
    }
    const tools = { ...NODE_TOOLS, isSigned: async () => undefined };
    const verdict = await verifyLines(linesOf(chunks()), tools);
    expect(verdict.notes.join()).toMatch(/cannot check signatures/);
    expect(generateKeyPairSync('ed25519').privateKey.asymmetricKeyType).toBe('ed25519');
  });
});
