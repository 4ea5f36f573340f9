import type { NoteKey, SignedCheckpoint } from '../journal/note.ts';
import type { Digest, Hashing, Tree } from '../journal/tree.ts';

/** What checking needs of the machine it runs on. */
export interface VerifyTools {
  readonly hashing: Hashing;
  sha256(bytes: Uint8Array): Digest;
  /** Undefined where this machine cannot check Ed25519. */
  isSigned(key: NoteKey, body: string, signature: Uint8Array): Promise<boolean | undefined> | boolean;
  /** SHA-256 of the canonical form of a saved state, hex. May throw for a text that is none. */
  stateHash(state: string): string;
}

/** What is wrong, by kind; stable names. */
export type Breach =
  | 'not-a-record'
  | 'damaged-file'
  | 'torn-tail'
  | 'changed'
  | 'removed'
  | 'swapped'
  | 'not-the-beginning'
  | 'other-journal'
  | 'tree'
  | 'checkpoint-forged'
  | 'checkpoint-malformed'
  | 'not-consistent'
  | 'clock-set-back'
  | 'bad-removal'
  | 'empty'
  | 'start-state'
  | 'head';

/** The first place where a journal is not what was written. */
export interface Broken {
  readonly what: Breach;
  /** Number of the record. */
  readonly seq: number;
  /** Line of the file or files, from 1. */
  readonly line: number;
  /** One sentence for a person. */
  readonly text: string;
  /** The file it stands in, where files have names. */
  readonly file?: string;
}

/** Records that can be read behind the first place that is wrong; nothing vouches for them. */
export interface Left {
  readonly records: number;
  /** First and one past the last of them. */
  readonly from: number;
  readonly to: number;
}

export interface Verdict {
  /** `open`: all is well so far, but it does not end with a stop: it runs, was killed, or its tail was cut off. */
  readonly state: 'intact' | 'open' | 'broken';
  readonly broken?: Broken;
  /** Absent when nothing is wrong, or nothing behind that place can be read. */
  readonly left?: Left;
  readonly records: number;
  /** First and one past the last record that was looked at. */
  readonly from: number;
  readonly to: number;
  readonly checkpoints: number;
  /** Records that a signed checkpoint vouches for. */
  readonly signedSize: number;
  readonly origin?: string;
  /** Keys that signed, as text. */
  readonly keys: readonly string[];
  readonly root?: string;
  /** Runs of records that were removed with leave: first and one past the last of each. */
  readonly removed: readonly { readonly from: number; readonly to: number }[];
  /** Things that are allowed and that a person should know. */
  readonly notes: readonly string[];
}

export interface VerifyAsk {
  /** One past the last record, where that is known. */
  readonly to?: number;
  /** Where the records begin: nothing before by default. */
  readonly start?: { readonly seq: number; readonly frontier: readonly Digest[]; readonly prev?: string };
  /** Only this key counts. Otherwise the keys that the journal names are taken at their word. */
  readonly key?: NoteKey;
  /** Checkpoints that somebody kept elsewhere: the journal must have been there, under those roots. */
  readonly kept?: readonly SignedCheckpoint[];
}

/** Ends a check at the first place that is wrong. */
export class Stop extends Error {
  readonly broken: Broken;
  constructor(broken: Broken) {
    super(broken.text);
    this.broken = broken;
  }
}

/** How far a check has come. */
export interface CheckState {
  tree: Tree;
  prev: string | undefined;
  seq: number;
  line: number;
  records: number;
  checkpoints: number;
  signedSize: number;
  table: string | undefined;
  origin: string | undefined;
  keys: Map<string, NoteKey>;
  key: NoteKey | undefined;
  removed: { readonly from: number; readonly to: number }[];
  notes: string[];
  closed: boolean;
  atMs: number;
  timedMs: number;
  wall: { readonly at: number; readonly atMs: number } | undefined;
}

/** The end of a check at this place. */
export function stopAt(what: Breach, state: CheckState, text: string, seq = state.seq): Stop {
  return new Stop({ what, seq, line: state.line, text });
}
