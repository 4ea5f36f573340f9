import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hearLine, linksSeen, loadLinks, saveLinks } from '../host/sensing/links.ts';
import { BoardVoice, DEVICE_A, SETTING, short, Table } from './support/link-table.ts';

/** A line as it left the board, and every arrival of it. */
type Sent = { readonly line: string; readonly life: number; readonly seq: number; readonly atMs: number };
type Arrival = Sent & { readonly arriveMs: number; readonly link: 'usb-a' | 'mqtt' };

/** Numbers in [0, 1) from a seed, the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 4294967296;
  };
}

interface Weather {
  readonly seed: number;
  /** Lines made in each life. */
  readonly lives: readonly number[];
  /** Whether the boot counter moves at a reset. */
  readonly counts: boolean;
  readonly wires: 'serial' | 'mqtt' | 'both';
  readonly loss: number;
  readonly copies: number;
  readonly delayMs: number;
}

const weather: fc.Arbitrary<Weather> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  lives: fc.array(fc.integer({ min: 30, max: 400 }), { minLength: 1, maxLength: 3 }),
  counts: fc.boolean(),
  wires: fc.constantFrom('serial' as const, 'mqtt' as const, 'both' as const),
  loss: fc.constantFrom(0, 0.02, 0.2),
  copies: fc.constantFrom(0, 0.1, 0.5),
  delayMs: fc.constantFrom(1, 30, 500, 3500),
});

/**
 * A board whose boot counter stands still cannot always be told from its own late copies: with that fault, wires that
 * repeat must not lose lines as well, nor be late by more than the board's pause.
 */
const tellable = weather.filter(
  ({ counts, wires, loss, delayMs }) => counts || wires === 'serial' || (loss === 0 && delayMs <= 500),
);

/** What leaves the board and what arrives, by arrival. Serial keeps order; MQTT delays, reorders, repeats. */
function played(sky: Weather): { readonly sent: readonly Sent[]; readonly arrivals: readonly Arrival[] } {
  const random = randomOf(sky.seed);
  const board = new BoardVoice();
  const sent: Sent[] = [];
  const arrivals: Arrival[] = [];
  let atMs = 10;
  let serialMs = 0;
  sky.lives.forEach((lines, life) => {
    if (life > 0) board.reset(sky.counts);
    const bornMs = atMs;
    for (let i = 0; i < lines; i++) {
      const deviceMs = atMs - bornMs + 2 + life / 1000;
      const seq = board.seq;
      const line =
        i % 50 === 0 ? board.hello(deviceMs) : i % 3 === 0 ? board.burst(deviceMs) : board.quiet(deviceMs);
      const one = { line, life, seq, atMs };
      sent.push(one);
      // The very first hello always comes through: before it a board is nobody.
      const sure = life === 0 && i === 0;
      if (sky.wires !== 'mqtt' && (sure || random() >= sky.loss)) {
        serialMs = Math.max(serialMs, atMs + 1 + 3 * random());
        arrivals.push({ ...one, link: 'usb-a', arriveMs: serialMs });
      }
      if (sky.wires !== 'serial' && (sure || random() >= sky.loss)) {
        do {
          const delayMs = sure ? 2 : 3 + random() * random() * sky.delayMs;
          arrivals.push({ ...one, link: 'mqtt', arriveMs: atMs + delayMs });
        } while (random() < sky.copies);
      }
      atMs += 10;
    }
    atMs += 1000;
  });
  return { sent, arrivals: arrivals.sort((a, b) => a.arriveMs - b.arriveMs) };
}

function feed(table: Table, arrival: Arrival): string {
  const { link, line, arriveMs } = arrival;
  return short(link === 'mqtt' ? table.mqtt(DEVICE_A, line, arriveMs) : table.hear(link, line, arriveMs));
}

const total = (table: Table, name: string) =>
  linksSeen(table.links).reduce((sum, seen) => sum + (seen.counts[name] ?? 0), 0);

describe('one board heard on two wires that lose, delay, repeat and reorder', () => {
  test('each line that arrived anywhere is used once, and every number that did not is counted', () => {
    fc.assert(
      fc.property(tellable, (sky) => {
        const { arrivals } = played(sky);
        const table = new Table();
        const used = new Map<string, number>();
        for (const arrival of arrivals) {
          const kind = feed(table, arrival);
          if (kind === 'fresh' || kind === 'late') used.set(arrival.line, (used.get(arrival.line) ?? 0) + 1);
          else expect(kind, arrival.line).toBe('repeat');
        }
        table.settle(1e9);
        expect([...used.values()].filter((times) => times > 1)).toEqual([]);
        expect(used.size).toBe(new Set(arrivals.map((one) => one.line)).size);
        let due = 0;
        sky.lives.forEach((_, life) => {
          const heard = arrivals.filter((one) => one.life === life).map((one) => one.seq);
          if (heard.length > 0) due += Math.max(...heard) + 1;
        });
        expect(used.size + total(table, 'lost') - total(table, 'recovered')).toBe(due);
        expect(table.codes().filter((code) => code === 'link/reset')).toHaveLength(sky.lives.length - 1);
      }),
      { numRuns: 80 },
    );
  });

  test('what was used says when it happened, within what it states', () => {
    fc.assert(
      fc.property(tellable, (sky) => {
        const { arrivals } = played({ ...sky, delayMs: Math.min(sky.delayMs, 500) });
        const table = new Table();
        for (const { link, line, arriveMs, atMs } of arrivals) {
          const heard =
            link === 'mqtt' ? table.mqtt(DEVICE_A, line, arriveMs) : table.hear(link, line, arriveMs);
          if (heard.kind !== 'fresh') continue;
          expect(heard.atMs).toBeLessThanOrEqual(arriveMs);
          expect(Math.abs(heard.atMs - atMs)).toBeLessThanOrEqual(heard.errorMs);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('saved and loaded in mid-match, the links go on exactly as they would have', () => {
    fc.assert(
      fc.property(weather, fc.double({ min: 0, max: 1, noNaN: true }), (sky, share) => {
        const { arrivals } = played(sky);
        const cut = Math.floor(arrivals.length * share);
        const whole = new Table();
        for (const arrival of arrivals.slice(0, cut)) feed(whole, arrival);
        const saved = saveLinks(whole.links);
        const resumed = new Table();
        resumed.links = loadLinks(SETTING, JSON.parse(JSON.stringify(saved)));
        expect(saveLinks(resumed.links)).toEqual(saved);
        whole.notices = [];
        for (const { link, line, arriveMs } of arrivals.slice(cut)) {
          const from = link === 'mqtt' ? { device: DEVICE_A } : undefined;
          const here = whole.hear(link, line, arriveMs, from);
          expect(resumed.hear(link, line, arriveMs, from)).toEqual(here);
        }
        whole.settle(1e9);
        resumed.settle(1e9);
        expect(resumed.notices).toEqual(whole.notices);
        expect(linksSeen(resumed.links)).toEqual(linksSeen(whole.links));
      }),
      { numRuns: 15 },
    );
  });

  test('settling in many small steps or in one gives the same notices', () => {
    fc.assert(
      fc.property(weather, (sky) => {
        const { arrivals } = played(sky);
        const idle = new Table();
        const busy = new Table();
        let atMs = 0;
        for (const arrival of arrivals) {
          for (; atMs < arrival.arriveMs; atMs += 37) busy.settle(atMs);
          feed(idle, arrival);
          feed(busy, arrival);
        }
        for (; atMs < 60_000; atMs += 37) busy.settle(atMs);
        idle.settle(60_000);
        expect(busy.notices).toEqual(idle.notices);
      }),
      { numRuns: 20 },
    );
  });

  test('junk of any sort, on any link and topic, never throws and is never used', () => {
    const raw = fc.oneof(
      fc.string({ maxLength: 220 }).map((line) => ({ line })),
      fc.string({ maxLength: 220, unit: 'binary' }).map((line) => ({ line })),
      fc.base64String().map((b64) => ({ b64 })),
    );
    const from = fc.option(fc.record({ device: fc.string(), retained: fc.boolean() }, { requiredKeys: [] }), {
      nil: undefined,
    });
    const table = new Table();
    let atMs = 0;
    fc.assert(
      fc.property(fc.constantFrom('usb-a', 'mqtt', 'nowhere'), raw, from, (link, line, where) => {
        atMs += 10;
        const heard = hearLine(table.links, link, line, atMs, where, table.notices);
        expect(['fault', 'refused']).toContain(heard.kind);
      }),
      { numRuns: 200 },
    );
    expect(table.notices).toEqual([]);
    expect(linksSeen(table.links).length).toBeLessThan(60);
  });

  test('a state that is none is refused in words', () => {
    for (const bad of [null, 1, 'x', [], {}, { version: 1, ways: [], boards: [] }]) {
      expect(() => loadLinks(SETTING, bad)).toThrow(/start with fresh ones/);
    }
  });
});
