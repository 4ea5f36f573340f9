import type { CoreId } from '../ids.ts';
import type { Arrival } from './arrivals.ts';
import { coreOf, type Evidence, NO_CORES, type Open, type Seen, stands } from './evidence.ts';
import { WITH_OPENING_MS } from './latch.ts';
import { othersOpens } from './open-once.ts';
import type { CoreSet } from './ruling.ts';
import type { Visit } from './visits.ts';

/** Level on a second tile from which a standing ball holds that core too, in seated reference balls. */
const HOLDS = 0.05;
/** Contact share over the last bins that means standing. */
const STANDS = 0.5;
/**
 * With a flux collector a ball that stands on one core makes at least WHOLE of its own level there, one between two
 * cores at most BETWEEN on each.
 */
const BETWEEN = 0.5;
export const WHOLE = 0.58;
/** An open shell reaches no further core. */
const MOST_CORES = 2;

/** Whether only the field of this stay was ever seen: its contact may be dead. */
function isBlind(seen: Seen): boolean {
  return Number.isNaN(seen.visit.contactMs);
}

/** Whether the contact of a visit was closed for most of the last while. */
export function touchesNow(visit: Visit): boolean {
  let sum = 0;
  const n = Math.min(12, visit.bins);
  for (let i = visit.bins - n; i < visit.bins; i += 1) sum += visit.touch[i] ?? 0;
  return n > 0 && sum / n >= STANDS;
}

/** Whether an arrival stands at a level that holds a core. */
export function isFelt(arrival: Arrival): boolean {
  return Math.abs(arrival.level) >= HOLDS;
}

/** Cores that an opened ball holds, and those it may hold besides. */
export function attachedOf(
  evidence: Evidence,
  mine: readonly number[],
  open: Open,
): { set: CoreSet; chance: number } {
  if (open.verdict !== 'yes') return { set: NO_CORES, chance: open.chance };
  const cores: CoreId[] = [];
  // Contact that came with the opening and lasts, and no field to speak of: a second core, or what else is there.
  const perhaps: CoreId[] = [];
  let beside = 0;
  const where = evidence.seen[open.at];
  const opened = where !== undefined && stands(where) ? where.arrival.anchorMs : Number.NaN;
  const others = othersOpens(evidence, mine, open.at);
  for (const i of mine) {
    const seen = evidence.seen[i];
    if (seen === undefined || !stands(seen) || others.includes(i)) continue;
    const core = coreOf(evidence, i);
    const together = Math.abs(seen.arrival.atMs - opened) < WITH_OPENING_MS;
    const main = i === open.at || seen.arrival.score >= evidence.limits.openYes;
    const held = together && touchesNow(seen.visit);
    const felt = isFelt(seen.arrival);
    const there = main || (held && felt);
    const blind = together && isBlind(seen) && felt;
    if (i !== open.at && (there || held || blind)) beside += 1;
    if (core === undefined) continue;
    if (there) {
      if (!cores.includes(core)) cores.push(core);
    } else if (held || blind) perhaps.push(core);
  }
  if (!evidence.final) {
    return {
      set: { sure: [], possible: [...cores, ...perhaps.filter((core) => !cores.includes(core))] },
      chance: 0.8,
    };
  }
  const set = settled(evidence, open, cores, perhaps, beside);
  return { set, chance: Math.min(open.chance, 0.99) };
}

/** What its level on the core it opened on says of a second one. */
function settled(
  evidence: Evidence,
  open: Open,
  cores: readonly CoreId[],
  perhaps: readonly CoreId[],
  beside: number,
): CoreSet {
  const possible = perhaps.filter((core) => !cores.includes(core));
  const where = evidence.seen[open.at];
  const at = coreOf(evidence, open.at);
  if (where === undefined || !stands(where) || at === undefined) return { sure: cores, possible };
  const share = Math.abs(evidence.shareAt[open.at] ?? Number.NaN);
  // It stands on this core alone: what else is touched next to it is not its doing.
  if (share > WHOLE) return { sure: [at], possible: [] };
  if (cores.length > MOST_CORES) {
    return { sure: [at], possible: [...cores, ...possible].filter((core) => core !== at) };
  }
  if (cores.length !== 1) return { sure: cores, possible };
  if (!(share < BETWEEN)) return { sure: cores, possible };
  const [second, third] = possible;
  if (second !== undefined && third === undefined && beside === 1)
    return { sure: [...cores, second], possible: [] };
  if (second !== undefined) return { sure: cores, possible };
  // The other tile it stands on holds no core.
  if (beside > 0) return { sure: cores, possible };
  const near = (evidence.near[where.visit.cell] ?? []).filter(
    (cell) => evidence.live.cores[cell] !== undefined,
  );
  const active = near.filter(
    (cell) =>
      evidence.touching[cell] === true || evidence.seen.some((s) => s.visit.cell === cell && stands(s)),
  );
  const others = active.length > 0 ? active : near;
  return { sure: cores, possible: others.flatMap((cell) => evidence.live.cores[cell] ?? []) };
}
