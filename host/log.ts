import { wordsOf } from './fault.ts';
import { visible } from './visible.ts';

/** What goes with a line of the log: short, by name. Never a secret; those named so are struck out anyway. */
export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line for each thing worth saying. Never throws and never waits. */
export interface Log {
  debug(text: string, fields?: LogFields): void;
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
  error(text: string, fields?: LogFields): void;
  /** The same log with these fields on every line. */
  child(fields: LogFields): Log;
}

/** One line as a collecting log keeps it. */
export interface LogLine {
  readonly level: LogLevel;
  readonly text: string;
  readonly fields: LogFields;
}

const SECRET_KEY = /passw|secret|token|authorization|cookie|private|credential|api_?key/i;
/** User and password inside an address, as in `mqtt://user:word@host`. */
const ADDRESS_LOGIN = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const STRUCK = '[secret]';
const DEPTH_LIMIT = 5;

/** The same value with secrets struck out: whatever a secret-sounding key holds, and logins inside addresses. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(ADDRESS_LOGIN, `$1${STRUCK}@`);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return withoutSecrets(wordsOf(value), depth);
  if (depth >= DEPTH_LIMIT) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      // The path of a file with a secret is no secret, and is what a person needs to find the mistake.
      SECRET_KEY.test(key) && !/(file|path)$/i.test(key) ? STRUCK : withoutSecrets(item, depth + 1),
    ]),
  );
}

function fieldsWithoutSecrets(fields: LogFields): LogFields {
  const safe = withoutSecrets(fields);
  return typeof safe === 'object' && safe !== null ? { ...safe } : {};
}

/** A log over anything that takes lines; strikes out secrets before they reach it. */
export function logOver(take: (line: LogLine) => void, always: LogFields = {}): Log {
  const say =
    (level: LogLevel) =>
    (text: string, fields: LogFields = {}): void => {
      try {
        const safeText = withoutSecrets(text);
        take({ level, text: String(safeText), fields: fieldsWithoutSecrets({ ...always, ...fields }) });
      } catch {
        // A log that cannot be written must not stop a match.
      }
    };
  return {
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    child: (fields) => logOver(take, { ...always, ...fields }),
  };
}

/** Says nothing. */
export const silentLog: Log = logOver(() => {});

/** Keeps every line, for tests. */
export function collectingLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { ...logOver((line) => lines.push(line)), lines };
}

/** Where a finished log line goes, line end included. */
export interface LogStream {
  write(text: string): unknown;
}

export interface PinoLogOptions {
  /** Least level that is written. Default `info`. */
  readonly level?: LogLevel;
  /** True: JSON lines for machines. False: `12:04:31 warn text key=value` for people. */
  readonly json: boolean;
  readonly stream: LogStream;
}

/** The log of a running host. Loads pino here. */
export async function pinoLog(options: PinoLogOptions): Promise<Log> {
  const { pino } = await import('pino');
  const stream: LogStream = options.json
    ? options.stream
    : { write: (line) => options.stream.write(plainLine(line)) };
  const out = pino(
    { level: options.level ?? 'info', base: null, formatters: { level: (label) => ({ level: label }) } },
    { write: (line: string) => void stream.write(line) },
  );
  return logOver(({ level, text, fields }) => out[level](fields, text));
}

/** A JSON line of pino as people read it. Text that is no such line is given back unchanged. */
export function plainLine(json: string): string {
  let entry: unknown;
  try {
    entry = JSON.parse(json);
  } catch {
    return json;
  }
  if (typeof entry !== 'object' || entry === null) return json;
  const { level, time, msg, ...fields } = entry as Readonly<Record<string, unknown>>;
  const at = typeof time === 'number' ? new Date(time).toISOString().slice(11, 19) : '';
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${visible([at, String(level).padEnd(5), String(msg), ...rest].join(' ').trim())}\n`;
}
