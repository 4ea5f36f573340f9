import { opponentOf, type Side } from '../ids.ts';

/**
 * A priority window: two players take turns to add to a batch or to pass (1.14, 4.4, 5.1.3). A plain value, shared by
 * rulesets; `Item` is whatever waits in the batch.
 */
export type PassWindow<Item> = {
  /** Who has priority first, and again after anything resolves. */
  readonly first: Side;
  /** Who has priority now. */
  readonly holder: Side;
  /** Passes in a row, 0 or 1; the second one resolves or closes. */
  readonly passes: number;
  /** What waits to happen; the last one happens next. */
  readonly batch: readonly Item[];
};

/** What a pass led to. */
export type Passed<Item> =
  | { readonly to: 'opponent'; readonly window: PassWindow<Item> }
  /** Both passed: this object happens now; the window goes on without it. */
  | { readonly to: 'resolve'; readonly item: Item; readonly window: PassWindow<Item> }
  /** Both passed on an empty batch (5.1.3). */
  | { readonly to: 'closed' };

/** W-0: a new window; `first` has priority and nobody has passed. */
export function openWindow<Item>(first: Side, batch: readonly Item[] = []): PassWindow<Item> {
  return { first, holder: first, passes: 0, batch };
}

/** W-1: the holder adds one object on top and keeps priority (1.14, AM-16). */
export function addToBatch<Item>(window: PassWindow<Item>, item: Item): PassWindow<Item> {
  return { ...window, passes: 0, batch: [...window.batch, item] };
}

/** W-2, W-3, W-4: the holder passes. */
export function pass<Item>(window: PassWindow<Item>): Passed<Item> {
  if (window.passes === 0) {
    return { to: 'opponent', window: { ...window, holder: opponentOf(window.holder), passes: 1 } };
  }
  const item = window.batch.at(-1);
  if (item === undefined) return { to: 'closed' };
  const rest = { ...window, holder: window.first, passes: 0, batch: window.batch.slice(0, -1) };
  return { to: 'resolve', item, window: rest };
}

/**
 * W-5: abilities triggered at one moment enter before anyone gets priority: those of the first player lowest, so that
 * the other player's happen first (4.4.2, 6.3.3). Each list is in its controller's order.
 */
export function enterTriggered<Item>(
  window: PassWindow<Item>,
  items: { readonly [side in Side]: readonly Item[] },
): PassWindow<Item> {
  const { first } = window;
  const entering = [...items[first], ...items[opponentOf(first)]];
  return entering.length === 0
    ? window
    : { ...window, holder: first, passes: 0, batch: [...window.batch, ...entering] };
}
