// Power cuts at random calls of the file system: node <built> [tables] [cuts a table] [first seed]
import { powerCutTrials } from '../support/power-trials.ts';

const [tables = 50, cuts = 10, first = 1] = process.argv.slice(2).map(Number);
const sum = { cuts: 0, rulings: 0, torn: 0, untold: 0, records: 0 };
const wrong: string[] = [];
for (let seed = first; seed < first + tables; seed += 1) {
  const found = await powerCutTrials({ seed, cuts, msBetween: 6000 });
  for (const key of ['cuts', 'rulings', 'torn', 'untold', 'records'] as const) sum[key] += found[key];
  wrong.push(...found.wrong.map((text) => `seed ${seed}: ${text}`));
  process.stderr.write(`${JSON.stringify({ seed, ...sum, wrong: wrong.length })}\n`);
}
process.stdout.write(`${JSON.stringify({ ...sum, wrong }, null, 1)}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
