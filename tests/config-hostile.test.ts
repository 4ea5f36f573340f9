import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Alias, stringify } from 'yaml';
import { problemLine } from '../host/config.ts';
import { bad, parse } from './support/mat-config.ts';

describe('a config that was written to do harm', () => {
  it('may be an alias bomb: the few aliases that it takes to know are all that is followed', () => {
    const levels = Array.from({ length: 24 }, (_, i) =>
      i === 0 ? 'l0: &l0 [x,x,x,x,x,x,x,x,x]' : `l${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`,
    );
    const followed = vi.spyOn(Alias.prototype, 'toJSON');
    try {
      expect(bad(levels.join('\n')).short).toEqual(['1  config/alias-bomb']);
      expect(followed.mock.calls.length).toBeGreaterThan(0);
      // Of 207 that are written, and 9 to the power of 24 that they stand for.
      expect(followed.mock.calls.length).toBeLessThanOrEqual(100);
    } finally {
      followed.mockRestore();
    }
  });

  it('may say one thing a hundred times, not more', () => {
    const said = (times: number) => `a: &a x\nb: [${'*a,'.repeat(times - 1)}]`;
    expect(bad(said(100)).full).not.toContain('unfold');
    expect(bad(said(101)).short).toEqual(['1  config/alias-bomb']);
  });

  it('may be a tower of brackets', () => {
    expect(bad('['.repeat(100_000)).short[0]).toContain('config/syntax');
  });

  it('may be a gigabyte of nothing much: beyond 1 MiB no word of it is read', () => {
    const largest = 1024 * 1024;
    expect(bad(`#${'x'.repeat(largest - 1)}`).short).toEqual(['1  config/empty']);
    // Brackets are no YAML either, and that would be said if they were read.
    expect(bad('['.repeat(largest + 1)).short).toEqual(['1  config/too-large']);
    expect(bad('x'.repeat(2_000_000)).short).toEqual(['1  config/too-large']);
  });

  it('never throws, whatever the file holds', () => {
    const piece = fc.constantFrom(
      'tables:',
      '  t1:',
      ' links:',
      '{',
      '}',
      '[',
      '- ',
      ': ',
      '&a',
      '*a',
      '!!js',
      '\n',
      '\t',
      '"',
      '#',
      '? ',
      '|',
      '\0',
      'http',
      '1e999',
      '.nan',
      '<<',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const parsed = parse(pieces.join(''));
        if (!parsed.ok) for (const one of parsed.problems) expect(one.line).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(
            'tables',
            't1',
            'links',
            'a',
            'transport',
            'path',
            'http',
            'port',
            'sensing',
            'x',
          ),
        }),
        (value) => {
          const parsed = parse(stringify(value));
          if (!parsed.ok)
            expect(parsed.problems.map(problemLine).join('\n')).toContain('/etc/mat/table.yaml:');
        },
      ),
      { numRuns: 300 },
    );
  });
});
