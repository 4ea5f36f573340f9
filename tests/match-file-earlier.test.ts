/**
 * Match files of a journal whose host did not yet name its start in the first record of a match: the start is proven by the
 * tree, and what that cannot prove is said.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exportMatch } from '../host/audit/export-match.ts';
import { matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { verifyFiles } from '../host/audit/page/verify-files.ts';
import { replaySource } from '../host/audit/replay.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { textOfBase64Url } from '../host/journal/base64.ts';
import { createChain } from '../host/journal/chain.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { openSigner } from '../host/journal/keys.ts';
import { PARTS } from '../host/parts.ts';
import type { JournalRecord } from '../host/record.ts';
import { twoMatches } from './support/two-matches.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = '';
let table = '';

/** Writes the journal once more, chained and signed as before, without the starts that its snapshots name. */
async function asEarlierHost(): Promise<void> {
  const records: JournalRecord[] = [];
  for await (const batch of (await openSource(table)).records(() => {})) records.push(...batch);
  const [origin = ''] = readFileSync(join(table, 'checkpoint.txt'), 'utf8').split('\n');
  const signer = await openSigner(systemDisk, folder, origin);
  const chain = createChain('t1');
  const lines = records.map(({ kind, atMs, data }) => {
    if (kind === 'snapshot') {
      const { open, ...less } = data as { readonly open: unknown };
      expect(open).toMatchObject({ seq: expect.any(Number) });
      return chain.add(kind, atMs, less);
    }
    if (kind === 'segment') {
      const frontier = chain.tree.frontier().map(textOfBase64Url);
      return chain.add(kind, atMs, { ...(data as object), frontier });
    }
    if (kind !== 'checkpoint') return chain.add(kind, atMs, data as object);
    const note = signer.sign({ origin, size: chain.nextSeq, root: chain.tree.root() });
    return chain.add(kind, atMs, { note });
  });
  for (const name of readdirSync(table)) rmSync(join(table, name), { recursive: true });
  await systemDisk.replace(join(table, '000000000000.jsonl'), Buffer.from(`${lines.join('\n')}\n`));
}

beforeAll(async () => {
  folder = await twoMatches();
  table = join(folder, 't1');
  await asEarlierHost();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is proven by the tree, replays, and says what is not proven; another record in its place is refused', async () => {
  const whole = await verifySource(await openSource(table), NODE_TOOLS);
  expect([whole.state, whole.broken]).toEqual(['intact', undefined]);
  const match = (await matchesIn(systemDisk, table)).at(-1);
  if (match === undefined) throw new Error('no match');
  const text = await exportMatch(systemDisk, table, match, PARTS);
  const path = join(folder, 'earlier.match');
  await systemDisk.replace(path, Buffer.from(text));
  const source = await openSource(path);
  const verdict = await verifySource(source, NODE_TOOLS);
  expect(verdict).toMatchObject({ state: 'intact' });
  expect(verdict.notes.join()).toMatch(/Not proven: that record \d+ was the last start before this match/);
  expect((await replaySource(source, { parts: PARTS, check: true })).difference).toBeUndefined();

  const end = text.indexOf('\n');
  const head = JSON.parse(text.slice(0, end));
  expect(head.open.proof.length).toBeGreaterThan(3);
  const { record, proof } = head.open;
  for (const open of [
    { record: record.replace('"openYes":', '"openYes":1'), proof },
    { record, proof: proof.slice(1) },
    { record, proof: [...proof, proof[0]] },
    { record, proof: null },
  ]) {
    const forged = `${JSON.stringify({ ...head, open })}${text.slice(end)}`;
    expect(await verifyFiles([new File([forged], 'forged.match')], undefined)).toMatchObject({
      verdict: {
        state: 'broken',
        broken: { what: 'head', text: expect.stringContaining('is not what was written') },
      },
    });
  }
});
