import * as z from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Longest sentence about a message, characters. */
const LONGEST = 400;
/** Longest piece of what was sent that is said back, characters. */
const LONGEST_QUOTE = 40;

/** What is wrong with a value that does not fit its schema, where, and what to send instead: one plain sentence. */
export function messageProblem(schema: z.ZodType, value: unknown, issues: readonly Issue[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'The message is not understood.';
  return sentence(issue, schema, value).slice(0, LONGEST);
}

function sentence(issue: Issue, schema: z.ZodType, value: unknown): string {
  const where = issue.path.length === 0 ? 'The message' : `"${issue.path.map(String).join('.')}"`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const extra = issue.keys.map((key) => `"${key.slice(0, LONGEST_QUOTE)}"`).join(', ');
      const known = keysAt(schema, value, issue.path).join(', ');
      const inside = issue.path.length === 0 ? 'the message' : where;
      return `${extra} ${issue.keys.length === 1 ? 'has' : 'have'} no meaning in ${inside}${nameOf(value, issue.path)}. Known there: ${known}.`;
    }
    case 'invalid_union': {
      const given = at(value, issue.path);
      const names = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
      const said = given === undefined ? 'is missing' : `is ${quote(given)}, which is not known`;
      return `${where} ${said}${names.length === 0 ? '' : `: send one of ${names.join(', ')}`}.`;
    }
    case 'invalid_value':
      return `${where} ${is(value, issue.path)}: send ${oneOf(issue.values.map(String))}.`;
    case 'invalid_type':
      return `${where} ${is(value, issue.path)}: send ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      if (issue.origin === 'string') return `${where} is empty: send a text.`;
      return `${where} ${is(value, issue.path)}: send ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}.`;
    case 'too_big':
      if (issue.origin === 'string') return `${where} is too long: send at most ${issue.maximum} characters.`;
      if (issue.origin === 'array') return `${where} holds too many: send at most ${issue.maximum}.`;
      return `${where} ${is(value, issue.path)}: send at most ${issue.maximum}.`;
    case 'invalid_format':
      // The messages of our own patterns say what they want.
      return `${where} ${is(value, issue.path)}: send ${issue.message}.`;
    default:
      return `${where} is not understood.`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function is(value: unknown, path: Path): string {
  const given = at(value, path);
  return given === undefined ? 'is missing' : `is ${quote(given)}`;
}

function quote(given: unknown): string {
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return JSON.stringify(typeof given === 'string' ? given.slice(0, LONGEST_QUOTE) : given);
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** The name of what is spoken of, where it has one: ` of "new-game"`. */
function nameOf(value: unknown, path: Path): string {
  const given = at(value, path);
  if (typeof given !== 'object' || given === null) return '';
  for (const key of ['do', 'op', 'kind', 'act']) {
    const name = at(given, [key]);
    if (typeof name === 'string') return ` of ${quote(name)}`;
  }
  return '';
}

function at(value: unknown, path: Path): unknown {
  let now = value;
  for (const key of path) {
    if (typeof now !== 'object' || now === null || !Object.hasOwn(now, key)) return undefined;
    now = Object.entries(now).find(([name]) => name === String(key))?.[1];
  }
  return now;
}

/** Keys that the schema knows at a path of this value; of a choice, those of the one that the value names. */
function keysAt(schema: z.core.$ZodType, value: unknown, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), value, path);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const name = at(value, [discriminator]);
    const chosen = schema.options.find((one) => one._zod.propValues?.[discriminator]?.has(name as string));
    return chosen === undefined ? [] : keysAt(chosen, value, path);
  }
  if (!(schema instanceof z.ZodObject)) return [];
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(schema.shape);
  const inner = schema.shape[String(first)];
  return inner === undefined ? [] : keysAt(inner, at(value, [first]), rest);
}
