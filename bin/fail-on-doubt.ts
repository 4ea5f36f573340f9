import type { Doubt } from '../host/audit/doubt.ts';
import { TableFault } from '../host/fault.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { isHeld } from '../host/journal/lock.ts';
import { sayAside } from './say.ts';

/** Words of the option that takes a journal without its stop. */
export const ALLOW_OPEN = 'exit with 0 although the journal does not end with a stop';

/**
 * Says on stderr what of the files is in doubt. Throws a TableFault `journal/not-intact` when one is not what was written,
 * or ends without a stop while no host writes it; what was made is made all the same, before.
 */
export async function failOnDoubt(doubts: readonly Doubt[], allowOpen: boolean): Promise<void> {
  const failing: Doubt[] = [];
  for (const doubt of doubts) {
    const isFine = doubt.isPlain || (doubt.isOpen && (allowOpen || (await isHeld(systemDisk, doubt.path))));
    if (isFine) sayAside(doubt.text);
    else failing.push(doubt);
  }
  if (failing.length === 0) return;
  throw new TableFault(
    'journal/not-intact',
    failing.map(({ text }) => text).join('\n'),
    failing.every(({ isOpen }) => isOpen)
      ? 'If it was not stopped give --allow-open; or compare it by bakucore verify --since with a checkpoint kept elsewhere.'
      : 'See what is wrong with: bakucore verify. Take another copy of it.',
  );
}
