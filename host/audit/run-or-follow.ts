import type { Output } from '../advance/input.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import type { Refold } from '../refold.ts';
import { type FollowedPlay, followPlay } from './follow-play.ts';
import { type ReplayAsk, replaySource } from './replay.ts';
import type { Source } from './source.ts';

/** One record with what the table said about it, and the table after it. */
export interface Step {
  readonly record: JournalRecord;
  /** Made anew; as they were recorded where the record could not be run. */
  readonly outputs: readonly Output[];
  readonly refold: Refold;
  /**
   * How the record was taken: run through the live code, or followed on what is recorded since lines are no longer kept.
   * `unsure` where what is recorded does not tell how play stood either: then only the record itself can be believed.
   */
  readonly how: 'run' | 'followed' | 'unsure';
}

/**
 * Runs records once more through the live code, and follows play on what is recorded wherever lines are no longer kept.
 * Returns how many records could only be followed. Throws a TableFault when they cannot be read or begun.
 */
export async function runOrFollow(
  source: Source,
  ask: Pick<ReplayAsk, 'from' | 'until' | 'hole'> & {
    readonly parts: Parts;
    readonly each: (step: Step) => void;
  },
): Promise<number> {
  const { each, ...rest } = ask;
  let followed: FollowedPlay | undefined;
  let before: Refold | undefined;
  const { notRun } = await replaySource(source, {
    ...rest,
    each(record, outputs, refold) {
      each({ record, outputs, refold, how: 'run' });
      return undefined;
    },
    notRun(record, stood) {
      if (followed === undefined || before !== stood) {
        followed = followPlay(stood);
        before = stood;
      }
      for (const step of followed.take(record)) {
        each({ ...step, refold: followed.refold, how: followed.isSure ? 'followed' : 'unsure' });
      }
    },
  });
  return notRun;
}
