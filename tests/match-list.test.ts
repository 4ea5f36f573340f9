import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { searchMatches } from '../host/audit/match-search.ts';
import { INDEX_FILE, type Match, matchesIn } from '../host/audit/matches.ts';
import { type Disk, systemDisk } from '../host/journal/disk.ts';

describe('the list of matches', () => {
  it('lists and searches ten thousand matches on plain files', async () => {
    const many = mkdtempSync(join(tmpdir(), 'bakucore-matches-'));
    onTestFinished(() => rmSync(many, { recursive: true, force: true }));
    const lines = Array.from({ length: 10_000 }, (_, i): string => {
      const match: Match = {
        id: `t1-${i * 100}`,
        table: 't1',
        from: i * 100,
        to: i * 100 + 100,
        fromMs: i,
        toMs: i + 1,
        startedAt: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString(),
        ruleset: 'bakugan 1',
        players: { A: `Player ${i % 97}`, B: `Guest ${i % 89}` },
        winner: i % 2 === 0 ? 'A' : 'B',
        rolls: 9,
        undetermined: i % 10 === 0 ? 1 : 0,
        corrections: 0,
        closed: true,
      };
      return JSON.stringify(match);
    });
    writeFileSync(join(many, INDEX_FILE), `${lines.join('\n')}\n`);
    const read: string[] = [];
    const disk: Disk = {
      ...systemDisk,
      read: (path) => {
        read.push(path);
        return systemDisk.read(path);
      },
    };
    const all = await matchesIn(disk, many);
    const found = searchMatches(all, ['player 7', '2026-06', 'undetermined']);
    expect(all).toHaveLength(10_000);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ undetermined }) => undetermined > 0)).toBe(true);
    // One file says it all, however many there are: no journal is opened.
    expect(read).toEqual([join(many, INDEX_FILE)]);
  });
});
