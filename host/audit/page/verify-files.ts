import { canonicalText } from '../../journal/canonical.ts';
import type { Damage } from '../../journal/damage.ts';
import { inflatedSoFar } from '../../journal/inflate.ts';
import { type Line, linesOf } from '../../journal/lines.ts';
import type { NoteKey } from '../../journal/note.ts';
import { BEGINNING_BYTES, beginningOf, notOurs, verifyEvidence } from '../check-evidence.ts';
import { verifyProof } from '../check-proof.ts';
import { isMatchHead, matchHeadOf } from '../match-head.ts';
import type { Verdict, VerifyTools } from '../verdict.ts';
import { verifySource } from '../verify-source.ts';
import { holdsNothing } from '../what-is-left.ts';
import { pageHashing, sha256 } from './sha256.ts';

/** Hashing by this page, signatures by the browser where it knows Ed25519. */
export const PAGE_TOOLS: VerifyTools = {
  hashing: pageHashing,
  sha256: (bytes) => sha256(bytes),
  stateHash,
  async isSigned(key, body, signature) {
    try {
      const name = { name: 'Ed25519' };
      const own = await crypto.subtle.importKey('raw', Uint8Array.from(key.publicKey), name, false, [
        'verify',
      ]);
      return await crypto.subtle.verify(
        name,
        own,
        Uint8Array.from(signature),
        new TextEncoder().encode(body),
      );
    } catch {
      return undefined;
    }
  },
};

async function* piecesOf(files: readonly File[]): AsyncGenerator<Uint8Array | Damage> {
  for (const file of files) {
    if (file.name.endsWith('.gz')) yield* unpackedSoFar(file);
    else yield* read(file.stream());
  }
}

/** What can be unpacked of a file, and then, where that is not all, what is wrong with it. */
async function* unpackedSoFar(file: File): AsyncGenerator<Uint8Array | Damage> {
  let given = 0;
  try {
    for await (const piece of read(file.stream().pipeThrough(new DecompressionStream('gzip')))) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    const packed = new Uint8Array(await file.arrayBuffer());
    const rest = inflatedSoFar(packed).subarray(given);
    if (rest.length > 0) yield rest;
    const why = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    yield { file: file.name, why: packed.length === 0 ? 'it is empty' : why };
  }
}

async function* read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const SEGMENT = /^(\d{12})\.jsonl(\.gz)?$/;

/** The file that holds a record, as segments are named by their first. */
function fileAmong(files: readonly File[], seq: number): string {
  const holds = ({ name }: File): boolean => Number(SEGMENT.exec(name)?.[1] ?? 0) <= seq;
  return ([...files].reverse().find(holds) ?? files[0])?.name ?? '';
}

async function* withoutHead(lines: AsyncIterable<readonly Line[]>): AsyncGenerator<readonly Line[]> {
  let first = true;
  for await (const batch of lines) {
    yield first ? batch.slice(1) : batch;
    first = false;
  }
}

/** What came of dropped files: a verdict over records, or what the proofs among them prove. */
export type Checked =
  | { readonly verdict: Verdict }
  | { readonly proofs: { readonly ok: boolean; readonly lines: readonly string[] } };

/**
 * Checks dropped files: one match file, the segments of a journal in any order, a proof or a page of evidence. Throws a
 * TableFault for what is none of these.
 */
export async function verifyFiles(files: readonly File[], key: NoteKey | undefined): Promise<Checked> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const [only, ...more] = sorted;
  if (only !== undefined && more.length === 0) {
    const kind = beginningOf(await only.slice(0, BEGINNING_BYTES).text());
    if (kind === 'page') return { proofs: await verifyEvidence(await only.text(), PAGE_TOOLS, key) };
    if (kind === 'proof') {
      const { ok, text } = await verifyProof(await only.text(), PAGE_TOOLS, key);
      return { proofs: { ok, lines: [text] } };
    }
  }
  let head: string | undefined;
  for await (const batch of linesOf(piecesOf(sorted.slice(0, 1)))) {
    const [first] = batch;
    if (first !== undefined && first.damage === undefined) head = new TextDecoder().decode(first.bytes);
    break;
  }
  const fileOf = (seq: number): string => fileAmong(sorted, seq);
  const ask = key === undefined ? {} : { key };
  if (head !== undefined && isMatchHead(head)) {
    const match = matchHeadOf(head);
    const lines = () => withoutHead(linesOf(piecesOf(sorted)));
    return { verdict: await verifySource({ match, fileOf, lines }, PAGE_TOOLS, ask) };
  }
  const verdict = await verifySource({ fileOf, lines: () => linesOf(piecesOf(sorted)) }, PAGE_TOOLS, ask);
  const isSegment = sorted.some(({ name }) => SEGMENT.test(name));
  if (holdsNothing(verdict) && !isSegment) throw notOurs(sorted.map(({ name }) => name).join(', '));
  return { verdict };
}

/** As the host hashes a saved state. */
function stateHash(text: string): string {
  const saved: unknown = JSON.parse(text);
  if (typeof saved !== 'object' || saved === null) return '';
  const play = 'play' in saved && typeof saved.play === 'string' ? JSON.parse(saved.play) : null;
  const bytes = sha256(new TextEncoder().encode(canonicalText({ ...saved, play })));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
