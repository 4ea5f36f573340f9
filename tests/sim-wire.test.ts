import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLine } from '../firmware-protocol/line.ts';
import { createLineCutter } from '../sim/line-cutter.ts';
import { createChance } from '../sim/random.ts';
import {
  type Chunk,
  createWireFaults,
  type Damage,
  damaged,
  LOSSY_WIRE,
  NOISY_WIRE,
  REPEATING_WIRE,
  SOUND_WIRE,
} from '../sim/wire-faults.ts';

const GOOD = 'E1,2A0200,002DC73B,03,1,F842';
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const sent = (count: number): Chunk[] =>
  Array.from({ length: count }, (_, i) => ({ atUs: i * 1000, bytes: bytesOf(`${GOOD}\n`) }));

/** What a receiver makes of the bytes. */
function received(chunks: readonly Chunk[]): { good: number; bad: number } {
  let good = 0;
  let bad = 0;
  const cutter = createLineCutter(
    (raw) => {
      if ('line' in raw && decodeLine(raw.line).ok) good += 1;
      else bad += 1;
    },
    () => {
      bad += 1;
    },
  );
  for (const { bytes } of chunks) cutter.take(bytes);
  return { good, bad };
}

describe('a sound wire', () => {
  it('passes any bytes as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), (runs) => {
        const chunks = runs.map((bytes, i) => ({ atUs: i, bytes }));
        expect(createWireFaults(1, SOUND_WIRE).pass(chunks)).toEqual(chunks);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a bad wire', () => {
  it('loses the share asked for', () => {
    const wire = createWireFaults(2, LOSSY_WIRE);
    const { good, bad } = received(wire.pass(sent(5000)));
    expect(bad).toBe(0);
    expect(1 - good / 5000).toBeGreaterThan(0.08);
    expect(1 - good / 5000).toBeLessThan(0.12);
    expect(wire.counts.lost).toBe(5000 - good);
  });

  it('never makes a good line of a damaged one', () => {
    const kinds: readonly Damage[] = ['flipped', 'cut', 'joined', 'nul-run', 'terminal-code', 'wrong-baud'];
    for (const kind of kinds) {
      for (let seed = 0; seed < 200; seed += 1) {
        const bytes = damaged(createChance(seed), bytesOf(`${GOOD}\n`), kind);
        const follow = bytesOf(`${GOOD}\n`);
        const { good, bad } = received([
          { atUs: 0, bytes },
          { atUs: 1, bytes: follow },
        ]);
        // What runs together takes the next line with it; after every other damage that one is whole.
        expect(good, `${kind} ${seed}`).toBe(kind === 'joined' || bytes.at(-1) !== 10 ? 0 : 1);
        expect(bad).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it('begins noise of a wrong rate with high bytes and ends it with the tail of the line', () => {
    const bytes = damaged(createChance(1), bytesOf(`${GOOD}\n`), 'wrong-baud');
    expect(bytes[0]).toBeGreaterThanOrEqual(128);
    const text = Buffer.from(bytes).toString('latin1');
    expect(GOOD.endsWith(text.slice(text.search(/[ -~]/)).trimEnd())).toBe(true);
  });

  it('has damage of every kind and spells in which a third of the lines is bad', () => {
    const wire = createWireFaults(3, NOISY_WIRE);
    const { good, bad } = received(wire.pass(sent(6000)));
    expect(good).toBeGreaterThan(4000);
    expect(bad).toBeGreaterThan(200);
    for (const [kind, count] of Object.entries(wire.counts)) {
      if (kind !== 'doubled' && kind !== 'late') expect(count, kind).toBeGreaterThan(20);
    }
    const spell = createWireFaults(4, SOUND_WIRE);
    spell.beginSpell();
    expect(received(spell.pass(sent(400))).bad).toBeLessThan(40);
  });

  it('repeats lines 0.2 to 3.1 s later and swaps some with the next', () => {
    const wire = createWireFaults(5, REPEATING_WIRE);
    const now = wire.pass(sent(1000));
    expect(now.length).toBeGreaterThanOrEqual(999);
    expect(wire.due(199_000)).toEqual([]);
    const late = wire.due(10_000_000);
    expect(late.length).toBe(wire.counts.doubled);
    expect(late.length).toBeGreaterThan(430);
    expect(wire.counts.late).toBeGreaterThan(20);
    expect(wire.due(20_000_000)).toEqual([]);
  });

  it('does the same to the same lines for the same seed', () => {
    const run = (seed: number) => createWireFaults(seed, NOISY_WIRE).pass(sent(300));
    expect(run(6)).toEqual(run(6));
    expect(run(6)).not.toEqual(run(7));
  });
});
