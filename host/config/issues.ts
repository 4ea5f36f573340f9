import type * as z from 'zod';
import type { FaultCode } from '../fault.ts';
import { type ConfigProblem, nearest, problem } from './problem.ts';
import { descriptionAt, type JsonSchema, keysAt } from './schema.ts';
import type { KeyPath, YamlSource } from './source.ts';

type Issue = z.core.$ZodIssue;

/** What is needed to tell where something is wrong. */
export interface Around {
  readonly file: string;
  readonly source: YamlSource;
  readonly schema: JsonSchema;
}

/** Problems as a person can mend them, from the findings of a schema check below `base`. */
export function problemsOf(
  issues: readonly Issue[],
  around: Around,
  base: KeyPath = [],
): readonly ConfigProblem[] {
  return issues.flatMap((issue) => problemsOfOne(issue, around, [...base, ...issue.path]));
}

/** A problem at a path. */
export function problemAt(
  around: Around,
  path: KeyPath,
  code: FaultCode,
  text: string,
  remedy: string,
): ConfigProblem {
  return problem(code, around.file, around.source.lineOf(path), dotted(path), text, remedy);
}

function problemsOfOne(issue: Issue, around: Around, path: KeyPath): readonly ConfigProblem[] {
  const say = (code: FaultCode, text: string, remedy = hint(around, path)): ConfigProblem =>
    problemAt(around, path, code, text, remedy);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(around.schema, path);
      return issue.keys.map((key) => {
        const meant = nearest(key, known);
        return problemAt(
          around,
          [...path, key],
          'config/unknown-key',
          'has no meaning here.',
          meant === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${meant}"?`,
        );
      });
    }
    case 'invalid_key':
      return [say('config/bad-name', sentence(issue.issues[0]?.message ?? issue.message), '')];
    case 'invalid_type':
      return valueAt(around.source.value, path) === undefined
        ? [say('config/missing-key', 'is needed here.')]
        : [say('config/bad-value', `must be ${TYPES[issue.expected] ?? issue.expected}.`)];
    case 'too_small':
      return [
        say(
          'config/bad-value',
          issue.origin === 'string'
            ? 'must not be empty.'
            : `must be ${more(issue.inclusive)} ${issue.minimum}.`,
        ),
      ];
    case 'too_big':
      return [say('config/bad-value', `must be at most ${issue.maximum}.`)];
    case 'invalid_value':
      return [say('config/bad-value', `must be one of: ${issue.values.map(String).join(', ')}.`)];
    case 'invalid_union':
      return [
        valueAt(around.source.value, path) === undefined
          ? say('config/missing-key', 'is needed here.')
          : say('config/bad-value', 'has a value that is not understood.'),
      ];
    default:
      return [say('config/bad-value', sentence(issue.message))];
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping of keys to values',
  record: 'a mapping of names to values',
  array: 'a list',
};

function more(inclusive: boolean | undefined): string {
  return inclusive === false ? 'more than' : 'at least';
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function hint(around: Around, path: KeyPath): string {
  const said = descriptionAt(around.schema, path);
  return said === '' ? '' : `(${said})`;
}

function dotted(path: KeyPath): string {
  return path.map(String).join('.');
}

function valueAt(value: unknown, path: KeyPath): unknown {
  let now = value;
  for (const key of path) {
    if (typeof now !== 'object' || now === null) return undefined;
    now = Object.entries(now).find(([name]) => name === String(key))?.[1];
  }
  return now;
}
