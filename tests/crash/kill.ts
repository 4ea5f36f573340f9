// kill -9 at random moments: node <built> [tables] [kills a table] [first seed] [small disk]; with `child` it is the one that
// is killed. A small disk, as of `mount -t tmpfs -o size=24m tmpfs /mnt/small`, is filled up and freed meanwhile.
import { fileURLToPath } from 'node:url';
import { playUntilKilled } from '../support/kill-child.ts';
import { killTrials } from '../support/kill-trials.ts';

const self = fileURLToPath(import.meta.url);
if (process.argv[2] === 'child') {
  const [dataDir = '', seed = '', life = '', fills] = process.argv.slice(3);
  await playUntilKilled(dataDir, Number(seed), Number(life), fills === 'fills');
} else {
  const [tables = 50, kills = 10, first = 1] = process.argv.slice(2, 5).map(Number);
  const smallDisk = process.argv[5];
  const sum = { kills: 0, rulings: 0, torn: 0, untold: 0, records: 0 };
  const wrong: string[] = [];
  for (let seed = first; seed < first + tables; seed += 1) {
    const child = [process.execPath, self, 'child'] as const;
    const found = await killTrials({
      ...{ seed, kills, lifeMs: 900, child },
      ...(smallDisk === undefined ? {} : { smallDisk }),
    });
    for (const key of ['kills', 'rulings', 'torn', 'untold', 'records'] as const) sum[key] += found[key];
    wrong.push(...found.wrong.map((text) => `seed ${seed}: ${text}`));
    process.stderr.write(`${JSON.stringify({ seed, ...sum, wrong: wrong.length })}\n`);
  }
  process.stdout.write(`${JSON.stringify({ ...sum, wrong }, null, 1)}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
