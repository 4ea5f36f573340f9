import { expect, it } from 'vitest';
import { BEHIND_BYTES } from '../host/displays/feed-client.ts';
import type { Scene } from '../host/scene/scene.ts';
import { demoScene } from './support/demo-scene.ts';
import { FeedEar, fakeTable, feedOver } from './support/feed-ear.ts';

/** A scene of some 100 kB, all of it new. */
function heavy(turn: number): Scene {
  return { ...demoScene('brawl'), view: { ruleset: 'bakugan', turn, padding: `${turn} `.repeat(20_000) } };
}

it('queues nothing for a client that does not read: it gets the newest scene, and hears how much it missed', async () => {
  const table = fakeTable(heavy(0));
  const feed = await feedOver(table);
  const [slow, quick] = [await FeedEar.open(feed.port), await FeedEar.open(feed.port)];
  try {
    for (const ear of [slow, quick]) {
      ear.subscribe({ kind: 'operator' });
      await ear.next('snapshot');
    }
    slow.socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    const turns = 300;
    for (let turn = 1; turn <= turns; turn += 1) {
      table.now = heavy(turn);
      feed.told('t1', {
        kind: 'event',
        atMs: turn,
        event: { type: 'turn/next', rules: [], text: `${turn}`, data: {} },
      });
      // The quick one is served every time, whatever the slow one does.
      await quick.next('told');
    }
    expect(quick.scene).toEqual(table.now);
    // 300 scenes of 100 kB were shown; only what fits the system's socket buffers and one bound of ours was sent.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * BEHIND_BYTES);

    slow.socket.resume();
    await slow.until(() => slow.heard.some((one) => one.op === 'snapshot' && one.missed > 0));
    expect(slow.scene).toEqual(table.now);
    const received = slow.heard.filter((one) => one.op === 'change' || one.op === 'snapshot').length;
    expect(received).toBeLessThan(turns / 2);
    const missed = slow.heard.reduce((sum, one) => sum + (one.op === 'snapshot' ? one.missed : 0), 0);
    const told = slow.heard.filter((one) => one.op === 'told').length;
    expect(missed + told).toBe(turns);
  } finally {
    slow.close();
    quick.close();
    await feed.close();
  }
});
