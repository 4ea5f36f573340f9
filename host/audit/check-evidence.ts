import { TableFault } from '../fault.ts';
import type { NoteKey } from '../journal/note.ts';
import { verifyProof } from './check-proof.ts';
import type { VerifyTools } from './verdict.ts';

/** What a file is by how it begins: a proof, a page, or something that may hold records. */
export type Beginning = 'proof' | 'page' | 'records';

/** Bytes of a file that are enough to tell. */
export const BEGINNING_BYTES = 4096;
/** A quote within a text of JSON has a backslash before it: this is a field. */
const PROOF = /^\s*\{(.*[,{])?\s*"format"\s*:\s*"bakucore-proof"/;

/** Tells what a file is by the first characters of it. */
export function beginningOf(text: string): Beginning {
  if (PROOF.test(text)) return 'proof';
  return /^\s*<(!doctype|html)\b/i.test(text) ? 'page' : 'records';
}

/** What stands for a character in a page, as `escaped` writes it. */
const ESCAPES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' } as const;

/** The proofs that a page of evidence shows, in order. */
export function proofsIn(html: string): readonly string[] {
  return [...html.matchAll(/<pre[^>]*>(\{&quot;format&quot;:&quot;bakucore-proof[^<]*)<\/pre>/g)].map(
    ([, text = '']) =>
      text.replace(/&(?:lt|gt|quot|#39|amp);/g, (one) => ESCAPES[one as keyof typeof ESCAPES] ?? one),
  );
}

/**
 * Checks the proofs that a page of evidence shows; all of them hold, or the text names the first that does not. Throws a
 * TableFault `journal/unknown-form` for a page that shows none: nothing in it can be checked.
 */
export async function verifyEvidence(
  html: string,
  tools: VerifyTools,
  given: NoteKey | undefined,
): Promise<{ readonly ok: boolean; readonly lines: readonly string[] }> {
  const proofs = proofsIn(html);
  if (proofs.length === 0) {
    throw new TableFault(
      'journal/unknown-form',
      'This is a page that shows no proof: nothing on it can be checked.',
      'Check the match file or the journal it was made from.',
    );
  }
  const lines: string[] = [];
  for (const proof of proofs) {
    const { ok, text } = await verifyProof(proof, tools, given);
    if (!ok) return { ok, lines: [text] };
    lines.push(text);
  }
  lines.push(
    'That proves these records, as the proofs show them, and not the page around them: check the match file or the journal it was made from.',
  );
  return { ok: true, lines };
}

/** What may be given to be checked. */
export const CHECKED_FILES =
  'a folder of a table or its segments (.jsonl, .jsonl.gz), a match file, a proof, or a page of evidence with proofs on it';

/** A file that nothing is known of. */
export function notOurs(name: string): TableFault {
  return new TableFault(
    'journal/unknown-form',
    `${name} is no journal, match file or proof.`,
    `Give ${CHECKED_FILES}.`,
  );
}
