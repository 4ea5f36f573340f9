import type { BakuganId, CoreId, Json, Side } from '../../ids.ts';
import type { GameEvent, Refusal } from '../ruleset.ts';
import {
  type BakuganState,
  type CoreState,
  type GameState,
  type PlayerState,
  sideOf,
  type Zone,
} from './state.ts';
import type { LogLine, StateId } from './view.ts';

/** Longest log kept in a state, lines. */
export const LOG_LINES = 60;

/** The state as a step changes it: its own copy, so that its parts may be set in place; the parts are never changed. */
export type Draft = { -readonly [part in keyof GameState]: GameState[part] };

/** One step in the making: the only mutable thing of the ruleset, and it never outlives `step`. */
export type Move = {
  readonly state: Draft;
  readonly events: GameEvent[];
  readonly lines: LogLine[];
};

/** What an input led to: a state to enter, staying where the game is, or a refusal that changes nothing. */
export type Next = StateId | 'stay' | Refusal;

/** A move over a state, which stays as it is. */
export function startMove(state: GameState): Move {
  return { state: { ...state }, events: [], lines: [] };
}

/** The state with the lines of this move in its log. */
export function finishMove(move: Move): GameState {
  const { lines, state } = move;
  if (lines.length === 0) return state;
  const over = state.log.length + lines.length - LOG_LINES;
  state.log = over > 0 ? [...state.log, ...lines].slice(-LOG_LINES) : [...state.log, ...lines];
  return state;
}

/** Builds a refusal: stable code, one sentence for the person, rule numbers. */
export function refuse(code: string, message: string, ...rules: readonly string[]): Refusal {
  return { code, message, rules };
}

/** Records something that happened. Moments without news for a reader (`quiet`) stay out of the log. */
export function say(
  move: Move,
  type: string,
  rules: readonly string[],
  text: string,
  data: { readonly [key: string]: Json } = {},
  loudness: 'log' | 'quiet' = 'log',
): void {
  move.events.push({ type, rules, text, data });
  if (loudness === 'log') {
    move.lines.push({ turn: move.state.turn, state: move.state.at, type, text, rules });
  }
}

/** Changes parts of the state. */
export function patch(move: Move, parts: Partial<GameState>): void {
  Object.assign(move.state, parts);
}

/** Changes parts of one player. */
export function patchPlayer(move: Move, side: Side, parts: Partial<PlayerState>): void {
  const { A, B } = move.state.players;
  move.state.players = side === 'A' ? { A: { ...A, ...parts }, B } : { A, B: { ...B, ...parts } };
}

/** Changes parts of one Bakugan. */
export function patchBakugan(move: Move, id: BakuganId, parts: Partial<BakuganState>): void {
  const side = sideOf(id);
  const [first, second, third] = move.state.players[side].bakugan;
  const changed = (one: BakuganState) => (one.id === id ? { ...one, ...parts } : one);
  patchPlayer(move, side, { bakugan: [changed(first), changed(second), changed(third)] });
}

/** Changes parts of one core. */
export function patchCore(move: Move, id: CoreId, parts: Partial<CoreState>): void {
  move.state.cores = move.state.cores.map((core) => (core.core === id ? { ...core, ...parts } : core));
}

/** A pile with unknown cards more, or cards off its top fewer; `name` is the one known among those that come. */
export function zoneOf(zone: Zone, change: number, name?: string): Zone {
  if (change < 0) return takeTop(zone, -change).zone;
  const count = zone.count + change;
  return { count, known: name === undefined ? zone.known : [...zone.known, name] };
}

/** Cards off the top of a pile, the first one taken first; `''` stands for a card that nobody knows. */
export function takeTop(zone: Zone, n: number): { readonly zone: Zone; readonly cards: readonly string[] } {
  const taken = Math.min(n, zone.count);
  const count = zone.count - taken;
  if (zone.known.length < zone.count || zone.count === 0) {
    // Of a pile known in part nobody can say which cards these are.
    const known = zone.known.length > count ? zone.known.slice(zone.known.length - count) : zone.known;
    const cards: string[] = [];
    for (let i = 0; i < taken; i += 1) cards.push('');
    return { zone: { count, known }, cards };
  }
  return { zone: { count, known: zone.known.slice(0, count) }, cards: zone.known.slice(count).reverse() };
}

/** A pile without one card: this one, or one that nobody knows when it is not known to be there. */
export function takeCard(zone: Zone, card: string): Zone {
  const at = zone.known.lastIndexOf(card);
  const count = Math.max(0, zone.count - 1);
  if (at >= 0) return { count, known: [...zone.known.slice(0, at), ...zone.known.slice(at + 1)] };
  return { count, known: zone.known.length > count ? zone.known.slice(0, count) : zone.known };
}

/** A pile with these cards on top, the last one topmost; `''` is a card that nobody knows. */
export function putCards(zone: Zone, cards: readonly string[]): Zone {
  const count = zone.count + cards.length;
  const known = cards.includes('') ? cards.filter((card) => card !== '') : cards;
  return { count, known: known.length > 0 ? zone.known.concat(known) : zone.known };
}

/** A pile with a card at the bottom. */
export function putUnder(zone: Zone, card: string): Zone {
  return { count: zone.count + 1, known: card === '' ? zone.known : [card, ...zone.known] };
}

/** Whether this card is in the pile, or may be: one of those that nobody knows. */
export function mayHold(zone: Zone, card: string): boolean {
  return zone.known.length < zone.count || zone.known.includes(card);
}

/** The player's name, for sentences. */
export function nameOf(move: Move, side: Side): string {
  return move.state.players[side].name;
}
