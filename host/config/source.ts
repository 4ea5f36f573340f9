import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { wordsOf } from '../fault.ts';
import { type ConfigProblem, problem } from './problem.ts';

/** Largest file that is looked at, bytes. */
const LARGEST_BYTES = 1024 * 1024;
/** More aliases than any person writes, unfolded. */
const ALIAS_LIMIT = 100;

/** Keys and positions from the top of a document to one value. */
export type KeyPath = readonly PropertyKey[];

/** A YAML text as a plain value that still knows its lines. */
export interface YamlSource {
  readonly value: unknown;
  /** Line, from 1, of the key at a path; of the nearest key above when it is not written. */
  lineOf(path: KeyPath): number;
}

/** Reads one YAML document. Never throws: what is wrong comes back as problems, each with its line. */
export function readYaml(
  file: string,
  text: string,
):
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] } {
  const refuse = (...problems: readonly ConfigProblem[]) => ({ ok: false as const, problems });
  if (Buffer.byteLength(text) > LARGEST_BYTES) {
    return refuse(
      problem('config/too-large', file, 1, '', 'The file is larger than 1 MiB.', 'Give the config file.'),
    );
  }
  const lines = new LineCounter();
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: true, logLevel: 'error' });
  } catch (error) {
    // The parser recurses: thousands of brackets in one another end its stack.
    return refuse(problem('config/syntax', file, 1, '', `This is no YAML (${wordsOf(error)}).`, ''));
  }
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    return refuse(
      ...wrong.map(({ code, message, linePos, pos }) => {
        const line = linePos?.[0].line ?? lines.linePos(pos[0]).line;
        if (code === 'DUPLICATE_KEY') {
          const key = /^[^\s:]+/.exec(text.slice(pos[0]))?.[0] ?? '';
          return problem(
            'config/key-twice',
            file,
            line,
            key,
            'is given twice here.',
            'Remove one of the two.',
          );
        }
        if (code === 'MULTIPLE_DOCS') {
          const says = 'A second document begins here; one file holds one config.';
          return problem(
            'config/syntax',
            file,
            line,
            '',
            says,
            'Remove the line "---" and what stands below it.',
          );
        }
        const words = (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
        return problem(
          'config/syntax',
          file,
          line,
          '',
          `This is no YAML: ${words}.`,
          'Check indentation and colons.',
        );
      }),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: ALIAS_LIMIT });
  } catch (error) {
    const bomb = error instanceof ReferenceError && /alias count/i.test(error.message);
    return refuse(
      bomb
        ? problem(
            'config/alias-bomb',
            file,
            1,
            '',
            'Aliases unfold into far more than is written.',
            'Write it out without aliases.',
          )
        : problem('config/syntax', file, 1, '', `This is no YAML (${wordsOf(error)}).`, ''),
    );
  }
  if (value === null || value === undefined) {
    return refuse(
      problem('config/empty', file, 1, '', 'The file says nothing.', 'Start from the example in the README.'),
    );
  }
  return { ok: true, source: { value, lineOf: (path) => lineOf(document, lines, path) } };
}

function lineOf(document: Document, lines: LineCounter, path: KeyPath): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    let next: Node | undefined;
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => String(isScalar(item.key) ? item.key.value : item.key) === String(key),
      );
      if (pair === undefined) break;
      offset = (pair.key as Node | null)?.range?.[0] ?? offset;
      next = (pair.value as Node | null) ?? undefined;
    } else if (isSeq(node)) {
      next = node.items[Number(key)] as Node | undefined;
      if (next === undefined) break;
      offset = next.range?.[0] ?? offset;
    } else {
      break;
    }
    node = next;
  }
  return lines.linePos(offset).line || 1;
}
