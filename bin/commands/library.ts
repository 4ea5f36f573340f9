import { basename, dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { searchMatches } from '../../host/audit/match-search.ts';
import { type Match, matchesIn } from '../../host/audit/matches.ts';
import { removalOf, removalWords } from '../../host/audit/removal.ts';
import { removeMatch } from '../../host/audit/remove-match.ts';
import { TableFault } from '../../host/fault.ts';
import { DAMAGE_REMEDY, damageText } from '../../host/journal/damage.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { silentLog } from '../../host/log.ts';
import { counted } from '../counted.ts';
import { say, sayAside } from '../say.ts';
import { tableFolder } from '../table-folder.ts';

type Options = {
  readonly json: boolean;
  readonly remove?: string;
  readonly who?: string;
  readonly why?: string;
};

/** `bakucore library`: the matches of a table. */
export function library(): Command {
  return new Command('library')
    .description('List, search and remove the matches of a table.')
    .argument('<folder>', 'folder of a table, as data/t1')
    .argument(
      '[words...]',
      'only matches with all these words: player, date, rules, "undetermined", "corrected", "removed"',
    )
    .option('--json', 'one JSON object a line', false)
    .option('--remove <id>', 'remove the records of a match for good; a tombstone and their hashes stay')
    .option('--who <name>', 'who removes it')
    .option('--why <reason>', 'why it is removed')
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore library data/t1\n  bakucore library data/t1 Ember 2026-11 undetermined\n  bakucore library data/t1 --remove t1-0 --who "A. Keeper" --why "asked for by a player"',
    )
    .action(run);
}

async function run(folder: string, words: readonly string[], options: Options): Promise<void> {
  if (options.remove !== undefined) {
    if (!options.who || !options.why) {
      throw new TableFault(
        'config/missing-key',
        'A removal says who removed what and why.',
        'Add --who and --why.',
      );
    }
    const path = resolve(folder);
    const { records } = await removeMatch({
      disk: systemDisk,
      dataDir: dirname(path),
      table: basename(path),
      match: options.remove,
      who: options.who,
      why: options.why,
      wall: () => new Date().toISOString(),
      log: silentLog,
    });
    sayAside(`${options.remove}: ${counted(records, 'record')} removed, the tombstone is written.`);
    return;
  }
  const matches = await matchesIn(systemDisk, await tableFolder(folder), (damage) =>
    sayAside(`Matches may be missing: ${damageText(damage)} ${DAMAGE_REMEDY}`),
  );
  const found = searchMatches(matches, words);
  if (found.length === 0) {
    const what =
      words.length === 0
        ? 'No match is recorded'
        : `No match of ${matches.length} has all of "${words.join(' ')}"`;
    sayAside(`${what} in ${folder}.`);
  }
  for (const match of found) {
    say(options.json ? JSON.stringify(match) : lineOf(match));
  }
}

function lineOf(match: Match): string {
  const { id, startedAt, players, winner, rolls, undetermined, corrections } = match;
  const removal = removalOf(match);
  const result =
    removal !== undefined
      ? 'removed'
      : winner === null
        ? 'unfinished'
        : winner === 'draw'
          ? 'draw'
          : `${winner} won`;
  const doubt = undetermined === 0 ? '' : `, ${undetermined} undetermined`;
  const mended = corrections === 0 ? '' : `, ${corrections} by a judge`;
  const when = (startedAt ?? '').slice(0, 16).replace('T', ' ').padEnd(16);
  return `${id.padEnd(14)} ${when}  ${`${players.A} – ${players.B}`.padEnd(24)} ${result.padEnd(10)} ${counted(rolls, 'roll')}${doubt}${mended}${removal === undefined ? '' : `, removed ${removalWords(removal)}`}`;
}
