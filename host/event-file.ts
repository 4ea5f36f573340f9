import { readFile, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { TableFault, wordsOf } from './fault.ts';
import { byeResult, type MatchResult, nextRound, type Pairing } from './game/event.ts';

const name = z.string().trim().min(1).max(40);
const games = z.int().min(0).max(2);

const SHAPE = z.strictObject({
  /** Version of this form. */
  form: z.literal(1),
  bestOf: z.union([z.literal(1), z.literal(3)]),
  players: z.array(name).min(2).max(512),
  /** Who left before the end, and is paired no more. */
  dropped: z.array(name).default([]),
  /** Pairings of each round, in order; `null` is a bye. */
  rounds: z.array(z.array(z.tuple([name, name.nullable()]))).default([]),
  results: z
    .array(
      z.strictObject({
        round: z.int().min(1),
        a: name,
        b: name.nullable(),
        gamesA: games,
        gamesB: games,
      }),
    )
    .default([]),
});

/** An event as its file keeps it: who plays, who met whom, and how it ended. */
export type EventFile = z.infer<typeof SHAPE>;

/** A new event. Throws a TableFault when a name is given twice. */
export function newEvent(players: readonly string[], bestOf: 1 | 3): EventFile {
  const trimmed = players.map((one) => one.trim());
  const twice = trimmed.find((one, i) => trimmed.indexOf(one) !== i);
  if (twice !== undefined) {
    throw new TableFault('event/refused', `${twice} is named twice.`, 'Give everyone a name of their own.');
  }
  return checked({ form: 1, bestOf, players: trimmed }, 'The players');
}

/** Reads an event. Rejects with a TableFault that names what is wrong. */
export async function readEvent(file: string): Promise<EventFile> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new TableFault(
      'event/unreadable',
      `${file} cannot be read: ${wordsOf(error)}.`,
      'Begin one with: bakucore event new',
    );
  }
  return checked(value, file);
}

/** Writes an event whole, or leaves the file as it was. */
export async function writeEvent(file: string, event: EventFile): Promise<void> {
  try {
    await writeFile(`${file}.part`, `${JSON.stringify(event, null, 2)}\n`);
    await rename(`${file}.part`, file);
  } catch (error) {
    throw new TableFault(
      'event/unreadable',
      `${file} cannot be written: ${wordsOf(error)}.`,
      'Choose another place.',
    );
  }
}

function checked(value: unknown, where: string): EventFile {
  const parsed = SHAPE.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new TableFault('event/refused', `${where} is not an event${at}: ${issue?.message ?? ''}.`, '');
}

/** Pairings of the round that is on and have no result yet. */
export function openPairings({ rounds, results }: EventFile): readonly Pairing[] {
  const round = rounds.length;
  return (rounds.at(-1) ?? []).filter(
    ([a, b]) => !results.some((one) => one.round === round && one.a === a && one.b === b),
  );
}

/** The event with its next round paired; byes count at once. Throws a TableFault while results are missing. */
export function pairedEvent(event: EventFile): EventFile {
  const open = openPairings(event);
  if (open.length > 0) {
    const missing = open.map(([a, b]) => `${a} – ${b ?? 'bye'}`).join(', ');
    throw new TableFault(
      'event/refused',
      `Round ${event.rounds.length} is not over: ${missing}.`,
      'Enter each with: bakucore event result',
    );
  }
  const playing = event.players.filter((one) => !event.dropped.includes(one));
  if (playing.length < 2) {
    throw new TableFault('event/refused', 'Fewer than two players are left.', 'The event is over.');
  }
  const pairs = nextRound(playing, event.results).map(([a, b]): [string, string | null] => [a, b]);
  const round = event.rounds.length + 1;
  const byes = pairs.flatMap(([a, b]) => (b === null ? [byeResult(round, a)] : []));
  return { ...event, rounds: [...event.rounds, pairs], results: [...event.results, ...byes] };
}

/** The event with one result of the round that is on; an earlier one of the same pairing is replaced. */
export function withResult(
  event: EventFile,
  a: string,
  b: string,
  gamesA: number,
  gamesB: number,
): EventFile {
  const round = event.rounds.length;
  const pair = (event.rounds.at(-1) ?? []).find(
    (one) => (one[0] === a && one[1] === b) || (one[0] === b && one[1] === a),
  );
  if (pair === undefined) {
    const pairs = (event.rounds.at(-1) ?? []).map(([x, y]) => `${x} – ${y ?? 'bye'}`).join(', ');
    throw new TableFault(
      'event/refused',
      `${a} and ${b} do not meet in round ${round}.`,
      pairs === '' ? 'Pair a round first: bakucore event pair' : `These do: ${pairs}.`,
    );
  }
  const most = event.bestOf === 1 ? 1 : 2;
  if (gamesA > most || gamesB > most || gamesA + gamesB > event.bestOf) {
    throw new TableFault(
      'event/refused',
      `${gamesA}-${gamesB} cannot be in a match of best of ${event.bestOf}.`,
      `Nobody wins more than ${most}; a drawn game counts for nobody.`,
    );
  }
  const swapped = pair[0] !== a;
  const result: MatchResult = {
    round,
    a: pair[0],
    b: pair[1],
    gamesA: swapped ? gamesB : gamesA,
    gamesB: swapped ? gamesA : gamesB,
  };
  const others = event.results.filter((one) => one.round !== round || one.a !== pair[0] || one.b !== pair[1]);
  return { ...event, results: [...others, result] };
}

/** The event without a player from now on: what was played counts, the round that is on is lost if it is open. */
export function withoutPlayer(event: EventFile, player: string): EventFile {
  if (!event.players.includes(player)) {
    throw new TableFault(
      'event/refused',
      `Nobody is called ${player}.`,
      `Players: ${event.players.join(', ')}.`,
    );
  }
  return event.dropped.includes(player) ? event : { ...event, dropped: [...event.dropped, player] };
}
