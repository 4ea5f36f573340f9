import type { AtMs, Json, TableId } from '../ids.ts';

/** One match of a table, as its journal has it. */
export interface Match {
  /** `<table>-<number of its first record>`: names it for ever. */
  readonly id: string;
  readonly table: TableId;
  /** First record and one past the last so far. */
  readonly from: number;
  readonly to: number;
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Wall time of its start, ISO 8601. */
  readonly startedAt: string | null;
  readonly ruleset: string;
  readonly players: { readonly A: string; readonly B: string };
  readonly winner: string | null;
  readonly rolls: number;
  readonly undetermined: number;
  /** Decisions and corrections of judges. */
  readonly corrections: number;
  /** The next match has begun, so that nothing is added. */
  readonly closed: boolean;
  /** Its end is decided and stands: from this record on nothing is played. */
  readonly restsFrom?: number;
  /** The match of several games that it is one of: id of its first game, number in it, who won when it was ended early. */
  readonly series?: { readonly of: string; readonly game: number; readonly ended?: string };
  /** Its records were removed: who, when, why. Its players are no longer named then. */
  readonly removed?: Json;
  /** Nothing of the removed records is left in any closed segment. */
  readonly gone?: true;
}

/** Whether records that are no longer kept were of the time after its end: nothing of the match is missing. */
export function restsBefore({ restsFrom, from }: Match, hole: { readonly from: number }): boolean {
  return restsFrom !== undefined && hole.from >= restsFrom && hole.from >= from;
}
