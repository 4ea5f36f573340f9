#!/usr/bin/env node
import { Command, type CommanderError } from 'commander';
import { TableFault, wordsOf } from '../host/fault.ts';
import { HOST_VERSION } from '../host/version.ts';
import { bench } from './commands/bench.ts';
import { bridge } from './commands/bridge.ts';
import { calibrate } from './commands/calibrate.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { event } from './commands/event.ts';
import { exporting } from './commands/export.ts';
import { learn } from './commands/learn.ts';
import { library } from './commands/library.ts';
import { replay } from './commands/replay.ts';
import { report } from './commands/report.ts';
import { rules } from './commands/rules.ts';
import { sim } from './commands/sim.ts';
import { start } from './commands/start.ts';
import { verify } from './commands/verify.ts';
import { sayAside } from './say.ts';

/** Exit codes, the same for every command. */
const EXIT = { ok: 0, fault: 1, usage: 2 } as const;

/** What commander says of an option it does not take is wrong usage; `--help` and `--version` are no failure. */
function leave(error: CommanderError): never {
  process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
}

// Reads and syncs of all tables wait for one another in four threads, as Node has it: a sync of one table must not wait
// for those of four others. Counts from Node 24 on; the loader of Node 20 has begun its four threads by now: there set it
// in the environment.
process.env.UV_THREADPOOL_SIZE ??= '16';

// A terminal that was closed, or a reader that has read enough, must not end a match.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const program = new Command('bakucore')
  .description('The host of a BakuCore table: from tile sensors to rulings, lights and live pages.')
  .version(HOST_VERSION)
  .showHelpAfterError('(add --help for what may be given)')
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 something failed (the reason and the remedy stand on stderr), 2 wrong usage.',
  )
  .exitOverride(leave);

for (const command of [
  start,
  calibrate,
  learn,
  bridge,
  replay,
  verify,
  diff,
  report,
  exporting,
  library,
  event,
  doctor,
  rules,
  bench,
  sim,
]) {
  const made = command().copyInheritedSettings(program).exitOverride(leave);
  for (const inner of made.commands) inner.copyInheritedSettings(program).exitOverride(leave);
  program.addCommand(made);
}

try {
  await program.parseAsync();
} catch (error) {
  const said = error instanceof TableFault ? error.message : `internal: ${wordsOf(error)}`;
  sayAside(...said.split('\n'));
  if (!(error instanceof TableFault) && error instanceof Error && process.env.BAKUCORE_DEBUG) {
    process.stderr.write(`${error.stack}\n`);
  }
  process.exit(EXIT.fault);
}
