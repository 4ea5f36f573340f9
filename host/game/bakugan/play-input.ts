import type { Json } from '../../ids.ts';
import type { Actor, GameInput } from '../ruleset.ts';
import type { Announcement } from './announce.ts';
import { isList } from './read-input.ts';
import { bakuganOf, type GameState, sideOf } from './state.ts';
import { knownCard, titleOf } from './top.ts';

function isFields(value: Json | Actor | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** The choices of an announcement as fields of an input. */
export function fieldsOf(said: Announcement): { readonly [key: string]: Json } {
  return {
    card: said.card,
    ...(Object.keys(said.choices).length > 0 ? { choices: { ...said.choices } } : {}),
    ...(said.on === null ? {} : { on: said.on }),
    ...(said.pay.length > 0 ? { pay: [...said.pay] } : {}),
  };
}

/** The announcement that an input means: of all that are possible now, the one it names, or undefined. */
export function saidIn(input: GameInput, ways: readonly Announcement[]): Announcement | undefined {
  const choices = input.choices === undefined ? {} : input.choices;
  if (!isFields(choices)) return undefined;
  const pay = input.pay === undefined ? [] : input.pay;
  if (!isList(pay)) return undefined;
  return ways.find((way) => {
    if ((input.on ?? null) !== way.on) return false;
    if (pay.length !== way.pay.length || !pay.every((one, index) => one === way.pay[index])) return false;
    const names = Object.keys(way.choices);
    return (
      names.length === Object.keys(choices).length &&
      names.every((name) => choices[name] === way.choices[name])
    );
  });
}

/** An announcement in words, for a list. */
export function sayWay(state: GameState, said: Announcement): string {
  const values = Object.entries(said.choices).map(([name, value]) => sayChoice(state, name, value));
  const words = [...(said.on === null ? [] : [sayChoice(state, 'on', said.on)]), ...values];
  const paid =
    said.pay.length === 0
      ? ''
      : `, giving up ${said.pay.map((id) => knownCard(state, id)?.name ?? 'a card').join(' and ')}`;
  const name = knownCard(state, said.card)?.name ?? said.card;
  return `${name}${words.length === 0 ? '' : ` (${words.join(', ')})`}${paid}`;
}

function sayChoice(state: GameState, name: string, value: string): string {
  if (name === 'mode') return `effect ${Number(value) + 1}`;
  if (name === 'x') return `X = ${value}`;
  const bakugan = value.includes('/') ? bakuganOf(state, value) : undefined;
  if (bakugan !== undefined) return `${titleOf(state, bakugan)} of ${state.players[sideOf(value)].name}`;
  if (value === 'A' || value === 'B') return state.players[value].name;
  const hero = state.heroes.find((one) => one.id === value);
  return hero === undefined ? value : (knownCard(state, hero.card)?.name ?? value);
}
