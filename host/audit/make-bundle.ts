import { TableFault } from '../fault.ts';
import { textOfBase64Url } from '../journal/base64.ts';
import { endOf, entryOfText, isObject, LONGEST_END } from '../journal/entry.ts';
import type { Line } from '../journal/lines.ts';
import type { Parts } from '../parts.ts';
import { HOST_VERSION } from '../version.ts';
import { type BundleAsk, bundlePage } from './bundle.ts';
import type { BundleProof } from './bundle-proof.ts';
import { type Doubt, doubtOf, orDoubt } from './doubt.ts';
import { counted } from './html.ts';
import { NODE_TOOLS } from './node-tools.ts';
import { proveRecords } from './proof.ts';
import { type Correction, type RollCase, rollsOf } from './rolls.ts';
import type { Source } from './source.ts';
import { verifySource } from './verify-source.ts';

export interface MakeBundleAsk {
  readonly parts: Parts;
  /** Only this roll. */
  readonly roll?: string;
  /** Only this game of the journal; every one without it. */
  readonly game?: number;
  readonly video?: NonNullable<BundleAsk['video']>;
  /** Told what speaks against the source; the page says it too. */
  readonly doubtful?: (doubt: Doubt) => void;
}

/** The evidence of one roll or of all of them as one page. Throws a TableFault when there is no such roll. */
export async function makeBundle(source: Source, ask: MakeBundleAsk): Promise<string> {
  const cases: RollCase[] = [];
  const others: Correction[] = [];
  const wanted = (roll: string, game: number): boolean =>
    (ask.roll === undefined || ask.roll === roll) && (ask.game === undefined || ask.game === game);
  const look: Parameters<typeof rollsOf>[1] = {
    parts: ask.parts,
    ...(ask.roll === undefined ? {} : { only: ask.roll }),
    traceOf: wanted,
    each: (one) => {
      if (wanted(one.roll, one.game)) cases.push(one);
    },
    other: (correction, game) => {
      if (ask.roll === undefined && wanted('', game)) others.push(correction);
    },
  };
  await orDoubt(source, async () => {
    await rollsOf(source, look);
    if (cases.length === 0) {
      throw new TableFault(
        'library/no-such-match',
        `${source.match === undefined ? source.path : `Match ${source.match.match}`} has no ${whatOf(ask)}.`,
        'List them with: bakucore report, or choose one on the replay page.',
      );
    }
  });
  const [first] = cases;
  const what = ask.roll === undefined ? counted(cases.length, 'roll') : `roll ${ask.roll}`;
  const title = `Evidence: ${what}, ${first?.players.A} and ${first?.players.B}`;
  const proof = await proofOf(source, seqsShown(cases, others), ask.doubtful);
  const isShort = cases.some((one) => one.told !== undefined);
  const without = isShort ? ' Of records that are no longer kept only the hashes were checked.' : '';
  return bundlePage({
    title,
    cases,
    others,
    proof: { ...proof, verdict: `${proof.verdict}${without}` },
    madeBy: `bakucore-host ${HOST_VERSION}`,
    ...(ask.video === undefined ? {} : { video: ask.video }),
  });
}

/** Records of every ruling and every judge's word that the page shows. */
function seqsShown(cases: readonly RollCase[], others: readonly Correction[]): ReadonlySet<number> {
  const corrections = [...cases.flatMap((one) => one.corrections), ...others];
  const seqs = [...cases.flatMap((one) => one.rulingSeqs), ...corrections.flatMap((one) => one.seqs)];
  return new Set(seqs.sort((a, b) => a - b));
}

async function proofOf(
  source: Source,
  seqs: ReadonlySet<number>,
  doubtful?: (doubt: Doubt) => void,
): Promise<BundleProof> {
  const leaves = new Map<number, string>();
  let checkpoint = source.match?.checkpoint ?? '';
  let key = source.match?.key ?? '';
  const look = ({ bytes }: Line): void => {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = endOf(line.toString('utf8', Math.max(0, line.length - LONGEST_END)));
    if (end === undefined) return;
    if (seqs.has(end.seq)) leaves.set(end.seq, textOfBase64Url(NODE_TOOLS.hashing.leaf(bytes)));
    if (end.kind !== 'checkpoint' && end.kind !== 'open') return;
    const entry = entryOfText(line.toString('utf8'));
    const data = entry !== undefined && 'record' in entry ? entry.record.data : null;
    if (!isObject(data)) return;
    if (end.kind === 'checkpoint' && typeof data.note === 'string' && source.match === undefined)
      checkpoint = data.note;
    if (end.kind === 'open' && typeof data.key === 'string') key = data.key;
  };
  // Looked at while they are checked: unpacking and reading them once more would take as long again.
  const lines = async function* (): AsyncGenerator<readonly Line[]> {
    for await (const batch of source.lines()) {
      for (const line of batch) look(line);
      yield batch;
    }
  };
  const verdict = await verifySource({ ...source, lines }, NODE_TOOLS);
  const doubt = doubtOf(source.path, verdict);
  if (doubt !== undefined) doubtful?.(doubt);
  // A proof that cannot be made is missing on the page, which says so.
  const proofs =
    verdict.state === 'broken'
      ? new Map<number, string>()
      : await proveRecords(source, seqs, NODE_TOOLS).catch(() => new Map<number, string>());
  const said = {
    intact: 'The record was checked when this file was made: it is what was written.',
    open: 'The record was checked when this file was made: all of it is what was written, but it did not end with a stop.',
    broken: `The record was checked when this file was made, and it is NOT what was written: ${verdict.broken?.text ?? ''}`,
  }[verdict.state];
  return { origin: verdict.origin ?? '', key, checkpoint, leaves, proofs, verdict: said };
}

function whatOf({ roll, game }: MakeBundleAsk): string {
  const inGame = game === undefined ? '' : ` in game ${game}`;
  return roll === undefined ? `ruled roll${inGame}` : `roll ${roll}${inGame}`;
}
