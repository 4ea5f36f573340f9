import type { Json } from '../../../ids.ts';

/** A part of a JSON Schema (draft 2020-12). */
export type Schema = { readonly [key: string]: Json };

/** Adds what is wrong with a value, with its place, to `faults`. */
type Check = (value: Json | undefined, at: string, faults: string[]) => void;

/** Checks one part of a value, and says the same as a JSON Schema for editors and other programs. */
export type Shape = Check & { readonly schema: (all: Whole) => Schema };

/** The schema in the making: gives the schema of a part, written out or as a reference to one that is shared. */
type Whole = { readonly part: (of: Shape, made: () => Schema) => Schema };

/** A shape from its check and its schema. */
export function shape(check: Check, made: (all: Whole) => Schema): Shape {
  const self: Shape = Object.assign(check, { schema: (all: Whole) => all.part(self, () => made(all)) });
  return self;
}

/** Shorter schemas are written out wherever they stand, in characters. */
const SHORT = 120;

/** A whole JSON Schema for values of a shape; what stands in it more than once, or in itself, is named. */
export function schemaOf(of: Shape, head: Schema): Schema {
  const uses = new Map<Shape, number>();
  of.schema({
    part(one, made) {
      const before = uses.get(one) ?? 0;
      uses.set(one, before + 1);
      return before > 0 ? {} : made();
    },
  });
  const names = new Map<Shape, string>();
  const defs = new Map<string, Schema>();
  const short = new Map<Shape, Schema>();
  const body = of.schema({
    part(one, made) {
      if ((uses.get(one) ?? 0) < 2) return made();
      const written = short.get(one);
      if (written !== undefined) return written;
      const known = names.get(one);
      if (known !== undefined) return { $ref: `#/$defs/${known}` };
      const name = `part${names.size + 1}`;
      names.set(one, name);
      const schema = made();
      const text = JSON.stringify(schema);
      if (text.length < SHORT && !text.includes('$ref')) {
        short.set(one, schema);
        return schema;
      }
      defs.set(name, schema);
      return { $ref: `#/$defs/${name}` };
    },
  });
  const named = defs.size === 0 ? {} : { $defs: Object.fromEntries(defs) };
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...head, ...body, ...named };
}

const schemasOf = (shapes: { readonly [key: string]: Shape }, all: Whole): Schema =>
  Object.fromEntries(Object.entries(shapes).map(([key, one]) => [key, one.schema(all)]));

type Fields = { readonly [key: string]: Json };

/** Whether a value is an object with named parts. */
export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const shown = (value: Json | undefined): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

/** One of these words or values. */
export function word(...words: readonly (string | number | boolean)[]): Shape {
  return shape(
    (value, at, faults) => {
      const fits = words.some((one) => one === value);
      if (!fits) faults.push(`${at}: ${shown(value)} is not one of ${words.join(', ')}`);
    },
    () => ({ enum: words }),
  );
}

/** A whole number in a range. */
export function whole(min: number, max: number): Shape {
  return shape(
    (value, at, faults) => {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
        faults.push(`${at}: ${shown(value)} is no whole number from ${min} to ${max}`);
    },
    () => ({ type: 'integer', minimum: min, maximum: max }),
  );
}

/** Text that is not empty. */
export function text(longest: number): Shape {
  return shape(
    (value, at, faults) => {
      if (typeof value !== 'string' || value === '' || value.length > longest)
        faults.push(`${at}: ${shown(value)} is no text of 1 to ${longest} characters`);
    },
    () => ({ type: 'string', minLength: 1, maxLength: longest }),
  );
}

/** A list of `least` to `most` parts. */
export function list(part: Shape, least = 0, most?: number): Shape {
  return shape(
    (value, at, faults) => {
      if (!Array.isArray(value)) {
        faults.push(`${at}: ${shown(value)} is no list`);
        return;
      }
      if (value.length < least) faults.push(`${at}: at least ${least} needed, ${value.length} given`);
      if (most !== undefined && value.length > most)
        faults.push(`${at}: at most ${most} fit, ${value.length} given`);
      for (const [index, one] of value.entries()) part(one, `${at}[${index}]`, faults);
    },
    (all) => ({
      type: 'array',
      items: part.schema(all),
      ...(least === 0 ? {} : { minItems: least }),
      ...(most === undefined ? {} : { maxItems: most }),
    }),
  );
}

/** An object with these parts, and no others. */
export function parts(
  required: { readonly [key: string]: Shape },
  optional: { readonly [key: string]: Shape } = {},
): Shape {
  return shape(
    (value, at, faults) => {
      if (!isFields(value)) {
        faults.push(`${at}: ${shown(value)} is no object with named parts`);
        return;
      }
      for (const [key, part] of Object.entries(required)) {
        if (value[key] === undefined) faults.push(`${at}.${key}: missing`);
        else part(value[key], `${at}.${key}`, faults);
      }
      for (const [key, one] of Object.entries(value)) {
        if (Object.hasOwn(required, key)) continue;
        const part = Object.hasOwn(optional, key) ? optional[key] : undefined;
        if (part === undefined) {
          const known = [...Object.keys(required), ...Object.keys(optional)].join(', ');
          faults.push(`${at}.${key}: not known here; known are ${known}`);
        } else part(one, `${at}.${key}`, faults);
      }
    },
    (all) => ({
      type: 'object',
      properties: { ...schemasOf(required, all), ...schemasOf(optional, all) },
      ...(Object.keys(required).length === 0 ? {} : { required: Object.keys(required) }),
      additionalProperties: false,
    }),
  );
}

/** Fits one of several shapes; `what` names them for the person who wrote it. */
export function either(what: string, ...shapes: readonly Shape[]): Shape {
  const check: Check = (value, at, faults) => {
    let nearest: readonly string[] | undefined;
    for (const one of shapes) {
      const own: string[] = [];
      one(value, at, own);
      if (own.length === 0) return;
      // A fault inside says more than that the kind is another.
      const inner = own.some((fault) => !fault.startsWith(`${at}:`) && !fault.includes('missing'));
      if (inner && (nearest === undefined || own.length < nearest.length)) nearest = own;
    }
    if (nearest !== undefined && isFields(value)) faults.push(...nearest);
    else faults.push(`${at}: ${shown(value)} is not ${what}`);
  };
  return shape(check, (all) => ({ anyOf: shapes.map((one) => one.schema(all)) }));
}

/** By the value of one key, the shape of the whole. */
export function byWord(key: string, shapes: { readonly [word: string]: Shape }): Shape {
  return shape(
    (value, at, faults) => {
      const word = isFields(value) ? value[key] : undefined;
      const one = typeof word === 'string' && Object.hasOwn(shapes, word) ? shapes[word] : undefined;
      if (one !== undefined) one(value, at, faults);
      else faults.push(`${at}.${key}: ${shown(word)} is not one of ${Object.keys(shapes).join(', ')}`);
    },
    (all) => ({
      type: 'object',
      required: [key],
      properties: { [key]: { enum: Object.keys(shapes) } },
      allOf: Object.entries(shapes).map(([word, one]) => ({
        if: { properties: { [key]: { const: word } } },
        // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
        then: one.schema(all),
      })),
    }),
  );
}

/** By the key that is present, the shape of the whole. */
export function byKey(what: string, shapes: { readonly [key: string]: Shape }): Shape {
  return shape(
    (value, at, faults) => {
      const key = isFields(value) ? Object.keys(shapes).find((one) => value[one] !== undefined) : undefined;
      const one = key === undefined ? undefined : shapes[key];
      if (one !== undefined) one(value, at, faults);
      else {
        const keys = Object.keys(shapes).join(', ');
        faults.push(`${at}: ${shown(value)} is not ${what}; it needs one of ${keys}`);
      }
    },
    (all) => ({ anyOf: Object.values(shapes).map((one) => one.schema(all)) }),
  );
}

/** A shape that is named before it is made, for shapes that hold themselves. */
export function later(made: () => Shape): Shape {
  return shape(
    (value, at, faults) => made()(value, at, faults),
    (all) => made().schema(all),
  );
}

/** A word alone, or an object of another shape. */
export function wordOr(words: Shape, other: Shape): Shape {
  return shape(
    (value, at, faults) => (typeof value === 'string' ? words : other)(value, at, faults),
    (all) => ({ anyOf: [words.schema(all), other.schema(all)] }),
  );
}
