import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeLine } from '../firmware-protocol/line.ts';
import { FIXED_12, layoutHash } from '../host/sensing/layout.ts';
import { captureRoll, writeCorpus } from '../sim/corpus.ts';
import { createRollSource } from '../sim/sample.ts';
import { SOUND_WIRE } from '../sim/wire-faults.ts';

describe('corpora', () => {
  it('hold whole lines in order of time, with the truth and what play knew beside them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
    try {
      const { lines } = writeCorpus(folder, 20, 2);
      expect(lines).toBeGreaterThan(500);
      const text = readFileSync(join(folder, 'roll-20.jsonl'), 'utf8').trimEnd().split('\n');
      let before = 0;
      for (const one of text) {
        const { atMs, via, line } = JSON.parse(one) as { atMs: number; via: string; line: string };
        expect(atMs).toBeGreaterThanOrEqual(before);
        expect(['sim-a', 'sim-b']).toContain(via);
        expect(decodeLine(line).ok).toBe(true);
        before = atMs;
      }
      const truths = readFileSync(join(folder, 'truth.jsonl'), 'utf8').trimEnd().split('\n');
      expect(truths.map((t) => (JSON.parse(t) as { seed: number }).seed)).toEqual([20, 21]);
      expect(readFileSync(join(folder, 'activity.jsonl'), 'utf8')).toContain('"kind":"roll"');
      expect(readFileSync(join(folder, 'calibration.json'), 'utf8')).toContain(layoutHash(FIXED_12));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('say in lines what the same roll gives as frames and as samples', () => {
    const source = createRollSource();
    const wire = { plan: SOUND_WIRE, delivery: 'prompt', clockError: 0, reset: false } as const;
    const captured = captureRoll(33, { wire });
    const { frames, truth } = source.frames(33);
    expect(truth).toEqual(captured.truth);
    const spelled = captured.lines.flatMap((line) => {
      const decoded = 'line' in line ? decodeLine(line.line) : undefined;
      return decoded?.ok && line.via === 'sim-a' ? [decoded.frame] : [];
    });
    const direct = frames.filter((f) => f.side === 'A').map((f) => f.frame);
    // The last lines may still be on the wire when the capture ends.
    expect(direct.length - spelled.length).toBeLessThan(8);
    expect(spelled).toEqual(direct.slice(0, spelled.length));
    const samples = source.samples(33);
    const burst = direct.find((f) => f.kind === 'burst');
    if (burst?.kind !== 'burst') throw new Error('a roll onto the field wakes a tile');
    const tile = Math.round(31 - Math.clz32(burst.tileMask & -burst.tileMask));
    const ms = burst.deviceUs / 1000 + 1000 - samples.fromMs;
    if (ms >= 0) {
      expect(burst.samples[0]).toBe(samples.counts[(ms * samples.tiles.length + tile) * samples.halls]);
    }
  });
});
