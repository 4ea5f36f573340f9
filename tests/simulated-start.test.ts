import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { countBoots } from '../bin/simulated-boots.ts';

describe('boards of a simulated table that is started again', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'boots-'));
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const one of folders.splice(0)) rmSync(one, { recursive: true });
  });

  it('count on, and no two of 256 starts share the number that a line carries', async () => {
    const data = folder();
    const seen = new Set<number>();
    for (let start = 0; start < 256; start += 1) seen.add((await countBoots(data)) & 0xff);
    expect(seen.size).toBe(256);
  });

  it('begin anew where the file says nothing, and do not stop a start', async () => {
    const data = folder();
    const first = await countBoots(data);
    writeFileSync(join(data, 'simulated-boots.json'), 'torn');
    expect(await countBoots(data)).toBe(first);
    writeFileSync(join(data, 'taken'), '');
    expect(await countBoots(join(data, 'taken'))).toBe(first);
  });
});
