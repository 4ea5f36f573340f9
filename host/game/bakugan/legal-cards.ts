import type { Side } from '../../ids.ts';
import type { LegalInput } from '../ruleset.ts';
import { announcements } from './announce.ts';
import { fieldsOf, sayWay } from './play-input.ts';
import { mayBeInHand } from './registered.ts';
import type { GameState } from './state.ts';
import { cardIn, knownCard } from './top.ts';
import { usable } from './using.ts';

/** Answers to what is asked of this player. */
export function decisions(state: GameState, player: Side): readonly LegalInput[] {
  const { decision } = state;
  if (decision === null || decision.player !== player) return [];
  if (decision.kind === 'may') {
    return [true, false].map((yes) => ({
      player,
      label: `${yes ? 'Use' : 'Do not use'} ${decision.label}`,
      rules: decision.rules,
      input: { type: 'decide', yes },
    }));
  }
  return decision.options.map(({ value, label }) => ({
    player,
    label: `${decision.label}: ${label}`,
    rules: decision.rules,
    input: { type: 'decide', choice: value },
    ...(value === '?' ? { ask: [{ field: 'card', kind: 'text' as const, longest: 60 }] } : {}),
  }));
}

function playFromDiscard(state: GameState, player: Side): readonly string[] {
  return [...new Set(state.players[player].discard.known)].filter((id) =>
    knownCard(state, id)?.text.some((one) => 'rule' in one && one.rule === 'play-from-discard'),
  );
}

/** Cards that the holder of priority may play, with every choice, and texts that may be used. */
export function playable(state: GameState, player: Side): readonly LegalInput[] {
  const list: LegalInput[] = [];
  for (const one of usable(state, player)) {
    const input = { type: 'use', bakugan: one.bakugan };
    list.push({ player, label: one.label, rules: ['1.18', 'AM-31'], input });
  }
  const inHand = mayBeInHand(state, player);
  const ids = [...inHand, ...playFromDiscard(state, player).filter((id) => !inHand.includes(id))];
  for (const id of ids) {
    const card = knownCard(state, id);
    if (card === undefined) continue;
    for (const said of announcements(state, player, card, { inHand: inHand.includes(id) })) {
      list.push({
        player,
        label: `Play ${sayWay(state, said)} for ${said.cost}`,
        rules: ['6.2.1', '6.2.1.2'],
        input: { type: 'play', ...fieldsOf(said) },
      });
    }
  }
  return list;
}

/** What the owner of a flipped Flip card may do with it. */
export function shownFlip(state: GameState, player: Side): readonly LegalInput[] {
  const { shown, damage } = state;
  if (shown === null || damage === null || damage.to !== player) return [];
  const card = cardIn(state, shown);
  const plays = announcements(state, player, card, { flipped: true }).map(
    (said): LegalInput => ({
      player,
      label: `Play ${sayWay(state, said)} for ${said.cost}`,
      rules: ['5.11.2', '6.2.1.2'],
      input: { type: 'play-flip', ...fieldsOf(said) },
    }),
  );
  const leave = {
    player,
    label: `Do not play ${card.name}`,
    rules: ['5.11.2'],
    input: { type: 'leave-flip' },
  };
  return [...plays, leave];
}
