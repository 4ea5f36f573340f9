import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import { detailsOf, PLAYABLE } from '../host/game/bakugan/versions.ts';
import { loadPlay, type SavedPlay, savePlay } from '../host/game/play.ts';
import { silentLog } from '../host/log.ts';
import { PARTS, rulesetUnder } from '../host/parts.ts';
import { openRecordedTable } from '../host/recorded-table.ts';
import { settingOfCapture, settingOfHead } from '../host/refold.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createVirtualClock } from '../sim/clock.ts';
import { memoryDisk } from './support/memory-disk.ts';

// Matches recorded by the program of that version: the head with the saved match, then what happened, a line an event.
const FOLDER = join(import.meta.dirname, 'versions');
const RECORDED = readdirSync(FOLDER).map((file) => {
  const [head = '', ...lines] = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
  const { winner, turn, match } = JSON.parse(head) as { winner: string; turn: number; match: SavedPlay };
  return { file, winner, turn, match, happened: lines.map((line) => JSON.parse(line) as unknown) };
});

/** What happens when the inputs of a match are given to these rules, as far as they take them. */
function replayed(rules: typeof bakugan, match: SavedPlay) {
  let { state } = rules.setup(match.options);
  const happened: unknown[] = [];
  let refused = 0;
  for (const input of match.inputs) {
    const outcome = rules.step(state, input);
    if (!outcome.ok) {
      refused += 1;
      continue;
    }
    state = outcome.state;
    for (const { type, rules: named, text, data } of outcome.events)
      happened.push([type, named.join(' '), text, data]);
  }
  return { state, happened, refused };
}

const older = (version: string) => bakugan.earlier?.find((one) => one.version === version) ?? bakugan;

describe('a match of an older version', () => {
  it('is there for every older version', () => {
    const versions = new Set(RECORDED.map(({ match }) => match.ruleset.version));
    expect([...versions].sort().reverse()).toEqual(PLAYABLE.filter((version) => version !== bakugan.version));
  });

  it.each(RECORDED)(
    '$file replays as it was recorded, event by event',
    ({ match, winner, turn, happened }) => {
      const again = replayed(older(match.ruleset.version), match);
      expect(again.refused).toBe(0);
      expect(again.happened).toEqual(happened);
      expect([again.state.winner, again.state.turn]).toEqual([winner, turn]);
      const loaded = loadPlay(older(match.ruleset.version), JSON.stringify(match));
      expect(loaded.state).toEqual(again.state);
      expect(JSON.parse(savePlay(loaded))).toEqual(match);
    },
  );

  it.each(RECORDED.filter(({ file }) => !file.includes('counts-only')))(
    '$file goes another way under the newest rules',
    ({ match, happened }) => {
      const again = replayed(bakugan, match);
      expect(again.refused).toBeGreaterThan(0);
      expect(again.happened).not.toEqual(happened);
    },
  );

  it('is refused by other versions, with those that there are', () => {
    const [one] = RECORDED;
    expect(() => loadPlay(bakugan, JSON.stringify(one?.match))).toThrow(
      /played under bakugan 1\.0\.0, not under/,
    );
    expect(() => detailsOf('9.9.9')).toThrow(`there are ${PLAYABLE.join(', ')}`);
  });

  it('keeps its version through everything that is derived from it', () => {
    const state = older('1.0.0').setup(demoOptions(FIXED_12.cells, 3)).state;
    expect(state.version).toBe('1.0.0');
    const next = bakugan.step(state, {
      type: 'energize',
      energize: false,
      by: { role: 'player', player: state.acting ?? 'A' },
    });
    expect(next.ok && next.state.version).toBe('1.0.0');
  });
});

describe('journals', () => {
  const base = settingOfCapture([], PARTS);
  const head = (version: string) => ({
    seq: 0,
    atMs: 0,
    kind: 'open' as const,
    table: 't1',
    data: JSON.parse(
      JSON.stringify({
        host: '0.1.0',
        protocol: 1,
        ruleset: { name: 'bakugan', version },
        rulesetOptions: base.rulesetOptions,
        layout: base.layout,
        calibration: base.calibration,
        limits: base.limits,
        links: [],
        ledBudgetMa: 1000,
        autoPassMs: null,
        simulated: true,
      }),
    ),
  });

  it('are read by the rules that their head names', () => {
    for (const version of PLAYABLE) expect(settingOfHead(head(version), PARTS).ruleset.version).toBe(version);
  });

  it('of a version that is not known are refused with what to do', () => {
    expect(() => settingOfHead(head('9.9.9'), PARTS)).toThrow(
      /bakugan 9\.9\.9, which this host does not have\. This host has bakugan 2\.1\.0, bakugan 2\.0\.0, bakugan 1\.0\.0: use a newer host/,
    );
  });

  it('go on under the version that they began with when a newer host starts on them', async () => {
    const disk = memoryDisk();
    const clock = createVirtualClock();
    const rules = rulesetUnder(PARTS, 'bakugan', '1.0.0') ?? base.ruleset;
    const open = (setting: typeof base, newMatch: boolean) =>
      openRecordedTable({
        dataDir: '/data',
        origin: 'bakucore/test/t1',
        configHash: 'test',
        setting,
        parts: PARTS,
        clock,
        log: silentLog,
        newMatch,
        disk,
        listener: { told() {}, changed() {} },
        openLinks: async () => [],
      });
    // Segments before the newest one are packed, so each head is looked at before the next start.
    const headAfter = async (setting: typeof base, newMatch: boolean) => {
      const table = await open(setting, newMatch);
      await table.close();
      const head = disk.safeRecords().findLast(({ kind }) => kind === 'open');
      const { resumes, ruleset } = JSON.parse(JSON.stringify(head?.data));
      return [resumes, ruleset.version];
    };
    expect(await headAfter({ ...base, ruleset: rules }, true)).toEqual([false, '1.0.0']);
    expect(await headAfter(base, false)).toEqual([true, '1.0.0']);
    expect(await headAfter(base, true)).toEqual([false, bakugan.version]);
  });
});
