/** Links as JSON and back: what is loaded goes on exactly as what was saved. */
import type { Json } from '../ids.ts';
import type { LinkSetting } from './link.ts';
import type { Links } from './link-state.ts';

const VERSION = 2;

/** The whole state of the links. Typed arrays and infinities are spelled in objects with one `$` key. */
export function saveLinks(links: Links): Json {
  return { version: VERSION, ways: packed(links.ways), boards: packed(links.boards) };
}

/** Links as they were saved. Throws an Error when the value is not what `saveLinks` of this version gave. */
export function loadLinks(setting: LinkSetting, saved: Json): Links {
  const whole = unpacked(saved);
  if (
    !isRecord(whole) ||
    whole.version !== VERSION ||
    !Array.isArray(whole.ways) ||
    !Array.isArray(whole.boards)
  ) {
    throw new Error('These are no saved links of this version: start with fresh ones.');
  }
  // The version vouches for the rest: it rises with every change of the state's shape.
  return { setting, ways: whole.ways, boards: whole.boards };
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function packed(value: unknown): Json {
  if (value instanceof Int32Array) return { $i32: runs(value) };
  if (value instanceof Float64Array) return { $f64: [...value] };
  if (Array.isArray(value)) return value.map(packed);
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return Object.fromEntries(entries.map(([name, one]) => [name, packed(one)]));
  }
  if (value === Number.NEGATIVE_INFINITY) return { $: '-inf' };
  if (value === Number.POSITIVE_INFINITY) return { $: 'inf' };
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function unpacked(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(unpacked);
  if (!isRecord(value)) return value;
  const { $i32, $f64, $ } = value;
  if (typeof $i32 === 'string') return fromRuns($i32);
  if (Array.isArray($f64)) return Float64Array.from($f64);
  if ($ === '-inf') return Number.NEGATIVE_INFINITY;
  if ($ === 'inf') return Number.POSITIVE_INFINITY;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpacked(one as Json)]));
}

/** Numbers with a comma between; `n*v` for n times v. Most slots of a window hold -1. */
function runs(values: Int32Array): string {
  const parts: string[] = [];
  for (let at = 0; at < values.length; ) {
    let end = at + 1;
    while (end < values.length && values[end] === values[at]) end++;
    parts.push(end - at === 1 ? `${values[at]}` : `${end - at}*${values[at]}`);
    at = end;
  }
  return parts.join(',');
}

function fromRuns(text: string): Int32Array {
  const values: number[] = [];
  for (const part of text.split(',')) {
    const [first = '', second] = part.split('*');
    if (second === undefined) values.push(Number(first));
    else for (let i = 0; i < Number(first); i++) values.push(Number(second));
  }
  return Int32Array.from(values);
}
