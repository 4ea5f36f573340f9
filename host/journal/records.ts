import type { Input, Output } from '../advance/input.ts';
import type { Json } from '../ids.ts';
import type { JournalRecord, RawLine, RecordKind } from '../record.ts';
import { isObject } from './entry.ts';

/** What goes into a record beside the envelope. `data` is plain JSON. */
export interface Entry {
  readonly kind: RecordKind;
  readonly data: object;
}

/** Records that others act on or are told of: on disk before anything later leaves the host. */
const CONSEQUENTIAL: ReadonlySet<RecordKind> = new Set([
  'open',
  'command',
  'ruling',
  'event',
  'close',
  'checkpoint',
  'tombstone',
]);

export function isConsequential(kind: RecordKind): boolean {
  return CONSEQUENTIAL.has(kind);
}

/** How an input is recorded. A tick is recorded only when something came of it. */
export function entryOfInput(input: Input): Entry {
  switch (input.kind) {
    case 'line':
      return {
        kind: 'line',
        data: {
          link: input.link,
          ...input.raw,
          ...(input.device === undefined ? {} : { device: input.device }),
          ...(input.retained === undefined ? {} : { retained: input.retained }),
        },
      };
    case 'link':
      return {
        kind: 'link',
        data: {
          link: input.link,
          up: input.up,
          reason: input.reason,
          ...(input.remedy === undefined ? {} : { remedy: input.remedy }),
          ...(input.restarted === undefined ? {} : { restarted: true }),
        },
      };
    case 'dropped':
      return { kind: 'link', data: { link: input.link, dropped: input.what, count: input.count } };
    case 'command':
      return { kind: 'command', data: { id: input.id, command: input.command } };
    case 'tick':
      return { kind: 'tick', data: {} };
    default:
      return input satisfies never;
  }
}

/** How an output is recorded. */
export function entryOfOutput(output: Output): Entry {
  switch (output.kind) {
    case 'send':
      return { kind: 'sent', data: { link: output.link, device: output.device, line: output.line } };
    case 'ruling':
      return { kind: 'ruling', data: { ruling: output.ruling } };
    case 'retraction':
      return {
        kind: 'ruling',
        data: {
          retraction: {
            roll: output.roll,
            revision: output.revision,
            stage: output.stage,
            why: output.why,
          },
        },
      };
    case 'event':
      return { kind: 'event', data: { event: output.event } };
    case 'calibrated':
      return { kind: 'event', data: { calibrated: output.calibration, by: output.by, id: output.id } };
    case 'accepted':
      return { kind: 'event', data: { accepted: output.id } };
    case 'refused':
      return { kind: 'event', data: { refused: output.id, refusal: output.refusal } };
    case 'fault':
      return { kind: 'fault', data: { link: output.link, code: output.code, text: output.text } };
    default:
      return output satisfies never;
  }
}

/**
 * The input that a record tells of, equal to the one recorded; undefined for records of what the host said. The
 * record that closes a journal gives a tick: time had come so far when the host stopped.
 */
export function inputOf(record: JournalRecord): Input | undefined {
  const { atMs, data } = record;
  if (record.kind === 'close' || record.kind === 'tick') return { kind: 'tick', atMs };
  if (!isObject(data)) return undefined;
  if (record.kind === 'command') return commandOf(atMs, data);
  if (typeof data.link !== 'string') return undefined;
  const link = data.link;
  if (record.kind === 'line') {
    const raw = rawOf(data);
    if (raw === undefined) return undefined;
    // The usual case, without a look at what only some wires say.
    if (data.device === undefined && data.retained === undefined) return { kind: 'line', atMs, link, raw };
    return {
      kind: 'line',
      atMs,
      link,
      raw,
      ...(typeof data.device === 'string' ? { device: data.device } : {}),
      ...(typeof data.retained === 'boolean' ? { retained: data.retained } : {}),
    };
  }
  if (record.kind !== 'link') return undefined;
  if (typeof data.dropped === 'string' && typeof data.count === 'number') {
    return { kind: 'dropped', atMs, link, what: data.dropped, count: data.count };
  }
  if (typeof data.up !== 'boolean' || typeof data.reason !== 'string') return undefined;
  return {
    kind: 'link',
    atMs,
    link,
    up: data.up,
    reason: data.reason,
    ...(typeof data.remedy === 'string' ? { remedy: data.remedy } : {}),
    ...(data.restarted === true ? { restarted: true } : {}),
  };
}

/** The bytes of a recorded line. */
export function rawOf(data: { readonly [key: string]: Json }): RawLine | undefined {
  if (typeof data.line === 'string') return { line: data.line };
  if (typeof data.b64 === 'string') return { b64: data.b64 };
  return undefined;
}

function commandOf(atMs: number, data: { readonly [key: string]: Json }): Input | undefined {
  if (typeof data.id !== 'string' || !isObject(data.command) || typeof data.command.do !== 'string') {
    return undefined;
  }
  // What a command holds beyond its name is checked where it is carried out, live and replayed alike.
  const command = data.command as unknown as Extract<Input, { kind: 'command' }>['command'];
  return { kind: 'command', atMs, id: data.id, command };
}
