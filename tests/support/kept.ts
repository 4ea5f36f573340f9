/** What a host was handed and what it left on disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkId } from '../../host/ids.ts';
import { entryOfOutput } from '../../host/journal/records.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord, RawLine } from '../../host/record.ts';
import { beginRefold, settingOfHead } from '../../host/refold.ts';
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
  /** Replaying the journal says something else than was said. */
  readonly replayDiffers: boolean;
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

/** Reads the only journal of a folder and holds it against what was handed to the host. */
export function keptIn(folder: string, handed: readonly Handed[]): Kept {
  const [name = ''] = readdirSync(folder);
  const records: readonly JournalRecord[] = readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lines = records
    .filter(({ kind }) => kind === 'line')
    .map(({ data }) => data as unknown as Handed & RawLine);
  const same = (at: number): boolean => {
    const [there, here] = [lines[at], handed[at]];
    if (there === undefined || here === undefined || there.link !== here.link) return false;
    return 'line' in here.raw ? 'line' in there && there.line === here.raw.line : 'b64' in there;
  };
  return {
    records,
    lostLines: handed.filter((_, at) => !same(at)).length + Math.max(0, lines.length - handed.length),
    replayDiffers: replayDiffers(records),
  };
}

const SAID: ReadonlySet<string> = new Set(['ruling', 'event', 'sent', 'fault']);

/** Runs the journal through the live code once more and compares all it says. */
function replayDiffers(records: readonly JournalRecord[]): boolean {
  const [head, ...rest] = records;
  if (head === undefined) return true;
  const refold = beginRefold(settingOfHead(head, PARTS), head.atMs);
  const again = rest
    .flatMap((record) => refold.take(record))
    .map((output) => JSON.stringify(entryOfOutput(output)));
  const said = rest
    .filter(({ kind }) => SAID.has(kind))
    .map(({ kind, data }) => JSON.stringify({ kind, data }));
  return again.join('\n') !== said.join('\n');
}
