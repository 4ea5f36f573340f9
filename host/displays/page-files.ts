import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** One file of the built pages, as it is served. */
export type PageFile = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  /** Its name carries a hash of its content, so it may be kept for ever. */
  readonly hashed: boolean;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Reads the built pages into memory by their path from `/`. Only what lies here is ever served, so no request can
 * reach another file. An absent folder gives an empty map.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const found = new Map<string, PageFile>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const body = new Uint8Array(await readFile(path));
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    found.set(name, { body, type, etag, hashed: name.startsWith('/assets/') });
  }
  return found;
}
