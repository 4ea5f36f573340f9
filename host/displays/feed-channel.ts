import type { Audience } from '../game/ruleset.ts';
import type { AtMs, TableId } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import type { LinkSeen } from '../sensing/seen.ts';
import type { ServerMessage } from './feed-messages.ts';

/** Keys that are compared; the table never changes and time alone is no change. */
type Key = Exclude<keyof Scene, 'table' | 'atMs'>;

/** Least time between two sent values of a key, ms. Keys that are not here are sent at once. */
const PACE_MS: Partial<Record<Key, number>> = { levels: 50, links: 1000, calibrating: 100 };

type Part = { value: unknown; json: string; changedAt: number; takenAtMs: AtMs };

/**
 * One table as one audience sees it: the newest scene and, for each top-level key, the revision at which it last
 * changed. A client at any older revision is brought up to date by the keys that changed since, so nothing is queued
 * for anyone.
 */
export class SceneChannel {
  readonly table: TableId;
  readonly audience: Audience;
  revision = 0;
  /** When a held-back key falls due, or Infinity. */
  nextDueMs: AtMs = Infinity;
  #atMs: AtMs = 0;
  readonly #parts = new Map<Key, Part>();
  #cached: { readonly from: number; readonly revision: number; readonly text: string } | undefined;

  constructor(table: TableId, audience: Audience) {
    this.table = table;
    this.audience = audience;
  }

  /** Takes the newest scene at `nowMs` of the feed's clock. True when there is something new to send. */
  take(scene: Scene, nowMs: AtMs): boolean {
    const next = this.revision + 1;
    let changed = false;
    this.nextDueMs = Infinity;
    for (const key of keysOf(scene)) {
      const value: unknown = scene[key];
      const part = this.#parts.get(key);
      if (part !== undefined && part.value === value) continue;
      const dueMs = part === undefined ? nowMs : part.takenAtMs + paceOf(key, part.value, scene);
      if (part !== undefined && nowMs < dueMs) {
        this.nextDueMs = Math.min(this.nextDueMs, dueMs);
        continue;
      }
      const json = JSON.stringify(value) ?? 'null';
      if (part !== undefined && part.json === json) {
        part.value = value;
        continue;
      }
      this.#parts.set(key, { value, json, changedAt: next, takenAtMs: nowMs });
      changed = true;
    }
    if (changed) {
      this.revision = next;
      this.#atMs = scene.atMs;
    }
    return changed;
  }

  /** The `change` message from an older revision to now, as text. Clients at the same revision share one text. */
  changeSince(from: number): string {
    const cached = this.#cached;
    if (cached !== undefined && cached.from === from && cached.revision === this.revision) return cached.text;
    const head = { op: 'change', table: this.table, from, revision: this.revision };
    const text = `${JSON.stringify(head).slice(0, -1)},"set":${this.#object((part) => part.changedAt > from)}}`;
    this.#cached = { from, revision: this.revision, text };
    return text;
  }

  /** The `snapshot` message now, as text. */
  snapshot(rest: Pick<ServerMessage & { op: 'snapshot' }, 'audience' | 'may' | 'missed'>): string {
    const head = { op: 'snapshot', table: this.table, revision: this.revision, ...rest };
    return `${JSON.stringify(head).slice(0, -1)},"scene":${this.#object(() => true)}}`;
  }

  #object(wanted: (part: Part) => boolean): string {
    let text = `{"table":${JSON.stringify(this.table)},"atMs":${this.#atMs}`;
    for (const [key, part] of this.#parts) if (wanted(part)) text += `,"${key}":${part.json}`;
    return `${text}}`;
  }
}

function keysOf(scene: Scene): readonly Key[] {
  const all: Record<Key, true> = {
    view: true,
    legal: true,
    cues: true,
    levels: true,
    rulings: true,
    retracted: true,
    links: true,
    health: true,
    start: true,
    match: true,
    calibrating: true,
    lights: true,
    simulated: true,
    auto: true,
    trouble: true,
  };
  return (Object.keys(all) as Key[]).filter((key) => scene[key] !== undefined);
}

/** A link that goes, comes or complains is told at once; its counters and last-heard time may wait. */
function paceOf(key: Key, was: unknown, scene: Scene): number {
  if (key === 'links' && gistOf(scene.links) !== gistOf(was as readonly LinkSeen[])) return 0;
  return PACE_MS[key] ?? 0;
}

function gistOf(links: readonly LinkSeen[]): string {
  return JSON.stringify(links.map((one) => [one.link, one.up, one.device, one.side, one.complaints]));
}
