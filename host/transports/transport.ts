import type { FaultCode } from '../fault.ts';
import type { LinkId, Side, TableId } from '../ids.ts';
import type { RawLine } from '../record.ts';

/** What a transport tells of itself. Never an exception: a link that dies never ends the process. */
export interface TransportEvents {
  /** One line without its line end, as it came. `device` only where the wire itself names it (an MQTT topic). */
  line(link: LinkId, raw: RawLine, from?: { readonly device?: string; readonly retained?: boolean }): void;
  /** The link is up: lines may be sent. */
  up(link: LinkId, detail: string): void;
  /**
   * The link is down; the transport goes on trying by itself. Told once, and again when the reason changes.
   * `remedy` is a sentence for a person, `code` the stable name of the reason.
   */
  down(link: LinkId, reason: string, remedy?: string, code?: FaultCode): void;
  /** Bytes or messages dropped before they were lines (no newline within the limit, junk topic, …). */
  dropped(link: LinkId, what: string, count: number): void;
}

/** One open way in and out. */
export interface Transport {
  readonly link: LinkId;
  /**
   * Sends one line, line end added here. Returns false when the link is down or full; the caller tries later.
   * A line that no board could read (empty, overlong, not ASCII) is taken, dropped and told by `dropped`.
   */
  send(line: string, to?: { readonly device?: string }): boolean;
  /** Stops trying, closes, resolves when nothing more will be told. A second call does no harm. */
  close(): Promise<void>;
}

/** Where in a config a link stands: what a transport may take for granted. */
export interface LinkPlace {
  /** Level of every topic, `[a-z0-9][a-z0-9_-]{0,31}`. */
  readonly store: string;
  readonly table: TableId;
  readonly link: LinkId;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Whose side the config says the link serves; for boards that cannot say it themselves. */
  readonly side?: Side | 'both';
  /** The broker of this host, embedded or foreign, unless the link names its own. */
  readonly broker: {
    readonly url: string;
    readonly username?: string;
    /** Absolute path of the file whose first line is the password. */
    readonly passwordFile?: string;
  };
}

/** A sort of transport: its options' schema and how to open it. One file each; listed in `host/parts.ts`. */
export interface TransportKind<Options> {
  readonly name: string;
  /** The options as JSON Schema (draft 2020-12), for editors; without it any options are let through there. */
  readonly optionsSchema?: () => { readonly [key: string]: unknown };
  /** Checks options from the config; throws a ZodError whose paths name the keys. */
  parse(options: unknown, place: LinkPlace): Options;
  /** Returns at once; the first `up` or `down` follows. Loads its npm library here, not on import. */
  open(link: LinkId, options: Options, events: TransportEvents, clock: TransportClock): Promise<Transport>;
}

/** The only time a transport knows: virtual in tests. */
export interface TransportClock {
  /** Monotonic, ms; only differences mean anything. */
  now(): number;
  /** Runs `then` after `ms`; the returned function cancels. */
  after(ms: number, then: () => void): () => void;
}
