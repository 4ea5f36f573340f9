// kill -9 of a host on a serial port and a broker at once: node <built> [tables] [kills a table] [first seed]; with
// `child` it is the one that is killed. Needs socat.
import { fileURLToPath } from 'node:url';
import { hostUntilKilled } from '../support/wire-child.ts';
import { wireTrials } from '../support/wire-trials.ts';

const self = fileURLToPath(import.meta.url);
if (process.argv[2] === 'child') {
  const [config = '', calibration = '', seed = ''] = process.argv.slice(3);
  await hostUntilKilled(config, calibration, Number(seed));
} else {
  const [tables = 5, kills = 20, first = 1] = process.argv.slice(2).map(Number);
  let wrong = 0;
  for (let seed = first; seed < first + tables; seed += 1) {
    const child = [process.execPath, self, 'child'] as const;
    const found = await wireTrials({
      ...{ seed, kills, lifeMs: 5000, child },
      each: (so) => process.stderr.write(`${JSON.stringify({ seed, ...so })}\n`),
    });
    wrong += found.wrong.length;
    process.stdout.write(`${JSON.stringify({ seed, ...found })}\n`);
  }
  process.exitCode = wrong === 0 ? 0 : 1;
}
