import type { Answer } from '../advance/input.ts';
import type { ClientMessage, May, News, ServerMessage, TableList } from '../displays/feed-messages.ts';
import type { Audience, Refusal } from '../game/ruleset.ts';
import type { Scene } from '../scene/scene.ts';

/** What a page knows through its feed. */
export type FeedSeen = {
  readonly scene: Scene | undefined;
  readonly audience: Audience | undefined;
  readonly may: May;
  readonly connected: boolean;
  /** Why the server gave less than was asked for, or what it could not read. */
  readonly problem: string | undefined;
};

/** What a page is told. */
export type FeedEar = {
  seen(seen: FeedSeen): void;
  news?(news: News): void;
  answered?(id: string, refusal: Refusal | undefined): void;
  /** The answer to an `ask`; a refused one comes through `answered`. */
  told?(id: string, answer: Answer): void;
};

export type FeedWish = {
  /** Absent: the first table of the host. */
  readonly table: string | undefined;
  readonly audience: Audience;
  readonly token: string | undefined;
};

const NOTHING: May = { command: false, sim: false };
/** The server pings every 10 s; this much silence means the connection is dead though nobody said so. */
const SILENCE_MS = 25_000;
const RETRY_MS = [200, 400, 800, 1000] as const;

type Wire =
  | ClientMessage
  | { readonly op: 'command' | 'ask'; readonly id: string; readonly [key: string]: unknown };

/** One WebSocket to the host, opened again for ever; every connection begins with a whole snapshot. */
export class FeedLink {
  table: string | undefined;
  readonly #wish: FeedWish;
  readonly #ear: FeedEar;
  #socket: WebSocket | undefined;
  #seen: FeedSeen = {
    scene: undefined,
    audience: undefined,
    may: NOTHING,
    connected: false,
    problem: undefined,
  };
  #revision = 0;
  #tries = 0;
  #retry = 0;
  #silence = 0;
  #ids = 0;

  constructor(wish: FeedWish, ear: FeedEar) {
    this.#wish = wish;
    this.#ear = ear;
    this.table = wish.table;
    void this.#connect();
  }

  /** Sends a message that is answered; the id comes back through `answered`. Empty when not connected. */
  ask(message: { readonly op: 'command' | 'ask' | 'sim'; readonly [key: string]: unknown }): string {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.table === undefined) return '';
    this.#ids += 1;
    const id = `p${this.#ids}`;
    this.#socket.send(JSON.stringify({ ...message, id, table: this.table }));
    return id;
  }

  async #connect(): Promise<void> {
    try {
      this.table ??= await firstTable();
    } catch {
      this.#later();
      return;
    }
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws`, 'bakucore.v1');
    this.#socket = socket;
    socket.onopen = () => this.#subscribe();
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      this.#heard();
      this.#take(JSON.parse(String(event.data)));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    this.#heard();
  }

  #subscribe(): void {
    const { audience, token } = this.#wish;
    this.#send({
      op: 'subscribe',
      table: this.table ?? '',
      audience,
      ...(token === undefined ? {} : { token }),
    });
  }

  #send(message: Wire): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #take(message: ServerMessage): void {
    switch (message.op) {
      case 'snapshot':
        this.#tries = 0;
        this.#revision = message.revision;
        this.#show({
          scene: message.scene,
          audience: message.audience,
          may: message.may,
          connected: true,
        });
        return;
      case 'change': {
        const { scene } = this.#seen;
        if (scene === undefined || message.from !== this.#revision) {
          this.#subscribe();
          return;
        }
        this.#revision = message.revision;
        this.#show({ scene: { ...scene, ...message.set } });
        return;
      }
      case 'told':
        this.#ear.news?.(message.news);
        return;
      case 'accepted':
        this.#ear.answered?.(message.id, undefined);
        return;
      case 'refused':
        this.#ear.answered?.(message.id, message.refusal);
        return;
      case 'answer':
        this.#ear.told?.(message.id, message.answer);
        return;
      case 'error':
        this.#show({ problem: message.text });
        return;
      case 'ping':
        return;
      default:
        // A newer server may say more; what is not known here is not needed here.
        message satisfies never;
    }
  }

  #show(more: Partial<FeedSeen>): void {
    this.#seen = { ...this.#seen, ...more };
    this.#ear.seen(this.#seen);
  }

  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#socket?.close(), SILENCE_MS);
  }

  #lost(): void {
    clearTimeout(this.#silence);
    this.#socket = undefined;
    this.#show({ connected: false, problem: undefined });
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#retry);
    const waitMs = RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)] ?? 1000;
    this.#tries += 1;
    this.#retry = window.setTimeout(() => void this.#connect(), waitMs);
  }
}

async function firstTable(): Promise<string> {
  const response = await fetch('/api/v1/tables', { cache: 'no-store' });
  const list: TableList = await response.json();
  const first = list.tables[0];
  if (first === undefined) throw new Error('no table yet');
  return first.table;
}
