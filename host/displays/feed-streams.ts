import type { Output } from '../advance/input.ts';
import type { Clock } from '../clock.ts';
import type { Audience } from '../game/ruleset.ts';
import type { AtMs, TableId } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import { SceneChannel } from './feed-channel.ts';
import type { FeedClient } from './feed-client.ts';
import { newsFor } from './feed-news.ts';

/** Least time between two looks at a table while only levels change, ms: 20 a second. */
const LOOK_MS = 50;

type Pulse = {
  lookedAtMs: AtMs;
  /** When the pending look comes, and how to call it off. */
  dueMs: AtMs;
  cancel: (() => void) | undefined;
  soon: boolean;
  news: Output[];
};

/** Where scenes come from; undefined when a table cannot say. */
export type SceneSource = (table: TableId, audience: Audience) => Scene | undefined;

/** Keeps every client at the newest scene of its table: looks at tables, compares, sends. */
export class FeedStreams {
  readonly clients = new Set<FeedClient>();
  readonly #sceneFor: SceneSource;
  readonly #clock: Clock;
  readonly #channels = new Map<string, SceneChannel>();
  readonly #pulses = new Map<TableId, Pulse>();
  #closed = false;

  constructor(sceneFor: SceneSource, clock: Clock) {
    this.#sceneFor = sceneFor;
    this.#clock = clock;
  }

  /** Looks at a table soon: at once when it was not looked at for a while. */
  changed(table: TableId): void {
    const pulse = this.#pulseOf(table);
    const dueMs = pulse.lookedAtMs + LOOK_MS;
    // A look that waits for something slower does not keep levels waiting.
    if (pulse.soon || (pulse.cancel !== undefined && pulse.dueMs <= dueMs)) return;
    const waitMs = dueMs - this.#clock.now();
    if (waitMs <= 0) this.#lookAfterThisStep(table, pulse);
    else this.#lookIn(table, pulse, waitMs);
  }

  /** Sends an output as news, at once and with the scene that it made. */
  news(table: TableId, output: Output): void {
    const pulse = this.#pulseOf(table);
    pulse.news.push(output);
    if (!pulse.soon) this.#lookAfterThisStep(table, pulse);
  }

  /** The channel of a table for an audience; clients of one audience share it. */
  channelOf(table: TableId, audience: Audience): SceneChannel {
    const key = `${table}/${audience.kind}${audience.kind === 'player' ? audience.player : ''}`;
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const channel = new SceneChannel(table, audience);
    this.#channels.set(key, channel);
    return channel;
  }

  dropUnfollowed(): void {
    const followed = new Set([...this.clients].map((client) => client.channel));
    for (const [key, channel] of this.#channels) if (!followed.has(channel)) this.#channels.delete(key);
  }

  /** Compares a table's scenes with what was sent and sends the difference. */
  look(table: TableId): void {
    if (this.#closed) return;
    const nowMs = this.#clock.now();
    const pulse = this.#pulseOf(table);
    pulse.cancel?.();
    pulse.cancel = undefined;
    pulse.soon = false;
    pulse.lookedAtMs = nowMs;
    const news = pulse.news;
    pulse.news = [];
    let nextDueMs = Infinity;
    for (const channel of this.#channels.values()) {
      if (channel.table !== table) continue;
      const scene = this.#sceneFor(table, channel.audience);
      if (scene !== undefined) channel.take(scene, nowMs);
      nextDueMs = Math.min(nextDueMs, channel.nextDueMs);
      this.#send(channel, news);
    }
    if (nextDueMs < Infinity) this.#lookIn(table, pulse, Math.max(1, nextDueMs - nowMs));
  }

  close(): void {
    this.#closed = true;
    for (const pulse of this.#pulses.values()) pulse.cancel?.();
    this.#pulses.clear();
  }

  /** After the running step, so that all its outputs and the one scene they made leave together. */
  #lookAfterThisStep(table: TableId, pulse: Pulse): void {
    pulse.soon = true;
    queueMicrotask(() => this.look(table));
  }

  #lookIn(table: TableId, pulse: Pulse, waitMs: number): void {
    pulse.cancel?.();
    pulse.dueMs = this.#clock.now() + waitMs;
    pulse.cancel = this.#clock.after(waitMs, () => {
      pulse.cancel = undefined;
      this.look(table);
    });
  }

  #send(channel: SceneChannel, outputs: readonly Output[]): void {
    const texts = outputs.flatMap((output) => {
      const news = newsFor(channel.audience, output);
      return news === undefined
        ? []
        : [JSON.stringify({ op: 'told', table: channel.table, revision: channel.revision, news })];
    });
    for (const client of this.clients) {
      if (client.channel !== channel) continue;
      client.deliver();
      for (const text of texts) client.tell(text);
    }
  }

  #pulseOf(table: TableId): Pulse {
    const known = this.#pulses.get(table);
    if (known !== undefined) return known;
    const pulse: Pulse = { lookedAtMs: -Infinity, dueMs: Infinity, cancel: undefined, soon: false, news: [] };
    this.#pulses.set(table, pulse);
    return pulse;
  }
}
