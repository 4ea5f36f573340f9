import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SceneChannel } from '../host/displays/feed-channel.ts';
import { newsFor } from '../host/displays/feed-news.ts';
import type { Audience } from '../host/game/ruleset.ts';
import type { Scene } from '../host/scene/scene.ts';
import { demoScene } from './support/demo-scene.ts';

const OPERATOR = { kind: 'operator' } as const;
const REST = { audience: OPERATOR, may: { command: true, sim: true }, missed: 0 };

function level(fieldMt: number): Scene['levels'] {
  return [{ cell: 'q0r0', fieldMt: [fieldMt], contact: false }];
}

describe('a channel', () => {
  it('sends decisions at once and levels at most 20 a second, the newest last', () => {
    const channel = new SceneChannel('t1', OPERATOR);
    const scene = demoScene('rolling');
    channel.take(scene, 0);
    let sent = 0;
    let most = 0;
    let last: unknown;
    for (let ms = 1; ms <= 1000; ms += 1) {
      if (!channel.take({ ...scene, levels: level(ms) }, ms)) continue;
      sent += 1;
      last = JSON.parse(channel.changeSince(channel.revision - 1)).set.levels[0].fieldMt[0];
      most = Math.max(most, sent);
    }
    expect(sent).toBeGreaterThanOrEqual(19);
    expect(sent).toBeLessThanOrEqual(20);
    expect(last).toBe(1000);
    expect(channel.take({ ...scene, levels: level(1000), cues: [] }, 1000)).toBe(true);
  });

  it('says when a level that was held back falls due', () => {
    const channel = new SceneChannel('t1', OPERATOR);
    const scene = demoScene('rolling');
    channel.take(scene, 100);
    expect(channel.take({ ...scene, levels: level(3) }, 110)).toBe(false);
    expect(channel.nextDueMs).toBe(150);
    expect(channel.take({ ...scene, levels: level(3) }, 150)).toBe(true);
    expect(channel.nextDueMs).toBe(Infinity);
  });

  it('tells at once of a link that goes, and its counters once a second', () => {
    const channel = new SceneChannel('t1', OPERATOR);
    const scene = demoScene('brawl');
    const [first, ...rest] = scene.links;
    if (first === undefined) throw new Error('the demo has links');
    channel.take(scene, 0);
    const counted = { ...scene, links: [{ ...first, counts: { lines: 99_999 } }, ...rest] };
    expect(channel.take(counted, 500)).toBe(false);
    expect(channel.take(counted, 1000)).toBe(true);
    expect(channel.take({ ...scene, links: [{ ...first, up: false }, ...rest] }, 1001)).toBe(true);
  });

  it('brings a client at any earlier revision to the newest scene with one message', () => {
    const value = fc.integer({ min: 0, max: 2 });
    const moves = fc.array(
      fc.record({
        view: value,
        cues: value,
        levels: value,
        rulings: value,
        waitMs: fc.integer({ min: 1, max: 80 }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(moves, (list) => {
        const channel = new SceneChannel('t1', OPERATOR);
        const seen: { readonly revision: number; readonly scene: Scene }[] = [];
        let nowMs = 0;
        let scene = demoScene('brawl');
        const ruling = scene.rulings.slice(0, 1);
        channel.take(scene, nowMs);
        for (const move of list) {
          nowMs += move.waitMs;
          scene = {
            ...scene,
            atMs: nowMs,
            view: { turn: move.view },
            cues: move.cues === 0 ? [] : [{ cue: 'acts', player: move.cues === 1 ? 'A' : 'B' }],
            levels: level(move.levels),
            rulings: move.rulings === 0 ? [] : ruling,
          };
          channel.take(scene, nowMs);
          seen.push({ revision: channel.revision, scene: JSON.parse(channel.snapshot(REST)).scene });
        }
        channel.take(scene, nowMs + 2000);
        const whole: Scene = JSON.parse(channel.snapshot(REST)).scene;
        expect({ ...whole, atMs: 0 }).toEqual({ ...scene, atMs: 0 });
        for (const at of seen) {
          const change = JSON.parse(channel.changeSince(at.revision));
          expect({ ...at.scene, ...change.set }).toEqual(whole);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('news', () => {
  const [ruling] = demoScene('brawl').rulings;
  const event = { type: 'draw/done', rules: ['5.3.1'], text: 'A draws.', data: { card: 'hidden' } };
  const watchers: readonly Audience[] = [
    { kind: 'venue' },
    { kind: 'public' },
    { kind: 'player', player: 'B' },
  ];

  it.each(watchers)('keeps from $kind what is not settled, not theirs, or of wires', (audience) => {
    if (ruling === undefined) throw new Error('the demo has a ruling');
    const early = { ...ruling, stage: 'provisional' as const };
    expect(newsFor(audience, { kind: 'ruling', atMs: 1, ruling: early })).toBeUndefined();
    expect(newsFor(audience, { kind: 'ruling', atMs: 1, ruling })).toBeDefined();
    expect(JSON.stringify(newsFor(audience, { kind: 'event', atMs: 1, event }))).not.toContain('hidden');
    const fault = {
      kind: 'fault',
      atMs: 1,
      link: 'serial-a',
      code: 'link/lost',
      text: '/dev/ttyUSB0 went away',
    } as const;
    expect(newsFor(audience, fault)).toBeUndefined();
    expect(newsFor(OPERATOR, fault)).toEqual(fault);
  });

  it.each([...watchers, OPERATOR])(
    'never shows $kind a line to a board or another one’s answer',
    (audience) => {
      const refusal = { code: 'a/b', message: '', rules: [] };
      expect(
        newsFor(audience, { kind: 'send', atMs: 1, link: 'l', device: 'D', line: 'L1' }),
      ).toBeUndefined();
      expect(newsFor(audience, { kind: 'accepted', atMs: 1, id: 'x' })).toBeUndefined();
      expect(newsFor(audience, { kind: 'refused', atMs: 1, id: 'x', refusal })).toBeUndefined();
    },
  );
});
