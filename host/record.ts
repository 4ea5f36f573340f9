import type { AtMs, Json, TableId } from './ids.ts';

/** One sort of record for everything that a host hears, decides and says. */
export type RecordKind =
  /** Versions of host, ruleset and protocol, config, layout and calibration in force: the head of a journal. */
  | 'open'
  /** A line as it came, verbatim. */
  | 'line'
  | 'link'
  | 'command'
  | 'ruling'
  | 'event'
  /** A line sent to a board. */
  | 'sent'
  | 'fault'
  | 'close';

/**
 * The one envelope. `seq` rises by one in a journal. `wallTime` is a label, never an input.
 * A record written to disk is one line of JSON with these keys in this order.
 */
export interface JournalRecord {
  readonly seq: number;
  readonly atMs: AtMs;
  readonly kind: RecordKind;
  readonly table: TableId;
  readonly data: Json;
}

/** Bytes of a line as text when they are clean ASCII, else as base64; so that nothing heard is ever altered. */
export type RawLine = { readonly line: string } | { readonly b64: string };
