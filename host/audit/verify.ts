/**
 * Checks a journal against itself: every record against the hash in the next, every checkpoint against tree and
 * signature. Needs no clock, no server and no secret; hashing and signatures are handed in, so that the page that
 * checks a dropped file runs this very code.
 */
import { textOfBase64Url } from '../journal/base64.ts';
import { NO_PREV } from '../journal/chain-start.ts';
import type { Damage } from '../journal/damage.ts';
import { type ChainedRecord, entryOfText } from '../journal/entry.ts';
import type { Line } from '../journal/lines.ts';
import type { NoteKey, SignedCheckpoint } from '../journal/note.ts';
import { type Digest, growTree, sameDigest } from '../journal/tree.ts';
import {
  type Broken,
  type CheckState,
  Stop,
  stopAt,
  type Verdict,
  type VerifyAsk,
  type VerifyTools,
} from './verdict.ts';
import { removedText, takePruned, takeRecord } from './verify-record.ts';

/** Checks records from their lines. Never throws for what they hold; the source may. */
export async function verifyLines(
  lines: AsyncIterable<readonly Line[]>,
  tools: VerifyTools,
  ask: VerifyAsk = {},
): Promise<Verdict> {
  const from = ask.start?.seq ?? 0;
  const state: CheckState = {
    tree: growTree(tools.hashing, from, ask.start?.frontier ?? []),
    prev: from === 0 ? NO_PREV : ask.start?.prev,
    seq: from,
    line: 0,
    records: 0,
    checkpoints: 0,
    signedSize: 0,
    table: undefined,
    origin: undefined,
    keys: new Map(),
    key: ask.key,
    removed: [],
    notes: [],
    closed: false,
    atMs: 0,
    timedMs: Number.NEGATIVE_INFINITY,
    wall: undefined,
  };
  const kept = [...(ask.kept ?? [])].sort((a, b) => a.size - b.size);
  const decoder = new TextDecoder();
  let broken: Broken | undefined;
  try {
    await checkKept(kept, tools, ask.key);
    let held: Stop | undefined;
    let junk: Stop | undefined;
    let before: Digest | undefined;
    let damage: Damage | undefined;
    for await (const batch of lines) {
      for (const { bytes, whole, damage: found } of batch) {
        if (found !== undefined) {
          if (held !== undefined) throw held;
          if (damage !== undefined) throw damagedAt(state, damage);
          damage = found;
          junk = undefined;
          continue;
        }
        state.line += 1;
        if (bytes.length === 0) continue;
        const text = decoder.decode(bytes);
        const entry = whole ? entryOfText(text) : undefined;
        const record = entry !== undefined && 'record' in entry ? entry.record : undefined;
        // The record after the first that does not fit says which of the two was touched.
        if (held !== undefined) throw named(held, record, before);
        // Lines that are none can be how a damaged file ends, behind all of its records.
        if (junk !== undefined && entry !== undefined) throw junk;
        if (damage !== undefined) {
          if (!goesOn(state, entry)) throw damagedAt(state, damage, record);
          state.notes.push(harmless(damage));
          damage = undefined;
        }
        if (entry === undefined) {
          junk ??= unreadable(state, whole);
          continue;
        }
        if ('pruned' in entry) {
          takePruned(state, entry.pruned);
          continue;
        }
        const leaf = tools.hashing.leaf(bytes);
        before = leaf;
        held = misfit(state, entry.record);
        if (held !== undefined) continue;
        const signature = takeRecord(state, entry.record, text, tools, ask);
        if (signature !== undefined) await signature;
        state.tree.append(leaf);
        state.prev = textOfBase64Url(leaf);
        state.seq += 1;
        state.records += 1;
        if (kept.length > 0) checkAgainstKept(state, kept);
      }
    }
    if (held !== undefined) throw held;
    if (junk !== undefined) throw junk;
    if (damage !== undefined) {
      if (ask.to !== state.seq) throw damagedAt(state, damage);
      state.notes.push(harmless(damage));
    }
    if (state.records === 0) throw stopAt('empty', state, 'There is no record in it.');
    const ahead = kept.find(({ size }) => size > state.seq);
    if (ahead !== undefined) {
      throw stopAt(
        'removed',
        state,
        `The journal ends at record ${state.seq - 1}, but a checkpoint kept elsewhere vouches for ${ahead.size} records: its tail was cut off.`,
      );
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    broken = error.broken;
  }
  const removed = removedText(state.removed);
  if (removed !== undefined) state.notes.push(removed);
  const unsigned = state.seq - state.signedSize;
  if (broken === undefined && !state.closed) {
    state.notes.push(
      `It does not end with a stop: the host still runs, was killed, or the tail was cut off. The last ${unsigned} records are not vouched for by a checkpoint.`,
    );
  }
  return {
    state: broken !== undefined ? 'broken' : state.closed ? 'intact' : 'open',
    ...(broken === undefined ? {} : { broken }),
    records: state.records,
    from,
    to: state.seq,
    checkpoints: state.checkpoints,
    signedSize: state.signedSize,
    ...(state.origin === undefined ? {} : { origin: state.origin }),
    keys: [...state.keys.keys()],
    root: textOfBase64Url(state.tree.root()),
    removed: state.removed,
    notes: state.notes,
  };
}

/** Whether what follows a file that is damaged at its end is what would follow if nothing were missing. */
function goesOn(state: CheckState, entry: ReturnType<typeof entryOfText>): boolean {
  if (entry === undefined) return false;
  return 'pruned' in entry ? entry.pruned.from === state.seq : misfit(state, entry.record) === undefined;
}

/** What is lost where a file cannot be unpacked to its end, by the record that follows it, if one does. */
function damagedAt(state: CheckState, { file, why }: Damage, next?: ChainedRecord): Stop {
  // None is missing, and what the next one names is not what stands before it.
  if (next?.seq === state.seq && state.records > 0) {
    const seq = state.seq - 1;
    const text = `Record ${seq} is not as it was written: ${file} cannot be unpacked to its end (${why}).`;
    return stopAt('damaged-file', state, text, seq);
  }
  const text = `Record ${state.seq} cannot be read: ${file} cannot be unpacked from there on (${why}).`;
  return stopAt('damaged-file', state, text);
}

function harmless({ file, why }: Damage): string {
  return `${file} is damaged (${why}), yet all its records are there as they were written. Take another copy of it.`;
}

function unreadable(state: CheckState, whole: boolean): Stop {
  return whole
    ? stopAt('not-a-record', state, `Record ${state.seq} cannot be read: line ${state.line} is no record.`)
    : stopAt('torn-tail', state, `The last line, record ${state.seq}, was cut off.`);
}

/** How a record does not follow the one before, if so. */
function misfit(state: CheckState, record: ChainedRecord): Stop | undefined {
  const { seq, prev, table } = record;
  if (state.records === 0 && state.seq === 0 && seq !== 0) {
    return stopAt('not-the-beginning', state, `It begins with record ${seq}: what was before is not here.`);
  }
  if (seq !== state.seq) {
    return seq > state.seq
      ? stopAt('removed', state, missingText(state.seq, seq))
      : stopAt(
          'swapped',
          state,
          `Record ${seq} stands where record ${state.seq} should: it was moved or doubled.`,
        );
  }
  if (state.prev !== undefined && prev !== state.prev) {
    return stopAt('changed', state, `Record ${seq - 1} or ${seq} is not what was written.`, seq - 1);
  }
  state.table ??= table;
  if (table !== state.table) return stopAt('other-journal', state, `Record ${seq} is of table ${table}.`);
  return undefined;
}

function missingText(from: number, to: number): string {
  return to - from === 1 ? `Record ${from} was removed.` : `Records ${from} to ${to - 1} were removed.`;
}

/** Says more exactly what happened at the record before, by the one that follows. */
function named(held: Stop, next: ChainedRecord | undefined, leaf: Digest | undefined): Stop {
  const { broken } = held;
  if (broken.what === 'removed' && next?.seq === broken.seq) {
    const text = `Records ${broken.seq} and ${broken.seq + 1} were swapped.`;
    return new Stop({ ...broken, what: 'swapped', text });
  }
  if (broken.what === 'changed' && next !== undefined && leaf !== undefined) {
    const seq = next.prev === textOfBase64Url(leaf) ? broken.seq : broken.seq + 1;
    return new Stop({ ...broken, seq, text: `Record ${seq} was changed after it was written.` });
  }
  return held;
}

async function checkKept(
  kept: readonly SignedCheckpoint[],
  tools: VerifyTools,
  key: NoteKey | undefined,
): Promise<void> {
  if (key === undefined) return;
  for (const note of kept) {
    if ((await tools.isSigned(key, note.body, note.signature)) === false) {
      const text = `The checkpoint over ${note.size} records that was kept is not signed by the given key.`;
      throw new Stop({ what: 'checkpoint-forged', seq: note.size, line: 0, text });
    }
  }
}

function checkAgainstKept(state: CheckState, kept: readonly SignedCheckpoint[]): void {
  for (const note of kept) {
    if (note.size !== state.seq) continue;
    if (!sameDigest(note.root, state.tree.root())) {
      throw stopAt(
        'not-consistent',
        state,
        `The first ${note.size} records are not those that the checkpoint kept elsewhere vouches for.`,
        note.size - 1,
      );
    }
  }
}
