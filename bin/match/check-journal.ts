import { join } from 'node:path';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { replaySource } from '../../host/audit/replay.ts';
import { openSource } from '../../host/audit/source.ts';
import type { Verdict } from '../../host/audit/verdict.ts';
import { verifySource } from '../../host/audit/verify-source.ts';
import { PARTS } from '../../host/parts.ts';

/** What a journal that was just written is worth. */
export type JournalCheck = {
  readonly folder: string;
  readonly state: Verdict['state'];
  readonly records: number;
  /** Whether a replay says, sends and rules the same, word for word. */
  readonly same: boolean;
  /** Hashes of the state that the record names and the replay gives too. */
  readonly marks: number;
  /** Hash of every output in order, and of the state at the end. */
  readonly outputsHash: string;
  readonly stateHash: string;
};

/** Verifies the journal of a table and runs it once more through the live code. */
export async function checkJournal(dataDir: string): Promise<JournalCheck> {
  const folder = join(dataDir, 't1');
  const source = await openSource(folder);
  const { state } = await verifySource(source, NODE_TOOLS);
  const replayed = await replaySource(await openSource(folder), { parts: PARTS, check: true });
  return {
    folder,
    state,
    records: replayed.records,
    same: replayed.difference === undefined,
    marks: replayed.marks,
    outputsHash: replayed.hash,
    stateHash: replayed.state,
  };
}
