import { bytesOfBase64Url } from '../journal/base64.ts';
import type { Line } from '../journal/lines.ts';
import { type NoteKey, readKey, readNote } from '../journal/note.ts';
import { hashesOf } from '../journal/pruned.ts';
import { growTree, sameDigest } from '../journal/tree.ts';
import type { MatchHead } from './match-head.ts';
import type { Broken, Verdict, VerifyAsk, VerifyTools } from './verdict.ts';
import { verifyLines } from './verify.ts';
import { withWhatIsLeft } from './what-is-left.ts';

/** Records to check, with the head when they are a match file. */
export interface Lines {
  readonly match?: MatchHead;
  lines(): AsyncIterable<readonly Line[]>;
  /** The file that holds this record, where files have names. */
  fileOf?(seq: number): string;
  /** SHA-256 of the canonical form of a saved state, hex; undefined where that cannot be made. */
  readonly stateHash?: (state: string) => string;
}

/** Checks a journal, or a match file alone: that its records stand in the tree that its checkpoint vouches for. */
export async function verifySource(source: Lines, tools: VerifyTools, ask: VerifyAsk = {}): Promise<Verdict> {
  const { match } = source;
  if (match === undefined) return withWhatIsLeft(source, await verifyLines(source.lines(), tools, ask));
  const key = ask.key ?? readKey(match.key);
  const before = match.before.map((hash) => bytesOfBase64Url(hash) ?? new Uint8Array());
  let start: VerifyAsk['start'];
  try {
    growTree(tools.hashing, match.from, before);
    start = { seq: match.from, frontier: before, prev: match.prev };
  } catch {
    return failed(match, 'tree', 'What stands for the records before does not fit its place.');
  }
  const own = { ...(key === undefined ? {} : { key }), start, to: match.to };
  const verdict = await withWhatIsLeft(source, await verifyLines(source.lines(), tools, own));
  if (verdict.state === 'broken') return verdict;
  if (verdict.to !== match.to) {
    return failed(
      match,
      'removed',
      `It ends at record ${verdict.to - 1} and should at ${match.to - 1}.`,
      verdict,
    );
  }
  const broken = await checkPlace(source, match, key, tools);
  if (broken !== undefined) return { ...verdict, state: 'broken', broken };
  const notes = verdict.notes.filter((note) => !note.startsWith('It does not end with a stop'));
  const size = readNote(match.checkpoint)?.size ?? 0;
  return {
    ...verdict,
    state: 'intact',
    signedSize: Math.max(verdict.signedSize, size),
    origin: match.origin,
    keys: [match.key],
    notes:
      ask.key === undefined
        ? [`It names its key itself: compare ${match.key} with the host's.`, ...notes]
        : notes,
  };
}

/** Rebuilds the root over the whole journal from the records here and the hashes that stand for the others. */
async function checkPlace(
  source: Lines,
  match: MatchHead,
  key: NoteKey | undefined,
  tools: VerifyTools,
): Promise<Broken | undefined> {
  const at = (what: Broken['what'], text: string): Broken => ({ what, seq: match.from, line: 1, text });
  const note = readNote(match.checkpoint);
  if (note === undefined || key === undefined || note.origin !== match.origin) {
    return at('checkpoint-malformed', 'Its checkpoint or its key is malformed.');
  }
  const tree = growTree(
    tools.hashing,
    match.from,
    match.before.map((hash) => bytesOfBase64Url(hash) ?? new Uint8Array()),
  );
  let first: string | undefined;
  for await (const batch of source.lines()) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      first ??= new TextDecoder().decode(bytes);
      tree.append(tools.hashing.leaf(bytes));
    }
  }
  try {
    tree.appendHidden(note.size, hashesOf(match.after));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return at('not-consistent', `Its checkpoint does not reach over all its records: ${error.message}`);
  }
  if (!sameDigest(tree.root(), note.root)) {
    return at('not-consistent', 'Its records are not in the journal that its checkpoint vouches for.');
  }
  if (note.keyName !== key.name || !sameDigest(note.keyId, key.keyId)) {
    return at('checkpoint-forged', 'A key that is not this journal’s signed its checkpoint.');
  }
  if ((await tools.isSigned(key, note.body, note.signature)) === false) {
    return at('checkpoint-forged', 'The signature of its checkpoint is not genuine.');
  }
  if (match.start !== null && source.stateHash !== undefined) {
    const named = /"state":"([0-9a-f]{64})"/.exec(first ?? '')?.[1];
    if (source.stateHash(match.start) !== named) {
      return at('start-state', 'The state it starts from is not the one that its first record names.');
    }
  }
  return undefined;
}

function failed(match: MatchHead, what: Broken['what'], text: string, verdict?: Verdict): Verdict {
  const broken = { what, seq: verdict?.to ?? match.from, line: 1, text };
  const none = {
    records: 0,
    from: match.from,
    to: match.from,
    checkpoints: 0,
    signedSize: 0,
    keys: [],
    notes: [],
  };
  return { ...(verdict ?? none), state: 'broken', broken };
}
