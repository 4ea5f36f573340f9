import type { Json } from '../ids.ts';
import type { GameEvent, GameInput, Refusal, Ruleset } from './ruleset.ts';

/** One accepted input, by its place in the match from 1. */
export type PlayedInput = { readonly seq: number; readonly input: GameInput };

/** A run of inputs with the state before the first of them, so that a refold need not start at the beginning. */
type Stretch<State> = { readonly before: State; readonly inputs: readonly PlayedInput[] };

/** Inputs a stretch holds. One is copied at each input, so that a step costs the same however long the match is. */
const STRETCH = 64;
/** Stretches that are joined into one once twice as many newer ones are kept. */
const JOINED = 8;

/** A match as a fold: its state is always the inputs run through the ruleset, nothing else. Plain data. */
export type Play<State = Json> = {
  readonly ruleset: { readonly name: string; readonly version: string };
  readonly options: Json;
  /** Full stretches, oldest first. */
  readonly past: readonly Stretch<State>[];
  readonly recent: Stretch<State>;
  /** Number of the newest input; 0 before the first. */
  readonly seq: number;
  readonly state: State;
  /** What the newest input led to; of a match in which nothing was played yet, its set-up. */
  readonly events: readonly GameEvent[];
};

/** What became of an input. */
export type Played<State = Json> =
  | {
      readonly ok: true;
      readonly play: Play<State>;
      readonly seq: number;
      readonly events: readonly GameEvent[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** What a replaced input changes, to be looked at before the new play is taken. */
export type Replaced<State = Json> =
  | {
      readonly ok: true;
      readonly play: Play<State>;
      /** Events that did not happen after all, and those that happen instead, oldest first. */
      readonly withdrawn: readonly GameEvent[];
      readonly added: readonly GameEvent[];
      /** Later inputs from the first that no longer fits; they have to be made anew. */
      readonly dropped: readonly PlayedInput[];
      /** Why the first of them no longer fits. */
      readonly refusal?: Refusal;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Starts a match. Throws a RangeError with a plain sentence when the options are not legal. */
export function startPlay<State>(ruleset: Ruleset<State, unknown>, options: Json): Play<State> {
  const { state, events } = ruleset.setup(options);
  return {
    ruleset: { name: ruleset.name, version: ruleset.version },
    options,
    past: [],
    recent: { before: state, inputs: [] },
    seq: 0,
    state,
    events,
  };
}

function wrongRules<State>(
  play: Pick<SavedPlay, 'ruleset'>,
  ruleset: Ruleset<State, unknown>,
): Refusal | undefined {
  const { name, version } = play.ruleset;
  if (name === ruleset.name && version === ruleset.version) return undefined;
  const message = `This match is played under ${name} ${version}, not under ${ruleset.name} ${ruleset.version}.`;
  return { code: 'play/other-rules', message, rules: [] };
}

/** One input through the ruleset. A refused one changes nothing and is not kept. */
export function playInput<State>(
  play: Play<State>,
  ruleset: Ruleset<State, unknown>,
  input: GameInput,
): Played<State> {
  const wrong = wrongRules(play, ruleset);
  if (wrong !== undefined) return { ok: false, refusal: wrong };
  const outcome = ruleset.step(play.state, input);
  if (!outcome.ok) return outcome;
  const seq = play.seq + 1;
  const full = play.recent.inputs.length >= STRETCH;
  const played = { seq, input };
  const next: Play<State> = {
    ruleset: play.ruleset,
    options: play.options,
    past: full ? joined([...play.past, play.recent]) : play.past,
    recent: full
      ? { before: play.state, inputs: [played] }
      : { before: play.recent.before, inputs: [...play.recent.inputs, played] },
    seq,
    state: outcome.state,
    events: outcome.events,
  };
  return { ok: true, play: next, seq, events: outcome.events };
}

// Old stretches become one: of a long match little is kept but its inputs, and going far back is rare.
function joined<State>(past: readonly Stretch<State>[]): readonly Stretch<State>[] {
  const short = past.filter(({ inputs }) => inputs.length <= STRETCH);
  const [first] = short;
  if (first === undefined || short.length < 2 * JOINED) return past;
  const old = short.slice(0, JOINED);
  const one = { before: first.before, inputs: old.flatMap(({ inputs }) => inputs) };
  return [...past.slice(0, past.indexOf(first)), one, ...short.slice(JOINED)];
}

/** All inputs, oldest first. */
export function inputsOf<State>(play: Play<State>): readonly PlayedInput[] {
  return [...play.past.flatMap((stretch) => stretch.inputs), ...play.recent.inputs];
}

/** Number of the newest input that satisfies a condition, as in "the one that settled this roll", or undefined. */
export function findInput<State>(
  play: Play<State>,
  wanted: (input: GameInput) => boolean,
): number | undefined {
  for (const stretch of [play.recent, ...[...play.past].reverse()]) {
    const found = stretch.inputs.findLast((one) => wanted(one.input));
    if (found !== undefined) return found.seq;
  }
  return undefined;
}

/** The play as it was before input `seq`, refolded from the stretch it lies in. */
function playBefore<State>(play: Play<State>, ruleset: Ruleset<State, unknown>, seq: number): Play<State> {
  const stretches = [...play.past, play.recent];
  const at = stretches.findLastIndex(
    (stretch) => (stretch.inputs[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq,
  );
  const stretch = stretches[at];
  if (stretch === undefined) return play;
  let earlier: Play<State> = {
    ...play,
    past: stretches.slice(0, at),
    recent: { before: stretch.before, inputs: [] },
    seq: (stretch.inputs[0]?.seq ?? 1) - 1,
    state: stretch.before,
    events: [],
  };
  for (const { seq: number, input } of stretch.inputs) {
    if (number >= seq) break;
    const played = playInput(earlier, ruleset, input);
    if (played.ok) earlier = played.play;
  }
  return earlier;
}

/**
 * Replaces input `seq` and runs the later ones again. Where a later input no longer fits, the refold stops there, since
 * what people did after it rested on something that did not happen. Nothing of the old play is changed.
 */
export function replaceInput<State>(
  play: Play<State>,
  ruleset: Ruleset<State, unknown>,
  seq: number,
  input: GameInput,
): Replaced<State> {
  const wrong = wrongRules(play, ruleset);
  if (wrong !== undefined) return { ok: false, refusal: wrong };
  if (!Number.isInteger(seq) || seq < 1 || seq > play.seq) {
    const message = `This match has no input number ${seq}; the newest is ${play.seq}.`;
    return { ok: false, refusal: { code: 'play/no-such-input', message, rules: [] } };
  }
  const earlier = playBefore(play, ruleset, seq);
  const later = inputsOf(play).slice(seq - 1);
  const was = fold(earlier, ruleset, later);
  const [, ...rest] = later;
  const first = playInput(earlier, ruleset, input);
  if (!first.ok) return first;
  const now = fold(first.play, ruleset, rest);
  const events = [...first.events, ...now.events];
  let same = 0;
  while (same < events.length && JSON.stringify(events[same]) === JSON.stringify(was.events[same])) same += 1;
  return {
    ok: true,
    play: now.play,
    withdrawn: was.events.slice(same),
    added: events.slice(same),
    dropped: now.left,
    ...(now.refusal === undefined ? {} : { refusal: now.refusal }),
  };
}

/**
 * The play as it was after input `seq`, 0 for the start: what is taken back, to be looked at before the new play is
 * taken. Nothing of the old play is changed.
 */
export function undoTo<State>(
  play: Play<State>,
  ruleset: Ruleset<State, unknown>,
  seq: number,
): Replaced<State> {
  const wrong = wrongRules(play, ruleset);
  if (wrong !== undefined) return { ok: false, refusal: wrong };
  if (!Number.isInteger(seq) || seq < 0 || seq > play.seq) {
    const message = `This match has no input number ${seq}; the newest is ${play.seq}.`;
    return { ok: false, refusal: { code: 'play/no-such-input', message, rules: [] } };
  }
  const earlier = playBefore(play, ruleset, seq + 1);
  const dropped = inputsOf(play).slice(seq);
  const was = fold(earlier, ruleset, dropped);
  return { ok: true, play: earlier, withdrawn: was.events, added: [], dropped };
}

function fold<State>(
  from: Play<State>,
  ruleset: Ruleset<State, unknown>,
  inputs: readonly PlayedInput[],
): { play: Play<State>; events: GameEvent[]; left: readonly PlayedInput[]; refusal?: Refusal } {
  let play = from;
  const events: GameEvent[] = [];
  for (const [index, { input }] of inputs.entries()) {
    const played = playInput(play, ruleset, input);
    if (!played.ok) return { play, events, left: inputs.slice(index), refusal: played.refusal };
    play = played.play;
    for (const event of played.events) events.push(event);
  }
  return { play, events, left: [] };
}

/** What a play is kept as: rules, options and inputs; the state follows from them. */
export type SavedPlay = {
  readonly ruleset: { readonly name: string; readonly version: string };
  readonly options: Json;
  readonly inputs: readonly GameInput[];
};

/** A play as JSON text. */
export function savePlay<State>(play: Play<State>): string {
  const inputs = inputsOf(play).map(({ input }) => textOf(input));
  const { ruleset, options } = play;
  return `{"ruleset":${JSON.stringify(ruleset)},"options":${JSON.stringify(options)},"inputs":[${inputs.join(',')}]}`;
}

/** An input never changes, so its text is made once: saving costs little more in a long match than in a short one. */
const texts = new WeakMap<GameInput, string>();

function textOf(input: GameInput): string {
  const known = texts.get(input);
  if (known !== undefined) return known;
  const text = JSON.stringify(input);
  texts.set(input, text);
  return text;
}

function isSaved(value: unknown): value is SavedPlay {
  if (typeof value !== 'object' || value === null) return false;
  if (!('ruleset' in value) || !('options' in value) || !('inputs' in value)) return false;
  const { ruleset, inputs } = value;
  if (typeof ruleset !== 'object' || ruleset === null || !('name' in ruleset) || !('version' in ruleset))
    return false;
  return typeof ruleset.name === 'string' && typeof ruleset.version === 'string' && Array.isArray(inputs);
}

/**
 * A saved play, run again. Throws a RangeError with a plain sentence when it is not a saved play, belongs to other rules
 * or another version of them, or holds an input that these rules refuse.
 */
export function loadPlay<State>(ruleset: Ruleset<State, unknown>, text: string): Play<State> {
  let saved: unknown;
  try {
    saved = JSON.parse(text);
  } catch {
    throw new RangeError('This is not a saved match: it is no JSON.');
  }
  if (!isSaved(saved))
    throw new RangeError('This is not a saved match: rules, options or inputs are missing.');
  const wrong = wrongRules(saved, ruleset);
  if (wrong !== undefined) throw new RangeError(wrong.message);
  let play = startPlay(ruleset, saved.options);
  for (const input of saved.inputs) {
    const played = playInput(play, ruleset, input);
    if (!played.ok) {
      throw new RangeError(`Input ${play.seq + 1} of the saved match is refused: ${played.refusal.message}`);
    }
    play = played.play;
  }
  return play;
}
