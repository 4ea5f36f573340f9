import type { Json, LinkId, Side, TableId } from '../ids.ts';
import type { Layout } from '../sensing/layout.ts';
import type { SensingLimits } from '../sensing/limits.ts';

export interface HttpConfig {
  /** Further names under which browsers reach this host. */
  readonly names: readonly string[];
  /** Origins of other pages that may connect. */
  readonly origins: readonly string[];
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute paths of files whose first line is the secret of that role. */
  readonly tokens: {
    readonly operatorFile?: string;
    readonly judgeFile?: string;
    /** Judges by name: the name goes into the record, and one may confirm what another orders. */
    readonly judges: Readonly<Record<string, string>>;
    readonly playerAFile?: string;
    readonly playerBFile?: string;
  };
}

export interface BrokerConfig {
  /** True: this host runs the broker itself on `host` and `port`. */
  readonly embedded: boolean;
  readonly host: string;
  readonly port: number;
  /** Address for clients on this machine. */
  readonly url: string;
  readonly username?: string;
  readonly passwordFile?: string;
}

export interface LinkConfig {
  /** Name of a transport of the parts list. */
  readonly transport: string;
  /** As checked and completed by that transport. */
  readonly options: unknown;
  /** Whose side the board on this link is said to serve. */
  readonly side?: Side | 'both';
}

export interface TableConfig {
  readonly table: TableId;
  readonly layout: Layout;
  readonly ruleset: string;
  readonly rulesetOptions: { readonly [key: string]: Json };
  /** Absolute path; the file need not be there yet. */
  readonly calibration?: string;
  /** Games of a match; undefined: one. */
  readonly bestOf?: 1 | 3;
  /** The loser of a game says who begins the next one of the match. */
  readonly loserChooses?: boolean;
  /** Undefined: people pass. */
  readonly autoPassMs?: number;
  readonly ledBudgetMa: number;
  readonly links: Readonly<Record<LinkId, LinkConfig>>;
  readonly sensing: SensingLimits;
}

/** A whole config, checked, completed and frozen. */
export interface Config {
  readonly store: string;
  readonly http: HttpConfig;
  readonly broker: BrokerConfig;
  /** Absolute. */
  readonly dataDir: string;
  /** How much of the raw lines of each table is kept; rulings, commands and events are never let go. */
  readonly retention: { readonly mostDays?: number; readonly mostBytes?: number };
  readonly tables: Readonly<Record<TableId, TableConfig>>;
  /** SHA-256 of all the above, hex. */
  readonly hash: string;
}
