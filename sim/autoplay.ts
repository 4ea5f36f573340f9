/**
 * Automatic players: from what is legal and what lies on the table to the next thing somebody does. Pure: all memory
 * is in the state, all time comes in.
 */
import type { Command } from '../host/advance/input.ts';
import type { LegalInput } from '../host/game/ruleset.ts';
import type { AtMs, CellId, Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { SimAction } from '../host/sim-action.ts';
import { type Chance, createChance, hash32 } from './random.ts';

/** How long people take, ms: least and most. */
export interface Pace {
  readonly think: readonly [number, number];
  readonly throw: readonly [number, number];
  readonly lift: readonly [number, number];
  /** After this long without effect the same thing is tried again. */
  readonly again: number;
  /** Share of passes given on the stud, the rest on a page. */
  readonly byStud: number;
}

export const HUMAN_PACE: Pace = {
  think: [500, 1500],
  throw: [800, 1600],
  lift: [600, 1400],
  again: 4000,
  byStud: 0.7,
};

/** As quick as the table allows, for tests. */
export const QUICK_PACE: Pace = {
  think: [5, 20],
  throw: [50, 120],
  lift: [20, 60],
  again: 1500,
  byStud: 0.5,
};

/** Another ball stood in the way: another aim is taken at once, since both have to roll together (5.7.1). */
const OTHER_AIM_MS = 200;

/** What the automatic players see. */
export interface Seen {
  readonly atMs: AtMs;
  readonly activity: Activity;
  readonly legal: { readonly A: readonly LegalInput[]; readonly B: readonly LegalInput[] };
  /** Players whose ball has been thrown in the roll that is going on. */
  readonly thrown: readonly Side[];
  /** Open balls that stand on the table. */
  readonly standing: readonly { readonly player: Side; readonly cell: CellId }[];
}

export type Doing =
  | { readonly kind: 'command'; readonly player: Side; readonly command: Command }
  | { readonly kind: 'act'; readonly action: SimAction };

/** One player's intention: for which situation, and when it is carried out. */
interface Intent {
  readonly situation: string;
  readonly dueMs: AtMs;
  readonly tries: number;
}

export interface AutoState {
  readonly seed: number;
  readonly draws: number;
  readonly intents: { readonly A: Intent | undefined; readonly B: Intent | undefined };
}

export function startAutoplay(seed: number): AutoState {
  return { seed, draws: 0, intents: { A: undefined, B: undefined } };
}

/** What one player would do now, with the name of the situation. */
type Plan =
  | { readonly what: 'throw'; readonly situation: string; readonly aims: readonly CellId[] }
  | { readonly what: 'lift'; readonly situation: string; readonly cell: CellId }
  | { readonly what: 'input'; readonly situation: string; readonly legal: readonly LegalInput[] };

function planOf(seen: Seen, player: Side): Plan | undefined {
  const { activity } = seen;
  if (activity.kind === 'roll') {
    const rolls = activity.balls.some((ball) => ball.player === player);
    if (rolls && !seen.thrown.includes(player)) {
      const aims = activity.cores.map((core) => core.cell);
      return { what: 'throw', situation: `throw ${activity.roll}`, aims };
    }
  }
  const legal = seen.legal[player].filter((one) => one.aside !== true);
  const placing = legal.some((one) => one.input.type === 'place');
  const ball = seen.standing.find((one) => one.player === player);
  // Cores go back once the hand has taken the ball that holds them.
  if (placing && activity.kind === 'hands' && activity.why === 'retract' && ball !== undefined) {
    return { what: 'lift', situation: `lift ${ball.cell}`, cell: ball.cell };
  }
  if (legal.length === 0) return undefined;
  return { what: 'input', situation: legal.map((one) => one.label).join('|'), legal };
}

/** What is done at this moment, and when to ask again at the latest. */
export function autoplay(
  state: AutoState,
  seen: Seen,
  pace: Pace = HUMAN_PACE,
): { readonly state: AutoState; readonly doings: readonly Doing[]; readonly wakeMs: AtMs } {
  const chance = createChance(hash32(state.seed, 91, state.draws));
  let used = false;
  let wakeMs = Infinity;
  const doings: Doing[] = [];
  const intents: { A: Intent | undefined; B: Intent | undefined } = { ...state.intents };
  for (const player of SIDES) {
    const plan = planOf(seen, player);
    if (plan === undefined) {
      intents[player] = undefined;
      continue;
    }
    let intent = intents[player];
    if (intent?.situation !== plan.situation) {
      const [least, most] = plan.what === 'input' ? pace.think : pace[plan.what];
      used = true;
      intent = { situation: plan.situation, dueMs: seen.atMs + chance.between(least, most), tries: 0 };
    }
    if (intent.dueMs <= seen.atMs) {
      used = true;
      doings.push(doing(chance, plan, player, pace, intent.tries));
      const againMs = plan.what === 'throw' ? OTHER_AIM_MS : pace.again;
      intent = { ...intent, dueMs: seen.atMs + againMs, tries: intent.tries + 1 };
    }
    intents[player] = intent;
    wakeMs = Math.min(wakeMs, intent.dueMs);
  }
  return {
    state: { seed: state.seed, draws: state.draws + (used ? 1 : 0), intents },
    doings,
    wakeMs,
  };
}

function doing(chance: Chance, plan: Plan, player: Side, pace: Pace, tries: number): Doing {
  switch (plan.what) {
    case 'throw':
      return {
        kind: 'act',
        action: {
          act: 'throw',
          player,
          aim: plan.aims.length === 0 ? 'q0r0' : chance.pick(plan.aims),
          speedMPerS: chance.logBetween(0.4, 1.4),
          open: 'physics',
          stays: 'physics',
        },
      };
    case 'lift':
      return { kind: 'act', action: { act: 'lift', player, cell: plan.cell } };
    case 'input': {
      const chosen = choice(chance, plan.legal, tries);
      if (chosen.input.type === 'pass' && chance.happens(pace.byStud)) {
        return { kind: 'act', action: { act: 'stud', player } };
      }
      const by = { role: 'automatic', player } as const;
      return { kind: 'command', player, command: { do: 'play', input: { ...chosen.input, by } } };
    }
    default:
      return plan satisfies never;
  }
}

/** The usual course comes first in a list; a player who meets a refusal tries something else. */
function choice(chance: Chance, legal: readonly LegalInput[], tries: number): LegalInput {
  const first = legal[0];
  const usual = first?.input.type === 'pass' || first?.input.type === 'flip' || first?.input.type === 'place';
  if (first !== undefined && usual && tries === 0) return first;
  return chance.pick(legal);
}
