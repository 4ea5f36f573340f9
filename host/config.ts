import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { problemAt, problemsOf } from './config/issues.ts';
import { type ConfigProblem, problemLine } from './config/problem.ts';
import { configSchema } from './config/schema.ts';
import { SHAPE, type Shape } from './config/shape.ts';
import { readYaml } from './config/source.ts';
import { checkTable } from './config/table.ts';
import type { BrokerConfig, Config, HttpConfig, TableConfig } from './config/types.ts';
import { type FaultCode, systemCodeOf, TableFault, wordsOf } from './fault.ts';
import type { Parts } from './parts.ts';
import { clientHost } from './transports/broker.ts';

export type { ConfigProblem } from './config/problem.ts';
export { problemLine } from './config/problem.ts';
export { configSchema } from './config/schema.ts';
export type { BrokerConfig, Config, HttpConfig, LinkConfig, TableConfig } from './config/types.ts';

/** Reads a file as UTF-8 or throws. */
export type ReadText = (path: string) => string;

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Checks a config against the parts of a host. Every problem is found in one go, each with file, line and key; nothing
 * throws. The result is frozen, its paths are absolute.
 */
export function parseConfig(
  text: string,
  file: string,
  parts: Parts,
  readText: ReadText = readUtf8,
): ParsedConfig {
  const read = readYaml(file, text);
  if (!read.ok) return read;
  const around = { file, source: read.source, schema: configSchema(parts) };
  const checked = SHAPE.safeParse(read.source.value);
  if (!checked.success) return refused(problemsOf(checked.error.issues, around), file);
  const shape = checked.data;
  const folder = dirname(resolve(file));
  const problems: ConfigProblem[] = [];
  const secretFile = (path: string, at: readonly string[]): string => {
    const whole = resolve(folder, path);
    try {
      if ((readText(whole).split('\n')[0] ?? '').trim() !== '') return whole;
      problems.push(
        problemAt(
          around,
          at,
          'config/bad-value',
          `names ${whole}, which is empty.`,
          'Its first line is the secret.',
        ),
      );
    } catch (error) {
      problems.push(
        problemAt(
          around,
          at,
          'config/unreadable',
          `names ${whole}, which cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
          'Create it, readable by the user that runs the host.',
        ),
      );
    }
    return whole;
  };

  const http = httpOf(shape, secretFile);
  const broker = brokerOf(shape, secretFile);
  for (const [at, code, text, remedy] of serviceProblems(shape)) {
    problems.push(problemAt(around, at, code, text, remedy));
  }
  const tables: Record<string, TableConfig> = {};
  const ports = new Map<string, string>();
  for (const [name, table] of Object.entries(shape.tables)) {
    const result = checkTable(name, table, {
      ...around,
      parts,
      folder,
      readText,
      broker,
      store: shape.store,
      ports,
    });
    problems.push(...result.problems);
    if (result.table !== undefined) tables[name] = result.table;
  }
  if (Object.keys(shape.tables).length === 0) {
    problems.push(
      problemAt(around, ['tables'], 'config/missing-key', 'names no table.', 'Add one, as in "t1:".'),
    );
  }
  if (problems.length > 0) return refused(problems, file);
  const { store } = shape;
  const dataDir = resolve(folder, shape.dataDir);
  const config = { store, http, broker, dataDir, retention: retentionOf(shape), tables };
  return { ok: true, config: frozen({ ...config, hash: hashOf(config) }) };
}

/** Reads and checks a config file. Throws a TableFault whose text names every problem on a line of its own. */
export function loadConfig(file: string, parts: Parts, readText: ReadText = readUtf8): Config {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    throw new TableFault(
      'config/unreadable',
      `${file}: the config cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Check the path and that this user may read it.',
      { cause: error },
    );
  }
  const parsed = parseConfig(text, file, parts, readText);
  if (parsed.ok) return parsed.config;
  const [first] = parsed.problems;
  throw new TableFault(
    parsed.problems.length === 1 && first !== undefined ? first.code : 'config/refused',
    parsed.problems.map(problemLine).join('\n'),
    '',
  );
}

/** True when some table hears boards over the broker of this host, so that an embedded one must run. */
export function needsBroker(config: Config): boolean {
  return (
    config.broker.embedded &&
    Object.values(config.tables).some(({ links }) =>
      Object.values(links).some(
        ({ transport, options }) =>
          transport === 'mqtt' &&
          typeof options === 'object' &&
          options !== null &&
          'url' in options &&
          options.url === config.broker.url,
      ),
    )
  );
}

/** In the order in which a person meets them: this file by lines, then other files. */
function refused(problems: readonly ConfigProblem[], file: string): ParsedConfig {
  const rank = (one: ConfigProblem): number => (one.file === file ? 0 : 1);
  return { ok: false, problems: [...problems].sort((a, b) => rank(a) - rank(b) || a.line - b.line) };
}

type SecretFile = (path: string, at: readonly string[]) => string;

function httpOf(shape: Shape, secretFile: SecretFile): HttpConfig {
  const { host, port, tokens, names, origins } = shape.http;
  const { judges, ...roles } = tokens;
  const read = (files: object, at: readonly string[]): { readonly [key: string]: string } =>
    Object.fromEntries(
      Object.entries(files).map(([key, path]) => [key, secretFile(String(path), [...at, key])]),
    );
  const at = ['http', 'tokens'];
  return {
    host,
    port,
    names,
    origins,
    tokens: { ...read(roles, at), judges: read(judges, [...at, 'judges']) },
  };
}

function retentionOf(shape: Shape): Config['retention'] {
  const { mostDays, mostGigabytes } = shape.retention;
  return {
    ...(mostDays === undefined ? {} : { mostDays }),
    ...(mostGigabytes === undefined ? {} : { mostBytes: mostGigabytes * 1e9 }),
  };
}

function brokerOf(shape: Shape, secretFile: SecretFile): BrokerConfig {
  const { embedded, host, port, url, username, passwordFile } = shape.broker;
  return {
    embedded,
    host,
    port,
    url: url ?? `mqtt://${clientHost(host)}:${port}`,
    ...(username === undefined ? {} : { username }),
    ...(passwordFile === undefined
      ? {}
      : { passwordFile: secretFile(passwordFile, ['broker', 'passwordFile']) }),
  };
}

type ServiceProblem = readonly [at: readonly string[], code: FaultCode, text: string, remedy: string];

function serviceProblems({ broker, http }: Shape): readonly ServiceProblem[] {
  const found: ServiceProblem[] = [];
  const local = /^(127\.|::1$|localhost$)/.test(broker.host);
  if (broker.embedded && !local && broker.passwordFile === undefined) {
    found.push([
      ['broker', 'host'],
      'config/open-to-all',
      'lets the whole network publish to the broker without a password.',
      'Add username and passwordFile, or use 127.0.0.1.',
    ]);
  }
  if (broker.passwordFile !== undefined && broker.username === undefined) {
    found.push([['broker'], 'config/missing-key', 'has a password and no username.', 'Add broker.username.']);
  }
  if (broker.embedded && broker.url !== undefined) {
    found.push([
      ['broker'],
      'config/bad-value',
      'is embedded and has a url.',
      'Set embedded to false, or remove url.',
    ]);
  }
  if (broker.embedded && broker.port === http.port && http.port !== 0) {
    found.push([
      ['broker'],
      'config/bad-value',
      `and http use the same port ${http.port}.`,
      'Give one of them another port.',
    ]);
  }
  return found;
}

function readUtf8(path: string): string {
  return readFileSync(path, 'utf8');
}

/** SHA-256 over what is in force, keys sorted, in hex: two files that mean the same have the same hash. */
function hashOf(value: unknown): string {
  const sorted = (_key: string, item: unknown): unknown =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
