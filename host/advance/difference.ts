import type { Json } from '../ids.ts';
import type { Foreseen } from './input.ts';

type Bag = { readonly [key: string]: Json };

/** Parts that tell what happened rather than how things stand: events say it already. */
const LEFT_OUT: ReadonlySet<string> = new Set(['log']);
/** Fields by which the members of a list are named. */
const NAMES = ['id', 'core', 'cell', 'player'] as const;

/** Parts that differ between two views, each by its path; members of lists by their id where they have one. */
export function changesBetween(before: Json, after: Json): Foreseen['changes'] {
  const changes: { part: string; before: Json; after: Json }[] = [];
  compare('', before, after, changes);
  return changes;
}

function compare(
  part: string,
  before: Json | undefined,
  after: Json | undefined,
  changes: { part: string; before: Json; after: Json }[],
): void {
  const [was, is] = [named(before), named(after)];
  if (was === undefined || is === undefined) {
    if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return;
    changes.push({ part, before: before ?? null, after: after ?? null });
    return;
  }
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (part === '' && LEFT_OUT.has(key)) continue;
    compare(part === '' ? key : `${part}.${key}`, was[key], is[key], changes);
  }
}

/** An object, or a list as one: its members by their names. Undefined for values and for lists of values. */
function named(value: Json | undefined): Bag | undefined {
  if (isList(value)) {
    const names = value.map((one) => nameOf(one));
    const all = names.every((name) => name !== undefined) && new Set(names).size === names.length;
    if (!all || value.length === 0) return undefined;
    return Object.fromEntries(value.map((one, i) => [names[i] ?? '', one]));
  }
  return typeof value === 'object' && value !== null ? value : undefined;
}

function nameOf(member: Json): string | undefined {
  if (typeof member !== 'object' || member === null || isList(member)) return undefined;
  for (const key of NAMES) {
    const name = member[key];
    if (typeof name === 'string') return name;
  }
  return undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
