import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TransportClock } from '../host/transports/transport.ts';
import { named } from './support/far-sides.ts';
import { Listener, placeOf, realClock, settle, testClock } from './support/transports.ts';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

describe('replay transport', () => {
  const open = async (
    text: string,
    options: object = {},
    listener = new Listener(),
    clock: TransportClock = realClock,
  ) => {
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-replay-'));
    ends.push(async () => rmSync(folder, { recursive: true }));
    const path = join(folder, 'c.jsonl');
    writeFileSync(path, text);
    const kind = named('replay');
    const transport = await kind.open('r', kind.parse({ path, ...options }, placeOf()), listener, clock);
    ends.push(() => transport.close());
    return listener;
  };

  it('uses the rest of a capture that was cut in mid-line, and says so', async () => {
    const listener = await open('{"atMs":1,"via":"a","line":"E1"}\nnonsense\n{"atMs":2,"via":"a","li', {
      speed: 'max',
    });
    await listener.until('end', (one) => one.downs.length === 1);
    expect(listener.lines).toEqual(['E1']);
    expect(listener.droppedOf('line cut off')).toBe(1);
    expect(listener.droppedOf('unreadable line of the capture')).toBe(1);
    expect(listener.downs[0]?.reason).toMatch(/1 lines\. The last line was cut off/);
  });

  /** The moments of a clock of the test's own at which the lines of a capture came, from the first on. */
  const momentsOf = async (text: string, options: object): Promise<readonly number[]> => {
    const clock = testClock();
    const moments: number[] = [];
    const listener = new (class extends Listener {
      override line(...told: Parameters<Listener['line']>): void {
        moments.push(clock.now());
        super.line(...told);
      }
    })();
    await open(text, options, listener, clock);
    // The clock stands still while the capture is read, which takes the machine's time.
    while (listener.downs.length === 0) await (clock.pending > 0 ? clock.pass(1) : settle());
    expect(listener.lines).toEqual(['base64 RTE=', 'base64 RTE=', 'base64 RTE=']);
    return moments.map((ms) => ms - (moments[0] ?? 0));
  };

  it('plays at the recorded pace, or faster', async () => {
    const text = [0, 60, 120].map((atMs) => JSON.stringify({ atMs, via: 'a', b64: 'RTE=' })).join('\n');
    expect(await momentsOf(text, {})).toEqual([0, 60, 120]);
    const faster = await momentsOf(text, { speed: 100 });
    for (const [i, ms] of [0, 0.6, 1.2].entries()) expect(faster[i]).toBeCloseTo(ms, 9);
  });

  it('plays one link of a journal, with what MQTT named', async () => {
    const text = [
      { seq: 0, atMs: 0, kind: 'open', table: 't1', data: {} },
      { seq: 1, atMs: 1, kind: 'line', table: 't1', data: { link: 'a', line: 'A' } },
      {
        seq: 2,
        atMs: 2,
        kind: 'line',
        table: 't1',
        data: { link: 'b', line: 'B', device: '7F', retained: true },
      },
      { seq: 3, atMs: 3, kind: 'sent', table: 't1', data: { link: 'b', device: '7F', line: 'L1' } },
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join('');
    const listener = await open(text, { via: 'b', speed: 'max' });
    await listener.until('end', (one) => one.downs.length === 1);
    expect(listener.told.filter(({ told }) => told === 'line')).toEqual([
      { told: 'line', link: 'r', raw: { line: 'B' }, from: { device: '7F', retained: true } },
    ]);
  });

  it('says when there is no such file, or nothing in it', async () => {
    const listener = new Listener();
    const kind = named('replay');
    const transport = await kind.open(
      'r',
      kind.parse({ path: '/nowhere/c.jsonl' }, placeOf()),
      listener,
      realClock,
    );
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]).toMatchObject({
      code: 'replay/unreadable',
      reason: expect.stringContaining('ENOENT'),
    });
    await transport.close();
    const empty = await open('\n');
    await empty.until('down', (one) => one.downs.length === 1);
    expect(empty.downs[0]?.remedy).toContain('capture');
  });
});
