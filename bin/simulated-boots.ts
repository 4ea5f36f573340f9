import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Boots that one start leaves room for, so that resets by hand do not run into the numbers of the next start. It has
 * no factor in common with the 256 numbers that a line can tell apart: none comes again for 256 starts.
 */
const BOOTS_A_START = 37;

/**
 * How often the simulated boards of a data folder have booted, 0 to 65535: as the EEPROM of real boards it outlives the
 * program, so that a host which goes on with its journal takes none of their lines for ones that it heard before.
 */
export async function countBoots(dataDir: string): Promise<number> {
  const path = join(dataDir, 'simulated-boots.json');
  const before = await readFile(path, 'utf8').then(numberIn, () => 0);
  const boots = (before + BOOTS_A_START) & 0xffff;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, `${boots}\n`);
  } catch {
    // The journal needs this folder too, and says what is wrong with it and what to do.
  }
  return boots;
}

function numberIn(text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 ? value : 0;
}
