import type { Damage } from '../journal/damage.ts';
import { entryOfText } from '../journal/entry.ts';
import type { Line } from '../journal/lines.ts';
import type { Left, Verdict } from './verdict.ts';

/** Lines that were checked, and which record stands in which file. */
interface Checked {
  lines(): AsyncIterable<readonly Line[]>;
  fileOf?(seq: number): string;
}

/**
 * The verdict with the file of the first place that is wrong and what can be read behind it. Where that file cannot be
 * unpacked to its end, this is why the record is not as it was written, and is said so. Reads once more, only where
 * something is wrong.
 */
export async function withWhatIsLeft(checked: Checked, verdict: Verdict): Promise<Verdict> {
  const { broken } = verdict;
  if (broken === undefined) return verdict;
  const file = checked.fileOf?.(broken.seq);
  // What fits together no more may be the doing of the record on either side.
  const near = [file, checked.fileOf?.(broken.seq + 1)];
  const decoder = new TextDecoder();
  let damage: Damage | undefined;
  let left: Left | undefined;
  let line = 0;
  for await (const batch of checked.lines()) {
    for (const { bytes, damage: found } of batch) {
      if (found !== undefined) {
        if (damage === undefined && line >= broken.line - 1 && near.includes(found.file)) damage = found;
        continue;
      }
      line += 1;
      if (line < broken.line || bytes.length === 0) continue;
      const entry = entryOfText(decoder.decode(bytes));
      if (entry === undefined || 'pruned' in entry || entry.record.seq <= broken.seq) continue;
      const { seq } = entry.record;
      left = { records: (left?.records ?? 0) + 1, from: left?.from ?? seq, to: seq + 1 };
    }
  }
  // A file that ends early or is missing altogether says nothing of where its records were.
  const place = file === undefined || broken.what === 'removed' ? {} : { file };
  const rest = left === undefined ? {} : { left };
  if (damage === undefined || broken.what === 'damaged-file') {
    return { ...verdict, broken: { ...broken, ...place }, ...rest };
  }
  const seq = damage.file === file ? broken.seq : broken.seq + 1;
  const text = `Record ${seq} cannot be read as it was written: ${damage.file} is damaged (${damage.why}).`;
  return { ...verdict, broken: { ...broken, what: 'damaged-file', seq, text, file: damage.file }, ...rest };
}

/** Whether no record at all was found, whole or not: it may be something else altogether. */
export function holdsNothing({ records, left, broken }: Verdict): boolean {
  return records === 0 && left === undefined && broken !== undefined && broken.what !== 'damaged-file';
}

/** Which records were looked at, in words. */
export function placeText({ records, from, to }: Verdict): string {
  return records === 0 ? 'no record can be read' : `${records} records, ${from} to ${to - 1}`;
}

/** What stands on both sides of the first place that is wrong, in words. */
export function leftText({ left, records: sound }: Verdict): string {
  const before =
    sound === 0 ? 'Nothing stands before that place.' : 'What stands before that place is as it was written.';
  if (left === undefined) return `${before} Nothing behind it can be read.`;
  const { records, from, to } = left;
  const some = records < to - from ? ` ${records} of` : '';
  return `${before} Behind it${some} records ${from} to ${to - 1} can be read.`;
}
