/** Writes what is made from the game: the table of rules and scenarios, and the JSON Schemas of scenario and card files. */
import { writeFileSync } from 'node:fs';
import { CARD_SCHEMA } from '../../host/game/bakugan/cards/schema.ts';
import { coverageTable, uncovered } from '../../host/game/scenarios/coverage.ts';
import { SCENARIO_SCHEMA } from '../../host/game/scenarios/read.ts';
import { scenarioFiles } from '../support/scenario-files.ts';

const root = process.cwd();
const files = scenarioFiles(root);
writeFileSync(`${root}/host/game/scenarios/RULES.md`, coverageTable(files));
const schema = (path: string, value: unknown): void =>
  writeFileSync(`${root}/host/game/${path}`, `${JSON.stringify(value, null, 1)}\n`);
schema('scenarios/scenario.schema.json', SCENARIO_SCHEMA);
schema('bakugan/cards/card.schema.json', CARD_SCHEMA);
console.log('rules without a scenario:', uncovered(files).join(', ') || 'none');
