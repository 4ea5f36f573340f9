import { type BakuganId, opponentOf, SIDES, type Side } from '../../ids.ts';
import type { Choices, Source } from './batch.ts';
import { inLimit } from './bonus.ts';
import type { CardData, Option, Pick, PlayClause, Step } from './cards/vocabulary.ts';
import { corePrint } from './data/cores.ts';
import { type BakuganState, coresOf, type GameState, sideOf } from './state.ts';
import { cardIn, heroesOf, knownCard, ruleOn } from './top.ts';

/** Most ways that are listed of choosing for one text. */
const MOST_WAYS = 120;

function bakuganPicks(
  state: GameState,
  you: Side,
  from: Source | null,
  pick: Extract<Pick, { of: 'bakugan' }>,
  choices: Choices,
): readonly BakuganState[] {
  const sides: readonly Side[] =
    pick.side === undefined ? [you, opponentOf(you)] : [pick.side === 'own' ? you : opponentOf(you)];
  const except = pick.except === 'this' ? from?.bakugan : pick.except && choices[pick.except];
  return sides.flatMap((side) =>
    state.players[side].bakugan.filter((one) => {
      if (one.id === except || !inLimit(state, one, pick)) return false;
      switch (pick.among) {
        case 'open':
          return one.open;
        case 'did-not-open':
          return one.open && one.openedIn !== state.turn;
        case 'any':
          return true;
        case undefined:
          return state.options.rules.targets === 'any' || state.rolled[side] === one.id;
        default:
          return pick.among satisfies never;
      }
    }),
  );
}

function whoseOf(you: Side, whose: 'own' | 'opponent' | undefined): readonly Side[] {
  if (whose === undefined) return [you, opponentOf(you)];
  return [whose === 'own' ? you : opponentOf(you)];
}

function heroPicks(state: GameState, you: Side, pick: Extract<Pick, { of: 'hero' }>): readonly string[] {
  return whoseOf(you, pick.whose).flatMap((side) =>
    heroesOf(state, side)
      .filter((hero) => {
        const { cost } = cardIn(state, hero.card);
        return pick.maxCost === undefined || (typeof cost === 'number' ? cost : 0) <= pick.maxCost;
      })
      .map((hero) => hero.id),
  );
}

function evoPicks(state: GameState, sides: readonly Side[], notThisTurn: boolean): readonly string[] {
  return sides.flatMap((side) =>
    state.players[side].bakugan
      .filter(({ evos }) => evos.length > 0 && !(notThisTurn && evos.at(-1)?.turn === state.turn))
      .map((one) => one.id),
  );
}

function batchPicks(state: GameState, pick: Extract<Pick, { of: 'batch' }>): readonly string[] {
  const ids: string[] = [];
  for (const object of state.window?.batch ?? []) {
    const { deed } = object;
    // A card entered by hand is an Action (the default of what players say).
    const card = deed.do === 'card' ? knownCard(state, deed.card) : undefined;
    const type = card?.type ?? (deed.do === 'modify' && deed.card ? 'Action' : undefined);
    if (type === undefined || !pick.types.includes(type)) continue;
    const cost = typeof card?.cost === 'number' ? card.cost : 0;
    if (pick.maxCost !== undefined && cost > pick.maxCost) continue;
    ids.push(`${object.id}`);
  }
  return ids;
}

function corePicks(state: GameState, you: Side, pick: Extract<Pick, { of: 'core' }>): readonly string[] {
  return state.cores
    .filter((core) => {
      const type = corePrint(core.print)?.type;
      if (pick.types !== undefined && (type === undefined || !pick.types.includes(type))) return false;
      return pick.on === 'field' ? core.cell !== null : core.heldBy.some((id) => sideOf(id) !== you);
    })
    .map((core) => core.core);
}

/** Everything that may be chosen for a pick now. */
export function candidates(
  state: GameState,
  you: Side,
  from: Source | null,
  pick: Pick,
  choices: Choices,
): readonly string[] {
  switch (pick.of) {
    case 'bakugan':
      return bakuganPicks(state, you, from, pick, choices).map((one) => one.id);
    case 'player':
      return [opponentOf(you), you];
    case 'batch':
      return batchPicks(state, pick);
    case 'hero':
      return heroPicks(state, you, pick);
    case 'evo':
      return evoPicks(state, whoseOf(you, pick.whose), pick.notThisTurn === true);
    case 'in-play':
      return [
        ...SIDES.flatMap((side) => heroesOf(state, side).map((one) => one.id)),
        ...evoPicks(state, SIDES, false),
      ];
    case 'energy':
      return whoseOf(you, pick.whose).flatMap((side) => {
        const { charged, uncharged } = state.players[side];
        return [
          ...(charged.count > 0 ? [`${side}:charged`] : []),
          ...(uncharged.count > 0 ? [`${side}:uncharged`] : []),
        ];
      });
    case 'core':
      return corePicks(state, you, pick);
    default:
      return pick satisfies never;
  }
}

function withPicks(
  state: GameState,
  you: Side,
  from: Source | null,
  picks: readonly Pick[],
  ways: readonly Choices[],
): readonly Choices[] {
  let now = ways;
  for (const pick of picks) {
    now = now
      .flatMap((way) => {
        const some = candidates(state, you, from, pick, way);
        if (some.length === 0) return pick.optional === true ? [way] : [];
        return some.map((value): Choices => ({ ...way, [pick.as]: value }));
      })
      .slice(0, MOST_WAYS);
  }
  return now;
}

function optionsIn(steps: readonly Step[]): Extract<Step, { do: 'choose' }> | undefined {
  return steps.find((step) => step.do === 'choose' && step.by === undefined) as
    | Extract<Step, { do: 'choose' }>
    | undefined;
}

/** Whether both effects of a Battle Mastery card happen. */
export function bothModes(state: GameState, you: Side, step: Extract<Step, { do: 'choose' }>): boolean {
  return step.mastery === true && ruleOn(state, 'both-masteries', you);
}

/** Clauses that happen when an Action or a Flip resolves. */
export function playClauses(card: CardData): readonly PlayClause[] {
  if (card.type !== 'Action' && card.type !== 'Flip') return [];
  return card.text.filter(
    (clause): clause is PlayClause => 'do' in clause && !('when' in clause) && !('use' in clause),
  );
}

/** Every way of choosing for a card that is announced (6.2.1.2); none when a needed choice cannot be made (1.13). */
export function waysOf(state: GameState, you: Side, card: CardData, from: Source | null): readonly Choices[] {
  let ways: readonly Choices[] = [{}];
  for (const clause of playClauses(card)) {
    ways = withPicks(state, you, from, clause.picks ?? [], ways);
    const choose = optionsIn(clause.do);
    if (choose === undefined) continue;
    if (bothModes(state, you, choose)) {
      const all = choose.of.flatMap((option: Option) => option.picks ?? []);
      ways = withPicks(state, you, from, all.filter(isFirst), ways);
      continue;
    }
    ways = choose.of.flatMap((option: Option, index: number) =>
      withPicks(
        state,
        you,
        from,
        option.picks ?? [],
        ways.map((way): Choices => ({ ...way, mode: `${index}` })),
      ),
    );
  }
  return ways.slice(0, MOST_WAYS);
}

// Both effects may pick under the same letter: one choice serves both.
function isFirst(pick: Pick, index: number, all: readonly Pick[]): boolean {
  return all.findIndex((one) => one.as === pick.as) === index;
}

/** Bakugan among the choices for a text. */
export function bakuganIn(choices: Choices): readonly BakuganId[] {
  return ['A', 'B', 'C', 'D'].flatMap((name) => {
    const value = choices[name];
    return value?.includes('/') ? [value] : [];
  });
}

/** Whether a Bakugan holds any core. */
export function holdsAny(state: GameState, bakugan: BakuganState): boolean {
  return coresOf(state, bakugan.id).length > 0;
}
