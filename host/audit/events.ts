import { basename } from 'node:path';
import { isObject } from '../journal/entry.ts';
import { cloudEventOf } from './cloud-events.ts';
import { noRecord } from './no-record.ts';
import { originOf } from './origin.ts';
import type { Source } from './source.ts';

/**
 * The events of a source as CloudEvents, one JSON object a line, in pieces of text. Throws a TableFault
 * `journal/unreadable` when it holds no record.
 */
export async function* eventLines(source: Source): AsyncGenerator<string> {
  const origin = (await originOf(source)) ?? `bakucore/${basename(source.path)}`;
  let wall: { readonly at: number; readonly atMs: number } | undefined;
  const wallOf = (atMs: number): string | undefined =>
    wall === undefined ? undefined : new Date(wall.at + atMs - wall.atMs).toISOString();
  let records = 0;
  for await (const batch of source.records(() => {})) {
    records += batch.length;
    const out: string[] = [];
    for (const record of batch) {
      if (isObject(record.data) && typeof record.data.wallTime === 'string') {
        wall = { at: Date.parse(record.data.wallTime), atMs: record.atMs };
      }
      const event = cloudEventOf(record, origin, wallOf);
      if (event !== undefined) out.push(`${JSON.stringify(event)}\n`);
    }
    if (out.length > 0) yield out.join('');
  }
  if (records === 0) throw noRecord(source.path);
}
