import { RULE_NOTES } from './data/rule-notes.ts';
import { explainedRules } from './explain.ts';
import type { Scenario } from './scenario.ts';

/** Scenarios of one file. */
export type ScenarioFile = { readonly file: string; readonly scenarios: readonly Scenario[] };

/** Whether a scenario shows a rule: it names it. */
function shows(scenario: Scenario, rule: string): boolean {
  return scenario.rules.includes(rule);
}

/** Rules without a scenario. */
export function uncovered(files: readonly ScenarioFile[]): readonly string[] {
  return explainedRules().filter(
    (rule) => !files.some((one) => one.scenarios.some((scenario) => shows(scenario, rule))),
  );
}

/** The table rule → state or function → scenarios, as a page. */
export function coverageTable(files: readonly ScenarioFile[]): string {
  const count = files.reduce((sum, one) => sum + one.scenarios.length, 0);
  const rows = explainedRules().map((rule) => {
    const places = files.flatMap(({ file, scenarios }) => {
      const n = scenarios.filter((scenario) => shows(scenario, rule)).length;
      return n === 0 ? [] : [`${file} (${n})`];
    });
    return `| ${rule} | ${RULE_NOTES[rule]?.where ?? ''} | ${places.join(', ')} |`;
  });
  return [
    '# Rules, where they are, and the scenarios that show them',
    '',
    'Written by `tests/soak/rules-table.ts`; change `data/rule-notes.ts` or the scenario files, not this page.',
    `${explainedRules().length} rules and readings, ${count} scenarios in ${files.length} files under \`tests/scenarios\`.`,
    '',
    '| rule | state, option or function | scenario files (scenarios) |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
