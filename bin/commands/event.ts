import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type EventFile,
  newEvent,
  openPairings,
  pairedEvent,
  readEvent,
  withoutPlayer,
  withResult,
  writeEvent,
} from '../../host/event-file.ts';
import { TableFault } from '../../host/fault.ts';
import { roundsFor, standings } from '../../host/game/event.ts';
import { say } from '../say.ts';

/** `bakucore event`: Swiss rounds with standings, kept in one file. */
export function event(): Command {
  const file = ['<file>', 'the event, a JSON file'] as const;
  return new Command('event')
    .description('Swiss rounds of an evening: pair, enter results, see the standings (D-8.2).')
    .addCommand(
      new Command('new')
        .description('Begin an event.')
        .argument(...file)
        .requiredOption('--players <names>', 'names with commas between')
        .addOption(new Option('--best-of <games>', 'games of a match').choices(['1', '3']).default('1'))
        .addHelpText(
          'after',
          '\nExample:\n  bakucore event new friday.json --players "Aiko,Ben,Cem,Dora" --best-of 3',
        )
        .action(begin),
    )
    .addCommand(
      new Command('pair')
        .description('Pair the next round; an odd player has a bye.')
        .argument(...file)
        .option('--json', 'print the pairings as JSON', false)
        .action(pair),
    )
    .addCommand(
      new Command('result')
        .description('Enter how a match of this round ended; entered again, it is replaced.')
        .argument(...file)
        .argument('<a>', 'a player')
        .argument('<b>', 'the opponent')
        .argument('<games>', 'games won by each, as 2-1', score)
        .addHelpText('after', '\nExample:\n  bakucore event result friday.json Aiko Ben 2-1')
        .action(enter),
    )
    .addCommand(
      new Command('drop')
        .description('A player leaves and is paired no more; an open match is lost.')
        .argument(...file)
        .argument('<player>', 'who leaves')
        .action(drop),
    )
    .addCommand(
      new Command('standings')
        .description('Print the standings: points, opponents, games (3 for a win, 1 for a draw).')
        .argument(...file)
        .option('--json', 'print them as JSON', false)
        .action(show),
    );
}

type Score = { readonly a: number; readonly b: number };

function score(text: string): Score {
  const [, a, b] = /^([0-2])-([0-2])$/.exec(text) ?? [];
  if (a === undefined || b === undefined) throw new InvalidArgumentError('Give games won by each, as 2-1.');
  return { a: Number(a), b: Number(b) };
}

async function begin(
  file: string,
  options: { readonly players: string; readonly bestOf: '1' | '3' },
): Promise<void> {
  if (existsSync(file)) {
    throw new TableFault('event/refused', `${file} is there already.`, 'Choose another name, or remove it.');
  }
  const event = newEvent(options.players.split(','), options.bestOf === '3' ? 3 : 1);
  await writeEvent(file, event);
  const { rounds, top } = roundsFor(event.players.length);
  say(
    `${event.players.length} players, best of ${event.bestOf}: ${rounds} rounds, then the best ${Math.min(top, event.players.length)} (D-8.2).`,
  );
}

async function pair(file: string, { json }: { readonly json: boolean }): Promise<void> {
  const event = pairedEvent(await readEvent(file));
  await writeEvent(file, event);
  const pairs = event.rounds.at(-1) ?? [];
  if (json) say(JSON.stringify({ round: event.rounds.length, pairs }));
  else {
    const lines = pairs.map(([a, b], i) => `  table ${i + 1}: ${a} – ${b ?? 'bye'}`);
    say(`Round ${event.rounds.length}`, ...lines);
  }
}

async function enter(file: string, a: string, b: string, games: Score): Promise<void> {
  const event = withResult(await readEvent(file), a, b, games.a, games.b);
  await writeEvent(file, event);
  const left = openPairings(event).length;
  say(left === 0 ? `Round ${event.rounds.length} is complete.` : `${left} matches of this round are open.`);
}

async function drop(file: string, player: string): Promise<void> {
  let event = withoutPlayer(await readEvent(file), player);
  const open = openPairings(event).find(([a, b]) => b !== null && (a === player || b === player));
  if (open !== undefined) {
    const [a, b] = open;
    const won = event.bestOf === 1 ? 1 : 2;
    event = withResult(event, a, b ?? '', a === player ? 0 : won, a === player ? won : 0);
  }
  await writeEvent(file, event);
  say(`${player} plays no more.`);
}

async function show(file: string, { json }: { readonly json: boolean }): Promise<void> {
  const event = await readEvent(file);
  const rows = standings(event.players, event.results);
  if (json) say(JSON.stringify(rows));
  else say(...tableOf(event, rows));
}

function tableOf(event: EventFile, rows: ReturnType<typeof standings>): readonly string[] {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(9);
  const wide = Math.max(6, ...rows.map(({ entrant }) => entrant.length)) + 2;
  return [
    `After ${event.rounds.length} rounds`,
    `rank  ${'player'.padEnd(wide)}points  played  opponents     games`,
    ...rows.map(
      ({ rank, entrant, points, played, opponents, games }) =>
        `${String(rank).padStart(4)}  ${entrant.padEnd(wide)}${String(points).padStart(6)}  ${String(played).padStart(6)}  ${percent(opponents)} ${percent(games)}${event.dropped.includes(entrant) ? '  left' : ''}`,
    ),
  ];
}
