import type { LegalInput } from '../../game/ruleset.ts';
import type { Json } from '../../ids.ts';

/** Fields of an input that a person filled in otherwise. */
export type Filled = { readonly [field: string]: Json };

/** How panels do things and keep what a person is in the middle of choosing. */
export type Acting = {
  /** Whether this screen may act now. */
  readonly may: boolean;
  /** Keys of inputs that were sent and not answered. */
  readonly asked: ReadonlySet<string>;
  /** What is picked in a list, by the name of the list. */
  readonly picked: ReadonlyMap<string, string>;
  act(input: LegalInput, filled?: Filled): void;
  pick(list: string, key: string): void;
};

/** Names an input, to mark its button while the answer is under way. */
export function keyOf(input: LegalInput): string {
  return `${input.player} ${JSON.stringify(input.input)}`;
}

/** Reads the fields of a form that an input asks for; empty fields keep the value listed. */
export function filledIn(form: HTMLFormElement, input: LegalInput): Filled {
  const filled: Record<string, Json> = {};
  const data = new FormData(form);
  for (const ask of input.ask ?? []) {
    const text = String(data.get(ask.field) ?? '').trim();
    if (text === '') continue;
    if (ask.kind === 'text') filled[ask.field] = text.slice(0, ask.longest);
    else {
      const value = Number(text);
      if (Number.isInteger(value)) filled[ask.field] = Math.min(ask.max, Math.max(ask.min, value));
    }
  }
  return filled;
}
