import { WebSocket } from 'ws';
import type { Answer, Command, Question } from '../../host/advance/input.ts';
import { type Clock, systemClock } from '../../host/clock.ts';
import { type Feed, type FeedOptions, openFeed } from '../../host/displays/feed.ts';
import {
  type ClientMessage,
  FEED_PROTOCOL,
  type ServerMessage,
  serverMessageSchema,
} from '../../host/displays/feed-messages.ts';
import type { Audience, Refusal } from '../../host/game/ruleset.ts';
import { silentLog } from '../../host/log.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { demoScene } from './demo-scene.ts';

/** A table for the feed that shows whatever it is given and keeps the commands it gets. */
export function fakeTable(first: Scene = demoScene('brawl')) {
  const commands: { readonly id: string; readonly command: Command }[] = [];
  const table = {
    now: first,
    looks: 0,
    commands,
    scene(audience: Audience): Scene {
      table.looks += 1;
      return audience.kind === 'operator' ? table.now : { ...table.now, legal: [], levels: [], links: [] };
    },
    command(id: string, command: Command): void {
      commands.push({ id, command });
    },
    ask(_question: Question): Answer | Refusal {
      return { kind: 'history', steps: [], newest: 0 };
    },
  };
  return table;
}

export type FakeTable = ReturnType<typeof fakeTable>;

/** A feed on a free port with one table `t1`. */
export async function feedOver(
  table: FakeTable,
  more: Partial<FeedOptions> = {},
): Promise<Feed & { readonly port: number }> {
  const feed = await openFeed({
    host: '127.0.0.1',
    port: 0,
    tokens: [],
    pagesDir: '/nowhere',
    tables: new Map([['t1', table]]),
    clock: systemClock satisfies Clock,
    log: silentLog,
    ...more,
  });
  return { ...feed, port: Number(new URL(feed.url).port) };
}

type OpenOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol?: string;
  readonly path?: string;
};

/** A client of the feed: every message it gets is checked against the protocol's own schema. */
export class FeedEar {
  readonly socket: WebSocket;
  readonly heard: ServerMessage[] = [];
  closed: { readonly code: number } | undefined;
  scene: Scene | undefined;
  revision = 0;
  #taken = 0;
  #wake: (() => void)[] = [];

  static async open(port: number, options: OpenOptions = {}): Promise<FeedEar> {
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}${options.path ?? '/ws'}`,
      options.protocol ?? FEED_PROTOCOL,
      {
        headers: options.headers ?? {},
      },
    );
    const ear = new FeedEar(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    socket.on('error', () => {});
    return ear;
  }

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const message: ServerMessage = JSON.parse(data.toString());
      serverMessageSchema.parse(message);
      this.heard.push(message);
      this.#apply(message);
      this.#stir();
    });
    socket.on('close', (code) => {
      this.closed = { code };
      this.#stir();
    });
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(audience: Audience, token?: string, table = 't1'): void {
    this.send({ op: 'subscribe', table, audience, ...(token === undefined ? {} : { token }) });
  }

  /** The next message of a kind, in order, none skipped twice. */
  async next<Op extends ServerMessage['op']>(op: Op): Promise<ServerMessage & { op: Op }> {
    for (;;) {
      while (this.#taken < this.heard.length) {
        const message = this.heard[this.#taken];
        this.#taken += 1;
        if (message !== undefined && isOp(message, op)) return message;
      }
      if (this.closed !== undefined) throw new Error(`closed with ${this.closed.code} before "${op}" came`);
      await this.#more();
    }
  }

  /** Waits until something is true of what was heard. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#more();
  }

  /** Everything sent before this was dealt with: an unknown table is answered at once, in order. */
  async settled(): Promise<void> {
    const before = this.heard.length;
    this.subscribe({ kind: 'public' }, undefined, 'no-such-table');
    await this.until(() =>
      this.heard.slice(before).some((one) => one.op === 'error' && one.code === 'feed/unknown-table'),
    );
  }

  close(): void {
    this.socket.terminate();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #stir(): void {
    const woken = this.#wake;
    this.#wake = [];
    for (const wake of woken) wake();
  }

  #apply(message: ServerMessage): void {
    if (message.op === 'snapshot') {
      this.scene = message.scene;
      this.revision = message.revision;
    } else if (message.op === 'change' && this.scene !== undefined) {
      if (message.from !== this.revision) throw new Error(`change from ${message.from} at ${this.revision}`);
      this.scene = { ...this.scene, ...message.set };
      this.revision = message.revision;
    }
  }
}

function isOp<Op extends ServerMessage['op']>(
  message: ServerMessage,
  op: Op,
): message is ServerMessage & { op: Op } {
  return message.op === op;
}
