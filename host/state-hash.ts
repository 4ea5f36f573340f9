import { savedTable } from './advance/save.ts';
import type { TableState } from './advance/state.ts';
import { inputsOf, type Play } from './game/play.ts';
import type { GameInput } from './game/ruleset.ts';
import { canonicalText } from './journal/canonical.ts';
import { sha256Hex } from './journal/hashing.ts';
import { packQuickly } from './pack-quickly.ts';

/**
 * A whole table as text and the hash by which two of them are compared: SHA-256 of its canonical form, hex. The table waits
 * meanwhile, so its parts are gone through once for both, and what is said of inputs is kept from one time to the next.
 */
export function savedWithHash(state: TableState): { readonly text: string; readonly hash: string } {
  const saved = savedTable(state, packQuickly);
  return { text: JSON.stringify(saved), hash: sha256Hex(canonicalSaved(saved, canonicalPlay(state.play))) };
}

/** The hash of a saved table. The order of keys does not count, so that a replay gives the same. */
export function hashOfSaved(text: string): string {
  const saved: unknown = JSON.parse(text);
  if (typeof saved !== 'object' || saved === null) return sha256Hex(text);
  const play = 'play' in saved && typeof saved.play === 'string' ? JSON.parse(saved.play) : null;
  return sha256Hex(canonicalText({ ...saved, play }));
}

/** A saved table in canonical form, with its play in that form already. */
function canonicalSaved(saved: { readonly [key: string]: unknown }, play: string): string {
  const keys = Object.keys(saved).sort();
  const fields = keys.map(
    (key) => `${JSON.stringify(key)}:${key === 'play' ? play : canonicalText(saved[key])}`,
  );
  return `{${fields.join(',')}}`;
}

function canonicalPlay<State>(play: Play<State>): string {
  const inputs = inputsOf(play).map(({ input }) => canonicalInput(input));
  return `{"inputs":[${inputs.join(',')}],"options":${canonicalText(play.options)},"ruleset":${canonicalText(play.ruleset)}}`;
}

const inputs = new WeakMap<GameInput, string>();

function canonicalInput(input: GameInput): string {
  const known = inputs.get(input);
  if (known !== undefined) return known;
  const text = canonicalText(input);
  inputs.set(input, text);
  return text;
}
