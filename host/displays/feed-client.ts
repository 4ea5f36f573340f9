import type { WebSocket } from 'ws';
import type { AtMs, TableId } from '../ids.ts';
import type { SceneChannel } from './feed-channel.ts';
import type { ServerMessage } from './feed-messages.ts';
import type { Grant } from './feed-roles.ts';

/** Bytes waiting in a client's socket above which it is sent no more until it has caught up. */
export const BEHIND_BYTES = 256 * 1024;
/** A client further behind than this is sent a whole snapshot rather than a change. */
export const BEHIND_REVISIONS = 64;
/** Messages a second that a client may send, and how many at once. */
export const MESSAGES_PER_S = 40;
export const MESSAGES_AT_ONCE = 120;
/** Messages that are junk or too many before the connection is closed. */
export const OFFENCES = 60;

/** What one browser follows. */
type Following = { readonly channel: SceneChannel; readonly grant: Grant; revision: number; missed: number };

/** One connected client: what it was sent last, how far it lags, and how often it may speak. */
export class FeedClient {
  readonly number: string;
  readonly socket: WebSocket;
  offences = 0;
  /** Commands given and not yet answered. */
  pending = 0;
  alive = true;
  #following: Following | undefined;
  #behind = false;
  #allowance = MESSAGES_AT_ONCE;
  #countedAtMs: AtMs;

  constructor(number: string, socket: WebSocket, nowMs: AtMs) {
    this.number = number;
    this.socket = socket;
    this.#countedAtMs = nowMs;
  }

  get channel(): SceneChannel | undefined {
    return this.#following?.channel;
  }

  grantFor(table: TableId): Grant | undefined {
    return this.#following?.channel.table === table ? this.#following.grant : undefined;
  }

  /** Follows a channel from its next delivery on, beginning with a snapshot. */
  follow(channel: SceneChannel, grant: Grant): void {
    this.#following = { channel, grant, revision: 0, missed: 0 };
  }

  /** Sends what is new to this client, or nothing while its socket is full: it then gets the newest state later. */
  deliver(): void {
    const at = this.#following;
    if (at === undefined || at.channel.revision === 0) return;
    if (at.revision === at.channel.revision && at.missed === 0) return;
    if (this.#isBehind()) return;
    const { channel } = at;
    const whole = at.revision === 0 || at.missed > 0 || channel.revision - at.revision > BEHIND_REVISIONS;
    const text = whole
      ? channel.snapshot({ audience: channel.audience, may: at.grant.may, missed: at.missed })
      : channel.changeSince(at.revision);
    at.revision = channel.revision;
    at.missed = 0;
    this.#write(text);
  }

  /** Sends news that this client's channel carries; a client that lags misses it and is told how many. */
  tell(text: string): void {
    if (this.#following === undefined) return;
    if (this.#isBehind()) this.#following.missed += 1;
    else this.#write(text);
  }

  /** Sends an answer that concerns this client alone. Dropped only for one that sends much and reads nothing. */
  answer(message: ServerMessage): void {
    if (this.socket.bufferedAmount < 2 * BEHIND_BYTES) this.#write(JSON.stringify(message));
  }

  /** Whether one more message may be taken at this moment (a bucket that refills). */
  maySpeak(nowMs: AtMs): boolean {
    const gained = ((nowMs - this.#countedAtMs) / 1000) * MESSAGES_PER_S;
    this.#allowance = Math.min(MESSAGES_AT_ONCE, this.#allowance + gained);
    this.#countedAtMs = nowMs;
    if (this.#allowance < 1) return false;
    this.#allowance -= 1;
    return true;
  }

  #isBehind(): boolean {
    if (this.socket.bufferedAmount > BEHIND_BYTES) this.#behind = true;
    return this.#behind;
  }

  #write(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(text, (error) => {
      // A failed write is followed by `close`, which is where clients are let go.
      if (error !== undefined && error !== null) return;
      if (!this.#behind || this.socket.bufferedAmount > BEHIND_BYTES / 4) return;
      this.#behind = false;
      this.deliver();
    });
  }
}
