/** Two plain detectors on the same samples, to be beaten: a recipe of library defaults, and a fixed threshold. */
import type { CoreId, Side } from '../../host/ids.ts';
import type { SampledRoll } from '../../sim/sample.ts';
import { type Claim, type Claims, NOTHING_BACK } from './detection-claims.ts';

/** The roll without what a plain detector cannot know: truth is only read for who rolls. */
export type PlainRoll = Pick<
  SampledRoll,
  'truth' | 'activity' | 'calibration' | 'tiles' | 'halls' | 'fromMs' | 'durationMs' | 'counts' | 'contacts'
>;

/** An opening seen on a tile. */
interface Seen {
  readonly core: CoreId;
  readonly player: Side;
  readonly atMs: number;
  readonly stays: boolean;
}

/** By player: each core that was touched, and when first, ms. */
type Touched = ReadonlyMap<Side, ReadonlyMap<CoreId, number>>;

/** Lost samples of an impaired line: the sample before stands. */
export type Lost = (ms: number) => boolean;
export const NOTHING_LOST: Lost = () => false;

/** Firmata reads analog inputs each 19 ms; the library takes the median of what came each 25 ms. */
const POLL_MS = 19;
const SENSOR_MS = 25;
const BUTTON_MS = 7;
/** Counts from rest that mean open, and when it is looked at again. */
const OPEN_COUNTS = 10;
const AGAIN_MS = [500, 700] as const;

/** Level of a tile's first hall against its calibrated rest, counts, and its seated level. */
function levelsOf(roll: PlainRoll) {
  const byName = new Map(roll.calibration.tiles.map((tile) => [tile.tile, tile.halls[0]]));
  const rest = roll.tiles.map((t) => byName.get(`${t.side}${t.tile}`)?.restCounts ?? 512);
  const seated = roll.tiles.map((t) => byName.get(`${t.side}${t.tile}`)?.seatedCounts ?? 120);
  const width = roll.tiles.length * roll.halls;
  const cores = new Map(roll.activity.cores.map((c) => [c.cell, c.core]));
  const polarity = { A: 1, B: -1 };
  for (const ball of roll.activity.balls) {
    polarity[ball.player] = roll.calibration.balls[ball.bakugan]?.polarity ?? polarity[ball.player];
  }
  return {
    cores: roll.tiles.map((t) => cores.get(t.cell)),
    at: (tile: number, ms: number): number =>
      (roll.counts[ms * width + tile * roll.halls] ?? 0) - (rest[tile] ?? 512),
    seated,
    closed: (tile: number, ms: number): boolean => roll.contacts[ms * roll.tiles.length + tile] === 1,
    /** Whose magnet gives a level of this sign; with equal polarities always A's. */
    owner: (tile: number, level: number): Side => {
      const sign = level * (seated[tile] ?? 1) >= 0 ? 1 : -1;
      return sign === polarity.A ? 'A' : 'B';
    },
  };
}

function claims(roll: PlainRoll, opens: readonly Seen[], touched: Touched): Claims {
  const balls = roll.truth.balls.map(({ player }): Claim => {
    const own = opens.filter((seen) => seen.player === player);
    const first = own[0];
    return {
      player,
      opened: own.length > 0 ? 'yes' : 'no',
      contact: [...(touched.get(player)?.keys() ?? [])],
      attached: [...new Set(own.filter((seen) => seen.stays).map((seen) => seen.core))],
      doubt: false,
      confidence: 1,
      touchedMs: touched.get(player) ?? new Map(),
      attachSaidMs: new Map(
        own
          .filter((seen) => seen.stays)
          .map((seen): [CoreId, number] => [seen.core, seen.atMs + AGAIN_MS[1]]),
      ),
      ...(first === undefined ? {} : { openSaidMs: first.atMs, openedMs: first.atMs }),
    };
  });
  const last = opens.reduce((ms, seen) => Math.max(ms, seen.atMs + AGAIN_MS[1]), roll.truth.toMs);
  return { balls, finalMs: last, takenBack: NOTHING_BACK, watchedOn: true, flips: 0 };
}

/**
 * The usual johnny-five program: `Sensor` every 25 ms on Firmata's 19 ms polling, `Button` with one trailing debounce
 * of 7 ms; hall more than 10 counts off means open, still so after 500 to 700 ms means attached; the sign of the last
 * sample names the player. It is given each tile's calibrated rest in the place of 512: without that it fires always.
 */
export function naiveRecipe(roll: PlainRoll, lost: Lost = NOTHING_LOST): Claims {
  const levels = levelsOf(roll);
  const opens: Seen[] = [];
  const touched = new Map<Side, Map<CoreId, number>>();
  roll.tiles.forEach((_, tile) => {
    const core = levels.cores[tile];
    if (core === undefined) return;
    const values: number[] = [];
    let polled: number[] = [];
    for (let ms = 0; ms < roll.durationMs; ms += 1) {
      if (ms % POLL_MS === tile % POLL_MS && !lost(ms)) polled.push(levels.at(tile, ms));
      if (ms % SENSOR_MS !== 0) continue;
      polled.sort((a, b) => a - b);
      values.push(polled[Math.floor((polled.length - 1) / 2)] ?? values.at(-1) ?? 0);
      polled = [];
    }
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? 0;
      if (Math.abs(value) <= OPEN_COUNTS) continue;
      const later = values.slice(i + AGAIN_MS[0] / SENSOR_MS, i + AGAIN_MS[1] / SENSOR_MS + 1);
      const stays = later.length > 0 && later.every((v) => Math.abs(v) > OPEN_COUNTS);
      const last = later.at(-1) ?? value;
      const player = levels.owner(tile, stays ? last : value);
      opens.push({ core, player, atMs: roll.fromMs + i * SENSOR_MS, stays });
      i += AGAIN_MS[1] / SENSOR_MS;
    }
    let changed = -1;
    let said = false;
    for (let ms = 1; ms < roll.durationMs; ms += 1) {
      if (levels.closed(tile, ms) !== levels.closed(tile, ms - 1)) changed = ms;
      if (changed < 0 || ms - changed < BUTTON_MS) continue;
      changed = -1;
      if (levels.closed(tile, ms) === said) continue;
      said = !said;
      if (said) addTouch(touched, levels.owner(tile, levels.at(tile, ms)), core, roll.fromMs + ms);
    }
  });
  return claims(roll, opens, touched);
}

/**
 * Shares of the seated level that mean open, and still there. Tuned as one would by hand on recordings: the pair of
 * 0.05 to 0.45 with the fewest wrong balls over 300 rolls, clean and impaired, with seeds that the fit uses too; none of
 * them is in a corpus of this bench.
 */
export const PLAIN_SHARE = 0.15;
export const PLAIN_STAYS_SHARE = 0.1;
const PLAIN_HOLD_MS = 20;

/**
 * A fixed threshold at 1 kHz: open when a tile's field holds more than a share of its calibrated seated level for
 * 20 ms, attached when it still does on average 650 to 700 ms later; the sign names the player.
 */
export function plainThreshold(
  roll: PlainRoll,
  lost: Lost = NOTHING_LOST,
  share = PLAIN_SHARE,
  staysShare = PLAIN_STAYS_SHARE,
): Claims {
  const levels = levelsOf(roll);
  const opens: Seen[] = [];
  const touched = new Map<Side, Map<CoreId, number>>();
  roll.tiles.forEach((_, tile) => {
    const core = levels.cores[tile];
    if (core === undefined) return;
    const seated = Math.abs(levels.seated[tile] ?? 120);
    const limit = share * seated;
    let run = 0;
    let strongest = 0;
    let closedFor = 0;
    for (let ms = 0; ms < roll.durationMs; ms += 1) {
      if (lost(ms)) continue;
      const level = levels.at(tile, ms);
      closedFor = levels.closed(tile, ms) ? closedFor + 1 : 0;
      if (closedFor > 0 && Math.abs(level) > Math.abs(strongest)) strongest = level;
      if (closedFor === 2) addTouch(touched, levels.owner(tile, strongest), core, roll.fromMs + ms);
      if (closedFor === 0) strongest = 0;
      run = Math.abs(level) > limit ? run + 1 : 0;
      if (run !== PLAIN_HOLD_MS) continue;
      let sum = 0;
      let count = 0;
      for (let at = ms + 650; at < Math.min(ms + 700, roll.durationMs); at += 1, count += 1)
        sum += Math.abs(levels.at(tile, at));
      opens.push({
        core,
        player: levels.owner(tile, level),
        atMs: roll.fromMs + ms,
        stays: count > 0 && sum / count > staysShare * seated,
      });
      ms += 700;
      run = 0;
    }
  });
  return claims(
    roll,
    opens.sort((a, b) => a.atMs - b.atMs),
    touched,
  );
}

function addTouch(touched: Map<Side, Map<CoreId, number>>, player: Side, core: CoreId, atMs: number): void {
  const own = touched.get(player) ?? new Map<CoreId, number>();
  if (!own.has(core)) own.set(core, atMs);
  touched.set(player, own);
}
