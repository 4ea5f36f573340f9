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
  /** Names of the Bakugan by their ids, as judges see them on screens. */
  readonly bakugan: { readonly [id: BakuganId]: string };
}

/** What holds now. */
export function inForceNow({ setting, state }: Refold): InForce {
  const view = setting.ruleset.view(state.play.state, { kind: 'judge' });
  return {
    layout: setting.layout,
    calibration: state.calibration,
    players: namesOf(state.play.options),
    bakugan: bakuganIn(view),
  };
}

/** The name of a Bakugan; its id where the rules give none. */
export function bakuganName({ bakugan }: Pick<InForce, 'bakugan'>, id: BakuganId): string {
  return bakugan[id] ?? id;
}

/** Names of the players by the options of a match; `Player A` where they name none. */
function namesOf(options: Json): Named {
  const players = isObject(options) && isObject(options.players) ? options.players : {};
  const name = (side: Side): string => nameIn(players[side]) ?? `Player ${side}`;
  return { A: name('A'), B: name('B') };
}

function bakuganIn(view: Json): InForce['bakugan'] {
  const players = isObject(view) && isObject(view.players) ? Object.values(view.players) : [];
  const all = players.flatMap((player) =>
    isObject(player) && Array.isArray(player.bakugan) ? player.bakugan : [],
  );
  return Object.fromEntries(
    all.flatMap((one) => {
      const name = nameIn(one);
      return isObject(one) && typeof one.id === 'string' && name !== undefined ? [[one.id, name]] : [];
    }),
  );
}

function nameIn(value: Json | undefined): string | undefined {
  return isObject(value) && typeof value.name === 'string' ? value.name : undefined;
}
