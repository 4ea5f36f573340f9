/** What a host was handed and what it left on disk. */
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { replaySource } from '../../host/audit/replay.ts';
import { openSource } from '../../host/audit/source.ts';
import type { Verdict } from '../../host/audit/verdict.ts';
import { verifySource } from '../../host/audit/verify-source.ts';
import type { LinkId } from '../../host/ids.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord, RawLine } from '../../host/record.ts';
import type { Difference } from '../../host/said.ts';
import type { TransportKind } from '../../host/transports/transport.ts';

/** Everything that the transports handed to the host, in order. */
export interface Handed {
  readonly link: LinkId;
  readonly raw: RawLine;
}

/** What a closed host left on disk. */
export interface Kept {
  readonly records: readonly JournalRecord[];
  /** Lines handed to the host that the journal does not hold word for word, in order. */
  readonly lostLines: number;
  /** `intact`: chained, sealed and ended by a stop. */
  readonly state: Verdict['state'];
  /** First place where a replay says something else than was said. */
  readonly difference: Difference | undefined;
}

/** The same transport, with a note of every line it hands on. */
export function tapped<Options>(kind: TransportKind<Options>, handed: Handed[]): TransportKind<Options> {
  return {
    ...kind,
    open: (link, options, events, clock) =>
      kind.open(
        link,
        options,
        {
          up: events.up,
          down: events.down,
          dropped: events.dropped,
          line(from, raw, detail) {
            handed.push({ link: from, raw });
            events.line(from, raw, detail);
          },
        },
        clock,
      ),
  };
}

/** Reads the journal of a table, checks its chain and seals, replays it, and holds it against what was handed in. */
export async function keptIn(folder: string, handed: readonly Handed[]): Promise<Kept> {
  const source = await openSource(folder);
  const records: JournalRecord[] = [];
  for await (const batch of source.records(() => {})) records.push(...batch);
  const lines = records
    .filter(({ kind }) => kind === 'line')
    .map(({ data }) => data as unknown as Handed & RawLine);
  const same = (at: number): boolean => {
    const [there, here] = [lines[at], handed[at]];
    if (there === undefined || here === undefined || there.link !== here.link) return false;
    return 'line' in here.raw ? 'line' in there && there.line === here.raw.line : 'b64' in there;
  };
  const { state } = await verifySource(source, NODE_TOOLS);
  const { difference } = await replaySource(source, { parts: PARTS, check: true });
  return {
    records,
    lostLines: handed.filter((_, at) => !same(at)).length + Math.max(0, lines.length - handed.length),
    state,
    difference,
  };
}

/** All was kept: what a test expects of a host that was closed. */
export const ALL_KEPT = { lostLines: 0, state: 'intact', difference: undefined } as const;
