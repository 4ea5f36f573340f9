import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { parseDocument } from 'yaml';
import { systemCodeOf, TableFault, wordsOf } from '../../host/fault.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { playScenario } from '../../host/game/scenarios/check.ts';
import { explainedRules, explainRule, nearestRules } from '../../host/game/scenarios/explain.ts';
import { readScenarios } from '../../host/game/scenarios/read.ts';
import type { Checked, Scenario } from '../../host/game/scenarios/scenario.ts';
import { SIDES } from '../../host/ids.ts';
import { handEntryPage } from '../hand-entry-page.ts';
import { say, sayAside } from '../say.ts';

/** Exit codes of `rules check` beside 0: a scenario is not as expected; a file cannot be played at all. */
const EXIT = { failed: 1, unusable: 2 } as const;

/** `bakucore rules`: plays scenario files, and says what the game does for a rule. */
export function rules(): Command {
  const whole = new Command('rules').description(
    'Check the Bakugan rules by scenario files, and explain them.',
  );
  whole
    .command('check')
    .description('Play scenario files and compare what happens with what they expect.')
    .argument('<files...>', 'scenario files (.json, .yaml, .yml), or folders of them')
    .option('--json', 'print a JSON object for each scenario and each unusable file', false)
    .option(
      '--show',
      'print what happens in every step with the rules, and what is possible after the last',
      false,
    )
    .addHelpText(
      'after',
      '\nThe form of a file stands in host/game/scenarios/README.md.\nExit codes: 0 all as expected, 1 a scenario is not, 2 a file cannot be read or does not fit the form.\n\nExamples:\n  bakucore rules check my-scenario.yaml --show\n  bakucore rules check tests/scenarios',
    )
    .action(check);
  whole
    .command('explain')
    .description('What the game does for a rule, in our words; without a rule, for all of them.')
    .argument(
      '[rule]',
      'number of a rule (5.7.2, with those below it), open reading (AM-13), tournament rule (D-8.3)',
    )
    .addHelpText('after', '\nExamples:\n  bakucore rules explain 5.7.2\n  bakucore rules explain AM-13')
    .action(explain);
  whole
    .command('hand-entry')
    .description('Print which cards leave a part of their text to entry by hand, and why, as Markdown.')
    .addHelpText('after', '\nExample:\n  bakucore rules hand-entry')
    .action(() => void process.stdout.write(handEntryPage()));
  return whole;
}

type CheckOptions = { readonly json: boolean; readonly show: boolean };

/** A file as it was found: its scenarios, or why it has none, a line a fault. */
type Found = { readonly file: string } & (
  | { readonly scenarios: readonly Scenario[] }
  | { readonly faults: readonly string[] }
);

async function check(given: readonly string[], options: CheckOptions): Promise<void> {
  let played = 0;
  let failed = 0;
  let unusable = 0;
  for (const file of await filesIn(given)) {
    const found = await readFileOf(file);
    if ('faults' in found) {
      unusable += 1;
      if (options.json) say(JSON.stringify(found));
      for (const fault of found.faults) sayAside(`${file}: ${fault}`);
      continue;
    }
    for (const scenario of found.scenarios) {
      if (options.show) say(`${file}: ${JSON.stringify(scenario.name)}`);
      const checked = playScenario(scenario, options.show ? shower(scenario) : undefined);
      played += 1;
      if (!checked.ok) failed += 1;
      if (options.json) say(JSON.stringify({ file, ...checked }));
      else if (!checked.ok) say(...failureLines(file, scenario, checked));
    }
  }
  if (!options.json) {
    const parts = [
      `${played - failed} of ${played} scenarios as expected`,
      ...(unusable === 0 ? [] : [`${unusable} ${unusable === 1 ? 'file' : 'files'} not usable`]),
    ];
    say(parts.join(', '));
  }
  if (unusable > 0) process.exitCode = EXIT.unusable;
  else if (failed > 0) process.exitCode = EXIT.failed;
}

const NAMES = /\.(json|ya?ml)$/;

/** The files themselves, and those of folders, sorted. */
async function filesIn(given: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of given) {
    const kind = await stat(path).catch(() => undefined);
    if (kind?.isDirectory() !== true) {
      files.push(path);
      continue;
    }
    const inside = await readdir(path, { recursive: true });
    const own = inside.filter((name) => NAMES.test(name)).sort();
    // A folder without a file is as wrong as a name without one.
    files.push(...(own.length === 0 ? [path] : own.map((name) => join(path, name))));
  }
  return files;
}

async function readFileOf(file: string): Promise<Found> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = systemCodeOf(error);
    const fault =
      code === 'EISDIR'
        ? 'This folder has no .json, .yaml or .yml file.'
        : code === 'ENOENT'
          ? 'There is no such file. Check the path.'
          : `This file cannot be read (${code ?? wordsOf(error)}).`;
    return { file, faults: [fault] };
  }
  try {
    return { file, scenarios: readScenarios(contentOf(file, text)) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { file, faults: error.message.split('\n') };
  }
}

function contentOf(file: string, text: string): unknown {
  if (!/\.ya?ml$/.test(file)) return text;
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) throw new RangeError(`This is no YAML: ${fault.message.split('\n')[0]}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new RangeError(`This is no YAML that can be used: ${wordsOf(error)}`);
  }
}

/** A step in a line, without what it expects. */
function stepText(scenario: Scenario, step: number): string {
  const {
    expect: _,
    events: __,
    never: ___,
    refused: ____,
    says: _____,
    ...does
  } = scenario.steps[step - 1] ?? {};
  return step === 0
    ? 'the given position'
    : `step ${step} of ${scenario.steps.length}, ${JSON.stringify(does)}`;
}

function failureLines(file: string, scenario: Scenario, checked: Checked): readonly string[] {
  const [first] = checked.failures;
  const lines = checked.failures.flatMap(({ what, expected, found, why }) => [
    `    ${what}: should be ${JSON.stringify(expected)}, is ${JSON.stringify(found)}`,
    ...(why === undefined ? [] : [`      ${why}`]),
  ]);
  const rules = scenario.rules.map((rule) => `    ${explainRule(rule)?.split('\n')[0] ?? rule}`);
  return [
    `${file}: ${JSON.stringify(scenario.name)} is not as expected`,
    `  in ${stepText(scenario, first?.step ?? 0)}:`,
    ...lines,
    '  rules:',
    ...rules,
  ];
}

/** Most inputs that are shown as possible after the last step. */
const MOST_WAYS = 60;

function shower(scenario: Scenario): Parameters<typeof playScenario>[1] {
  return (step, state, events, refused) => {
    say(`  ${stepText(scenario, step)}`);
    for (const event of events) say(`    ${event.type}: ${event.text} (${event.rules.join(', ')})`);
    if (refused !== null)
      say(`    refused ${refused.code}: ${refused.message} (${refused.rules.join(', ')})`);
    say(`    now turn ${state.turn}, ${state.at}`);
    if (step < scenario.steps.length) return;
    const ways = [...SIDES, 'judge' as const].flatMap((who) => bakugan.legalInputs(state, who));
    for (const { player, label, input } of ways.filter((one) => one.aside !== true).slice(0, MOST_WAYS)) {
      const given =
        player === 'judge' ? { input: { ...input, by: { role: 'judge' } } } : { as: player, ...input };
      say(`    possible now: ${JSON.stringify(given)} (${label})`);
    }
  };
}

function explain(rule: string | undefined): void {
  if (rule === undefined) {
    for (const one of explainedRules()) process.stdout.write(`${explainRule(one)?.split('\n')[0]}\n`);
    return;
  }
  const text = explainRule(rule.toUpperCase());
  if (text === undefined) {
    throw new TableFault(
      'rules/unknown-rule',
      `There is no rule "${rule.slice(0, 40)}" here.`,
      `Near it are ${nearestRules(rule).join(', ')}; without a rule all are listed.`,
    );
  }
  process.stdout.write(`${text}\n`);
}
