import { spawnSync } from 'node:child_process';
import type { FaultCode } from '../../host/fault.ts';
import type { LinkId } from '../../host/ids.ts';
import type { RawLine } from '../../host/record.ts';
import type { LinkPlace, TransportClock, TransportEvents } from '../../host/transports/transport.ts';

/** For what a socket, a broker or a process does: it comes at once, and may take its time where others want the machine too. */
export const PATIENCE_MS = 60_000;

/** A clock that stands still until told: timers run in order of their time, promises settle in between. */
export interface TestClock extends TransportClock {
  now(): number;
  wall(): string;
  /** Lets `ms` pass. */
  pass(ms: number): Promise<void>;
  /** Timers that wait. */
  readonly pending: number;
}

export function testClock(): TestClock {
  let now = 0;
  let timers: { readonly at: number; readonly then: () => void }[] = [];
  const dueBefore = (end: number) =>
    timers
      .filter(({ at }) => at <= end)
      .reduce<(typeof timers)[number] | undefined>(
        (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
        undefined,
      );
  return {
    now: () => now,
    wall: () => new Date(Date.UTC(2026, 0, 1) + now).toISOString(),
    after(ms, then) {
      const timer = { at: now + ms, then };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (let next = dueBefore(end); next !== undefined; next = dueBefore(end)) {
        const due = next;
        timers = timers.filter((one) => one !== due);
        now = Math.max(now, due.at);
        due.then();
        await settle();
      }
      now = end;
    },
    get pending() {
      return timers.length;
    },
  };
}

/** Lets everything that waits on promises and streams happen. */
export async function settle(rounds = 6): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise((done) => setImmediate(done));
}

/** The machine's clock. */
export const realClock: TransportClock = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** The machine's clock, which knows the timers that were set. */
export interface WatchedClock extends TransportClock {
  /** For how long each was set, ms, in their order. */
  readonly set: readonly number[];
  /** The same of those that still wait. */
  readonly waits: readonly number[];
}

export function watchedClock(): WatchedClock {
  const timers = new Map<() => void, number>();
  const set: number[] = [];
  return {
    now: realClock.now,
    after(ms, then) {
      const cancel = realClock.after(ms, () => {
        timers.delete(cancel);
        then();
      });
      timers.set(cancel, ms);
      set.push(ms);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    },
    set,
    get waits() {
      return [...timers.values()];
    },
  };
}

export type Told =
  | { readonly told: 'line'; readonly link: LinkId; readonly raw: RawLine; readonly from?: object }
  | { readonly told: 'up'; readonly link: LinkId }
  | {
      readonly told: 'down';
      readonly link: LinkId;
      readonly reason: string;
      readonly remedy: string | undefined;
      readonly code: FaultCode | undefined;
    }
  | { readonly told: 'dropped'; readonly link: LinkId; readonly what: string; readonly count: number };

/** Keeps everything that a transport tells. */
export class Listener implements TransportEvents {
  readonly told: Told[] = [];
  private waiting: (() => void)[] = [];

  line(link: LinkId, raw: RawLine, from?: object): void {
    this.add({ told: 'line', link, raw, ...(from === undefined ? {} : { from }) });
  }
  up(link: LinkId): void {
    this.add({ told: 'up', link });
  }
  down(link: LinkId, reason: string, remedy?: string, code?: FaultCode): void {
    this.add({ told: 'down', link, reason, remedy, code });
  }
  dropped(link: LinkId, what: string, count: number): void {
    this.add({ told: 'dropped', link, what, count });
  }

  get lines(): string[] {
    return this.told.flatMap((one) =>
      one.told === 'line' ? ['line' in one.raw ? one.raw.line : `base64 ${one.raw.b64}`] : [],
    );
  }
  get isUp(): boolean {
    return this.told.findLast(({ told }) => told === 'up' || told === 'down')?.told === 'up';
  }
  get downs(): readonly Extract<Told, { told: 'down' }>[] {
    return this.told.flatMap((one) => (one.told === 'down' ? [one] : []));
  }
  get ups(): number {
    return this.told.filter(({ told }) => told === 'up').length;
  }
  droppedOf(what: string): number {
    return this.told.reduce(
      (sum, one) => (one.told === 'dropped' && one.what === what ? sum + one.count : sum),
      0,
    );
  }

  /** Resolves as soon as the condition holds; rejects with what was told when it does not within `ms`. */
  until(what: string, holds: (listener: this) => boolean, ms = PATIENCE_MS): Promise<void> {
    if (holds(this)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== look);
        reject(new Error(`not within ${ms} ms: ${what}; told: ${JSON.stringify(this.told.slice(-8))}`));
      }, ms);
      const look = (): void => {
        if (!holds(this)) return;
        clearTimeout(timer);
        this.waiting = this.waiting.filter((one) => one !== look);
        resolve();
      };
      this.waiting.push(look);
    });
  }

  private add(one: Told): void {
    this.told.push(one);
    for (const look of [...this.waiting]) look();
  }
}

/** Where a link stands, for `parse`. */
export function placeOf(more: Partial<LinkPlace> = {}): LinkPlace {
  return {
    store: 'demo',
    table: 't1',
    link: 'l1',
    folder: '/',
    broker: { url: 'mqtt://127.0.0.1:1883' },
    ...more,
  };
}

/** True when a system program is there. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name} || test -x /usr/sbin/${name}`]).status === 0;
}

/** Resolves when the condition holds; rejects after `ms`. For things that tell nobody. */
export async function eventually(what: string, holds: () => boolean, ms = PATIENCE_MS): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
