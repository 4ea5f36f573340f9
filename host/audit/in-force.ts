import { type BakuganId, type Json, SIDES, type Side } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Refold } from '../refold.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Layout } from '../sensing/layout.ts';
import type { SensingLimits } from '../sensing/limits.ts';

/** A name for each side. */
export type Named = { readonly A: string; readonly B: string };

/** What holds when a roll is called: another match may be played by others, on another calibration. */
export interface InForce {
  readonly layout: Layout;
  readonly calibration: Calibration;
  /** Limits of the detector, as the journal recorded them. */
  readonly limits: SensingLimits;
  /** Names of the players, as the match has them. */
  readonly players: Named;
  /** Whose each Bakugan is, and its name as judges see it on screens. */
  readonly bakugan: { readonly [id: BakuganId]: { readonly player: Side; readonly name: string } };
}

/** What holds now. */
export function inForceNow({ setting, state }: Refold): InForce {
  const view = setting.ruleset.view(state.play.state, { kind: 'judge' });
  return {
    layout: setting.layout,
    calibration: state.calibration,
    limits: setting.limits,
    players: namesOf(state.play.options),
    bakugan: bakuganIn(view),
  };
}

/** The name of a Bakugan with its player's, as in `Ember’s Dragonoid`; its id where the rules give none. */
export function bakuganOfPlayer({ bakugan, players }: InForce, id: BakuganId): string {
  const known = bakugan[id];
  return known === undefined ? id : `${players[known.player]}’s ${known.name}`;
}

/** The name of a Bakugan; its id where the rules give none. */
export function bakuganName({ bakugan }: Pick<InForce, 'bakugan'>, id: BakuganId): string {
  return bakugan[id]?.name ?? id;
}

/** Names of the players by the options of a match; `Player A` where they name none. */
function namesOf(options: Json): Named {
  const players = isObject(options) && isObject(options.players) ? options.players : {};
  const name = (side: Side): string => nameIn(players[side]) ?? `Player ${side}`;
  return { A: name('A'), B: name('B') };
}

function bakuganIn(view: Json): InForce['bakugan'] {
  const players = isObject(view) && isObject(view.players) ? view.players : {};
  const known: Record<BakuganId, { player: Side; name: string }> = {};
  for (const player of SIDES) {
    const seen = players[player];
    for (const one of isObject(seen) && Array.isArray(seen.bakugan) ? seen.bakugan : []) {
      const name = nameIn(one);
      if (isObject(one) && typeof one.id === 'string' && name !== undefined) known[one.id] = { player, name };
    }
  }
  return known;
}

function nameIn(value: Json | undefined): string | undefined {
  return isObject(value) && typeof value.name === 'string' ? value.name : undefined;
}
