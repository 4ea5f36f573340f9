import * as z from 'zod';
import { EVENT_TYPES, payloadSchemaUrn } from './cloud-events.ts';
import { PAYLOADS } from './payload-schemas.ts';

const base64url = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** A line of a journal. */
export const recordSchema = z
  .strictObject({
    atMs: z.number().describe('Milliseconds of the table clock'),
    data: z.json(),
    kind: z.enum([
      ...(['open', 'line', 'link', 'command', 'ruling', 'event', 'sent', 'fault', 'close', 'tick'] as const),
      ...(['segment', 'snapshot', 'checkpoint', 'tombstone'] as const),
    ]),
    prev: base64url.describe('SHA-256 over 0x00 and the line before'),
    seq: z.int().min(0),
    table: z.string(),
  })
  .meta({ title: 'A record of a journal, one line of RFC 8785 JSON' });

/** First line of a match file. */
export const matchSchema = z
  .strictObject({
    format: z.literal('bakucore-match'),
    version: z.literal(2),
    match: z.string(),
    table: z.string(),
    origin: z.string(),
    key: z.string(),
    from: z.int().min(0),
    to: z.int().min(1),
    prev: base64url,
    before: z.array(base64url),
    after: z.array(base64url),
    checkpoint: z.string(),
    open: z.strictObject({ record: z.string(), proof: z.array(base64url).nullable() }).nullable(),
    start: z.string().nullable(),
  })
  .meta({ title: 'Head of a match file' });

/** One exported event. */
export const eventSchema = z
  .strictObject({
    specversion: z.literal('1.0'),
    id: z.string(),
    source: z.string(),
    type: z.enum(EVENT_TYPES.map((type) => `io.bakucore.${type}.v1`)),
    subject: z.string().optional(),
    time: z.string().optional(),
    datacontenttype: z.literal('application/json'),
    dataschema: z.enum(EVENT_TYPES.map(payloadSchemaUrn)),
    sequence: z.string().regex(/^\d{12}$/),
    partitionkey: z.string(),
    prevhash: base64url.optional(),
    data: z.looseObject({ atMs: z.number() }).describe('As the schema says that `dataschema` names'),
  })
  .meta({ title: 'A CloudEvents 1.0 event of a table' });

/** Every schema by the name of its file in `host/audit/schema`; payloads carry as `$id` what `dataschema` names. */
export function schemaFiles(): Readonly<Record<string, object>> {
  const made = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });
  const payloads = EVENT_TYPES.map((type) => {
    const title = `Payload of an event of type io.bakucore.${type}.v1`;
    return [`payload-${type}.v1.json`, { $id: payloadSchemaUrn(type), title, ...made(PAYLOADS[type]) }];
  });
  return {
    'record.v1.json': made(recordSchema),
    'match.v2.json': made(matchSchema),
    'event.v1.json': made(eventSchema),
    ...Object.fromEntries(payloads),
  };
}
