import type { Command, Output } from './advance/input.ts';
import type { TableState } from './advance/state.ts';
import { wordsOf } from './fault.ts';
import type { Calibration } from './sensing/calibration.ts';

type Made = Extract<Output, { readonly kind: 'calibrated' }>;

/**
 * Keeps a calibration and gives the command that follows: it is in force from when its file is safe, by a command of its
 * own, so that replays agree. Never rejects; what went wrong is told and stands in the command.
 */
export async function afterKeeping(
  { by, calibration }: Made,
  keep: ((calibration: Calibration) => Promise<void>) | undefined,
  failed: (why: string) => void,
): Promise<Command> {
  try {
    await keep?.(calibration);
    return { do: 'use-calibration', by, calibration };
  } catch (error) {
    failed(wordsOf(error));
    return { do: 'calibrate', act: 'not-kept', by, why: wordsOf(error) };
  }
}

/** What a table is told that goes on, when its host stopped while a calibration was being kept. */
export function keepingCutShort({ calibrating }: TableState): Command | undefined {
  if (calibrating?.saving !== true) return undefined;
  const why = 'The host was started again before the calibration was in use: keep it once more.';
  return { do: 'calibrate', act: 'not-kept', by: calibrating.by, why };
}
