import * as z from 'zod';
import type { Parts } from '../parts.ts';
import { SHAPE } from './shape.ts';
import type { KeyPath } from './source.ts';

/** A JSON Schema or a part of one. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * The config as JSON Schema (draft 2020-12) for editors, made from the parts of a host: a link's options are those of
 * its transport.
 */
export function configSchema(parts: Parts): JsonSchema {
  const whole = plain(z.toJSONSchema(SHAPE, { io: 'input' }));
  const table = at(whole, ['properties', 'tables', 'additionalProperties', 'properties']);
  const link = at(table, ['links', 'additionalProperties', 'properties']);
  const links = at(table, ['links']);
  const kinds = parts.transports.map(({ name, optionsSchema }) => {
    const { $schema: _, ...options } = plain(optionsSchema?.() ?? { type: 'object' });
    const required = Array.isArray(options.required) ? options.required : [];
    return {
      ...options,
      properties: {
        ...link,
        ...at(options, ['properties']),
        transport: { ...at(link, ['transport']), const: name },
      },
      required: ['transport', ...required],
    };
  });
  const ruleset = { ...at(table, ['ruleset']), enum: parts.rulesets.map(({ name }) => name) };
  return replaced(whole, ['properties', 'tables', 'additionalProperties', 'properties'], {
    ...table,
    links: { ...links, additionalProperties: { anyOf: kinds } },
    ...(parts.rulesets.length === 0 ? {} : { ruleset }),
  });
}

/** Names that may stand as keys at a path of a config; empty where any may, or none. */
export function keysAt(schema: JsonSchema, path: KeyPath): readonly string[] {
  return schemasAt(schema, path).flatMap((one) => Object.keys(at(one, ['properties'])));
}

/** What the schema says of the value at a path, as in `The port: …`; empty when nothing. */
export function descriptionAt(schema: JsonSchema, path: KeyPath): string {
  const found = schemasAt(schema, path).find(({ description }) => typeof description === 'string');
  return typeof found?.description === 'string' ? found.description : '';
}

function schemasAt(schema: JsonSchema, path: KeyPath): readonly JsonSchema[] {
  let now = alternatives(schema);
  for (const key of path) {
    now = now.flatMap((one) => {
      const named = at(one, ['properties'])[String(key)];
      const next = typeof key === 'number' ? one.items : (named ?? one.additionalProperties);
      return isPlain(next) ? alternatives(next) : [];
    });
  }
  return now;
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.filter(isPlain).flatMap(alternatives) : [schema];
}

function isPlain(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plain(value: object): JsonSchema {
  return { ...value };
}

function at(schema: JsonSchema, path: readonly string[]): JsonSchema {
  let now: unknown = schema;
  for (const key of path) now = isPlain(now) ? now[key] : undefined;
  return isPlain(now) ? now : {};
}

function replaced(schema: JsonSchema, path: readonly string[], value: JsonSchema): JsonSchema {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return { ...schema, [key]: replaced(at(schema, [key]), rest, value) };
}
