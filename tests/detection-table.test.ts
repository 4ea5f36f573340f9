import { describe, expect, it } from 'vitest';
import { freshAudit } from '../bin/bench/detection-audit.ts';
import { freshScore, type Score } from '../bin/bench/detection-score.ts';
import { textOf } from '../bin/bench/detection-table.ts';
import { interval } from '../bin/bench/rolls.ts';

/** The cells of one corpus under their heads, all its tables together. */
function rowOf(own: Score): Readonly<Record<string, string>> {
  const row = {
    group: 'main',
    what: 'two words',
    firstSeed: 7,
    own,
    naive: freshScore(),
    plain: freshScore(),
    audit: freshAudit(),
  };
  const lines = textOf({ share: 1, rows: { clean: row }, curves: {}, idle: {} }).split('\n');
  const cells = (line: string | undefined): string[] => (line ?? '').split('|').map((cell) => cell.trim());
  const found: Record<string, string> = {};
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('| clean |')) continue;
    const heads = cells(lines[i - 2]);
    for (const [at, cell] of cells(line).entries()) found[heads[at] ?? ''] = cell;
  }
  return found;
}

describe('the table of the detection bench', () => {
  it('gives the share of final rulings within T_rest + 150 ms of both balls at rest, the last of these too', () => {
    const finalMs = [684, 700, 850, 851, 1400];
    const row = rowOf({ ...freshScore(), finalMs });
    expect(row['within 850 ms of rest, 95 %']).toBe(interval(3, 5));
    expect(row['final after rest p50 / p99 ms']).toBe('850 / 1400');
  });

  it('says nothing of them where no roll ended with both balls on tiles', () => {
    expect(rowOf(freshScore())['within 850 ms of rest, 95 %']).toBe('-');
  });
});
