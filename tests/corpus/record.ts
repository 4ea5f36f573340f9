// Plays the corpus of recorded matches anew: node tests/corpus/record.ts (Node 24), or node <built>. Look at every roll
// that `bakucore diff tests/corpus/*.jsonl.gz --trace flips` names before you do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { journalWriter, playedSet } from '../../bin/bench/journal-set.ts';
import type { VirtualTableAsk } from '../../bin/bench/virtual-table.ts';
import { createChain } from '../../host/journal/chain.ts';
import { type Effect, roomUnder } from '../../sim/effects.ts';
import { LOST_LINES, SOUND_WIRE } from '../../sim/wire-faults.ts';

const SECONDS = 45;
const room = (seed: number, ...effects: readonly Effect[]): Partial<VirtualTableAsk> => ({
  room: roomUnder(effects, seed),
});

/** What each file was played under. */
const FILES: readonly (readonly [string, number, Partial<VirtualTableAsk>])[] = [
  ['sound-1', 41, {}],
  ['sound-2', 42, {}],
  ['spikes-and-drift', 43, room(43, 'spikes', 'drift')],
  ['lost-lines', 44, { wire: { ...SOUND_WIRE, lost: LOST_LINES } }],
];

let total = 0;
for (const [name, seed, under] of FILES) {
  const set = playedSet(seed, SECONDS * 1000, false, under);
  const { write, end } = journalWriter(createChain('t1'));
  const bytes = Buffer.concat([write(set, 0), end()]);
  const zipped = gzipSync(bytes, { level: 9 });
  total += zipped.length;
  writeFileSync(join(import.meta.dirname, `${name}.jsonl.gz`), zipped);
  process.stdout.write(`${name}: ${set.rolls} rolls, ${bytes.length} bytes, ${zipped.length} compressed\n`);
}
process.stdout.write(`${total} bytes in all\n`);
