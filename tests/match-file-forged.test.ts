/** Match files of an evening in which one field of the head was forged: every command says so, whichever field it is. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { doubtIn } from '../host/audit/doubt.ts';
import { exportMatch } from '../host/audit/export-match.ts';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { verifyFiles } from '../host/audit/page/verify-files.ts';
import { reportOn } from '../host/audit/report.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { openSigner } from '../host/journal/keys.ts';
import { keyText } from '../host/journal/note.ts';
import { PARTS } from '../host/parts.ts';
import { ran } from './support/program.ts';
import { twoMatches } from './support/two-matches.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Head = { [key: string]: Value };

let folder = '';
let otherKey = '';
const texts: string[] = [];

beforeAll(async () => {
  folder = await twoMatches();
  for (const match of await matchesIn(systemDisk, join(folder, 't1'))) {
    texts.push(await exportMatch(systemDisk, join(folder, 't1'), match, PARTS));
  }
  const other = join(folder, 'other');
  await systemDisk.makeFolder(other);
  otherKey = keyText((await openSigner(systemDisk, other, 'bakucore/t1')).key);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const headOf = (text: string): Head => JSON.parse(text.slice(0, text.indexOf('\n')));
const withHead = (text: string, head: Head): string =>
  `${JSON.stringify(head)}${text.slice(text.indexOf('\n'))}`;

/**
 * Places in a value, each with what a forger would write there: another number, another text, one thing more or less.
 * Texts that hold JSON are forged in what they hold; of a list its first member stands for all.
 */
function* forgeries(
  value: Value,
  place: string,
): Generator<{ readonly place: string; readonly forged: Value }> {
  if (value === null) yield { place, forged: 'x' };
  else if (typeof value === 'boolean') yield { place, forged: !value };
  else if (typeof value === 'number') yield { place, forged: value + 1 };
  else if (typeof value === 'string') {
    const other = value.endsWith('A') ? 'B' : 'A';
    yield { place, forged: place === 'key' ? otherKey : `${value.slice(0, -1)}${other}` };
    if (!value.startsWith('{')) return;
    for (const { place: at, forged } of forgeries(JSON.parse(value), place)) {
      yield { place: at, forged: JSON.stringify(forged) };
    }
  } else if (Array.isArray(value)) {
    yield { place: `${place}.more`, forged: [...value, 'A'.repeat(43)] };
    const [first] = value;
    if (first === undefined) return;
    yield { place: `${place}.less`, forged: value.slice(1) };
    for (const { place: at, forged } of forgeries(first, `${place}.0`))
      yield { place: at, forged: value.with(0, forged) };
  } else {
    yield { place, forged: null };
    for (const [key, one] of Object.entries(value)) {
      for (const { place: at, forged } of forgeries(one, `${place}.${key}`))
        yield { place: at, forged: { ...value, [key]: forged } };
    }
  }
}

/** The same file once for each forgery of each field of its head, and with a field more and one less. */
function forgedFiles(text: string): readonly { readonly place: string; readonly text: string }[] {
  const head = headOf(text);
  const found = Object.entries(head).flatMap(([field, value]) =>
    [...forgeries(value, field)].map(({ place, forged }) => ({
      place,
      text: withHead(text, { ...head, [field]: forged }),
    })),
  );
  const { start, ...less } = head;
  return [
    ...found,
    { place: 'more', text: withHead(text, { ...head, more: 1 }) },
    { place: 'less', text: withHead(text, start === undefined ? {} : less) },
  ];
}

/** Whatever is thrown is a fault with a code and a sentence, and counts as refused. */
async function saidOf(say: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await say();
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^journal\/(unknown-form|not-intact)$/) });
    return error instanceof Error ? error.message : '';
  }
}

describe.each([0, 1])('match %i of an evening', (n) => {
  it('is intact as it was exported, by each way to look', async () => {
    const text = texts[n] ?? '';
    const path = join(folder, 'whole.match');
    writeFileSync(path, text);
    const source = await openSource(path);
    expect(await verifySource(source, NODE_TOOLS)).toMatchObject({ state: 'intact' });
    expect((await verifySource(source, NODE_TOOLS)).notes.join()).not.toContain('Not proven');
    // The second ends with the stop of the host; how the first went on stands in the journal alone.
    const ends = (await verifySource(source, NODE_TOOLS)).notes.some((note) => note.includes('came behind'));
    expect(ends).toBe(n === 0);
    expect(await doubtIn(source)).toBeUndefined();
    expect(await verifyFiles([new File([text], 'whole.match')], undefined)).toMatchObject({
      verdict: { state: 'intact' },
    });
    expect((await reportOn([source], PARTS)).doubts).toEqual([]);
    for (const args of [['verify'], ['replay', '--check'], ['report']]) {
      expect([args, (await ran([...args, path], folder)).code]).toEqual([args, 0]);
    }
    expect(headOf(text).open === null).toBe(n === 0);
  });

  it('is refused by verify and by the page with any field of its head forged', async () => {
    const files = forgedFiles(texts[n] ?? '');
    const fields = new Set(files.map(({ place }) => place.split('.')[0]));
    for (const field of Object.keys(headOf(texts[n] ?? ''))) expect(fields).toContain(field);
    if (n === 1) {
      const places = files.map(({ place }) => place).join('\n');
      for (const part of [/limits\.openYes/, /calibration\.tiles/, /rulesetOptions\.players/, /start\./]) {
        expect(places).toMatch(part);
      }
    }
    const path = join(folder, 'forged.match');
    const believed: string[] = [];
    for (const { place, text } of files) {
      writeFileSync(path, text);
      const told = await saidOf(async () => {
        const { state, broken } = await verifySource(await openSource(path), NODE_TOOLS);
        return state === 'broken' ? broken?.text : undefined;
      });
      const onPage = await saidOf(async () => {
        const found = await verifyFiles([new File([text], 'forged.match')], undefined);
        return 'verdict' in found && found.verdict.state === 'broken'
          ? found.verdict.broken?.text
          : undefined;
      });
      if (told === undefined || onPage !== told) believed.push(`${place}: ${told} | ${onPage}`);
    }
    expect(believed).toEqual([]);
    expect(files.length).toBeGreaterThan(n === 0 ? 15 : 60);
  });

  it('is not vouched for by reports and evidence with any field of its head forged', async () => {
    const path = join(folder, 'forged.match');
    const believed: string[] = [];
    for (const { place, text } of forgedFiles(texts[n] ?? '')) {
      // What a record or a state holds is hashed whole: one field of each tells, and those that change what is ruled.
      if (place.split('.').length > 2 && !/limits\.openYes|players\.A\.name|seatedCounts/.test(place))
        continue;
      writeFileSync(path, text);
      const reported = await saidOf(async () => {
        const { doubts } = await reportOn([await openSource(path)], PARTS);
        return doubts[0]?.text;
      });
      let doubt: string | undefined;
      const bundled = await saidOf(async () => {
        const html = await makeBundle(await openSource(path), {
          parts: PARTS,
          doubtful: (one) => (doubt = one.text),
        });
        return html.includes('NOT what was written') && !html.includes('it is what was written')
          ? doubt
          : undefined;
      });
      if (reported === undefined || bundled === undefined)
        believed.push(`${place}: ${reported} | ${bundled}`);
    }
    expect(believed).toEqual([]);
  });
});
