import type { Json, Side } from '../ids.ts';
import type { Activity } from '../sensing/activity.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/** Who looks. What each may see is one pure function of the ruleset. */
export type Audience =
  | { readonly kind: 'player'; readonly player: Side }
  | { readonly kind: 'judge' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'venue' }
  | { readonly kind: 'public' };

/** Who gave an input. */
export interface Actor {
  readonly role: 'player' | 'judge' | 'operator' | 'sensing' | 'automatic';
  readonly player?: Side;
  /** Free name for the record, as typed by that person. */
  readonly name?: string;
}

/** One thing done to a game. `type` and the other fields are the ruleset's; it checks them itself. */
export interface GameInput {
  readonly type: string;
  readonly by: Actor;
  readonly [key: string]: Json | Actor | undefined;
}

/** Why an input changed nothing. */
export interface Refusal {
  /** Stable and namespaced, as in `select/already-open`. */
  readonly code: string;
  /** One sentence for the person who did it. */
  readonly message: string;
  readonly rules: readonly string[];
}

/** Something that happened in play, for logs and feeds. */
export interface GameEvent {
  /** Stable and namespaced, as in `roll/opened`. */
  readonly type: string;
  readonly rules: readonly string[];
  /** One plain sentence. */
  readonly text: string;
  readonly data: { readonly [key: string]: Json };
}

export type Outcome<State> =
  | { readonly ok: true; readonly state: State; readonly events: readonly GameEvent[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** A field of a legal input that a person may fill in otherwise; the value listed stands when nobody does. */
export type Ask =
  | { readonly field: string; readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly field: string; readonly kind: 'text'; readonly longest: number };

/** One thing a player may do now; `input` lacks only `by` and is accepted as it stands. */
export interface LegalInput {
  readonly player: Side | 'judge';
  readonly label: string;
  readonly rules: readonly string[];
  readonly input: { readonly type: string; readonly [key: string]: Json };
  /** Fields that a person may change before it is sent. */
  readonly ask?: readonly Ask[];
  /** Not part of the normal course (conceding, hand entry, corrections): automatic play leaves it alone. */
  readonly aside?: boolean;
}

/** What light and screens may show, in the game's own words; never a colour, never a tile. */
export type Cue =
  /** A cell holds a core nobody holds; owner's side. */
  | { readonly cue: 'core'; readonly cell: string; readonly owner: Side }
  /** A cell whose core is held elsewhere. */
  | { readonly cue: 'vacant'; readonly cell: string }
  /** A returned core may be placed here. */
  | { readonly cue: 'may-place'; readonly cell: string; readonly player: Side }
  /** A roll is live. */
  | { readonly cue: 'rolling' }
  /** A ball opened here and holds the core. */
  | { readonly cue: 'attached'; readonly cell: string; readonly player: Side }
  /** A ball opened here and did not stay. */
  | { readonly cue: 'opened'; readonly cell: string; readonly player: Side }
  | { readonly cue: 'victor'; readonly player: Side; readonly cells: readonly string[] }
  | { readonly cue: 'acts'; readonly player: Side }
  | { readonly cue: 'judge-needed' }
  | { readonly cue: 'game-over'; readonly winner: Side | 'draw' };

/**
 * A game as a plain object of pure functions over a JSON value. Chance, if any, keeps its state inside the value.
 * No clock: when something happened is not the game's business.
 */
export interface Ruleset<State = Json, View = Json> {
  readonly name: string;
  readonly version: string;
  /** The same rules in older versions that can still be played and replayed, the newest first. */
  readonly earlier?: readonly Ruleset<State, View>[];
  /** Throws a RangeError with a plain sentence when the options are not legal. */
  setup(options: Json): { readonly state: State; readonly events: readonly GameEvent[] };
  /**
   * Options of the next game of a match after one that came to this state; the same options where it is not given. `first`
   * begins it in whatever way this game begins; `lot` for whoever the lot says, absent for what the options say.
   */
  nextGame?(options: Json, state: State, first?: Side | 'lot'): Json;
  legalInputs(state: State, player: Side | 'judge'): readonly LegalInput[];
  step(state: State, input: GameInput): Outcome<State>;
  /** Turns a final ruling of sensing into an input, or nothing when the game does not wait for that roll. */
  rulingInput(state: State, ruling: RollRuling): GameInput | undefined;
  /** Input of a pressed pass stud, or nothing when that player has nothing to pass. */
  studInput(state: State, player: Side): GameInput | undefined;
  view(state: State, audience: Audience): View;
  cues(state: State): readonly Cue[];
  activity(state: State): Activity;
  /** Winner, draw, or undefined while the game goes on. */
  over(state: State): Side | 'draw' | undefined;
}
