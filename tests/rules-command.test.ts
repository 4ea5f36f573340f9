import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { explainedRules, nearestRules } from '../host/game/scenarios/explain.ts';

// Each call is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'host/game/scenarios/README.md'), 'utf8');
const [EXAMPLE = ''] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map((one) => one[1] ?? '');
const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function rules(...args: readonly string[]) {
  const run = spawnSync(process.execPath, [join(ROOT, 'dist/bin/bakucore.js'), 'rules', ...args], {
    encoding: 'utf8',
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

describe('bakucore rules hand-entry', () => {
  it('prints the table that stands beside the card files', () => {
    const page = readFileSync(join(ROOT, 'host/game/bakugan/data/cards/HAND-ENTRY.md'), 'utf8');
    expect(rules('hand-entry')).toEqual({ code: 0, out: page, err: '' });
  });
});

describe('bakucore rules check', () => {
  it('plays the example of the document', () => {
    expect(rules('check', file('example.yaml', EXAMPLE))).toEqual({
      code: 0,
      out: '1 of 1 scenarios as expected\n',
      err: '',
    });
  });

  it('shows step, difference and rules of a failure, and ends with 1', () => {
    const path = file('wrong.yaml', EXAMPLE.replace('A/1.bPower: 200', 'A/1.bPower: 900'));
    const { code, out } = rules('check', path, join(folder, 'example.yaml'));
    expect(code).toBe(1);
    expect(out).toContain('wrong.yaml: "an Action that is negated');
    expect(out).toContain('in step 5 of 5, {"pass":2}:\n    A/1.bPower: should be 900, is 200');
    expect(out).toContain('4.4.3: Two passes in a row let the top object happen');
    expect(out).toContain('1 of 2 scenarios as expected');
  });

  it('tells programs the same as an object a line', () => {
    const { code, out } = rules('check', '--json', join(folder, 'wrong.yaml'));
    expect(code).toBe(1);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      file: join(folder, 'wrong.yaml'),
      ok: false,
      rules: ['4.4.3', '6.2.1.1'],
      failures: [{ step: 5, what: 'A/1.bPower', expected: 900, found: 200 }],
    });
  });

  it('shows what happens and what is possible after the last step', () => {
    const { out } = rules('check', '--show', join(folder, 'example.yaml'));
    expect(out).toContain('batch/negated: Magma Boost of Ember is negated. (6.2.1.1)');
    expect(out).toContain('possible now: {"as":"A","type":"pass"} (Pass)');
  });

  it('plays a whole folder', () => {
    const { code, out } = rules('check', join(ROOT, 'tests/scenarios'));
    expect(code).toBe(0);
    const [, right, all] = /^(\d+) of (\d+) scenarios as expected\n$/.exec(out) ?? [];
    expect(Number(right)).toBeGreaterThan(1000);
    expect(right).toBe(all);
  });

  it('names file, scenario, step, field and remedy of what does not fit, and ends with 2', () => {
    const bad = file(
      'bad.json',
      JSON.stringify({ name: 'b', rules: ['1.5'], steps: [{ pass: 0, expect: {} }] }),
    );
    const run = rules('check', bad, file('torn.yaml', 'name: [x'), join(folder, 'none.yaml'));
    expect(run.code).toBe(2);
    expect(run.err).toContain(`${bad}: "b", step 1, pass: 0 is no whole number from 1 to 40`);
    expect(run.err).toMatch(/torn\.yaml: This is no YAML: .*line 1/);
    expect(run.err).toContain('none.yaml: There is no such file. Check the path.');
    expect(run.out).toBe('0 of 0 scenarios as expected, 3 files not usable\n');
    expect(JSON.parse(rules('check', '--json', bad).out)).toEqual({
      file: bad,
      faults: ['"b", step 1, pass: 0 is no whole number from 1 to 40'],
    });
    expect(rules('check').code).toBe(2);
  });
});

describe('bakucore rules explain', () => {
  it('prints a rule with those below it, however it is written', () => {
    const { code, out } = rules('explain', '5.7.2');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(':')[0])).toEqual([
      ...['5.7.2', '5.7.2.1', '5.7.2.2', '5.7.2.3'],
      '',
    ]);
    expect(rules('explain', 'am-13').out).toMatch(/^AM-13: /);
  });

  it('prints all of them when none is named', () => {
    expect(rules('explain').out.trim().split('\n')).toHaveLength(explainedRules().length);
  });

  it('names the nearest ones of a rule that is not there', () => {
    const { code, err } = rules('explain', '5.7.9');
    expect(code).toBe(1);
    expect(err).toMatch(/no rule "5\.7\.9" here\. Near it are 5\.7\.1, 5\.7\.2, /);
    expect(nearestRules('5.13.9')[0]).toMatch(/^5\.13\./);
    expect(nearestRules('AM-99')[0]).toMatch(/^AM-/);
    expect(nearestRules('')).toHaveLength(3);
  });
});
