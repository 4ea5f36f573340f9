import { describe, expect, it } from 'vitest';
import { freshAudit } from '../bin/bench/detection-audit.ts';
import { type Figures, kept, mergedInto, type RowFigures, VERSION } from '../bin/bench/detection-figures.ts';
import { freshScore, type Score } from '../bin/bench/detection-score.ts';
import { textOf } from '../bin/bench/detection-table.ts';
import { interval } from '../bin/bench/rolls.ts';

function figuresOf(own: Score, plain: Score = freshScore()): RowFigures {
  return {
    group: 'main',
    what: 'two words',
    firstSeed: 7,
    own: kept(own),
    naive: kept(freshScore()),
    plain: kept(plain),
    audit: kept(freshAudit()),
  };
}

function tableOf(rows: Figures['rows'], wrong: readonly string[] = []): Figures {
  return { version: VERSION, share: 1, rows, curves: {}, recovery: {}, idle: {}, wrong };
}

/** The cells of one corpus under their heads, all its tables together; of heads that stand twice the first counts. */
function rowOf(own: Score, plain?: Score): Readonly<Record<string, string>> {
  const lines = textOf(tableOf({ clean: figuresOf(own, plain) })).split('\n');
  const cells = (line: string | undefined): string[] => (line ?? '').split('|').map((cell) => cell.trim());
  const found: Record<string, string> = {};
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('| clean |')) continue;
    const heads = cells(lines[i - 2]);
    for (const [at, cell] of cells(line).entries()) found[heads[at] ?? ''] ??= cell;
  }
  return found;
}

const OUT = 'final after the last seen of balls, where one left the tiles';

describe('the table of the detection bench', () => {
  it('gives the share of final rulings within T_rest + 150 ms of both balls at rest, the last of these too', () => {
    const row = rowOf({ ...freshScore(), finalMs: [684, 700, 850, 851, 1400], finalInTime: [3, 5] });
    expect(row['within 850 ms of rest, 95 %']).toBe(interval(3, 5));
    expect(row['final after rest, both on tiles']).toBe('850 / 1400');
  });

  it('says nothing of them where no roll ended with both balls on tiles', () => {
    expect(rowOf(freshScore())['within 850 ms of rest, 95 %']).toBe('-');
  });

  it('tells apart the final rulings that waited for a ball which left the tiles', () => {
    const row = rowOf({ ...freshScore(), outMs: [900, 3020, 3200], outInTime: [2, 3] });
    expect(row[OUT]).toBe('3020 / 3200 of 3');
    expect(row['within 3150 ms of it, 95 %']).toBe(interval(2, 3));
  });

  it('names what was taken back for what it was: provisional opens, other provisional rulings, final rulings', () => {
    const takenBack = { opens: 3, otherProvisional: 2, finals: 1 };
    const row = rowOf({ ...freshScore(), takenBack, watchedOn: 50 });
    expect(row['provisional opens taken back']).toBe('3');
    expect(row['other provisional rulings taken back']).toBe('2');
    expect(row['final rulings taken back, of those watched on']).toBe('1 of 50');
  });

  it('says in the row which bar is held and which is missed', () => {
    const wrong = (n: number) => ({ player: 0, opened: n, attached: 0, any: n });
    const plain = { ...freshScore(), balls: 100, wrong: wrong(10) };
    const right = rowOf({ ...freshScore(), balls: 200, wrong: wrong(2) }, plain);
    expect(right.bar).toMatch(/^held: .*undetermined ≤ 5 %/);
    const bad = rowOf({ ...freshScore(), balls: 200, wrong: wrong(3) }, plain);
    expect(bad.bar).toBe('**missed**: opened ≤ 1/10 of threshold');
  });
});

describe('rows that are run again', () => {
  const some = (doubtful: number) => figuresOf({ ...freshScore(), rolls: 10, balls: 20, doubtful });

  it('take the place of their own alone: all others stay, with their wrong rulings and in their order', () => {
    const before = tableOf({ clean: some(1), reset: some(2), 'rest closed': some(3) }, [
      'clean: 1 A off rolled: said no',
      'rest closed: 2 A rest rolled: said yes',
    ]);
    const now = {
      ...tableOf({ reset: some(4), clean: some(5) }, ['reset: 3 B off rolled: said no']),
      share: 0.1,
    };
    const merged = mergedInto(before, now, ['clean', 'reset', 'rest closed']);
    expect(Object.entries(merged.rows).map(([name, { own }]) => [name, own.doubtful])).toEqual([
      ['clean', 5],
      ['reset', 4],
      ['rest closed', 3],
    ]);
    expect(merged.wrong).toEqual([
      'reset: 3 B off rolled: said no',
      'rest closed: 2 A rest rolled: said yes',
    ]);
    expect(merged.share).toBe(1);
  });

  it('can be told from kept figures as from fresh ones: the text reads no list of times', () => {
    const fresh = tableOf({ clean: figuresOf({ ...freshScore(), openMs: [120, 130, 301], finalMs: [700] }) });
    expect(textOf(JSON.parse(JSON.stringify(fresh)) as Figures)).toBe(textOf(fresh));
  });
});
