/** Plays a scenario by a part of its name and prints what happened, with the rules. */
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { playScenario, sayFailure } from '../../host/game/scenarios/check.ts';
import { scenarioFiles } from '../support/scenario-files.ts';

const wanted = process.argv[2] ?? 'a whole match';
const scenario = scenarioFiles(process.cwd())
  .flatMap((file) => file.scenarios)
  .find((one) => one.name.includes(wanted));
if (scenario === undefined) throw new Error(`No scenario is called "${wanted}".`);
// The steps go through the ruleset; what it says is kept on the way.
const { step } = bakugan;
Object.assign(bakugan, {
  step(state: Parameters<typeof step>[0], input: Parameters<typeof step>[1]) {
    const outcome = step(state, input);
    if (outcome.ok) {
      for (const event of outcome.events) {
        if (event.type.startsWith('window/')) continue;
        console.log(
          `turn ${outcome.state.turn} ${outcome.state.at.padEnd(6)} ${event.text} (${event.rules.join(', ')})`,
        );
      }
    } else console.log(`refused: ${outcome.refusal.message} (${outcome.refusal.rules.join(', ')})`);
    return outcome;
  },
});
const checked = playScenario(scenario);
console.log(checked.ok ? 'as expected' : sayFailure(checked));
