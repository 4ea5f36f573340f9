import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Option } from 'commander';
import type { Output } from '../../host/advance/input.ts';
import { TableFault } from '../../host/fault.ts';
import { createAvrBoard } from '../../sim/avr/board.ts';
import { assignedEeprom } from '../../sim/avr/identity.ts';
import type { SimTableAsk } from '../../sim/table.ts';
import { readFirmware } from '../firmware-image.ts';
import { checkJournal, type JournalCheck } from '../match/check-journal.ts';
import { GOALS, type Goal } from '../match/goals.ts';
import { logLines } from '../match/match-log.ts';
import { type MatchRun, runMatch } from '../match/run-match.ts';
import { whole } from '../option-values.ts';
import { checkOutPlace } from '../out-place.ts';
import { ROOT } from '../root.ts';
import { say } from '../say.ts';

type Options = {
  readonly seed: number;
  readonly boards: 'emulated' | 'scripted';
  readonly out: string;
  readonly json: boolean;
};

/** `bakucore sim match`: a whole match by itself, with its log. */
export function match(): Command {
  return new Command('match')
    .description(
      'Play a whole match on a simulated mat, from the deck check to its end, through boards, detector and rules; print its log with rule numbers.',
    )
    .option('--seed <s>', 'which match; the same seed gives the same log', whole(0, 0xffffffff), 1)
    .addOption(
      new Option('--boards <kind>', 'chips that run the firmware, or a lighter script that speaks as they do')
        .choices(['emulated', 'scripted'])
        .default('scripted'),
    )
    .option('--out <folder>', 'where its journal is kept', 'simulated-match')
    .option('--json', 'print outputs as JSON, one object a line, and a summary last', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore sim match\n  bakucore sim match --seed 6 --out /tmp/match-6 --json\n  bakucore verify simulated-match/t1 && bakucore replay simulated-match/t1 --check',
    )
    .action(run);
}

async function run({ seed, boards, out, json }: Options): Promise<void> {
  await checkOutPlace(out, []);
  const dataDir = resolve(out);
  if (existsSync(join(dataDir, 't1'))) {
    throw new TableFault(
      'config/bad-value',
      `${out} holds a match already.`,
      'Give another folder with --out, or remove that one.',
    );
  }
  const bar = progressLine();
  const told = (output: Output): void => {
    bar.clear();
    if (!json) say(...logLines(output));
    else if (output.kind !== 'send') say(JSON.stringify(output));
  };
  const played = await runMatch({
    seed,
    dataDir,
    boards: await boardsOf(boards),
    told,
    progress: bar.show,
  });
  bar.clear();
  const journal = await checkJournal(dataDir);
  if (json) say(JSON.stringify(summary(played, journal)));
  else say(...endOf(played, journal));
  if (played.winner === undefined) {
    throw new TableFault('journal/not-intact', 'The match did not come to an end.', 'Try another seed.');
  }
  if (journal.state !== 'intact' || !journal.same) {
    throw new TableFault('journal/differs', `The journal in ${journal.folder} is not what was played.`, '');
  }
}

async function boardsOf(kind: Options['boards']): Promise<NonNullable<SimTableAsk['boards']>> {
  if (kind === 'scripted') return 'scripted';
  const hex = await readFirmware(pathToFileURL(join(ROOT, 'firmware-protocol/hex/uno.hex')));
  return ({ world, side, device }) =>
    createAvrBoard({ chip: 'uno', hex, world, eeprom: assignedEeprom('uno', device, side) });
}

function summary(played: MatchRun, journal: JournalCheck): object {
  const met = Object.fromEntries([...played.met].map(([goal, where]) => [goal, where]));
  const { winner = null, turns, tableMs } = played;
  return { kind: 'summary', winner, turns, tableMs, met, journal };
}

function endOf({ winner, turns, tableMs, met }: MatchRun, journal: JournalCheck): readonly string[] {
  const seconds = (tableMs / 1000).toFixed(1);
  const names = Object.keys(GOALS) as Goal[];
  return [
    '',
    `${winner === 'draw' ? 'A draw' : `Player ${winner ?? '-'} wins`} after ${turns} turns, ${seconds} s of the table's time.`,
    ...names.map((goal) => {
      const where = met.get(goal);
      const mark = where === undefined ? 'not in this match' : `at ${(where.atMs / 1000).toFixed(2)} s`;
      return `  ${mark.padEnd(18)} ${GOALS[goal]}`;
    }),
    `Journal ${journal.folder}: ${journal.state}, ${journal.records} records. Played once more it says ${
      journal.same ? 'the same, word for word' : 'SOMETHING ELSE'
    }; ${journal.marks} recorded states are the same.`,
    `  outputs ${journal.outputsHash}`,
    `  state   ${journal.stateHash}`,
  ];
}

/** A line on a terminal that says how far the match is; nothing where there is no terminal. */
function progressLine(): { show(turn: number, tableMs: number): void; clear(): void } {
  const { stderr } = process;
  return {
    show(turn, tableMs) {
      if (stderr.isTTY)
        stderr.write(`\r... turn ${turn}, ${(tableMs / 1000).toFixed(0)} s of the table's time `);
    },
    clear() {
      if (stderr.isTTY) stderr.write(`\r${' '.repeat(60)}\r`);
    },
  };
}
