import type { Correction } from './corrections.ts';
import { counted, embedded, escaped } from './html.ts';
import type { RollCase } from './rolls.ts';

/** What vouches for the rulings and corrections of a bundle. */
export interface BundleProof {
  readonly origin: string;
  readonly key: string;
  readonly checkpoint: string;
  /** Leaf hash of each record that is shown, by its number. */
  readonly leaves: ReadonlyMap<number, string>;
  /** Proof files by the number of the record they are for. */
  readonly proofs: ReadonlyMap<number, string>;
  /** What `verify` says of the source. */
  readonly verdict: string;
}

/** The hashes and proofs of all that a bundle shows, for a machine to check. */
export function proofSection(
  proof: BundleProof,
  cases: readonly RollCase[],
  others: readonly Correction[],
): string {
  const shown = namedRecords(cases, others);
  const rows = [...shown].flatMap(([seq, { roll, what }]) => {
    const leaf = proof.leaves.get(seq);
    if (leaf === undefined) return [];
    const vouched = proof.proofs.has(seq) ? '' : ' <span class="soft">no proof yet</span>';
    return [
      `<tr><td>${escaped(roll)}</td><td>${what}${vouched}</td><td class="n">${seq}</td><td class="mono">${leaf}</td></tr>`,
    ];
  });
  const files = [...proof.proofs].map(
    ([seq, text]) =>
      `<details class="machine"><summary>Proof that record ${seq}, ${shown.get(seq)?.what ?? 'a record'}, is in the journal (check it with <code>bakucore verify</code>)</summary><pre class="mono" style="white-space:pre-wrap">${escaped(text.trim())}</pre></details>`,
  );
  const missing = [...shown.keys()].filter((seq) => !proof.proofs.has(seq)).length;
  const none =
    missing === 0
      ? ''
      : `<p class="small">${missing} of these records ${missing === 1 ? 'has' : 'have'} no proof: no checkpoint vouches for ${missing === 1 ? 'it' : 'them'} yet, or what stands before cannot be proven.</p>`;
  const { proofs: _, ...head } = proof;
  return `<section><h2>Proof</h2><div class="card"><p>${escaped(proof.verdict)}</p>
<p class="small">Journal <code>${escaped(proof.origin)}</code>, signed with <code>${escaped(proof.key)}</code>. A key proves that nothing was changed since; compare it with the one the table shows.</p>
<pre class="mono" style="white-space:pre-wrap">${escaped(proof.checkpoint.trim())}</pre>
<div class="wide"><table class="small"><thead><tr><th>roll</th><th>what</th><th class="n">record</th><th>SHA-256 of its leaf, base64url</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
${none}<details class="machine"><summary>${counted(files.length, 'proof file')}, one for each record</summary>${files.join('')}</details></div>
<script type="application/json" id="proof">${embedded({ ...head, leaves: [...proof.leaves] })}</script></section>`;
}

/** What each record is, by its number in their order. */
function namedRecords(
  cases: readonly RollCase[],
  others: readonly Correction[],
): ReadonlyMap<number, { readonly roll: string; readonly what: string }> {
  const named: [number, { roll: string; what: string }][] = [];
  const add = ({ seqs }: Correction, roll: string): void => {
    for (const seq of seqs) {
      named.push([seq, { roll, what: seq === seqs[0] ? 'judge’s command' : 'what came of it' }]);
    }
  };
  for (const one of cases) {
    one.rulingSeqs.forEach((seq, i) => {
      const ruling = one.rulings[i];
      named.push([seq, { roll: one.roll, what: `ruling ${ruling?.revision ?? ''}, ${ruling?.stage ?? ''}` }]);
    });
    for (const correction of one.corrections) add(correction, one.roll);
  }
  for (const correction of others) add(correction, '');
  return new Map(named.sort(([a], [b]) => a - b));
}
