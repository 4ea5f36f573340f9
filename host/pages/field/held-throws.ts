import type { Side } from '../../ids.ts';
import type { SimAction } from '../../sim-action.ts';

export type Throw = SimAction & { readonly act: 'throw' };

/**
 * One person has one pointer, and two balls must leave within a second of each other (5.7.1): the first throw waits in
 * the hand until the second is aimed, then both go.
 */
export class HeldThrows {
  readonly #held = new Map<Side, Throw>();

  /** Throws that wait for the other player's. */
  get waiting(): readonly Throw[] {
    return [...this.#held.values()];
  }

  /** Takes a throw and gives back what leaves the hands now. */
  take(one: Throw, players: readonly Side[]): readonly Throw[] {
    this.#held.set(one.player, one);
    if (players.some((player) => !this.#held.has(player))) return [];
    const all = this.waiting;
    this.#held.clear();
    return all;
  }

  /** The roll is over: what was aimed is aimed no more. */
  drop(): void {
    this.#held.clear();
  }
}
