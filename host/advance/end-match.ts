import type { Actor, GameEvent, Refusal } from '../game/ruleset.ts';
import { type AtMs, opponentOf } from '../ids.ts';
import type { SenseOutput } from '../sensing/sensing.ts';
import { actorWords } from './actor-words.ts';
import { afterPlay, tell } from './after-play.ts';
import { matchGoingOn } from './best-of.ts';
import type { Command, Output } from './input.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';
import type { MatchEnd } from './state-parts.ts';

type EndMatch = Extract<Command, { readonly do: 'end-match' }>;
type ResumeMatch = Extract<Command, { readonly do: 'resume-match' }>;

/** What is played in a match that was ended changes nothing. */
export const MATCH_ENDED: Refusal = {
  code: 'match/ended',
  message: 'This match was ended. A judge may take that back; else the operator starts a new match.',
  rules: [],
};

/** Ends a match of several games before it is decided. The game that is on is broken off and counts for nobody. */
export function endMatch(
  state: TableState,
  setting: TableSetting,
  command: EndMatch,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  if (state.match.bestOf === 1) {
    const message = 'This match is one game: the player who gives it up concedes that game.';
    return { code: 'match/one-game', message, rules: [] };
  }
  if (state.match.ended !== undefined) return MATCH_ENDED;
  if (matchGoingOn(state, setting) === undefined) {
    return { code: 'match/decided', message: 'This match is decided already.', rules: [] };
  }
  const ended = endOf(command);
  if ('code' in ended) return ended;
  state.match = { ...state.match, ended };
  tell([endedEvent(ended)], atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

function endOf({ by, winner, reason }: EndMatch): MatchEnd | Refusal {
  if (by.role === 'player') {
    if (by.player === undefined) {
      return { code: 'match/whose', message: 'Say which player concedes the match.', rules: [] };
    }
    const other = opponentOf(by.player);
    if (winner === undefined || winner === other) return { winner: other, by, why: '' };
    const message = 'A player concedes the match to the other one, and ends it no other way.';
    return { code: 'match/not-yours', message, rules: [] };
  }
  if (!isStaff(by)) return NOT_STAFF;
  const why = reason?.trim() ?? '';
  if (winner === undefined) {
    return { code: 'match/winner', message: 'Say who wins the match: A, B or draw.', rules: [] };
  }
  return why === '' ? NO_REASON : { winner, by, why };
}

/** Takes the end of a match back: its game goes on where it was broken off. */
export function resumeEnded(
  state: TableState,
  setting: TableSetting,
  { by, reason }: ResumeMatch,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  if (!isStaff(by)) return NOT_STAFF;
  const { ended, ...match } = state.match;
  if (ended === undefined) {
    return { code: 'match/not-ended', message: 'This match was not ended: it goes on.', rules: [] };
  }
  const why = reason.trim();
  if (why === '') return NO_REASON;
  state.match = match;
  const text = `${actorWords(by)} takes the end of the match back: ${why}`;
  tell([{ type: 'match/resumed', rules: [], text, data: { by: plainOf(by), why } }], atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

const NO_REASON: Refusal = { code: 'match/reason', message: 'Say why, for the record.', rules: [] };
const NOT_STAFF: Refusal = {
  code: 'match/not-yours',
  message:
    'A match is ended by a player who concedes it, or by a judge or the operator, who also take that back.',
  rules: [],
};

function isStaff({ role }: Actor): boolean {
  return role === 'judge' || role === 'operator';
}

function endedEvent({ winner, by, why }: MatchEnd): GameEvent {
  const goes = winner === 'draw' ? 'it is drawn' : `${winner} wins it`;
  const text =
    by.role === 'player'
      ? `Player ${by.player} concedes the match: ${goes}.`
      : `${actorWords(by)} ends the match, ${goes}: ${why}`;
  return { type: 'match/ended', rules: [], text, data: { winner, by: plainOf(by), why } };
}

function plainOf(by: Actor): GameEvent['data'] {
  return JSON.parse(JSON.stringify(by));
}
