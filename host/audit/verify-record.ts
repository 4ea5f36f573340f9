import { textOfBase64Url } from '../journal/base64.ts';
import { canonicalText } from '../journal/canonical.ts';
import { type ChainedRecord, isObject, type Pruned } from '../journal/entry.ts';
import type { NoteKey } from '../journal/note.ts';
import { keyIdSource, readKey, readNote, type SignedCheckpoint } from '../journal/note.ts';
import { appendPruned } from '../journal/pruned.ts';
import { sameDigest } from '../journal/tree.ts';
import { type CheckState, stopAt, type VerifyAsk, type VerifyTools } from './verdict.ts';

const TIMED: ReadonlySet<string> = new Set(['open', 'line', 'link', 'command', 'tick', 'close']);
/** Said where a machine cannot check Ed25519. */
export const NO_SIGNATURES = 'This machine cannot check signatures: hashes only were checked.';
/** A label of wall time may lie this far behind what the last one leads to expect, ms. */
const SET_BACK_MS = 2000;

/**
 * Checks what a record says of itself and of the records before it. Throws a `Stop`. Gives a promise only where a
 * signature has to be waited for.
 */
export function takeRecord(
  state: CheckState,
  record: ChainedRecord,
  text: string,
  tools: VerifyTools,
  ask: VerifyAsk,
): Promise<void> | undefined {
  const { kind, seq, atMs } = record;
  const data = isObject(record.data) ? record.data : {};
  if (TIMED.has(kind)) {
    if (atMs < state.timedMs) {
      throw stopAt(
        'clock-set-back',
        state,
        `Time goes back at record ${seq}: from ${state.timedMs} to ${atMs} ms.`,
      );
    }
    state.timedMs = atMs;
  }
  if (kind === 'segment') checkFrontier(state, data);
  if (typeof data.key === 'string' && (kind === 'open' || kind === 'segment'))
    nameKey(state, data.key, tools, ask);
  if (typeof data.wallTime === 'string') checkWall(state, data.wallTime, atMs, seq);
  const signature = kind === 'checkpoint' ? checkCheckpoint(state, record, text, tools) : undefined;
  if (kind === 'open' && state.records > 0 && !state.closed && state.seq > 0) {
    state.notes.push(`The host was not stopped but ended before record ${seq}, as by a kill or a power cut.`);
  }
  state.closed = kind === 'close' || (state.closed && (kind === 'checkpoint' || kind === 'segment'));
  state.atMs = atMs;
  return signature;
}

/** The first record of a segment carries the tree so far. */
function checkFrontier(state: CheckState, data: ChainedRecord['data'] & object): void {
  const hashes = 'frontier' in data && Array.isArray(data.frontier) ? data.frontier : [];
  const own = state.tree.frontier().map(textOfBase64Url);
  if (JSON.stringify(hashes) !== JSON.stringify(own)) {
    throw stopAt(
      'tree',
      state,
      `The tree that record ${state.seq} tells of is not that of the records before it.`,
    );
  }
}

function nameKey(state: CheckState, text: string, tools: VerifyTools, ask: VerifyAsk): void {
  const key = readKey(text);
  const id =
    key === undefined ? undefined : tools.sha256(keyIdSource(key.name, key.publicKey)).subarray(0, 4);
  if (key === undefined || id === undefined || !sameDigest(id, key.keyId)) {
    throw stopAt('checkpoint-malformed', state, `Record ${state.seq} names a key that is none.`);
  }
  if (ask.key !== undefined) return;
  if (state.key !== undefined && !sameDigest(state.key.publicKey, key.publicKey)) {
    state.notes.push(`From record ${state.seq} on it is signed with another key: ${text}.`);
  }
  state.key = key;
}

function checkWall(state: CheckState, label: string, atMs: number, seq: number): void {
  const at = Date.parse(label);
  if (Number.isNaN(at)) return;
  const { wall } = state;
  if (wall !== undefined && at < wall.at + Math.max(0, atMs - wall.atMs) - SET_BACK_MS) {
    const by = Math.round((wall.at + Math.max(0, atMs - wall.atMs) - at) / 1000);
    state.notes.push(
      `The wall clock was set back by about ${by} s before record ${seq}. Order and times of play are not touched.`,
    );
  }
  state.wall = { at, atMs };
}

async function checkCheckpoint(
  state: CheckState,
  record: ChainedRecord,
  text: string,
  tools: VerifyTools,
): Promise<void> {
  const { seq } = record;
  const data = isObject(record.data) ? record.data : {};
  const note = typeof data.note === 'string' ? readNote(data.note) : undefined;
  if (note === undefined || Object.keys(data).length !== 1 || canonicalText(JSON.parse(text)) !== text) {
    throw stopAt('checkpoint-malformed', state, `The checkpoint in record ${seq} is malformed.`);
  }
  // After removed records their time is not known.
  const late = !Number.isNaN(state.atMs) && record.atMs !== state.atMs;
  if (note.size !== seq || late) {
    throw stopAt('checkpoint-forged', state, `The checkpoint in record ${seq} is not of this place.`);
  }
  state.origin ??= note.origin;
  if (note.origin !== state.origin) {
    throw stopAt('other-journal', state, `The checkpoint in record ${seq} is of ${note.origin}.`);
  }
  if (!sameDigest(note.root, state.tree.root())) {
    throw stopAt(
      'checkpoint-forged',
      state,
      `The root in the checkpoint of record ${seq} is not that of the records.`,
    );
  }
  await checkSignature(state, note, tools, `the checkpoint in record ${seq}`);
  state.checkpoints += 1;
  state.signedSize = note.size;
}

async function checkSignature(
  state: CheckState,
  note: SignedCheckpoint,
  tools: VerifyTools,
  what: string,
): Promise<void> {
  const { key } = state;
  if (key === undefined) throw stopAt('checkpoint-forged', state, `No key is known for ${what}.`);
  if (key.name !== note.keyName || !sameDigest(key.keyId, note.keyId)) {
    throw stopAt('checkpoint-forged', state, `A key that is not this journal's signed ${what}.`);
  }
  const signed = await tools.isSigned(key, note.body, note.signature);
  if (signed === false) throw stopAt('checkpoint-forged', state, `The signature of ${what} is not genuine.`);
  if (signed === undefined) {
    if (!state.notes.includes(NO_SIGNATURES)) state.notes.push(NO_SIGNATURES);
  }
  state.keys.set(keyTextOf(key), key);
}

function keyTextOf(key: NoteKey): string {
  const id = [...key.keyId].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${key.name}+${id}`;
}

/** All runs of removed records in one sentence; undefined when there are none. */
export function removedText(removed: CheckState['removed']): string | undefined {
  const [first] = removed;
  const last = removed.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const where = `${first.from} to ${last.to - 1}`;
  const left = 'were removed with leave; their hashes stand for them.';
  if (removed.length === 1) return `Records ${where} ${left}`;
  const count = removed.reduce((sum, { from, to }) => sum + to - from, 0);
  return `${count} records in ${removed.length} runs, of records ${where}, ${left}`;
}

/** Records that were removed with leave: their hashes stand for them. */
export function takePruned(state: CheckState, pruned: Pruned): void {
  const { from, to, last } = pruned;
  try {
    appendPruned(state.tree, pruned);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw stopAt(
      'bad-removal',
      state,
      `The removal that line ${state.line} tells of does not fit record ${state.seq}: ${error.message}`,
    );
  }
  state.prev = last;
  state.seq = to;
  state.atMs = Number.NaN;
  state.removed.push({ from, to });
}
