import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import { isFull } from './folder.ts';

/** A wall clock that goes back by more than this is reported, ms; small steps are how clocks are set. */
const SET_BACK_MS = 2000;

/** What to say of a wall clock that stands before the last record. */
export function setBack(
  lastWall: string | undefined,
  wall: string,
): readonly { code: string; text: string }[] {
  const backMs = lastWall === undefined ? 0 : Date.parse(lastWall) - Date.parse(wall);
  if (!(backMs > SET_BACK_MS)) return [];
  const text = `The clock of this machine says ${wall}, before the last record (${lastWall}): it was set back. Order and times of play are not touched.`;
  return [{ code: 'journal/clock-set-back', text }];
}

/** A folder that takes no new segment. */
export function notWritable(path: string, error: unknown): TableFault {
  return new TableFault(
    isFull(error) ? 'journal/disk-full' : 'journal/not-writable',
    `The folder ${path} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}).`,
    'Give dataDir a folder that this user may write to.',
    { cause: error },
  );
}

/** A segment that cannot be written just now. */
export function writeFault(path: string, error: unknown): TableFault {
  const full = isFull(error);
  return new TableFault(
    'journal/write-failed',
    full
      ? `The disk is full: ${path} cannot be written, and play waits.`
      : `${path} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}), and play waits.`,
    full
      ? 'Free some space; the host goes on by itself.'
      : 'Check the disk; the host tries again every second and goes on by itself.',
    { cause: error },
  );
}
