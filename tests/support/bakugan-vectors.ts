import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import {
  brawl,
  type Given,
  OPTIONS,
  onField,
  position,
  seen,
  type Table,
  withPrint,
} from './bakugan-game.ts';

/** The Bakugan of the digest's first vectors, none of them open. */
export const PLAIN: readonly [Given, Given, Given] = [
  { card: 'BB-343' },
  { card: 'BB-283' },
  { card: 'BB-318' },
];

/** A team that rolls this Bakugan first. */
export const other = (card: string): readonly [Given, Given, Given] => [
  { card },
  { card: 'BB-283' },
  { card: 'BB-312' },
];

/** The usual options with these readings of the rules. */
export const withRules = (rules: NonNullable<BakuganOptions['rules']>): BakuganOptions => ({
  ...OPTIONS,
  rules,
});

/** A position and the ids of the first cores of A and B on the field, given these prints. */
export function laid(state: GameState, a: readonly number[], b: readonly number[]) {
  const onA = onField(state, 'A').slice(0, a.length);
  const onB = onField(state, 'B').slice(0, b.length);
  let next = state;
  for (const [index, core] of onA.entries()) next = withPrint(next, core, a[index] ?? 0);
  for (const [index, core] of onB.entries()) next = withPrint(next, core, b[index] ?? 0);
  return { state: next, onA, onB };
}

/** B-Power and Damage Rating as the audience sees them, as `400/5`. */
export const totals = (state: GameState, id: string): string => {
  const { bPower, damage } = seen(state, id);
  return `${bPower}/${damage}`;
};

/** The plain team, led by this card. */
export const ledBy = (card: string): readonly [Given, Given, Given] => [{ card }, PLAIN[1], PLAIN[2]];

/** Power Step with A/1 and B/1 open on no core. */
export const powerStep = (a = PLAIN, b = PLAIN): Table =>
  brawl(position(a, b), { bakugan: 'A/1', on: [] }, { bakugan: 'B/1', on: [] });

/** What is entered by hand of a card: until the end of the turn, as Smash. */
export const handCard = (bakuganId: string, bPower: number, damage: number, more = {}) => ({
  bakugan: bakuganId,
  bPower,
  damage,
  until: 'turn',
  label: 'Smash',
  ...more,
});
