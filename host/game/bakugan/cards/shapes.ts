import type { Json } from '../../../ids.ts';

/** Checks one part of a value: adds what is wrong with it, with its place, to `faults`. */
export type Shape = (value: Json | undefined, at: string, faults: string[]) => void;

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
  return (value, at, faults) => {
    const fits = words.some((one) => one === value);
    if (!fits) faults.push(`${at}: ${shown(value)} is not one of ${words.join(', ')}`);
  };
}

/** A whole number in a range. */
export function whole(min: number, max: number): Shape {
  return (value, at, faults) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      faults.push(`${at}: ${shown(value)} is no whole number from ${min} to ${max}`);
  };
}

/** Text that is not empty. */
export function text(longest: number): Shape {
  return (value, at, faults) => {
    if (typeof value !== 'string' || value === '' || value.length > longest)
      faults.push(`${at}: ${shown(value)} is no text of 1 to ${longest} characters`);
  };
}

/** A list of at least `least` parts. */
export function list(part: Shape, least = 0): Shape {
  return (value, at, faults) => {
    if (!Array.isArray(value)) {
      faults.push(`${at}: ${shown(value)} is no list`);
      return;
    }
    if (value.length < least) faults.push(`${at}: at least ${least} needed, ${value.length} given`);
    for (const [index, one] of value.entries()) part(one, `${at}[${index}]`, faults);
  };
}

/** An object with these parts, and no others. */
export function parts(
  required: { readonly [key: string]: Shape },
  optional: { readonly [key: string]: Shape } = {},
): Shape {
  return (value, at, faults) => {
    if (!isFields(value)) {
      faults.push(`${at}: ${shown(value)} is no object with named parts`);
      return;
    }
    for (const [key, shape] of Object.entries(required)) {
      if (value[key] === undefined) faults.push(`${at}.${key}: missing`);
      else shape(value[key], `${at}.${key}`, faults);
    }
    for (const [key, one] of Object.entries(value)) {
      if (required[key] !== undefined) continue;
      const shape = optional[key];
      if (shape === undefined) {
        const known = [...Object.keys(required), ...Object.keys(optional)].join(', ');
        faults.push(`${at}.${key}: not known here; known are ${known}`);
      } else shape(one, `${at}.${key}`, faults);
    }
  };
}

/** Fits one of several shapes; `what` names them for the person who wrote it. */
export function either(what: string, ...shapes: readonly Shape[]): Shape {
  return (value, at, faults) => {
    let nearest: readonly string[] | undefined;
    for (const shape of shapes) {
      const own: string[] = [];
      shape(value, at, own);
      if (own.length === 0) return;
      // A fault inside says more than that the kind is another.
      const inner = own.some((fault) => !fault.startsWith(`${at}:`) && !fault.includes('missing'));
      if (inner && (nearest === undefined || own.length < nearest.length)) nearest = own;
    }
    if (nearest !== undefined && isFields(value)) faults.push(...nearest);
    else faults.push(`${at}: ${shown(value)} is not ${what}`);
  };
}

/** By the value of one key, the shape of the whole. */
export function byWord(key: string, shapes: { readonly [word: string]: Shape }): Shape {
  return (value, at, faults) => {
    const named = isFields(value) ? value[key] : undefined;
    const shape = typeof named === 'string' && Object.hasOwn(shapes, named) ? shapes[named] : undefined;
    if (shape !== undefined) shape(value, at, faults);
    else faults.push(`${at}.${key}: ${shown(named)} is not one of ${Object.keys(shapes).join(', ')}`);
  };
}

/** By the key that is present, the shape of the whole. */
export function byKey(what: string, shapes: { readonly [key: string]: Shape }): Shape {
  return (value, at, faults) => {
    const key = isFields(value) ? Object.keys(shapes).find((one) => value[one] !== undefined) : undefined;
    const shape = key === undefined ? undefined : shapes[key];
    if (shape !== undefined) shape(value, at, faults);
    else
      faults.push(`${at}: ${shown(value)} is not ${what}; it needs one of ${Object.keys(shapes).join(', ')}`);
  };
}

/** A shape that is named before it is made, for shapes that hold themselves. */
export function later(shape: () => Shape): Shape {
  return (value, at, faults) => shape()(value, at, faults);
}
