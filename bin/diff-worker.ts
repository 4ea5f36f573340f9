import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { flipPage } from '../host/audit/flip-page.ts';
import { flipsBetween } from '../host/audit/flips.ts';
import { type Otherwise, type Rejudged, rejudge } from '../host/audit/rejudge.ts';
import { TableFault, wordsOf } from '../host/fault.ts';
import { PARTS } from '../host/parts.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import { openTelling } from './open-telling.ts';
import { loadOtherHost } from './other-host.ts';

/** What a thread of `bakucore diff` is told. */
export interface DiffAsk {
  readonly file: string;
  readonly otherwise: Otherwise;
  /** Folder of the built program of another version of this host, which judges instead. */
  readonly host?: string;
  /** What the other side is, in words. */
  readonly against: string;
}

/** What it tells: each roll, with the page of one that flips; how far it is; what went wrong. */
export type DiffTold =
  | { readonly roll: Omit<Rejudged, 'trace' | 'cores'>; readonly page?: string }
  | { readonly records: number }
  | { readonly failed: string };

/** Judges one journal and tells of it. */
async function judge(ask: DiffAsk, say: (told: DiffTold) => void): Promise<void> {
  const { file, otherwise, host, against } = ask;
  const { traces } = otherwise;
  const other = host === undefined ? undefined : await rulingsOf(host, file, otherwise);
  await rejudge(
    await openTelling(file),
    PARTS,
    other === undefined ? otherwise : traces === undefined ? {} : { traces: 'all' },
    (rejudged) => {
      const judged = other === undefined ? rejudged : withOther(rejudged, other);
      const { trace: _, cores: __, ...roll } = judged;
      const page =
        traces !== undefined && judged.flips.length > 0 ? flipPage(file, against, judged) : undefined;
      say({ roll, ...(page === undefined ? {} : { page }) });
    },
    () => say({ records: 4096 }),
  );
}

type OtherRulings = Map<string, (RollRuling | undefined)[]>;

/** The rulings of another version of this host on the same lines: its decoder, its detector, its rules. */
async function rulingsOf(folder: string, file: string, otherwise: Otherwise): Promise<OtherRulings> {
  const other = await loadOtherHost(folder);
  const found: OtherRulings = new Map();
  await other.rejudge(await other.openSource(file), other.parts, otherwise, ({ game, roll, after }) => {
    const key = `${game} ${roll}`;
    found.set(key, [...(found.get(key) ?? []), after]);
  });
  return found;
}

function withOther(rejudged: Rejudged, other: OtherRulings): Rejudged {
  const after = other.get(`${rejudged.game} ${rejudged.roll}`)?.shift();
  if (rejudged.notJudged === true) return rejudged;
  return { ...rejudged, after, flips: flipsBetween(rejudged.before, after) };
}

function isAsk(value: unknown): value is { readonly diff: DiffAsk } {
  return typeof value === 'object' && value !== null && 'diff' in value;
}

if (!isMainThread && isAsk(workerData) && parentPort !== null) {
  const port = parentPort;
  try {
    await judge(workerData.diff, (told) => port.postMessage(told));
  } catch (error) {
    const failed = error instanceof TableFault ? `${error.sentence} ${error.remedy}`.trim() : wordsOf(error);
    port.postMessage({ failed } satisfies DiffTold);
  }
}
