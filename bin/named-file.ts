import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { systemCodeOf, TableFault, wordsOf } from '../host/fault.ts';
import { realPlace } from './out-place.ts';

/**
 * Writes a file that was asked for by name: whole or not at all, so that a failure leaves what was there. Throws a
 * TableFault `file/not-written` that names it.
 */
export async function writeNamed(path: string, text: string): Promise<void> {
  try {
    const place = await realPlace(path);
    const before = await stat(place).catch(() => undefined);
    // A terminal or a pipe is written to as it stands.
    if (before?.isFile() === false) await writeFile(place, text);
    else await replaceFile(place, text, before?.mode);
  } catch (error) {
    throw notWritten(path, error);
  }
}

async function replaceFile(place: string, text: string, mode: number | undefined): Promise<void> {
  const next = `${place}.${randomUUID()}.part`;
  try {
    const file = await open(next, 'wx');
    try {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, place);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Makes a folder that was asked for by name. Throws a TableFault `file/not-written` that names it. */
export async function makeNamed(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** Reads a text file that was asked for by name. Throws a TableFault `file/unreadable` that names it. */
export async function readNamed(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new TableFault(
      'file/unreadable',
      `${path} cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Check the name and the permissions.',
      { cause: error },
    );
  }
}

/** Throws a TableFault `file/named-twice` when two of the names mean one file: its rolls would count twice. */
export async function eachOnce(paths: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const path of paths) {
    // What is not there is complained of by whoever opens it.
    const place = await realpath(path).catch(() => path);
    if (seen.has(place)) {
      throw new TableFault('file/named-twice', `${path} is named twice.`, 'Name each file once.');
    }
    seen.add(place);
  }
}

function notWritten(path: string, error: unknown): TableFault {
  return new TableFault(
    'file/not-written',
    `${path} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}).`,
    'Name a place where this user may write, in a folder that exists.',
    { cause: error },
  );
}
