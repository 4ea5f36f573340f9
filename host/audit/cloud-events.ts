import type { Json } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { JournalRecord } from '../record.ts';

/** A record as a CloudEvents 1.0 event in structured JSON. */
export type CloudEvent = { readonly [key: string]: Json };

/** Names of attributes are lower-case letters and digits, at most 20 (CloudEvents 1.0, 3.1). */
export const EVENT_TYPES = ['ruling', 'retraction', 'event', 'command', 'fault', 'open', 'close'] as const;

/** Names the schema of the payload of a type: the `$id` of `schema/payload-<type>.v1.json`. */
export function payloadSchemaUrn(type: string): string {
  return `urn:bakucore:schema:${type}:v1`;
}

/**
 * Game events, rulings, commands and faults for other programs; undefined for records that are no news. The id is made
 * of journal and number, so that an event sent twice is the same one.
 */
export function cloudEventOf(
  record: JournalRecord & { readonly prev?: string },
  origin: string,
  wallOf: (atMs: number) => string | undefined,
): CloudEvent | undefined {
  const data = isObject(record.data) ? record.data : {};
  const found = typeOf(record, data);
  if (found === undefined) return undefined;
  const time = wallOf(record.atMs);
  const [type, payload, subject] = found;
  const sequence = String(record.seq).padStart(12, '0');
  return {
    specversion: '1.0',
    id: `${origin}/${sequence}`,
    source: `//${origin}`,
    type: `io.bakucore.${type}.v1`,
    ...(subject === undefined ? {} : { subject }),
    ...(time === undefined ? {} : { time }),
    datacontenttype: 'application/json',
    dataschema: payloadSchemaUrn(type),
    sequence,
    partitionkey: record.table,
    ...(record.prev === undefined ? {} : { prevhash: record.prev }),
    data: { atMs: record.atMs, ...payload },
  };
}

type Payload = { readonly [key: string]: Json };

function typeOf(
  record: JournalRecord,
  data: Payload,
): readonly [string, Payload, string | undefined] | undefined {
  const text = (value: Json | undefined): string | undefined =>
    typeof value === 'string' ? value : undefined;
  switch (record.kind) {
    case 'ruling':
      if (isObject(data.ruling)) return ['ruling', { ruling: data.ruling }, text(data.ruling.roll)];
      return isObject(data.retraction)
        ? ['retraction', { retraction: data.retraction }, text(data.retraction.roll)]
        : undefined;
    case 'event':
      return isObject(data.event) ? ['event', { event: data.event }, text(data.event.type)] : undefined;
    case 'command':
      return ['command', data, text(data.id)];
    case 'fault':
      return ['fault', data, text(data.code)];
    case 'open':
    case 'close':
      return [record.kind, data, undefined];
    default:
      return undefined;
  }
}
