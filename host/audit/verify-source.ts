import { bytesOfBase64Url } from '../journal/base64.ts';
import type { Line } from '../journal/lines.ts';
import { type NoteKey, readKey, readNote } from '../journal/note.ts';
import { hashesOf } from '../journal/pruned.ts';
import { growTree, sameDigest } from '../journal/tree.ts';
import type { MatchHead } from './match-head.ts';
import type { Broken, Verdict, VerifyAsk, VerifyTools } from './verdict.ts';
import { verifyLines } from './verify.ts';
import { checkHead, type HeadFound } from './verify-head.ts';
import { NO_SIGNATURES } from './verify-record.ts';
import { withWhatIsLeft } from './what-is-left.ts';

/** Records to check, with the head when they are a match file. */
export interface Lines {
  readonly match?: MatchHead;
  lines(): AsyncIterable<readonly Line[]>;
  /** The file that holds this record, where files have names. */
  fileOf?(seq: number): string;
}

/**
 * Checks a journal, or a match file alone: that its records stand in the tree that its checkpoint vouches for, and that
 * they prove all that its head says.
 */
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
  const { broken, notes: unproven } = await checkPlace(source, match, key, ask.key, tools);
  if (broken !== undefined) return { ...verdict, state: 'broken', broken };
  const notes = [
    ...unproven,
    ...verdict.notes.filter((note) => !note.startsWith('It does not end with a stop')),
    ...(verdict.state === 'open'
      ? [`It does not show what came behind its last record, ${match.to - 1}.`]
      : []),
  ];
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

/** Rebuilds the root over the whole journal from the records here and the hashes that stand for the others, then the head. */
async function checkPlace(
  source: Lines,
  match: MatchHead,
  key: NoteKey | undefined,
  given: NoteKey | undefined,
  tools: VerifyTools,
): Promise<HeadFound> {
  const at = (what: Broken['what'], text: string): HeadFound => ({
    broken: { what, seq: match.from, line: 1, text },
    notes: [],
  });
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
  const isSigned = await tools.isSigned(key, note.body, note.signature);
  if (isSigned === false) return at('checkpoint-forged', 'The signature of its checkpoint is not genuine.');
  const found = checkHead(match, first, given, tools);
  return isSigned === undefined ? { ...found, notes: [NO_SIGNATURES, ...found.notes] } : found;
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
    removed: [],
    notes: [],
  };
  return { ...(verdict ?? none), state: 'broken', broken };
}
