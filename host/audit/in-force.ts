import type { BakuganId, Json, Side } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Refold } from '../refold.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Layout } from '../sensing/layout.ts';

/** A name for each side. */
export type Named = { readonly A: string; readonly B: string };

/** What holds when a roll is called: another match may be played by others, on another calibration. */
export interface InForce {
  readonly layout: Layout;
  readonly calibration: Calibration;
  /** Names of the players, as the match has them. */
  readonly players: Named;
  /** Names of the Bakugan rolled, by player. */
  readonly bakugan: Partial<Named>;
}

/** What holds now for a roll of these balls. */
export function inForceAt(balls: Balls, refold: Refold): InForce {
  const { setting, state } = refold;
  return {
    layout: setting.layout,
    calibration: state.calibration,
    players: namesOf(state.play.options),
    bakugan: bakuganOf(balls, refold),
  };
}

type Balls = readonly { readonly player: Side; readonly bakugan: BakuganId }[];

/** Names of the players by the options of a match; `Player A` where they name none. */
function namesOf(options: Json): Named {
  const players = isObject(options) && isObject(options.players) ? options.players : {};
  const name = (side: Side): string => nameIn(players[side]) ?? `Player ${side}`;
  return { A: name('A'), B: name('B') };
}

/** Names of the Bakugan that are rolled, as judges see them on screens; the id where the rules give no name. */
function bakuganOf(balls: Balls, { setting, state }: Refold): Partial<Named> {
  const view = setting.ruleset.view(state.play.state, { kind: 'judge' });
  const players = isObject(view) && isObject(view.players) ? view.players : {};
  const nameOf = (player: Side, bakugan: BakuganId): string => {
    const seen = players[player];
    const all = isObject(seen) && Array.isArray(seen.bakugan) ? seen.bakugan : [];
    return nameIn(all.find((one) => isObject(one) && one.id === bakugan)) ?? bakugan;
  };
  return Object.fromEntries(balls.map(({ player, bakugan }) => [player, nameOf(player, bakugan)]));
}

function nameIn(value: Json | undefined): string | undefined {
  return isObject(value) && typeof value.name === 'string' ? value.name : undefined;
}
