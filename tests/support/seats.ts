/** Two players and a judge at the mat of a running host, whatever kind of time it runs in. */
import type { Command } from '../../host/advance/input.ts';
import type { Decided } from '../../host/advance/known.ts';
import { blockedCells, legalFree } from '../../host/advance/standing.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import type { BakuganView } from '../../host/game/bakugan/view.ts';
import type { LegalInput } from '../../host/game/ruleset.ts';
import type { CellId, CoreId, RollId, Side } from '../../host/ids.ts';
import { SIDES } from '../../host/ids.ts';
import type { Scene } from '../../host/scene/scene.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import type { SimAction } from '../../host/sim-action.ts';
import { type AutoState, autoplay, type Pace, QUICK_PACE, startAutoplay } from '../../sim/autoplay.ts';

/** How the game stands, as far as people at the mat care. */
export interface Standing {
  readonly activity: Activity;
  readonly over: boolean;
  readonly judgeAsked: boolean;
  /** What each may do now. */
  readonly legal: Readonly<Record<Side | 'judge', readonly LegalInput[]>>;
}

/** What the players see and can do. */
export interface Mat {
  /** Undefined while it is not known. */
  look(): Standing | undefined;
  command(id: string, command: Command): void;
  /** False when it cannot be done. */
  act(action: SimAction): boolean;
  know(activity: Activity): void;
  thrown(): readonly Side[];
  standing(): readonly { readonly player: Side; readonly cell: CellId }[];
}

/** How the game stands by a host's own word. */
export function standingOf(decided: Decided): Standing {
  const { activity, play } = decided;
  const game = play.state as never;
  const blocked = blockedCells(bakugan.cues(game), decided);
  return {
    activity,
    over: bakugan.over(game) !== undefined,
    judgeAsked: bakugan.cues(game).some(({ cue }) => cue === 'judge-needed'),
    legal: {
      A: legalFree(bakugan.legalInputs(game, 'A'), blocked),
      B: legalFree(bakugan.legalInputs(game, 'B'), blocked),
      judge: bakugan.legalInputs(game, 'judge'),
    },
  };
}

/** How the game stands by what an operator's page shows. */
export function standingIn(scene: Scene): Standing {
  const view = scene.view as unknown as BakuganView;
  const by = (who: Side | 'judge'): readonly LegalInput[] =>
    scene.legal.filter(({ player }) => player === who);
  return {
    activity: activityIn(scene, view),
    over: view.winner !== undefined,
    judgeAsked: scene.cues.some(({ cue }) => cue === 'judge-needed'),
    legal: { A: by('A'), B: by('B'), judge: by('judge') },
  };
}

function activityIn(scene: Scene, view: BakuganView): Activity {
  if (view.state === 'ST-5' && view.roll !== undefined) {
    const balls = SIDES.flatMap((player) =>
      view.players[player].bakugan.flatMap(({ id, selected }) => (selected ? [{ player, bakugan: id }] : [])),
    );
    const cores = view.cores.flatMap(({ cell, core }) => (cell === undefined ? [] : [{ cell, core }]));
    return { kind: 'roll', roll: view.roll.id, balls, cores };
  }
  const placing = scene.legal.some(({ input }) => input.type === 'place');
  return placing && view.state !== 'SU-4' ? { kind: 'hands', why: 'retract' } : { kind: 'idle' };
}

export interface Seats {
  /** Lets everybody look once and do what is due. */
  look(atMs: number): void;
  /** Whether balls are thrown when a roll is called; everything else goes on. */
  rolls: boolean;
  /** Whether anything is done at all. */
  play: boolean;
  /** Newest roll that was thrown, and how many were. */
  readonly rollThrown: RollId;
  readonly rollsThrown: number;
  /** Cores aimed at in the newest roll. */
  readonly aims: Readonly<Partial<Record<Side, CoreId>>>;
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

export function seatsAt(mat: Mat, seed: number, pace: Pace = QUICK_PACE): Seats {
  let players: AutoState = startAutoplay(seed);
  let commands = 0;
  let known = '';
  let aimed = '';
  /** The mat changed since balls were thrown: a roll of the same name may be made anew after a correction. */
  let anew = true;
  let thrown = 0;
  let aims: Seats['aims'] = {};
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
    if ((aimed === activity.roll && !anew) || !seats.rolls) return;
    anew = false;
    aimed = activity.roll;
    thrown += 1;
    aims = {};
    for (const player of SIDES) {
      const aim = aimsFrom(player, activity).find((cell) => mat.act({ ...PLAIN, player, aim: cell }));
      const core = activity.cores.find(({ cell }) => cell === aim)?.core;
      if (core !== undefined) aims = { ...aims, [player]: core };
    }
  };

  const seats: Seats = {
    rolls: true,
    play: true,
    get rollThrown() {
      return aimed;
    },
    get rollsThrown() {
      return thrown;
    },
    get aims() {
      return aims;
    },
    look(atMs) {
      if (!seats.play) return;
      const seen = mat.look();
      if (seen === undefined) return;
      const { activity, legal, judgeAsked, over } = seen;
      const text = JSON.stringify(activity);
      if (text !== known) {
        known = text;
        anew = true;
        mat.know(activity);
      }
      if (activity.kind === 'roll') {
        throwBoth(activity);
        return;
      }
      if (over) aimed = '';
      if (over) {
        // The mat is cleared first, as people do.
        const standing = mat.standing();
        for (const { player, cell } of standing) mat.act({ act: 'lift', player, cell });
        if (standing.length > 0) clearedMs = atMs;
        if (atMs - clearedMs > CLEARING_MS) say({ do: 'new-game', by: { role: 'automatic' } });
        return;
      }
      judge(atMs, legal.judge, judgeAsked);
      const table = { atMs, activity, legal, thrown: mat.thrown(), standing: mat.standing() };
      const result = autoplay(players, table, pace);
      players = result.state;
      for (const doing of result.doings) {
        if (doing.kind === 'act') mat.act(doing.action);
        else say(doing.command);
      }
    },
  };
  return seats;
}
