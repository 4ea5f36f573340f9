import type { CellId } from '../ids.ts';
import { MAGNET_MT } from './baseline.ts';
import { closedAt } from './contact.ts';
import type { Sensing } from './state.ts';

/** A field this far from rest is a ball on this tile, whatever its contact says: a neighbour's ball reads a tenth of it. */
const BALL_MT = 5;

/** Cells on which a ball stands now: its magnet over a closed contact, or so near that the contact must be dead. */
export function standingOn({ tiles, newest, base, limits, contacts }: Sensing): readonly CellId[] {
  return tiles.cells.flatMap(({ cell }, i) => {
    const at = i * tiles.halls;
    const mt = Math.abs((newest[at] ?? 0) - (base.slow[at] ?? 0)) * limits.mtPerCount;
    const stands = mt > BALL_MT || (mt > MAGNET_MT && closedAt(contacts, i, Number.POSITIVE_INFINITY));
    return stands ? [cell] : [];
  });
}
