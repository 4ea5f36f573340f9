import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { MadeFile } from './archive-messages.ts';
import type { Made } from './feed-archive.ts';

/** Files that wait to be fetched, and for how long, ms. */
const MOST_FILES = 40;
const KEPT_MS = 30 * 60_000;

/** Files made for a person, each under an address that nobody can guess: a browser opens it without a token. */
export interface MadeFiles {
  add(made: Made): MadeFile;
  find(id: string): Made | undefined;
}

export function keepMadeFiles(nowMs: () => number): MadeFiles {
  let files: { readonly id: string; readonly made: Made; readonly atMs: number }[] = [];
  const tidy = (most: number): void => {
    const gone = files.filter(({ atMs }, i) => i < files.length - most || nowMs() - atMs > KEPT_MS);
    files = files.filter((one) => !gone.includes(one));
    for (const { made } of gone) void rm(made.path, { force: true }).catch(() => {});
  };
  return {
    add(made) {
      tidy(MOST_FILES - 1);
      const id = randomBytes(16).toString('hex');
      files.push({ id, made, atMs: nowMs() });
      return { url: `/made/${id}/${encodeURIComponent(made.name)}`, name: made.name, bytes: made.bytes };
    },
    find(id) {
      tidy(MOST_FILES);
      return files.find((one) => one.id === id)?.made;
    },
  };
}
