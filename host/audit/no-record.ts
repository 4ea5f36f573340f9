import { TableFault } from '../fault.ts';

/** The fault of a file that was read to its end and holds nothing to work on. */
export function noRecord(path: string): TableFault {
  return new TableFault(
    'journal/unreadable',
    `${path} holds no record.`,
    'Name the folder of a table, a match file or a capture.',
  );
}
