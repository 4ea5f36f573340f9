import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ScenarioFile } from '../../host/game/scenarios/coverage.ts';
import { readScenarios } from '../../host/game/scenarios/read.ts';

/** Every scenario file of the repository at this path. */
export function scenarioFiles(root: string): readonly ScenarioFile[] {
  const folder = join(root, 'tests', 'scenarios');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') || file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { file, scenarios: readScenarios(file.endsWith('.yaml') ? parse(text) : text) };
    });
}
