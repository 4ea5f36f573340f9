import { basename, join } from 'node:path';
import type { Disk } from './disk.ts';
import { isObject } from './entry.ts';
import { type Segment, segmentName, segmentsIn } from './segments.ts';

/** Name of the list of closed segments beside them. It only tells a start what is missing or cut off. */
export const CLOSED_FILE = 'closed.json';

/** No packed file is shorter, bytes: its head and its sum. */
const LEAST_PACKED_BYTES = 18;

/** A closed segment as it was left. */
interface Closed {
  readonly firstSeq: number;
  readonly packed: boolean;
  /** Undefined while it is written again: a crash then leaves it so. */
  readonly bytes?: number;
}

/** Runs work that writes closed segments again, and notes how it leaves them. What it gives or throws is handed on. */
export async function notingClosed<Value>(
  disk: Disk,
  folder: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const known = await listed(disk, folder);
  const before = await standing(disk, folder);
  if (known.length > 0)
    await write(
      disk,
      folder,
      known.map(({ firstSeq, packed }) => ({ firstSeq, packed })),
    );
  try {
    return await work();
  } finally {
    const after = await standing(disk, folder);
    const firsts = [...new Set([...known, ...after].map(({ firstSeq }) => firstSeq))].sort((a, b) => a - b);
    const all = firsts.flatMap((firstSeq) => {
      const of = (list: readonly Closed[]) => list.find((one) => one.firstSeq === firstSeq);
      const [noted, was, is] = [of(known), of(before), of(after)];
      // What was cut off beforehand stays noted as it was left.
      const isTouched = was?.bytes !== is?.bytes || was?.packed !== is?.packed;
      return (is !== undefined && (isTouched || noted?.bytes === undefined) ? is : noted) ?? [];
    });
    await write(disk, folder, all);
  }
}

/**
 * What is missing of the closed segments of a table or is not as long as it was left, a sentence each. Looks at names and
 * sizes alone; `verify` reads everything.
 */
export async function holesIn(
  disk: Disk,
  folder: string,
  segments: readonly Segment[],
): Promise<readonly string[]> {
  const [oldest] = segments;
  if (oldest === undefined) return [];
  const known = await listed(disk, folder);
  const firsts = [...known, ...segments].map(({ firstSeq }) => firstSeq);
  const upTo = (firstSeq: number): string => {
    const next = Math.min(...firsts.filter((one) => one > firstSeq));
    return Number.isFinite(next) ? `records ${firstSeq} to ${next - 1}` : `records from ${firstSeq} on`;
  };
  const lost = (what: string, firstSeq: number): string =>
    `${what}: ${upTo(firstSeq)} cannot be replayed or proven, or only in part. The table goes on. Put the file back from a copy; bakucore verify ${folder} tells more.`;
  const holes: string[] = [];
  if (Math.min(...firsts) > 0) holes.push(lost(`${segmentName(0)} is missing from ${folder}`, 0));
  for (const { firstSeq, packed } of known) {
    if (segments.some((one) => one.firstSeq === firstSeq)) continue;
    holes.push(lost(`${segmentName(firstSeq)}${packed ? '.gz' : ''} is missing from ${folder}`, firstSeq));
  }
  for (const { firstSeq, path, compressed } of segments.slice(0, -1)) {
    const bytes = await disk.size(path);
    const left = known.find((one) => one.firstSeq === firstSeq && one.packed === compressed)?.bytes;
    if (left !== undefined && left !== bytes) {
      holes.push(
        lost(`${basename(path)} in ${folder} has ${bytes} bytes, not ${left} as it was left`, firstSeq),
      );
    } else if (compressed && bytes < LEAST_PACKED_BYTES) {
      holes.push(lost(`${basename(path)} in ${folder} is empty`, firstSeq));
    }
  }
  return holes;
}

async function standing(disk: Disk, folder: string): Promise<readonly Closed[]> {
  const closed = (await segmentsIn(disk, folder)).slice(0, -1);
  return Promise.all(
    closed.map(async ({ firstSeq, path, compressed }) => ({
      ...{ firstSeq, packed: compressed },
      bytes: await disk.size(path),
    })),
  );
}

/** Empty where there is no list, or none that can be read. */
async function listed(disk: Disk, folder: string): Promise<readonly Closed[]> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await disk.read(join(folder, CLOSED_FILE))).toString());
    return Array.isArray(value) ? value.flatMap((one) => closedOf(one) ?? []) : [];
  } catch {
    return [];
  }
}

function closedOf(value: unknown): Closed | undefined {
  if (!isObject(value)) return undefined;
  const { firstSeq, packed, bytes } = value;
  if (typeof firstSeq !== 'number' || typeof packed !== 'boolean') return undefined;
  return { firstSeq, packed, ...(typeof bytes === 'number' ? { bytes } : {}) };
}

/** A disk that does not take it costs a word at a start, not the work. */
async function write(disk: Disk, folder: string, all: readonly Closed[]): Promise<void> {
  await disk.replace(join(folder, CLOSED_FILE), Buffer.from(`${JSON.stringify(all)}\n`)).catch(() => {});
}
