import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TableFault } from '../host/fault.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { segmentsIn } from '../host/journal/segments.ts';

/**
 * Checks a place that results are to go to before anything is read or written. Throws a TableFault `file/is-input` when
 * it is one of the inputs, under whatever name, or `file/in-journal` when it lies in the folder of a table, whose host
 * alone writes there.
 */
export async function checkOutPlace(out: string, inputs: readonly string[], option = '--out'): Promise<void> {
  const place = await realPlace(out);
  const own = await identityOf(place);
  for (const input of inputs) {
    // What is not there is complained of by whoever opens it.
    const files = await filesOf(await realPlace(input));
    for (const file of files) {
      if (file !== place && (own === undefined || (await identityOf(file)) !== own)) continue;
      throw new TableFault(
        'file/is-input',
        `${option} ${out} is ${file === place && input === out ? 'what is read' : `the same file as ${file}`}: it would be lost.`,
        `Give ${option} another name.`,
      );
    }
  }
  for (let folder = place, above = ''; folder !== above; above = folder, folder = dirname(folder)) {
    if (!(await isTableFolder(folder))) continue;
    throw new TableFault(
      'file/in-journal',
      `${option} ${out} lies in ${folder}, the journal of a table.`,
      `Give ${option} a place outside of it.`,
    );
  }
}

async function isTableFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return false;
  // A folder that may not be looked into is no journal that this user could write to.
  return (await segmentsIn(systemDisk, path).catch(() => [])).length > 0;
}

/** The place that a path leads to, through links; of what is not there yet, the place where it would come to lie. */
export async function realPlace(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(await realPlace(above), basename(whole));
  }
}

/** An input, or the files in it when it is a folder. */
async function filesOf(path: string): Promise<readonly string[]> {
  const names = await readdir(path).catch(() => []);
  return [path, ...names.map((name) => join(path, name))];
}

/** Tells a file from every other one of this machine, whatever its names; undefined for what is not there. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.dev}/${found.ino}`;
}
