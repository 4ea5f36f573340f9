import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';

/** Every bench by name: a script of `bin/bench/` and what it prints. */
const BENCHES = {
  rolls:
    'simulated rolls with known truth: confusion of player, contact, opened, attached; [rolls] [first seed] [clean|worn|impaired] [layout]',
  detection:
    'corpora by name against known truth, beside two plain detectors; [share of the whole] [armed hours] [--write] [--only text]',
  captures:
    'recorded rolls of sim record against the truth beside them, every wrong ruling named; <folder> [--list] [--json]',
  'detection-firmware':
    'rolls through the firmware on emulated boards beside the same rolls as samples; [rolls]',
  'firmware-rolls': 'the same rolls through the committed firmware on emulated boards; [rolls] [first seed]',
  latency:
    'line in to LED line and feed message out inside a running host; [lines a second] [seconds] [folder]',
  start: 'from npm start to the live page; [runs]',
  journal:
    'a journal of so many rolls: check, replay, rules alone, bytes, memory; [rolls] [seconds of play laid end to end]',
  library:
    'ten thousand matches on plain files: list, search, look up, take one out; [matches] [lines of a match]',
  decode: 'lines and samples decoded a second, beside a bare hand loop; [seconds]',
  samples: 'samples a second through detection, and through decode and detection',
  links: 'lines a second through decode, de-duplication and clock mapping',
  firmware:
    'the firmware on an emulated board: rate, jitter, wire, stack, strip writes, overruns; [seconds] [uno|mega]',
  turns:
    'whole turns and steps of the rules a CPU second, time and memory as a match grows; [turns] [--beside FOLDER with boardgame.io]',
} as const;

/** `bakucore bench`: each bench in a process of its own, so that one does not warm or slow another. */
export function bench(): Command {
  const names = Object.keys(BENCHES);
  const list = Object.entries(BENCHES)
    .map(([name, what]) => `  ${name.padEnd(15)} ${what}`)
    .join('\n');
  return new Command('bench')
    .description('Measure how right and how fast this host is.')
    .addArgument(new Argument('<name>', 'which bench').choices(names))
    .argument('[args...]', 'as listed below')
    .allowUnknownOption()
    .addHelpText(
      'after',
      `\nBenches:\n${list}\n\nExamples:\n  bakucore bench rolls 1000\n  bakucore bench captures captures`,
    )
    .action((name: string, args: readonly string[]) => run(name, args));
}

async function run(name: string, args: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL(`../bench/${name}.js`, import.meta.url));
  const code = await new Promise<number | null>((resolve) => {
    spawn(process.execPath, ['--expose-gc', script, ...args], { stdio: 'inherit' }).once('exit', resolve);
  });
  if (code !== 0) process.exitCode = 1;
}
