import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { problemLine } from '../host/config.ts';
import { bad, parse } from './support/mat-config.ts';

describe('a config that was written to do harm', () => {
  it('may be an alias bomb, a tower of brackets or a gigabyte of nothing much', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? 'l0: &l0 [x,x,x,x,x,x,x,x,x]' : `l${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`,
    );
    const from = performance.now();
    expect(bad(levels.join('\n')).short).toEqual(['1  config/alias-bomb']);
    expect(bad('['.repeat(100_000)).short[0]).toContain('config/syntax');
    expect(bad('x'.repeat(2_000_000)).short).toEqual(['1  config/too-large']);
    expect(performance.now() - from).toBeLessThan(5000);
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
