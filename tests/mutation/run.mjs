/**
 * Mutation check: builds the game with one deliberate mistake after another and plays the scenario that must notice.
 * Ends with 1 when a mistake goes unnoticed or its text is not found exactly once.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { MUTANTS } from './mutants.mjs';

const root = join(import.meta.dirname, '..', '..');
const scenarios = readdirSync(join(root, 'tests', 'scenarios'))
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(root, 'tests', 'scenarios', name), 'utf8')));
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
const problems = [];

async function built(mutant, index) {
  let found = 0;
  const plugin = {
    name: 'mistake',
    transform(code, id) {
      if (
        mutant === undefined ||
        !id.endsWith(`${sep}host${sep}game${sep}${mutant.file.split('/').join(sep)}`)
      )
        return null;
      found += code.split(mutant.from).length - 1;
      return code.replace(mutant.from, mutant.to);
    },
  };
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'entry.ts'),
    platform: 'node',
    plugins: [plugin],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const file = join(folder, `m${index}.mjs`);
  writeFileSync(file, output[0].code);
  const game = await import(pathToFileURL(file).href);
  return { game, found };
}

const { game: right } = await built(undefined, 'right');
let caught = 0;
for (const [index, mutant] of MUTANTS.entries()) {
  const scenario = scenarios.find((one) => one.name === mutant.caughtBy);
  if (scenario === undefined) {
    problems.push(`${mutant.mistake}: there is no scenario "${mutant.caughtBy}"`);
    continue;
  }
  if (!right.playScenario(scenario).ok) problems.push(`${scenario.name} fails without a mistake`);
  const { game, found } = await built(mutant, index);
  if (found !== 1) problems.push(`${mutant.mistake}: its text is in ${mutant.file} ${found} times`);
  let ok = false;
  try {
    ok = game.playScenario(scenario).ok;
  } catch {
    // A mistake may also break the game outright.
  }
  if (ok) problems.push(`${mutant.mistake}: not noticed by "${mutant.caughtBy}"`);
  else caught += 1;
}
rmSync(folder, { recursive: true });
console.log(`${caught} of ${MUTANTS.length} mistakes caught`);
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
