import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { dice, randomTeam } from '../../host/game/bakugan/bot.ts';
import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import { RULE_WORDS } from '../../host/game/bakugan/options.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import type { GameEvent, GameInput } from '../../host/game/ruleset.ts';
import { SIDES, type Side } from '../../host/ids.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

const FIELD = FIXED_12.cells.map(({ cell, q, r }) => ({ cell, q, r }));

/** Legal options for a game: random teams and decks of all sets, every open reading at random. */
export function randomOptions(seed: number): BakuganOptions {
  const pick = dice(seed);
  const rules = Object.fromEntries(
    Object.entries(RULE_WORDS).map(([name, words]) => [name, words[pick(words.length)] ?? words[0]]),
  );
  return {
    players: { A: randomTeam(pick, 'P'), B: randomTeam(pick, 'Q') },
    field: FIELD,
    placement: 'automatic',
    hands: 'dealt',
    seed,
    rules: {
      ...(rules as BakuganOptions['rules']),
      rollCap: 1 + pick(20),
      handLimit: pick(3) === 0 ? 7 : null,
    },
  };
}

function fail(why: string): never {
  throw new Error(why);
}

/** Every card of a player is in exactly one place. */
export function cardsOf(state: GameState, side: Side): readonly string[] {
  const own = state.players[side];
  const windows = [state.window, ...state.frames.map((frame) => frame.window)];
  const waiting = windows.flatMap((window) => window?.batch ?? []);
  const happening = [state.resolving, ...state.frames.map((frame) => frame.resolving)];
  return [
    ...[own.deck, own.hand, own.discard, own.charged, own.uncharged].flatMap((zone) => zone.known),
    ...own.bakugan.flatMap((one) => one.evos.map((evo) => evo.card)),
    ...state.heroes.filter((hero) => hero.owner === side).map((hero) => hero.card),
    ...waiting.flatMap(({ deed }) => (deed.do === 'card' && deed.owner === side ? [deed.card] : [])),
    ...happening.flatMap((one) =>
      one?.cardTo === 'discard' && one.from.owner === side ? [one.from.card] : [],
    ),
    ...(state.flip?.deed.do === 'card' && state.flip.deed.owner === side ? [state.flip.deed.card] : []),
  ];
}

/** Cores and cards are all there, no count is below nothing. */
export function checkState(state: GameState, isThorough = true): void {
  for (const core of state.cores) {
    const waits = state.returning.filter((one) => one.cores.includes(core.core)).length;
    const places = (core.cell === null ? 0 : 1) + (core.heldBy.length > 0 ? 1 : 0) + waits;
    if (places !== 1 && state.turn > 0) fail(`core ${core.core} is in ${places} places`);
  }
  const cells = state.cores.flatMap((core) => core.cell ?? []);
  if (new Set(cells).size !== cells.length) fail('two cores on a cell');
  for (const side of SIDES) {
    const own = state.players[side];
    for (const zone of [own.deck, own.hand, own.discard, own.charged, own.uncharged]) {
      if (zone.count < 0 || zone.known.length > zone.count) fail('a pile is below nothing');
      if (zone.known.length !== zone.count) fail('a card of a dealt deck is not known');
    }
    if (own.pool < 0 || own.frozen < 0) fail('Energy below nothing');
    const { deck } = state.options.players[side];
    const all = isThorough ? cardsOf(state, side) : [];
    if (typeof deck !== 'number' && isThorough) {
      const was = [...deck].sort().join(' ');
      const now = [...all].sort().join(' ');
      if (was !== now) fail(`cards of ${side} are not what they were: ${lost(deck, all)}`);
    }
    for (const one of own.bakugan) {
      if (!one.open && state.cores.some((core) => core.heldBy.includes(one.id))) fail('closed but holds');
    }
  }
  if (state.log.length > 60) fail('log too long');
}

function lost(was: readonly string[], now: readonly string[]): string {
  const left = [...now];
  const gone = was.filter((id) => {
    const at = left.indexOf(id);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return `gone ${gone.join(' ')}, more ${left.join(' ')}`;
}

/** Ids of cards that this audience must not see in a view: hands and face-down Energy of others, decks of both. */
export function checkView(state: GameState): void {
  const audiences = [
    { kind: 'player', player: 'A' },
    { kind: 'player', player: 'B' },
    { kind: 'judge' },
    { kind: 'operator' },
    { kind: 'venue' },
    { kind: 'public' },
  ] as const;
  for (const audience of audiences) {
    const text = JSON.stringify(bakugan.view(state, audience));
    const shown = new Set([...text.matchAll(/"((?:BB|BR|AA)-\d+b?)"/g)].map((match) => match[1] ?? ''));
    for (const side of SIDES) {
      const own = state.players[side];
      const secret = new Set(own.deck.known);
      const isOwner = audience.kind === 'player' && audience.player === side;
      if (!isOwner)
        for (const id of [...own.hand.known, ...own.charged.known, ...own.uncharged.known]) secret.add(id);
      // What lies open or is one's own is no secret.
      const open = [
        ...SIDES.flatMap((one) => [
          ...state.players[one].discard.known,
          ...state.players[one].bakugan.flatMap((b) => b.evos.map((e) => e.card)),
        ]),
        ...state.heroes.map((hero) => hero.card),
        ...(audience.kind === 'player'
          ? [audience.player].flatMap((one) => {
              const p = state.players[one];
              return [...p.hand.known, ...p.charged.known, ...p.uncharged.known];
            })
          : []),
      ];
      for (const id of open) secret.delete(id);
      for (const id of secret) {
        if (shown.has(id)) fail(`${JSON.stringify(audience)} sees ${id} of ${side} in ${state.at}`);
      }
    }
  }
}

/** What must hold after every step; the dearer checks now and then. */
export function checkStep(
  before: GameState,
  input: GameInput,
  after: GameState,
  events: readonly GameEvent[],
  step: number,
): void {
  checkState(after, step % 5 === 0);
  for (const event of events) if (event.rules.length === 0) fail(`${event.type} names no rule`);
  if (step % 47 === 0) checkView(after);
  if (step % 43 === 0) {
    const copy = JSON.parse(JSON.stringify(before)) as GameState;
    const again = bakugan.step(copy, input);
    if (JSON.stringify(again.ok && again.state) !== JSON.stringify(after)) fail('another state from JSON');
  }
  if (step % 41 === 0) {
    const was = JSON.stringify(after);
    for (const type of ['pass', 'play', 'decide', 'place', 'flip', 'select', 'use', 'play-flip']) {
      bakugan.step(after, { type, by: { role: 'player', player: 'A' }, card: 'x', choice: 'x', core: 'x' });
    }
    if (JSON.stringify(after) !== was) fail('an illegal input changed the state');
  }
}
