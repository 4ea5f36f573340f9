import { TableFault } from '../fault.ts';
import { bytesOfBase64Url } from '../journal/base64.ts';
import { isObject } from '../journal/entry.ts';
import { type NoteKey, readKey, readNote, type SignedCheckpoint } from '../journal/note.ts';
import { isConsistent, isIncluded, sameDigest } from '../journal/tree.ts';
import type { VerifyTools } from './verdict.ts';

/** Checks a proof alone: no journal, no host. Throws a TableFault when it is of a form that is not known here. */
export async function verifyProof(
  text: string,
  tools: VerifyTools,
  given: NoteKey | undefined,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const value = parsed(text);
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.proof)) throw unknownForm();
  const proof = value.proof.map(
    (one) => (typeof one === 'string' ? bytesOfBase64Url(one) : undefined) ?? new Uint8Array(),
  );
  const key = given ?? readKey(String(value.key));
  if (key === undefined) throw unknownForm();
  const signed = async (note: SignedCheckpoint): Promise<boolean> =>
    note.keyName === key.name &&
    sameDigest(note.keyId, key.keyId) &&
    (await tools.isSigned(key, note.body, note.signature)) === true;
  const bad = (why: string) => ({ ok: false, text: `The proof does not hold: ${why}.` });
  if (value.kind === 'inclusion') {
    const note = readNote(String(value.checkpoint));
    const { record, seq } = value;
    if (note === undefined || typeof record !== 'string' || typeof seq !== 'number') throw unknownForm();
    if (!(await signed(note))) return bad('its checkpoint is not signed by the key');
    const leaf = tools.hashing.leaf(new TextEncoder().encode(record));
    if (!isIncluded(tools.hashing, leaf, seq, note.size, proof, note.root)) {
      return bad('the record is not in the journal of that checkpoint');
    }
    return { ok: true, text: `Record ${seq} is in ${note.origin}, one of ${note.size} records.` };
  }
  if (value.kind === 'consistency') {
    const first = readNote(String(value.first));
    const second = readNote(String(value.second));
    if (first === undefined || second === undefined) throw unknownForm();
    if (!(await signed(first)) || !(await signed(second)))
      return bad('a checkpoint is not signed by the key');
    if (first.origin !== second.origin) return bad('the checkpoints are of different journals');
    if (!isConsistent(tools.hashing, first, second, proof)) {
      return bad(`the ${second.size} records do not begin with the ${first.size} before`);
    }
    return { ok: true, text: `${second.origin} has only grown: ${first.size} records, then ${second.size}.` };
  }
  throw unknownForm();
}

function unknownForm(): TableFault {
  return new TableFault(
    'journal/unknown-form',
    'This proof is not understood.',
    'It may come from a newer host, or a part of it is missing: get it again.',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unknownForm();
  }
}
