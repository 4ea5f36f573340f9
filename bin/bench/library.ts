/**
 * A library of so many matches on plain files: what it takes to write the list anew from the journal, to list, to search, to
 * look a match up and to take one out. Matches are small, each of one start with its rulings and some lines, under one
 * signed chain in segments as a host writes them.
 *
 *     bakucore bench library [matches, 10000] [lines of a match, 30]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportMatch } from '../../host/audit/export-match.ts';
import { openLibrary } from '../../host/audit/library.ts';
import { INDEX_FILE, matchesIn } from '../../host/audit/matches.ts';
import { textOfBase64Url } from '../../host/journal/base64.ts';
import { createChain } from '../../host/journal/chain.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { openSigner } from '../../host/journal/keys.ts';
import { keyText } from '../../host/journal/note.ts';
import { SEGMENT_BYTES, segmentName } from '../../host/journal/segments.ts';
import { PARTS } from '../../host/parts.ts';
import type { RecordKind } from '../../host/record.ts';

const matches = Number(process.argv[2] ?? 10_000);
const lines = Number(process.argv[3] ?? 30);
const ROLLS = 9;
const HOUR_MS = 3_600_000;
const LINE = 'V1 D 0123456789ABCDEF 0123456789ABCDEF 0123456789ABCDEF 0123456789ABCDEF 0123456789ABCDEF *3F';

const dataDir = await mkdtemp(join(tmpdir(), 'bakucore-library-'));
try {
  const bytes = await write(join(dataDir, 't1'));
  console.log(
    `${matches} matches of ${ROLLS} rolls and ${lines} lines: ${(bytes / 1e6).toFixed(0)} MB of plain files`,
  );
  const folder = join(dataDir, 't1');
  const found = await timed('list, made anew from the whole journal', () => matchesIn(systemDisk, folder));
  if (found.length !== matches) throw new Error(`${found.length} matches were found, ${matches} written`);
  const index = await systemDisk.size(join(folder, INDEX_FILE));
  console.log(`the list of closed matches holds ${(index / 1e6).toFixed(1)} MB`);
  await timed('list, as a command reads it', () => matchesIn(systemDisk, folder));
  const library = openLibrary(systemDisk, dataDir, () => performance.now());
  const ask = { words: '', from: 0, most: 50 };
  await timed('first page of a library just opened', () => library.page(ask));
  await timed('first page once more', () => library.page(ask));
  const words = 'player-7 undetermined 2026-06';
  const hits = await timed(`search for "${words}"`, () => library.page({ ...ask, words }));
  console.log(`it finds ${hits.found}`);
  const middle = found[matches >> 1]?.id ?? '';
  const { match } = await timed('look up the match in the middle', () =>
    library.find({ table: 't1', match: middle }),
  );
  const text = await timed('take it out as a file', () => exportMatch(systemDisk, folder, match, PARTS));
  console.log(`its file holds ${(text.length / 1000).toFixed(0)} kB`);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function timed<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now();
  const { user, system } = process.cpuUsage();
  const value = await work();
  const tookMs = performance.now() - began;
  const used = process.cpuUsage({ user, system });
  const cpuMs = (used.user + used.system) / 1000;
  console.log(
    `${what.padEnd(42)} ${tookMs.toFixed(1).padStart(9)} ms, ${cpuMs.toFixed(1).padStart(9)} ms of processor`,
  );
  return value;
}

/** Writes the journal; how many bytes it takes. */
async function write(folder: string): Promise<number> {
  await systemDisk.makeFolder(folder);
  const origin = 'bakucore/bench/t1';
  const signer = await openSigner(systemDisk, dataDir, origin);
  const chain = createChain('t1', undefined);
  let texts: string[] = [];
  let held = 0;
  let firstSeq = 0;
  let openSeq = 0;
  let bytes = 0;
  const add = (kind: RecordKind, atMs: number, data: object): void => {
    const text = chain.add(kind, atMs, data);
    texts.push(text);
    held += text.length + 1;
  };
  const flush = async (): Promise<void> => {
    await systemDisk.replace(join(folder, segmentName(firstSeq)), Buffer.from(`${texts.join('\n')}\n\n`));
    bytes += held;
    texts = [];
    held = 0;
    firstSeq = chain.nextSeq;
  };
  for (let n = 0; n < matches; n += 1) {
    const atMs = n * HOUR_MS;
    const wallTime = new Date(Date.UTC(2026, 0, 1) + atMs).toISOString();
    const key = keyText(signer.key);
    if (n > 0 && held === 0) {
      const frontier = chain.tree.frontier().map(textOfBase64Url);
      add('segment', atMs, { frontier, open: openSeq, key, wallTime });
    }
    openSeq = chain.nextSeq;
    const players = { A: { name: `player-${n % 97}` }, B: { name: `guest-${n % 89}` } };
    const ruleset = { name: 'bakugan', version: '1.0.0' };
    add('open', atMs, { key, origin, ruleset, rulesetOptions: { players }, wallTime });
    for (let i = 0; i < lines; i += 1) add('line', atMs + i, { link: 'usb-a', line: LINE });
    for (let i = 1; i <= ROLLS; i += 1) {
      const opened = (n + i) % 10 === 0 ? 'undetermined' : 'yes';
      const ruling = { roll: `t${i}.1`, revision: 1, stage: 'final', balls: [{ player: 'A', opened }] };
      add('ruling', atMs + 1000 * i, { ruling });
    }
    const winner = n % 2 === 0 ? 'A' : 'B';
    const event = { type: 'game/over', rules: [], text: `${winner} wins.`, data: { winner } };
    add('event', atMs + 20_000, { event });
    add('checkpoint', atMs + 20_000, {
      note: signer.sign({ origin, size: chain.nextSeq, root: chain.tree.root() }),
    });
    if (held >= SEGMENT_BYTES) await flush();
  }
  if (held > 0) await flush();
  return bytes;
}
