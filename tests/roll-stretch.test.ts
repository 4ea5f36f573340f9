import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { stretchOf } from '../host/audit/roll-stretch.ts';
import { type RollCase, rollsOf } from '../host/audit/rolls.ts';
import { openSource, type Source } from '../host/audit/source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { snapshotsIn } from '../host/journal/snapshots.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { quickDisk } from './support/quick-disk.ts';
import { tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder = '';
let source: Source;
let whole: RollCase[] = [];

const casesOf = async (from: Source, only?: string): Promise<RollCase[]> => {
  const cases: RollCase[] = [];
  const each = (one: RollCase): void => void cases.push(one);
  const asked = only === undefined ? {} : { only };
  await rollsOf(from, {
    parts: PARTS,
    traceOf: (roll) => only === undefined || roll === only,
    each,
    ...asked,
  });
  return cases;
};

// One game that is left in the middle, gone on with, and played for some rolls more.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-stretch-'));
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const ask = { sim, setting: settingFor(sim, demoFor(6)), disk: quickDisk(), dataDir: folder };
  const clock = virtualClock();
  const first = await tableRun({ ...ask, clock, seed: 6 });
  await first.run(36_000);
  await first.close();
  const second = await tableRun({ ...ask, clock: virtualClock(0, clock.wallMs + 1000), seed: 7 });
  await second.run(24_000);
  await second.close();
  source = await openSource(join(folder, 't1'));
  whole = await casesOf(source);
}, 120_000);

/** Games of one journal count their rolls alike. */
const named = (roll: string): readonly RollCase[] => whole.filter((one) => one.roll === roll);
const lastAlone = (): RollCase => {
  const one = whole.filter(({ roll }) => named(roll).length === 1).at(-1);
  if (one === undefined) throw new Error('no roll has a name of its own');
  return one;
};

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the evidence of one roll', () => {
  it('is the same from the nearest kept state as from the beginning', async () => {
    expect(whole.length).toBeGreaterThan(4);
    let near = 0;
    for (const one of whole) {
      const stretch = await stretchOf(source, one.roll, PARTS);
      expect(stretch?.lastSeq).toBeGreaterThanOrEqual(one.rulingSeqs.at(-1) ?? one.fromSeq);
      if (stretch?.from !== undefined) near += 1;
      expect(stretch?.from?.seq ?? 0).toBeLessThan(one.fromSeq);
      expect(await casesOf(source, one.roll)).toEqual(named(one.roll));
    }
    expect(near).toBeGreaterThan(0);
  });

  it('is the same page, byte for byte, where no state is kept', async () => {
    const { snapshot: _, ...bare } = source;
    const last = lastAlone().roll;
    expect((await stretchOf(bare, last, PARTS))?.from).toBeUndefined();
    const ask = { parts: PARTS, roll: last };
    expect(await makeBundle(source, ask)).toBe(await makeBundle(bare, ask));
  });

  it('takes no state for granted: one that is not what its record says is passed over', async () => {
    const [newest = 0] = await snapshotsIn(systemDisk, join(folder, 't1'));
    const lying: Source = {
      ...source,
      async snapshot(seq) {
        const kept = await source.snapshot?.(seq);
        return kept === undefined
          ? undefined
          : { ...kept, state: kept.state.replace(/"game":\d+/, '"game":99') };
      },
    };
    expect(newest).toBeGreaterThan(0);
    const last = lastAlone();
    expect((await stretchOf(source, last.roll, PARTS))?.from).toBeDefined();
    expect((await stretchOf(lying, last.roll, PARTS))?.from).toBeUndefined();
    expect(await casesOf(lying, last.roll)).toEqual([last]);
  });
});
