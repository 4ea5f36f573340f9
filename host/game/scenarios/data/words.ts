// A test compares both with what the game says.
// biome-ignore format: one group a line
const EVENTS = {
  batch: 'added charged coin control copied declined destroyed discarded endless energized energy given-up later looked modified negated next-cost nothing paid resolved returned revealed searched shuffled uncharged',
  card: 'evo hero',
  charge: 'charged',
  damage: 'card-attack changed dealing done drawn flip-card flip-left flip-shown flipped no-effect stopped team-attack',
  draw: 'drew skipped',
  energize: 'declined energized',
  field: 'attached detached placed swapped turned',
  game: 'over time',
  judge: 'count',
  modify: 'applied',
  power: 'by-damage compared nobody-open',
  reset: 'energy hand-limit modifiers',
  retract: 'closed core-stays',
  roll: 'called judge-needed judged no-core not-opened opened repeat reroll second-offence shared-core void',
  select: 'chose retract-all',
  setup: 'opening-hands placing-player starting-player',
  tie: 'equal started turned won',
  turn: 'ended started',
  victor: 'declared',
  window: 'closed opened passed',
};

// biome-ignore format: one group a line
const REFUSALS = {
  count: 'bad which',
  decide: 'not-yours nothing say-which',
  energize: 'decided not-your-turn say-which which-card',
  flip: 'bad-card bad-choice bad-count cannot-play deck-is-known none not-yours',
  game: 'over',
  judge: 'only reason undetermined',
  modify: 'bad-amount bad-cost label no-card no-such-bakugan nothing too-dear until',
  place: 'no-such-cell not-adjacent not-in-the-middle not-that-core not-your-turn nothing-to-place taken',
  play: 'bad-choice cannot no-such-card not-in-deck not-in-hand not-that-type',
  roll: 'attached-but-closed bad-cores bad-result core-not-on-field no-results not-awaited not-for-people old-revision player-twice too-many-cores',
  select: 'already-open decided not-your-turn not-yours place-first',
  step: 'no-actor not-now unknown-field',
  tie: 'bad-cost no-card turned',
  use: 'nothing',
  who: 'no-player not-for-sensors',
  window: 'decision none not-holder place-first',
};

const named = (groups: { readonly [group: string]: string }): readonly string[] =>
  Object.entries(groups).flatMap(([group, names]) => names.split(' ').map((name) => `${group}/${name}`));

/** Types of events that the game tells. */
export const EVENT_TYPES = named(EVENTS);

/** Codes with which the game refuses an input. */
export const REFUSAL_CODES = named(REFUSALS);
