import type { Bonus, Faction } from '../../game/bakugan/view.ts';
import { SIDES, type Side } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import type { BallRuling, RollRuling } from '../../sensing/ruling.ts';
import { actorsOf, bakuganView, brawlerOf, nameOf } from '../bakugan-scene.ts';
import { matchScore } from '../match-words.ts';
import { type Moment, momentOf } from '../panels/ribbon.ts';

/** One player's lower third. */
export type Plate = {
  readonly side: Side;
  readonly name: string;
  readonly deck: number;
  readonly hand: number;
  readonly acts: boolean;
  readonly victor: boolean;
  /** No Bakugan is chosen, and one will be. */
  readonly chooses: boolean;
  readonly toy:
    | {
        readonly name: string;
        readonly faction: Faction;
        readonly open: boolean;
        readonly bPower: number;
        readonly damage: number;
        readonly parts: readonly Bonus[];
      }
    | undefined;
};

/** What is on air. Two scenes with the same model draw nothing new. */
export type OverlayModel = {
  readonly turn: number;
  /** Games of the match, empty where it is one game: `Game 2 of 3, 1–0`. */
  readonly score: string;
  readonly phase: string;
  readonly step: string;
  readonly priority: string;
  readonly plates: readonly Plate[];
  readonly moment: Moment;
  readonly ruling:
    | { readonly title: string; readonly lines: readonly RulingLine[]; readonly withdrawn: boolean }
    | undefined;
};

export type RulingLine = {
  readonly side: Side | '?';
  readonly text: string;
  readonly rules: string;
  readonly doubt: boolean;
};

/** The model of a scene; undefined when the table's game has no overlay. */
export function overlayModel(scene: Scene): OverlayModel | undefined {
  const view = bakuganView(scene);
  if (view === undefined) return undefined;
  const actors = actorsOf(view);
  const newest = scene.rulings.at(-1);
  return {
    turn: view.turn,
    score: scene.match === undefined ? '' : matchScore(scene.match),
    phase: view.phase,
    step: view.step,
    priority: actors
      .filter((who) => who !== 'sensors')
      .map((who) => nameOf(view, who).replace(/^the judge$/, 'Judge'))
      .join(' & '),
    plates: SIDES.map((side): Plate => {
      const player = view.players[side];
      const toy = brawlerOf(player);
      return {
        side,
        name: nameOf(view, side),
        deck: player.deck,
        hand: player.hand,
        acts: actors.includes(side),
        chooses: toy === undefined && view.winner === undefined,
        victor: (view.winner ?? view.victor) === side,
        toy:
          toy === undefined
            ? undefined
            : {
                name: toy.name,
                faction: toy.faction,
                open: toy.open,
                bPower: toy.bPower,
                damage: toy.damage,
                parts: toy.bPowerParts.filter((part) => part.source !== 'printed' && part.amount !== 0),
              },
      };
    }),
    moment: momentOf(scene, view),
    ruling: newest === undefined ? undefined : rulingOf(newest, scene),
  };
}

function rulingOf(ruling: RollRuling, scene: Scene): NonNullable<OverlayModel['ruling']> {
  return {
    title: `Ruling · roll ${ruling.roll}`,
    lines: ruling.balls.map(lineOf),
    withdrawn: scene.retracted.some((one) => one.roll === ruling.roll && one.revision >= ruling.revision),
  };
}

function lineOf(ball: BallRuling): RulingLine {
  const held = ball.attached.sure.join(' + ');
  const words = {
    yes: held === '' ? 'opened, holds no core' : `opened, holds ${held}`,
    no: 'did not open',
    undetermined: 'undetermined: judge',
  } as const;
  return {
    side: ball.player === 'undetermined' ? '?' : ball.player,
    text: words[ball.opened],
    rules: ball.reasons[0]?.rules[0] ?? '',
    doubt: ball.opened === 'undetermined' || ball.player === 'undetermined',
  };
}
