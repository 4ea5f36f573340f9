import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository or package, from the built file as from its source. */
export const ROOT = rootOf(fileURLToPath(new URL('.', import.meta.url)));

function rootOf(folder: string): string {
  const up = join(folder, '..');
  return existsSync(join(folder, 'package.json')) || up === folder ? folder : rootOf(up);
}
