import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idleBars, latencyBars, rulingBars } from '../bin/bench/detection-bars.ts';
import { type Figures, readFigures, TABLE_JSON, TABLE_TEXT } from '../bin/bench/detection-figures.ts';
import { textOf } from '../bin/bench/detection-table.ts';

/** The bars read nothing that older forms of the table do not have. */
const figures = JSON.parse(readFileSync(TABLE_JSON, 'utf8')) as Figures;

function missed(bars: readonly { readonly what: string; readonly held: boolean }[]): string[] {
  return bars.filter(({ held }) => !held).map(({ what }) => what);
}

describe('the committed figures of the detector', () => {
  it('are of 10,000 clean rolls', () => {
    expect(figures.share).toBe(1);
    expect(figures.rows.clean?.own.rolls).toBe(10_000);
  });

  for (const name of ['clean', 'impaired', 'impaired, frames', 'everything']) {
    it(`hold the bars of wrong and undetermined rulings: ${name}`, () => {
      const row = figures.rows[name];
      if (row === undefined) throw new Error(`no row ${name}`);
      const bars = rulingBars(name, row, figures.rows);
      expect(bars).toHaveLength(4);
      expect(missed(bars)).toEqual([]);
    });
  }

  it('hold the bars of how soon opens and final rulings are said', () => {
    const { clean } = figures.rows;
    if (clean === undefined) throw new Error('no clean row');
    const bars = latencyBars(clean);
    expect(bars).toHaveLength(3);
    expect(missed(bars)).toEqual([]);
  });

  it('hold the bars of false opens, with their upper bounds where a class has its 30 hours', () => {
    const classes = Object.entries(figures.idle);
    expect(classes.length).toBeGreaterThan(0);
    for (const [name, idle] of classes) {
      if (idle.barPerHour === 0 || idle.hours >= 30 - 0.001) expect(missed(idleBars(idle)), name).toEqual([]);
      else expect(idle.falseOpens / idle.hours, name).toBeLessThanOrEqual(idle.barPerHour);
    }
  });
});

describe('the committed table of the detector', () => {
  it('is the text of the committed figures: both are of one run', () => {
    expect(readFileSync(TABLE_TEXT, 'utf8')).toBe(textOf(readFigures()));
  });

  it('of another form is not read, so that nothing of it is thrown away', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'figures-')), 'old.json');
    writeFileSync(file, JSON.stringify({ share: 1, rows: {} }));
    expect(() => readFigures(file)).toThrow(/run it whole, with --write and without --only/);
  });
});
