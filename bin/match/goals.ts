import type { Output } from '../../host/advance/input.ts';
import type { RollTruth } from '../../sim/truth.ts';

/** What a whole match shows, each with the rule it is about. */
export const GOALS = {
  'deck-check': 'a deck that is not legal is refused, a legal one taken (1.1.2, 1.2)',
  'core-placement': 'twelve cores laid by the players, each side to side with another (1.4.3, 4.7.3)',
  'fallen-roll': 'a ball that ran over the field and off the table is ruled as not opened (5.7.1.4)',
  'shared-core': 'both Bakugan on one core: both get its bonus (5.7.2.2)',
  'flip-stop': 'a Flip card stops an attack (5.11.2)',
  'judge-ruling': 'a roll that the sensors leave open is ruled by a judge (AM-39)',
  correction: 'a judge corrects a ruling, having seen what it changes (AM-39)',
  'hand-entry': 'a card that the game does not know is entered by hand (6.2.1)',
  'known-card': 'a card of a registered deck is played by its data (6.2.1)',
  'team-attack-win': 'all three Bakugan attack together and win the game (5.12)',
} as const;

export type Goal = keyof typeof GOALS;

/** Where a goal was met: the record says it, not the plan. */
export type Met = ReadonlyMap<Goal, { readonly atMs: number; readonly text: string }>;

/** Watches what the host says, beside what really happened on the mat, and notes which goals were met. */
export function watchGoals(truth: () => readonly RollTruth[]): {
  readonly met: Met;
  told(output: Output): void;
} {
  const met = new Map<Goal, { readonly atMs: number; readonly text: string }>();
  const placed = new Set<string>();
  let refusedDeck = false;
  let team = false;
  let doubtful = '';
  const known = /Greater Water Boost/;
  const meet = (goal: Goal, atMs: number, text: string): void => {
    if (!met.has(goal)) met.set(goal, { atMs, text });
  };

  const ruled = (output: Extract<Output, { readonly kind: 'ruling' }>): void => {
    const { ruling, atMs } = output;
    if (ruling.stage !== 'final') return;
    const real = truth().findLast(({ roll }) => roll === ruling.roll);
    const fell = real?.balls.find(
      ({ player, restXMm }) =>
        restXMm === undefined && ruling.balls.some((ball) => ball.player === player && ball.opened === 'no'),
    );
    if (fell !== undefined) {
      meet('fallen-roll', atMs, `Roll ${ruling.roll}: the ball of player ${fell.player} left the table.`);
    }
    if (ruling.balls.some(({ player, opened }) => player === 'undetermined' || opened === 'undetermined')) {
      doubtful = ruling.roll;
    }
  };

  return {
    met,
    told(output) {
      if (output.kind === 'ruling') ruled(output);
      if (output.kind === 'refused' && output.refusal.code === 'new-game/options') refusedDeck = true;
      if (output.kind !== 'event') return;
      const { atMs, event } = output;
      const { type, text, data } = event;
      switch (type) {
        case 'field/placed':
          placed.add(String(data.core));
          if (placed.size === 12) meet('core-placement', atMs, text);
          // The game that was played after the check began with the first core.
          if (refusedDeck && placed.size === 1) meet('deck-check', atMs, 'The first deck was refused.');
          return;
        case 'roll/shared-core':
          meet('shared-core', atMs, text);
          return;
        case 'damage/stopped':
          meet('flip-stop', atMs, text);
          return;
        case 'roll/judged':
          if (data.roll === doubtful) meet('judge-ruling', atMs, text);
          return;
        case 'correction/made':
          meet('correction', atMs, text);
          return;
        case 'modify/applied':
          meet('hand-entry', atMs, text);
          return;
        case 'batch/resolved':
          if (known.test(text)) meet('known-card', atMs, text);
          return;
        case 'damage/team-attack':
          team = true;
          return;
        case 'turn/started':
          team = false;
          return;
        case 'game/over':
          if (team) meet('team-attack-win', atMs, text);
          return;
        default:
      }
    },
  };
}
