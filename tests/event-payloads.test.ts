/** Every event of a whole simulated match fits the schema that it names, and a payload that was changed does not. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMatch } from '../bin/match/run-match.ts';
import { EVENT_TYPES } from '../host/audit/cloud-events.ts';
import { eventLines } from '../host/audit/events.ts';
import { openSource } from '../host/audit/source.ts';

const SCHEMAS = join(import.meta.dirname, '../host/audit/schema');
const read = (name: string) => JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8'));

type Event = {
  readonly type: string;
  readonly dataschema: string;
  readonly data: { readonly [key: string]: unknown };
};

// The files hold formats of Zod (a date-time) that come with a pattern of their own.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false });
const envelope = ajv.compile(read('event.v1.json'));
for (const name of readdirSync(SCHEMAS).filter((one) => one.startsWith('payload-')))
  ajv.addSchema(read(name));

/** Whether the payload fits the schema that the event names. */
function fits({ dataschema }: Event, data: unknown): boolean {
  const check = ajv.getSchema(dataschema);
  if (check === undefined) throw new Error(`no schema ${dataschema}`);
  return check(data) === true;
}

let folder = '';
let events: readonly Event[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-payloads-'));
  await runMatch({ seed: 7, dataDir: folder, boards: 'scripted', told() {}, progress() {} });
  const source = await openSource(join(folder, 't1'));
  const text: string[] = [];
  for await (const piece of eventLines(source)) text.push(piece);
  events = text
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typeOf = ({ type }: Event): string => type.replace(/^io\.bakucore\.(.*)\.v1$/, '$1');
const ofType = (type: string): readonly Event[] => events.filter((one) => typeOf(one) === type);

describe('the events of a whole match', () => {
  it('are of every type there is, and each fits the envelope and its own payload schema', () => {
    expect([...new Set(events.map(typeOf))].sort()).toEqual([...EVENT_TYPES].sort());
    const wrong = events.filter((event) => !envelope(event) || !fits(event, event.data));
    expect(wrong.map((event) => JSON.stringify(event).slice(0, 300))).toEqual([]);
  });

  it('each carry a type and a schema of one name', () => {
    for (const event of events) expect(event.dataschema).toBe(`urn:bakucore:schema:${typeOf(event)}:v1`);
    expect(envelope({ ...events[0], dataschema: 'urn:bakucore:schema:other:v1' })).toBe(false);
  });
});

type Change = readonly [where: string, to: unknown];
const CHANGES: Readonly<Record<(typeof EVENT_TYPES)[number], readonly Change[]>> = {
  ruling: [
    ['ruling.stage', 'late'],
    ['ruling.revision', 0],
    ['ruling.balls.0.opened', 'maybe'],
    ['ruling.balls.0.opened', undefined],
    ['ruling.balls.0.confidence.opened', 1.1],
    ['ruling.balls.0.contact.sure', 'A1'],
    ['ruling.balls.0.audit.speed.measured', 'yes'],
    ['ruling.balls.0.audit.path.coverage', -1],
    ['ruling.balls.0.reasons.0.rules', '5.7.2'],
    ['ruling.balls.0.weight', 1],
    ['ruling.window', { fromMs: 1 }],
    ['ruling.illegal', [{ code: 'x' }]],
  ],
  retraction: [
    ['retraction.why', 7],
    ['retraction.roll', undefined],
    ['retraction.stage', 'x'],
  ],
  event: [
    ['event.type', 3],
    ['event.rules', [5.7]],
    ['event.text', undefined],
    ['event.data', []],
  ],
  command: [
    ['command.do', 'cheer'],
    ['command.by.role', 'guest'],
    ['command.more', 1],
    ['id', undefined],
  ],
  fault: [
    ['code', undefined],
    ['text', null],
    ['link', 4],
  ],
  open: [
    ['layout.cells.0.side', 'C'],
    ['limits.openYes', 'high'],
    ['calibration.tiles.0.halls.0.restCounts', 2000],
    ['resumes', 'no'],
    ['links.0.wire.ordered', 1],
    ['wallTime', 'noon'],
    ['ruleset.version', undefined],
  ],
  close: [
    ['wallTime', undefined],
    ['state', 12],
  ],
};

/** The payload with one place changed, or taken away where it is changed to nothing. */
function changed(data: unknown, where: string, to: unknown): unknown {
  const copy = structuredClone(data);
  const keys = where.split('.');
  const last = keys.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (to === undefined) delete at[last];
  else at[last] = to;
  return copy;
}

describe('a changed payload', () => {
  it.each(EVENT_TYPES.flatMap((type) => CHANGES[type].map(([where, to]) => [type, where, to] as const)))(
    'of %s fails: %s = %j',
    (type, where, to) => {
      const event = ofType(type).find(({ data }) => {
        const text = JSON.stringify(data);
        if (type === 'command') return text.includes('"do":"new-game"');
        return type !== 'ruling' || (text.includes('"final"') && !text.includes('"reasons":[]'));
      });
      expect(event).toBeDefined();
      if (event === undefined) return;
      expect(fits(event, event.data)).toBe(true);
      expect(fits(event, changed(event.data, where, to))).toBe(false);
    },
  );

  it.each(EVENT_TYPES.filter((type) => type !== 'open'))(
    'of %s fails with a key that nobody knows',
    (type) => {
      const [event] = ofType(type);
      expect(event).toBeDefined();
      if (event !== undefined) expect(fits(event, { ...event.data, more: 1 })).toBe(false);
    },
  );

  it.each(EVENT_TYPES)('of %s fails under the schema of another type', (type) => {
    const [event] = ofType(type);
    const [other] = ofType(type === 'event' ? 'ruling' : 'event');
    if (event === undefined || other === undefined) throw new Error('no such event');
    expect(fits(event, other.data)).toBe(false);
  });
});
