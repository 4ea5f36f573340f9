import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Input } from '../host/advance/input.ts';
import { type ReadTrouble, readRecords } from '../host/journal/read.ts';
import { inputOf } from '../host/journal/records.ts';
import type { JournalRecord } from '../host/record.ts';
import { command, event, journalBench, send } from './support/journal-bench.ts';

describe('reading back', () => {
  const read = async (text: string | Uint8Array, cuts: readonly number[] = []) => {
    const bytes = Buffer.from(text as string);
    const troubles: ReadTrouble[] = [];
    async function* chunks() {
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        if (cut > from) yield bytes.subarray(from, cut);
        from = Math.max(from, cut);
      }
    }
    const records: JournalRecord[] = [];
    for await (const batch of readRecords(chunks(), (trouble) => troubles.push(trouble)))
      records.push(...batch);
    return { records, troubles, inputs: records.flatMap((record) => inputOf(record) ?? []) };
  };

  const anyInput: fc.Arbitrary<Input> = fc.oneof(
    fc.record({
      kind: fc.constant('line' as const),
      atMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      link: fc.string({ minLength: 1 }),
      raw: fc.oneof(
        fc.string().map((text) => ({ line: text })),
        fc.uint8Array().map((bytes) => ({ b64: Buffer.from(bytes).toString('base64') })),
      ),
    }),
    fc.record(
      {
        kind: fc.constant('line' as const),
        atMs: fc.nat(),
        link: fc.constant('m'),
        raw: fc.constant({ line: 'E1' }),
        device: fc.constant('7F3A0001'),
        retained: fc.boolean(),
      },
      { requiredKeys: ['kind', 'atMs', 'link', 'raw', 'device'] },
    ),
    fc.record(
      {
        kind: fc.constant('link' as const),
        atMs: fc.nat(),
        link: fc.constant('a'),
        up: fc.boolean(),
        reason: fc.string(),
        remedy: fc.string(),
      },
      { requiredKeys: ['kind', 'atMs', 'link', 'up', 'reason'] },
    ),
    fc.record({
      kind: fc.constant('dropped' as const),
      atMs: fc.nat(),
      link: fc.constant('a'),
      what: fc.string(),
      count: fc.nat(),
    }),
    fc.nat().map(command),
  );

  it('gives the very inputs back that were recorded, however the file is cut into reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyInput, { maxLength: 15 }),
        fc.array(fc.nat({ max: 3000 }), { maxLength: 8 }),
        async (inputs, cuts) => {
          const { disk, clock, journal, outbox } = await journalBench();
          for (const input of inputs) {
            outbox.heard(input);
            outbox.put([send(1), event(1)]);
          }
          await clock.pass(50);
          await journal.close(77);
          const back = await read(
            disk.text,
            cuts.sort((a, b) => a - b),
          );
          expect(back.troubles).toEqual([]);
          // JSON knows no negative zero.
          const written = JSON.parse(JSON.stringify([...inputs, { kind: 'tick', atMs: 77 }]));
          expect(back.inputs).toEqual(written);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('leaves a torn tail out and reports it, wherever the power went', async () => {
    const { disk, clock, journal, outbox } = await journalBench();
    for (let i = 1; i <= 5; i++) outbox.heard(command(i));
    await clock.pass(50);
    await journal.close(6);
    const bytes = Buffer.from(disk.text.replaceAll('\n\n', '\n'));
    const ends = [...bytes].flatMap((byte, i) => (byte === 10 ? [i + 1] : []));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { records, troubles } = await read(bytes.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      expect(records).toHaveLength(whole);
      const torn = cut > 0 && !ends.includes(cut);
      expect(troubles.map(({ what }) => what)).toEqual(torn ? ['torn-tail'] : []);
    }
  });

  it('tells what is no record, what is missing, and goes on', async () => {
    const record = (seq: number) =>
      JSON.stringify({ seq, atMs: seq, kind: 'line', table: 't', data: { link: 'a', line: 'x' } });
    const { records, troubles } = await read(
      [record(0), '{"half":', record(1), 'null', '[]', '{"atMs":"x"}', '', record(3), ''].join('\n'),
    );
    expect(records.map(({ seq }) => seq)).toEqual([0, 1, 3]);
    expect(troubles.map(({ what, line: at }) => `${what} ${at}`)).toEqual([
      'not-a-record 2',
      'not-a-record 4',
      'not-a-record 5',
      'not-a-record 6',
      'gap 8',
    ]);
  });

  it('reads a heard line as JSON does, and takes nothing for one that is no JSON', async () => {
    const record = (line: string, more = '', atMs = '7', seq = '0') =>
      `{"atMs":${atMs},"data":{"line":${line},"link":"a"${more}},"kind":"line","prev":"${'A'.repeat(43)}","seq":${seq},"table":"t"}`;
    const texts = [
      record('"E1,x+/=~ !#[]"'),
      record('"a\\\\b\\"\\u00e9é"'),
      record('""', ',"retained":true'),
      record('"x"', '', '7.25'),
      record('"x"', '', '-0'),
      record('"x"', '', '999999999999999'),
      record('"x"', '', '9007199254740993'),
    ];
    for (const text of texts) {
      const { atMs, data, kind, seq, table } = JSON.parse(text);
      const { records, troubles } = await read(`${text}\n`);
      expect(records).toEqual([{ seq, atMs, kind, table, data }]);
      expect(troubles).toEqual([]);
    }
    const broken = [record('"x"', '', '07'), record('"x"', '', '7', '00'), record('"\t"'), record('"\\x"')];
    for (const text of [...broken, `${record('"x"')}x`, `x${record('"x"')}`]) {
      const { records, troubles } = await read(`${text}\n`);
      expect(records).toEqual([]);
      expect(troubles.map(({ what }) => what)).toEqual(['not-a-record']);
    }
  });

  it('reads letters beyond ASCII wherever a read ends, behind thousands of plain ones', async () => {
    const lines = Array.from({ length: 6000 }, (_, i) => (i < 3000 ? `E${i}` : `é€😀${i}`));
    const text = lines.map((line) => JSON.stringify({ atMs: 1, via: 'a', line })).join('\n');
    for (const cut of [0, 1, 2, 3]) {
      const { inputs } = await read(`${text}\n`, [150_000 + cut]);
      expect(inputs.map((input) => 'raw' in input && input.raw)).toEqual(lines.map((line) => ({ line })));
    }
  });

  it('survives megabytes without a line end', async () => {
    const noise = Buffer.alloc(9 * 1024 * 1024, 'x');
    const good = JSON.stringify({ atMs: 1, via: 'a', line: 'E1' });
    const { records, troubles } = await read(Buffer.concat([noise, Buffer.from(`\n${good}\n`)]), [5e6]);
    expect(records).toHaveLength(1);
    expect(troubles.map(({ what }) => what)).toEqual(['too-long']);
  });

  it('reads a plain capture, its last line without a line end too', async () => {
    const { inputs } = await read(
      '{"atMs":1,"via":"a","line":"E1"}\n{"via":"b","b64":"/w==","atMs":2.5,"device":"7F"}',
    );
    expect(inputs).toEqual([
      { kind: 'line', atMs: 1, link: 'a', raw: { line: 'E1' } },
      { kind: 'line', atMs: 2.5, link: 'b', raw: { b64: '/w==' }, device: '7F' },
    ]);
  });
});
