import canonicalize from 'canonicalize';

/**
 * A JSON value as RFC 8785 writes it: keys in order of their UTF-16 units, no spaces, numbers as ECMAScript prints them.
 * Never throws: what JSON cannot hold is written as `JSON.stringify` would (NaN as null), and halves of surrogate pairs,
 * which RFC 8785 forbids, as U+FFFD.
 */
export function canonicalText(value: unknown): string {
  try {
    const text = quickText(value);
    // JSON.stringify spells half a surrogate pair as an escape; the same letters in a text are only taken the long way.
    if (!text.includes('\\ud')) return text;
  } catch {
    // What is not plain JSON is taken the long way.
  }
  return libraryText(value);
}

function libraryText(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    try {
      return canonicalize(wellFormed(JSON.parse(JSON.stringify(value) ?? 'null'))) ?? 'null';
    } catch {
      return 'null';
    }
  }
}

/** Nothing in it is escaped. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The same text as the library gives for plain JSON without halves of surrogate pairs: RFC 8785 is what `JSON.stringify`
 * writes, keys sorted. Every record goes through here, and states of 300 kB. Throws on anything else.
 */
function quickText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError('no plain JSON');
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${quickText(item ?? null)}`;
    return `[${text}]`;
  }
  if ('toJSON' in value) throw new TypeError('no plain JSON');
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of inOrder(Object.keys(fields))) {
    const item = fields[key];
    if (item === undefined) continue;
    text += `${text === '' ? '' : ','}${nameText(key)}${quickText(item)}`;
  }
  return `{${text}}`;
}

/** Names of more fields than this are sorted by the engine. */
const FEW = 16;

/** Names by their UTF-16 units: the few of a record are sorted in place, as they mostly stand in order already. */
function inOrder(names: string[]): readonly string[] {
  if (names.length > FEW) return names.sort();
  for (let i = 1; i < names.length; i += 1) {
    const name = names[i] ?? '';
    let at = i;
    for (; at > 0 && (names[at - 1] ?? '') > name; at -= 1) names[at] = names[at - 1] ?? '';
    names[at] = name;
  }
  return names;
}

/** Names of fields as they are written, colon and all: records have few. */
const written = new Map<string, string>();
const MOST_WRITTEN = 1024;

function nameText(name: string): string {
  const known = written.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (written.size < MOST_WRITTEN) written.set(name, text);
  return text;
}

const HALVES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The same JSON with every half of a surrogate pair replaced. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(HALVES, '\uFFFD');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replace(HALVES, '\uFFFD'), wellFormed(item)]),
  );
}
