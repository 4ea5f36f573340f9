import type { Json } from '../ids.ts';
import { type ChainedRecord, isObject } from '../journal/entry.ts';
import type { JournalRecord } from '../record.ts';
import type { Match } from './match.ts';

/** What tells that a judge decided or changed something; a refused try tells nothing. */
const BY_A_JUDGE: ReadonlySet<string> = new Set([
  'roll/judged',
  'judge/count',
  'correction/made',
  'correction/undone',
]);

/** A match while its records are read. */
export type Draft = { -readonly [K in keyof Match]: Match[K] };

/** Id of the match that begins with this record. */
export function matchIdOf({ table, seq }: JournalRecord): string {
  return `${table}-${seq}`;
}

/** A match at its first record. */
export function draft(record: ChainedRecord, head: Json, before: Match | undefined): Draft {
  const data = isObject(record.data) ? record.data : {};
  const named = isObject(head) ? head : {};
  const ruleset = isObject(named.ruleset)
    ? `${named.ruleset.name} ${named.ruleset.version}`
    : (before?.ruleset ?? '');
  return {
    id: matchIdOf(record),
    table: record.table,
    from: record.seq,
    to: record.seq + 1,
    fromMs: record.atMs,
    toMs: record.atMs,
    startedAt: typeof data.wallTime === 'string' ? data.wallTime : (before?.startedAt ?? null),
    ruleset,
    players: playersOf(named.rulesetOptions) ?? before?.players ?? { A: 'A', B: 'B' },
    winner: null,
    rolls: 0,
    undetermined: 0,
    corrections: 0,
    closed: false,
    ...(record.kind === 'open' && named.bestOf === 3
      ? { series: { of: `${record.table}-${record.seq}`, game: 1 } }
      : {}),
  };
}

/** Takes the next record into its match. */
export function take(match: Draft, record: ChainedRecord, before: Match | undefined): void {
  match.to = record.seq + 1;
  match.toMs = Math.max(match.toMs, record.atMs);
  const data = isObject(record.data) ? record.data : {};
  if (record.kind === 'ruling' && isObject(data.ruling) && data.ruling.stage === 'final') {
    match.rolls += 1;
    const balls = Array.isArray(data.ruling.balls) ? data.ruling.balls : [];
    if (balls.some((ball) => isObject(ball) && ball.opened === 'undetermined')) match.undetermined += 1;
  }
  if (record.kind === 'event' && isObject(data.event) && data.event.type === 'game/over') {
    const told = isObject(data.event.data) ? data.event.data : {};
    match.winner = typeof told.winner === 'string' ? told.winner : null;
  }
  if (record.kind === 'event' && isObject(data.event)) {
    takeSeries(match, data.event, before);
    takeRest(match, String(data.event.type), record.seq);
  }
}

const ENDS: ReadonlySet<string> = new Set(['game/over', 'match/ended']);
/** What may bring a match that was over back into play. */
const GOES_ON: ReadonlySet<string> = new Set(['correction/made', 'correction/undone', 'match/resumed']);

/** From where on nothing is played. */
function takeRest(match: Draft, type: string, seq: number): void {
  if (ENDS.has(type)) match.restsFrom ??= seq + 1;
  if (GOES_ON.has(type)) delete match.restsFrom;
}

/** Whether a record tells that a judge decided or changed something. */
export function isJudged({ kind, data }: JournalRecord): boolean {
  return (
    kind === 'event' && isObject(data) && isObject(data.event) && BY_A_JUDGE.has(String(data.event.type))
  );
}

/** The new game that a record asks for. */
export function newGameIn({ kind, data }: ChainedRecord): { readonly options?: Json } | undefined {
  const command = kind === 'command' && isObject(data) && isObject(data.command) ? data.command : undefined;
  return command?.do === 'new-game' ? command : undefined;
}

/** What a table says of the match of several games that a game belongs to. */
function takeSeries(match: Draft, event: { readonly [key: string]: Json }, before: Match | undefined): void {
  const told = isObject(event.data) ? event.data : {};
  if (event.type === 'match/game' && typeof told.game === 'number') {
    match.series = {
      of: (told.goesOn === true ? before?.series?.of : undefined) ?? match.id,
      game: told.game,
    };
  }
  if (match.series === undefined) return;
  const { of, game } = match.series;
  if (event.type === 'match/ended' && typeof told.winner === 'string') {
    match.series = { of, game, ended: told.winner };
  }
  if (event.type === 'match/resumed') match.series = { of, game };
}

/** Names of the players in options of the rules. */
export function playersOf(options: Json | undefined): { readonly A: string; readonly B: string } | undefined {
  if (!isObject(options) || !isObject(options.players)) return undefined;
  const { A, B } = options.players;
  const name = (player: Json | undefined, side: string): string =>
    isObject(player) && typeof player.name === 'string' ? player.name : side;
  return { A: name(A, 'A'), B: name(B, 'B') };
}
