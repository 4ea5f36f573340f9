/**
 * From `npm start` in an installed clone to the live page, as a person waits for it: the command is run, the page is
 * asked for until it answers. Run it twice: the first run may build.
 *
 *     bakucore bench start [runs, 5]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './rolls.ts';

const runs = Number(process.argv[2] ?? 5);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Starts a host, waits for its page, stops it. Milliseconds. */
async function once(command: string, args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-start-'));
  const beganMs = performance.now();
  const child = spawn(command, [...args, '--port', '0', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      text += bytes;
      const found = /Live table: (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the host ended: ${text}`)));
  });
  await (await fetch(url)).text();
  const tookMs = performance.now() - beganMs;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // npm does not pass a signal on to the program it runs: the whole group is asked to stop.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
  return tookMs;
}

for (const [name, command, args] of [
  ['npm start, emulated boards', npm, ['start', '--silent', '--']],
  ['the program itself, emulated boards', process.execPath, ['dist/bin/bakucore.js', 'start']],
  [
    'the program itself, boards without a chip',
    process.execPath,
    ['dist/bin/bakucore.js', 'start', '--boards', 'scripted'],
  ],
] as const) {
  const took: number[] = [];
  for (let run = 0; run < runs; run++) took.push(await once(command, args));
  const show = (share: number): string => `${quantile(took, share).toFixed(0)} ms`;
  console.log(`${name.padEnd(42)} median ${show(0.5)}, fastest ${show(0)}, slowest ${show(1)}`);
}
