import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cloudEventOf } from '../host/audit/cloud-events.ts';
import { eventSchema, recordSchema, schemaFiles } from '../host/audit/schemas.ts';
import { entryOfText } from '../host/journal/entry.ts';
import { FIRST_SEGMENT, writeJournal } from './support/small-journal.ts';

describe('schemas', () => {
  it('stand in files as they are in code', () => {
    for (const [name, schema] of Object.entries(schemaFiles())) {
      const path = join(import.meta.dirname, '../host/audit/schema', name);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
    }
  });

  it('hold for every record that is written and every event that is exported', async () => {
    const lines = (await writeJournal(300))
      .text(FIRST_SEGMENT)
      .split('\n')
      .filter((line) => line !== '');
    const ids = new Set<string>();
    for (const line of lines) {
      recordSchema.parse(JSON.parse(line));
      const entry = entryOfText(line);
      if (entry === undefined || 'pruned' in entry) throw new Error('no record');
      const event = cloudEventOf(entry.record, 'bakucore/t1', () => '2026-01-01T00:00:00.000Z');
      if (event === undefined) continue;
      eventSchema.parse(event);
      expect(Object.keys(event).every((key) => /^[a-z0-9]{1,20}$/.test(key))).toBe(true);
      ids.add(String(event.id));
    }
    // One open, six rulings, one close.
    expect(ids.size).toBe(8);
  });
});
