/**
 * When a tile is worth dense samples: onset of its halls against a baseline that runs along, and its contact, quick to
 * close and slow to open. The same whole numbers as in the firmware, levels in 1/32 of a count.
 */

/** Scans running beyond the threshold that make an onset, and that keep an active tile active. */
const ONSET_RUN = 3;
const MOVE_RUN = 2;
/** Scans a contact must be closed: two looks that are a millisecond apart. */
const CLOSE_MS = 1;
/** Samples sent from before an onset, at least. */
const PRE_TRIGGER_MS = 16;
const BLOCK = 8;

export interface ActivityLimits {
  /** Distance from the baseline that counts, 1/32 counts. */
  on: number;
  /** Same for a tile that is active already, about 0.6 of it. */
  off: number;
  /** An active tile goes idle after this long without a move, ms. */
  holdMs: number;
  /** A contact counts as open after this long, ms. */
  openMs: number;
}

/** Settings as the configure line gives them, in the units of its keys 01 to 03. */
export interface ActivityKeys {
  readonly onsetQuarters: number;
  readonly holdMs: number;
  readonly openMs: number;
}

/** What every boot begins with. Source: protocol reference, section 6. */
export const KEYS_AT_BOOT: ActivityKeys = { onsetQuarters: 20, holdMs: 300, openMs: 20 };

export function limitsFrom({ onsetQuarters, holdMs, openMs }: ActivityKeys): ActivityLimits {
  return { on: onsetQuarters * 8, off: onsetQuarters * 5, holdMs, openMs };
}

export interface TileActivity {
  /** Levels become baselines as they are, quarter counts by sensor. */
  settle(means: Uint16Array): void;
  /** Baselines follow the means of the last 20 ms; those of idle tiles only when `slow`. */
  follow(means: Uint16Array, slow: boolean, limits: ActivityLimits): void;
  /** One scan; `samples` from `at` on, contacts as bits. `fresh`: it was really read. */
  scan(
    slot: number,
    samples: Uint16Array,
    at: number,
    contacts: number,
    fresh: boolean,
    limits: ActivityLimits,
  ): void;
  /** Tiles whose oldest unsent block begins at the oldest slot due; 0 when none is complete before `head`. */
  due(head: number): number;
  /** That slot, of the tiles that `due` has just named. */
  dueStart(): number;
  sent(mask: number, start: number, limits: ActivityLimits): void;
  active(): number;
}

export function createTileActivity(tiles: number, halls: number, mostActive: number): TileActivity {
  const base = new Int32Array(tiles * halls).fill(2048 * 8);
  const run = new Int8Array(tiles * halls);
  /** Contacts as they were read last and as they count, a bit a tile; how long the first have differed from these. */
  let raw = 0;
  let closed = 0;
  const rawMs = new Uint8Array(tiles);
  const next = new Float64Array(tiles);
  const moved = new Float64Array(tiles);
  let active = 0;
  let dueStart = 0;

  /** True when `times` samples running lie beyond the limit on one side; the level there becomes the baseline. */
  const beyond = (sensor: number, sample: number, limit: number, times: number): boolean => {
    const away = sample * 32 - (base[sensor] ?? 0);
    const before = run[sensor] ?? 0;
    let now = 0;
    if (away > limit) now = before > 0 ? before + 1 : 1;
    else if (away < -limit) now = before < 0 ? before - 1 : -1;
    run[sensor] = now;
    if (now !== times && now !== -times) return false;
    base[sensor] = sample * 32;
    run[sensor] = 0;
    return true;
  };

  /** True when any hall of the tile moved. */
  const onset = (tile: number, samples: Uint16Array, at: number, limits: ActivityLimits): boolean => {
    const isActive = (active & (1 << tile)) !== 0;
    const limit = isActive ? limits.off : limits.on;
    const times = isActive ? MOVE_RUN : ONSET_RUN;
    let any = false;
    for (let sensor = tile * halls; sensor < (tile + 1) * halls; sensor += 1) {
      if (beyond(sensor, samples[at + sensor] ?? 0, limit, times)) any = true;
    }
    return any;
  };

  /** True when the debounced state changed. Of a contact that is as it counts nothing is to be asked. */
  const debounced = (tile: number, contacts: number, openMs: number): boolean => {
    const bit = 1 << tile;
    const now = contacts & bit;
    if (now !== (raw & bit)) {
      raw ^= bit;
      rawMs[tile] = 0;
    } else rawMs[tile] = Math.min(255, (rawMs[tile] ?? 0) + 1);
    if (now === (closed & bit) || (rawMs[tile] ?? 0) < (now !== 0 ? CLOSE_MS : openMs)) return false;
    closed ^= bit;
    return true;
  };

  const join = (tile: number, began: number): void => {
    let count = 0;
    for (let left = active; left !== 0; left &= left - 1) count += 1;
    if (count >= mostActive) return;
    const from = began - PRE_TRIGGER_MS;
    const start = Math.max(0, from - (((from % BLOCK) + BLOCK) % BLOCK));
    // What was sent before the tile last went idle is not sent again.
    next[tile] = Math.max(start, next[tile] ?? 0);
    active |= 1 << tile;
  };

  return {
    active: () => active,
    settle(means) {
      for (let s = 0; s < base.length; s += 1) {
        base[s] = (means[s] ?? 0) * 8;
        run[s] = 0;
      }
    },
    follow(means, slow, limits) {
      for (let s = 0; s < base.length; s += 1) {
        const away = (means[s] ?? 0) * 8 - (base[s] ?? 0);
        const tile = (s - (s % halls)) / halls;
        if ((active & (1 << tile)) !== 0) {
          if (Math.abs(away) < limits.off) base[s] = (base[s] ?? 0) + Math.trunc(away / 4);
        } else if (slow && Math.abs(away) > 16) base[s] = (base[s] ?? 0) + (away > 0 ? 1 : -1);
      }
    },
    scan(slot, samples, at, contacts, fresh, limits) {
      const loose = (contacts ^ raw) | (contacts ^ closed);
      for (let tile = 0; tile < tiles; tile += 1) {
        const bit = 1 << tile;
        const isOnset = fresh && onset(tile, samples, at, limits);
        if (!isOnset && (loose & bit) === 0) continue;
        const isActive = (active & bit) !== 0;
        const rattles = isActive && ((contacts ^ closed) & bit) !== 0;
        const contact = debounced(tile, contacts, limits.openMs);
        if (!isOnset && !contact && !rattles) continue;
        moved[tile] = slot;
        if (!isActive) join(tile, slot - (isOnset ? ONSET_RUN - 1 : CLOSE_MS));
      }
    },
    dueStart: () => dueStart,
    due(head) {
      if (active === 0) return 0;
      let mask = 0;
      dueStart = head;
      for (let tile = 0; tile < tiles; tile += 1) {
        if ((active & (1 << tile)) === 0) continue;
        const from = next[tile] ?? 0;
        if (head - from < BLOCK || from > dueStart) continue;
        if (from < dueStart) mask = 0;
        dueStart = from;
        mask |= 1 << tile;
      }
      return mask;
    },
    sent(mask, start, limits) {
      for (let tile = 0; tile < tiles; tile += 1) {
        if ((mask & (1 << tile)) === 0) continue;
        next[tile] = start + BLOCK;
        if (start + BLOCK - (moved[tile] ?? 0) >= limits.holdMs) active &= ~(1 << tile);
      }
    },
  };
}
