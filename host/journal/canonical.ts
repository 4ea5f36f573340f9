import canonicalize from 'canonicalize';

/**
 * A JSON value as RFC 8785 writes it: keys in order of their UTF-16 units, no spaces, numbers as ECMAScript prints them.
 * Never throws: what JSON cannot hold is written as `JSON.stringify` would (NaN as null), and halves of surrogate pairs,
 * which RFC 8785 forbids, as U+FFFD.
 */
export function canonicalText(value: unknown): string {
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
