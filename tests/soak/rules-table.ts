/** Writes the table of rules and scenarios; run after changing scenario files or rule notes. */
import { writeFileSync } from 'node:fs';
import { coverageTable, uncovered } from '../../host/game/scenarios/coverage.ts';
import { scenarioFiles } from '../support/scenario-files.ts';

const root = process.cwd();
const files = scenarioFiles(root);
writeFileSync(`${root}/host/game/scenarios/RULES.md`, coverageTable(files));
console.log('rules without a scenario:', uncovered(files).join(', ') || 'none');
