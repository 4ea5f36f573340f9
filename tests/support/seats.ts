/** Two players and a judge at the mat of a running host, whatever kind of time it runs in. */
import type { Command } from '../../host/advance/input.ts';
import type { Decided } from '../../host/advance/known.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import type { LegalInput } from '../../host/game/ruleset.ts';
import type { CellId, Side } from '../../host/ids.ts';
import { SIDES } from '../../host/ids.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import type { SimAction } from '../../host/sim-action.ts';
import { type AutoState, autoplay, QUICK_PACE, startAutoplay } from '../../sim/autoplay.ts';

/** What the players see and can do. */
export interface Mat {
  decided(): Decided;
  command(id: string, command: Command): void;
  /** False when it cannot be done. */
  act(action: SimAction): boolean;
  know(activity: Activity): void;
  thrown(): readonly Side[];
  standing(): readonly { readonly player: Side; readonly cell: CellId }[];
}

export interface Seats {
  /** Lets everybody look once and do what is due. */
  look(atMs: number): void;
  /** Whether balls are thrown when a roll is called; everything else goes on. */
  rolls: boolean;
  /** Whether anything is done at all. */
  play: boolean;
}

/** Hands are off the mat this long after they reached for the last ball, ms. */
const CLEARING_MS = 1500;
/** A throw that no sensor can misread: slow, straight onto a core, opening there and staying. */
const PLAIN = { act: 'throw', speedMPerS: 0.7, open: 'yes', stays: 'yes' } as const;

/** Cells with cores from one player's edge to the other's: each aims at the nearest, so that the balls do not meet. */
function aimsFrom(side: Side, activity: Extract<Activity, { readonly kind: 'roll' }>): readonly CellId[] {
  const height = (cell: CellId): number => {
    const [, q = '0', r = '0'] = /^q(-?\d+)r(-?\d+)$/.exec(cell) ?? [];
    return (2 * Number(r) + Number(q)) * (side === 'A' ? -1 : 1);
  };
  return activity.cores.map(({ cell }) => cell).sort((a, b) => height(a) - height(b));
}

export function seatsAt(mat: Mat, seed: number): Seats {
  let players: AutoState = startAutoplay(seed);
  let commands = 0;
  let known = '';
  let aimed = '';
  let judgedMs = 0;
  let clearedMs = Number.NEGATIVE_INFINITY;
  const say = (command: Command): void => mat.command(`seat-${++commands}`, command);

  const judge = (atMs: number, legal: readonly LegalInput[], waits: boolean): void => {
    const again = legal.find(({ input }) => input.verdict === 'again');
    if (!waits || again === undefined || atMs - judgedMs < 500) return;
    judgedMs = atMs;
    say({ do: 'play', input: { ...again.input, by: { role: 'judge', name: 'Ines' } } });
  };

  const throwBoth = (activity: Extract<Activity, { readonly kind: 'roll' }>): void => {
    if (aimed === activity.roll || !seats.rolls) return;
    aimed = activity.roll;
    for (const player of SIDES) {
      aimsFrom(player, activity).some((aim) => mat.act({ ...PLAIN, player, aim }));
    }
  };

  const seats: Seats = {
    rolls: true,
    play: true,
    look(atMs) {
      if (!seats.play) return;
      const { activity, play } = mat.decided();
      const text = JSON.stringify(activity);
      if (text !== known) {
        known = text;
        mat.know(activity);
      }
      if (activity.kind === 'roll') {
        throwBoth(activity);
        return;
      }
      const game = play.state as never;
      if (bakugan.over(game) !== undefined) {
        // The mat is cleared first, as people do.
        const standing = mat.standing();
        for (const { player, cell } of standing) mat.act({ act: 'lift', player, cell });
        if (standing.length > 0) clearedMs = atMs;
        if (atMs - clearedMs > CLEARING_MS) say({ do: 'new-game', by: { role: 'automatic' } });
        return;
      }
      judge(
        atMs,
        bakugan.legalInputs(game, 'judge'),
        bakugan.cues(game).some(({ cue }) => cue === 'judge-needed'),
      );
      const legal = { A: bakugan.legalInputs(game, 'A'), B: bakugan.legalInputs(game, 'B') };
      const seen = { atMs, activity, legal, thrown: mat.thrown(), standing: mat.standing() };
      const result = autoplay(players, seen, QUICK_PACE);
      players = result.state;
      for (const doing of result.doings) {
        if (doing.kind === 'act') mat.act(doing.action);
        else say(doing.command);
      }
    },
  };
  return seats;
}
