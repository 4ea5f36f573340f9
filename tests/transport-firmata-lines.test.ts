import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLine } from '../firmware-protocol/line.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { createLinks, type Heard, hearLine, linkUp, SERIAL_WIRE } from '../host/sensing/links.ts';
import type { LinkNotice } from '../host/sensing/seen.ts';
import { translatorBench } from './support/firmata-translator.ts';

describe('readings as lines', () => {
  it('begin with a hello of boot and sequence 0, then 50 quiet lines, a hello and a health line a second', () => {
    const { translator, frames, pass, of } = translatorBench();
    translator.hall(0, 100);
    expect(translator.complete).toBe(false);
    translator.hall(1, 900);
    expect(translator.complete).toBe(true);
    pass(100);
    expect(frames()).toEqual([]);
    translator.begin();
    pass(10_000);
    expect(frames()[0]).toMatchObject({
      kind: 'hello',
      boot: 0x34,
      seq: 0,
      bootId: 0x1234,
      sampleHz: 52,
      halls: 1,
    });
    expect(frames().map(({ seq }) => seq)).toEqual(frames().map((_, i) => i));
    expect(of('quiet')).toHaveLength(500);
    expect(of('hello')).toHaveLength(11);
    expect(of('health')).toHaveLength(10);
    expect(of('health').at(-1)).toMatchObject({ uptimeS: 9, rxFaults: 0, edgeDrops: 0, txDrops: 0 });
  });

  it('tell means in quarter counts, and a hall that was not read as it was', () => {
    const { translator, pass, of } = translatorBench();
    translator.hall(0, 100);
    translator.hall(0, 101);
    translator.hall(1, 1023);
    translator.begin();
    pass(40);
    translator.hall(0, 7);
    pass(20);
    expect(of('quiet').map(({ means }) => [...means])).toEqual([
      [402, 4092],
      [402, 4092],
      [28, 4092],
    ]);
  });

  it('tell an edge at its arrival, and levels before the beginning as levels', () => {
    const { translator, at, pass, of } = translatorBench();
    translator.input(1, true);
    translator.begin();
    at.us = 1234.7;
    translator.input(0, true);
    translator.input(0, true);
    translator.input(16, true);
    pass(20);
    expect(of('edge')).toMatchObject([
      { deviceUs: 1234, input: 0, closed: true },
      { deviceUs: 1234, input: 16, closed: true },
    ]);
    expect(of('quiet')[0]?.inputs).toBe((1 << 0) | (1 << 1) | (1 << 16));
  });

  it('bound the edges of a contact that chatters, and say so', () => {
    const { translator, pass, of } = translatorBench();
    translator.begin();
    pass(100);
    for (let i = 0; i < 50; i++) translator.input(1, i % 2 === 0);
    translator.input(17, true);
    pass(1000);
    expect(of('edge').filter(({ input }) => input === 1)).toHaveLength(32);
    expect(of('edge').filter(({ input }) => input === 17)).toHaveLength(1);
    expect(of('fault')).toMatchObject([{ code: 5, detail: 1 }]);
    expect(of('health').at(-1)?.edgeDrops).toBe(18);
  });

  it('stop while the board is silent, and count the pauses of the process itself', () => {
    const { translator, lines, at, pass, of } = translatorBench();
    translator.begin();
    pass(100);
    const before = lines.length;
    for (let i = 0; i < 400; i++) {
      at.us += 5000;
      translator.tick();
    }
    // Three samplings of patience, then nothing: neither quiet lines nor hellos.
    expect(lines.length - before).toBeLessThanOrEqual(3);
    const quiet = of('quiet').length;
    at.us += 300_000;
    translator.heard();
    translator.tick();
    translator.tick();
    expect(of('quiet').length).toBe(quiet + 1);
    pass(1000);
    // 300 ms are more than the field holds.
    expect(of('health').at(-1)?.slipUs).toBe(65_535);
  });

  it('number a line that had to be dropped, so that the host knows', () => {
    let full = true;
    const lines: string[] = [];
    const { translator, pass } = translatorBench({ say: (line) => !full && lines.push(line) > 0 });
    translator.begin();
    full = false;
    pass(20);
    const first = decodeLine(lines[0] ?? '');
    expect(first.ok && first.frame.seq).toBe(1);
  });

  it('are good lines whatever is read, and the clock wraps as 32 bits do', () => {
    const step = fc.oneof(
      fc.record({
        hall: fc.integer({ min: 0, max: 1 }),
        counts: fc.double({ min: -5, max: 5000, noNaN: true }),
      }),
      fc.record({ input: fc.constantFrom(0, 1, 16, 17, 18), closed: fc.boolean() }),
      fc.record({ ms: fc.integer({ min: 0, max: 3000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { translator, at, pass, frames } = translatorBench({ stud: true });
        at.us = 0xffff_ffff - 2_000_000;
        translator.heard();
        translator.begin();
        for (const one of steps) {
          if ('hall' in one) translator.hall(one.hall, one.counts);
          else if ('input' in one) translator.input(one.input, one.closed);
          else pass(one.ms);
        }
        pass(20);
        const seqs = frames().map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, i) => i));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the rest of the host', () => {
  it('takes the lines as those of any board with one hall a tile, and a new start as a reset', () => {
    const links = createLinks({
      layout: { ...FIXED_12, sensors: 'axis' },
      links: [{ link: 'f', wire: SERIAL_WIRE }],
    });
    const notices: LinkNotice[] = [];
    const heard: Heard[] = [];
    linkUp(links, 'f', 0, notices);
    let hostMs = 1000;
    for (const bootId of [7, 8]) {
      const { translator, at, pass } = translatorBench({
        tiles: 6,
        bootId,
        say(line) {
          heard.push(hearLine(links, 'f', { line }, hostMs + at.us / 1000 + 0.4, undefined, notices));
          return true;
        },
      });
      for (let tile = 0; tile < 6; tile++) translator.hall(tile, 512);
      translator.begin();
      pass(500);
      translator.input(3, true);
      pass(4500);
      hostMs += 8000;
    }
    expect(heard.map(({ kind }) => kind)).toEqual(heard.map(() => 'fresh'));
    expect(heard).toHaveLength(2 * (1 + 250 + 5 + 5 + 1));
    // Times are as good as the link can tell, although they are of arrival: the hello says so.
    const last = heard.at(-1);
    expect(last?.kind === 'fresh' && last.errorMs).toBeLessThan(DEFAULT_LIMITS.clockDoubtMs);
    expect(links.ways[0]?.counts).toMatchObject({ fresh: heard.length, resets: 1 });
  });
});
