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
  | 'close'
  /** Time passed and something fell due. */
  | 'tick'
  /** First of a segment that is not the first: the tree so far. */
  | 'segment'
  /** Hash of the whole state at this place. */
  | 'snapshot'
  /** Signed root over all records before it. */
  | 'checkpoint'
  /** Somebody had records removed: who, when, why, which. */
  | 'tombstone';

/**
 * The one envelope. `seq` rises by one in a journal. `wallTime` is a label, never an input.
 * A record written to disk is one line of canonical JSON (RFC 8785) with these keys and `prev`, the hash of the record
 * before it.
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
