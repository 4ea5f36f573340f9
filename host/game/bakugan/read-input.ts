import type { Json, Side } from '../../ids.ts';
import type { Actor, GameInput, Refusal } from '../ruleset.ts';
import { refuse } from './move.ts';

/** A field of an input as text, at most `longest` characters, or undefined. */
export function textIn(input: GameInput, field: string, longest = 80): string | undefined {
  const value = input[field];
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** A field of an input as a whole number in a range, or undefined. */
export function wholeIn(input: GameInput, field: string, min: number, max: number): number | undefined {
  const value = input[field];
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined;
}

/** Whether a value is a list of JSON. */
export function isList(value: Json | Actor | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A side written as text, or undefined. */
export function sideIn(value: Json | Actor | undefined): Side | undefined {
  return value === 'A' || value === 'B' ? value : undefined;
}

/**
 * The player for whom an input is made. A judge, an operator or automatic play may act for a player by naming them;
 * sensing may not, except to pass.
 */
export function playerIn(input: GameInput): Side | Refusal {
  const { role, player } = input.by;
  if (player !== 'A' && player !== 'B') {
    return refuse('who/no-player', 'This is for a player to do; say which one.', '5.1.2');
  }
  if (role === 'sensing' && input.type !== 'pass') {
    return refuse('who/not-for-sensors', 'Sensors report rolls and passes; people do the rest.', '5.1.2');
  }
  return player;
}

/** Who did something, for the record. */
export function actorText(by: Actor): string {
  const who = by.role === 'player' && by.player !== undefined ? `player ${by.player}` : by.role;
  return by.name === undefined ? who : `${who} (${by.name})`;
}
