import { stat } from 'node:fs/promises';
import { TableFault } from '../host/fault.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { segmentsIn } from '../host/journal/segments.ts';

/** Checks that matches can be looked for in it. Throws a TableFault `journal/unreadable` for anything but a journal. */
export async function tableFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true && (await segmentsIn(systemDisk, path)).length > 0) return path;
  const sentence = found === undefined ? `There is no ${path}.` : `${path} is no folder of a table.`;
  throw new TableFault('journal/unreadable', sentence, 'Name the folder of a table, as in data/t1.');
}
