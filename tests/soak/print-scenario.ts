/** Plays a scenario by a part of its name and prints what happened, with the rules. */
import { playScenario, sayFailure } from '../../host/game/scenarios/check.ts';
import { scenarioFiles } from '../support/scenario-files.ts';

const wanted = process.argv[2] ?? 'a whole match';
const scenario = scenarioFiles(process.cwd())
  .flatMap((file) => file.scenarios)
  .find((one) => one.name.includes(wanted));
if (scenario === undefined) throw new Error(`No scenario is called "${wanted}".`);
const checked = playScenario(scenario, (_, state, events, refused) => {
  for (const event of events) {
    if (event.type.startsWith('window/')) continue;
    console.log(`turn ${state.turn} ${state.at.padEnd(6)} ${event.text} (${event.rules.join(', ')})`);
  }
  if (refused !== null) console.log(`refused: ${refused.message} (${refused.rules.join(', ')})`);
});
console.log(checked.ok ? 'as expected' : sayFailure(checked));
