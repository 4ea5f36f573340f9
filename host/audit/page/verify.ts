import { canonicalText } from '../../journal/canonical.ts';
import type { Damage } from '../../journal/damage.ts';
import { inflatedSoFar } from '../../journal/inflate.ts';
import { type Line, linesOf } from '../../journal/lines.ts';
import { type NoteKey, readKey } from '../../journal/note.ts';
import { isMatchHead, matchHeadOf } from '../match-head.ts';
import type { Verdict, VerifyTools } from '../verdict.ts';
import { verifySource } from '../verify-source.ts';
import { leftText } from '../what-is-left.ts';
import { pageHashing, sha256 } from './sha256.ts';

/** Hashing by this page, signatures by the browser where it knows Ed25519. */
export const PAGE_TOOLS: VerifyTools = {
  hashing: pageHashing,
  sha256: (bytes) => sha256(bytes),
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

/** Checks dropped files: one match file, or the segments of a journal in any order. */
export async function verifyFiles(files: readonly File[], key: NoteKey | undefined): Promise<Verdict> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
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
    return verifySource(
      { match, fileOf, lines: () => withoutHead(linesOf(piecesOf(sorted))), stateHash },
      PAGE_TOOLS,
      ask,
    );
  }
  return verifySource({ fileOf, lines: () => linesOf(piecesOf(sorted)) }, PAGE_TOOLS, ask);
}

/** As the host hashes a saved state. */
function stateHash(text: string): string {
  const saved: unknown = JSON.parse(text);
  if (typeof saved !== 'object' || saved === null) return '';
  const play = 'play' in saved && typeof saved.play === 'string' ? JSON.parse(saved.play) : null;
  const bytes = sha256(new TextEncoder().encode(canonicalText({ ...saved, play })));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function show(verdict: Verdict): void {
  const said = { intact: 'Intact', open: 'Intact so far', broken: 'Not intact' }[verdict.state];
  const { broken } = verdict;
  const lines = [
    `${verdict.records} records, ${verdict.from} to ${verdict.to - 1}; ${verdict.checkpoints} signed checkpoints; ${verdict.signedSize} records vouched for.`,
    ...(verdict.root === undefined ? [] : [`Root ${verdict.root}`]),
    ...verdict.keys.map((one) => `Signed by ${one}`),
    ...verdict.notes,
  ];
  const lead =
    broken === undefined
      ? undefined
      : `${broken.text} First broken place: record ${broken.seq}, line ${broken.line}${broken.file === undefined ? '' : `, in ${broken.file}`}. ${leftText(verdict)}`;
  result(said, verdict.state, lines, lead);
}

function result(said: string, state: string, lines: readonly string[], lead?: string): void {
  const box = document.querySelector('#result');
  if (box === null) return;
  const title = document.createElement('p');
  title.className = `verdict ${state}`;
  title.textContent = said;
  const list = document.createElement('ul');
  for (const line of lines) {
    const item = document.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  const first = document.createElement('p');
  first.textContent = lead ?? '';
  box.replaceChildren(title, ...(lead === undefined ? [] : [first]), list);
}

async function check(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const text = document.querySelector<HTMLInputElement>('#key')?.value.trim() ?? '';
  const key = text === '' ? undefined : readKey(text);
  if (text !== '' && key === undefined) {
    result('That is no public key', 'broken', ['A key reads name+8 hex digits+base64.']);
    return;
  }
  result(
    'Checking …',
    'open',
    files.map((file) => file.name),
  );
  try {
    show(await verifyFiles(files, key));
  } catch (error) {
    result('Not understood', 'broken', [error instanceof Error ? error.message : String(error)]);
  }
}

const drop = document.querySelector<HTMLElement>('#drop');
const pick = document.querySelector<HTMLInputElement>('#pick');
pick?.addEventListener('change', () => {
  const files = [...(pick.files ?? [])];
  // Another copy of the same name is a change as well, and is checked again.
  pick.value = '';
  void check(files);
});
drop?.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
drop?.addEventListener('dragleave', () => drop.classList.remove('over'));
drop?.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  void check([...(event.dataTransfer?.files ?? [])]);
});
