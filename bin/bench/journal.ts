/**
 * A journal of so many rolls: what it takes to check, replay and store. Stretches of simulated play, one of each seed, are
 * laid end to end under one chain again and again, each a match of its own, with checkpoints and segments as a host writes
 * them; nothing is kept but what is looked at, so that memory can be watched. Processor seconds, so that other programs on
 * the machine count little.
 *
 *     bakucore bench journal [rolls, 1000] [stretches played, 4] [seconds of each, 45]
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { replaySource } from '../../host/audit/replay.ts';
import type { Source } from '../../host/audit/source.ts';
import { verifyLines } from '../../host/audit/verify.ts';
import { inputsOf, loadPlay } from '../../host/game/play.ts';
import { createChain } from '../../host/journal/chain.ts';
import { linesOf } from '../../host/journal/lines.ts';
import { readRecords } from '../../host/journal/read.ts';
import { PARTS } from '../../host/parts.ts';
import { savedWithHash } from '../../host/state-hash.ts';
import { type JournalSet, journalWriter, playedSet } from './journal-set.ts';
import { virtualTable } from './virtual-table.ts';

const rolls = Number(process.argv[2] ?? 1000);
const stretches = Number(process.argv[3] ?? 4);
const seconds = Number(process.argv[4] ?? 45);

const cpuS = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const heapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const began = performance.now();
const sets = Array.from({ length: stretches }, (_, i) => playedSet(21 + i, seconds * 1000));
const played = sets.reduce((sum, set) => sum + set.rolls, 0);
if (played === 0) throw new Error(`no roll was ruled in ${seconds} s: give more seconds`);
const times = Math.max(stretches, Math.round((rolls / played) * stretches));
const spanMs = seconds * 1000 + 1000;
const setAt = (n: number): JournalSet => sets[n % stretches] ?? raise();
const over = (pick: (set: JournalSet) => number, count = times): number =>
  Array.from({ length: count }, (_, n) => pick(setAt(n))).reduce((sum, value) => sum + value, 0);
const allRolls = over((set) => set.rolls);
console.log(
  `${played} rolls of ${stretches} stretches of ${seconds} s of simulated play, made in ${((performance.now() - began) / 1000).toFixed(0)} s, laid end to end ${times} times: ${allRolls} rolls`,
);

function raise(): never {
  throw new Error('no such stretch');
}

/** The whole journal piece by piece, and the time spent in making it and in the bare loop over each piece. */
const spent = { making: 0, bare: 0 };
let bytes = 0;
let zipped = 0;
let parsed = 0;
const heaps: number[] = [];
async function* journal(bare: boolean): AsyncGenerator<Uint8Array> {
  const { write } = journalWriter(createChain('t1'));
  for (let n = 0; n < times; n += 1) {
    const a = cpuS();
    const piece = write(setAt(n), n * spanMs);
    bytes += piece.length;
    if (n === 0) zipped = gzipSync(piece, { level: 6 }).length / piece.length;
    if ([0.1, 0.5, 1].some((share) => n === Math.ceil(share * times) - 1)) heaps.push(heapMb());
    const b = cpuS();
    spent.making += b - a;
    if (bare) {
      parsed += bareLoop(piece);
      spent.bare += cpuS() - b;
    }
    for (let at = 0; at < piece.length; at += 262_144) yield piece.subarray(at, at + 262_144);
  }
}

/** What checking cannot do without: read every line as JSON and hash it. */
function bareLoop(piece: Buffer): number {
  let count = 0;
  for (const line of piece.toString('utf8').split('\n')) {
    if (line === '') continue;
    JSON.parse(line);
    createHash('sha256').update(line).digest();
    count += 1;
  }
  return count;
}

{
  const from = cpuS();
  const verdict = await verifyLines(linesOf(journal(true)), NODE_TOOLS);
  const verify = cpuS() - from - spent.making - spent.bare;
  const mb = bytes / 1e6;
  const rate = (s: number): string => `${s.toFixed(1)} s, ${(mb / s).toFixed(0)} MB/s`;
  console.log(
    `size                    ${mb.toFixed(0)} MB, ${parsed} records, ${(bytes / allRolls / 1000).toFixed(0)} kB a roll, ${(zipped * 100).toFixed(0)} % of it compressed`,
  );
  console.log(`bare parse and SHA-256  ${rate(spent.bare)}`);
  console.log(
    `verify                  ${rate(verify)}: ${(spent.bare / verify).toFixed(2)} of the bare loop's speed (bar 0.50); ${verdict.broken?.text ?? `not broken, ${verdict.checkpoints} checkpoints`}`,
  );
  console.log(
    `memory                  ${heaps.map((mb10) => mb10.toFixed(0)).join(', ')} MB of heap after 10, 50 and 100 %`,
  );
}

{
  const share = Math.min(times, Math.max(1, Math.ceil(600_000 / setAt(0).entries.length)));
  const { write } = journalWriter(createChain('t1'));
  const pieces = Array.from({ length: share }, (_, n) => write(setAt(n), n * spanMs));
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield piece;
  };
  const source: Source = {
    path: 'bench',
    lines: () => linesOf(chunks()),
    records: (told) => readRecords(chunks(), told),
  };
  const heap = heapMb();
  const from = cpuS();
  const found = await replaySource(source, { parts: PARTS });
  const s = cpuS() - from;
  const grown = heapMb() - heap;
  const lines = over((set) => set.inputs.filter(({ kind }) => kind === 'line').length, share) / s;
  const samples = over((set) => set.samples, share) / s;
  // What the boards took, twelve channels each at 1 kHz: most of it comes as means.
  const taken = (2 * 12 * seconds * 1000 * share) / s;
  console.log(
    `replay from the lines   ${s.toFixed(1)} s for ${over((set) => set.rolls, share)} rolls: ${Math.round(lines)} lines/s, ${(samples / 1e6).toFixed(2)} million hall values/s in them, ${(taken / 1e6).toFixed(1)} million samples/s taken by the boards (bar 10), ${((seconds * share) / s).toFixed(0)} times as fast as play; ${found.rulings} rulings, heap grew by ${grown.toFixed(0)} MB`,
  );
}

{
  const from = cpuS();
  for (let n = 0; n < times; n += 1) loadPlay(setAt(n).setting.ruleset, setAt(n).savedPlay);
  const s = cpuS() - from;
  const turns = over((set) => set.turns);
  console.log(
    `rules alone             ${turns} turns of ${times} matches in ${s.toFixed(2)} s: 5,000 turns in ${((5000 * s) / turns).toFixed(2)} s (bar 2.5 s)`,
  );
}

{
  const idle = playedSet(21, 60_000, true);
  const piece = journalWriter(createChain('t1')).write(idle, 0);
  const anHour = (piece.length * 60) / 1e6;
  const shrunk = gzipSync(piece, { level: 6 }).length / piece.length;
  const playing = ((bytes / times) * 3600) / seconds / 1e6;
  console.log(
    `an hour                 ${anHour.toFixed(0)} MB idle (${(anHour * shrunk).toFixed(0)} MB compressed), ${playing.toFixed(0)} MB in play (${(playing * zipped).toFixed(0)} MB compressed)`,
  );
}

{
  const { state } = virtualTableAfter(45_000);
  const [one] = inputsOf(state.play);
  const rows = [100, 1000, 5000].map((count) => {
    const many = Array.from({ length: count }, (_, n) => ({
      seq: n + 1,
      input: { ...(one ?? raise()).input },
    }));
    const long = {
      ...state,
      play: { ...state.play, past: [], recent: { ...state.play.recent, inputs: many } },
    };
    savedWithHash(long);
    const took = Array.from({ length: 20 }, () => {
      const from = cpuS();
      savedWithHash(long);
      return 1000 * (cpuS() - from);
    }).sort((a, b) => a - b);
    return `${(took[10] ?? Number.NaN).toFixed(1)} ms after ${count} inputs`;
  });
  console.log(`a snapshot              ${rows.join(', ')}`);
}

function virtualTableAfter(ms: number) {
  const table = virtualTable({ seed: 21 });
  table.run(ms);
  return table;
}
