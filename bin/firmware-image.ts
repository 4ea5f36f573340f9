import { readFile } from 'node:fs/promises';
import { TableFault, wordsOf } from '../host/fault.ts';

/** Reads the committed firmware as Intel HEX. Rejects with a TableFault that says how to go on without it. */
export async function readFirmware(file: URL): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new TableFault(
      'config/unreadable',
      `The firmware for the emulated boards cannot be read (${wordsOf(error)}).`,
      'Get firmware-protocol/hex back, or start with --boards scripted.',
      { cause: error },
    );
  }
}
