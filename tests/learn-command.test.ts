import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { confirmedBalls } from '../host/audit/confirmed.ts';
import { type RollCase, rollsOf } from '../host/audit/rolls.ts';
import { openSource } from '../host/audit/source.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { ran } from './support/program.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = join(import.meta.dirname, '..');
const SOUND = join(ROOT, 'tests/corpus/sound-1.jsonl.gz');
const folder = mkdtempSync(join(tmpdir(), 'learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Said = {
  readonly now: object;
  readonly proposed: object;
  readonly balls: Readonly<Record<string, number>>;
  readonly inForce: string;
};

async function learnt(args: readonly string[]): Promise<Said> {
  const { code, stdout, stderr } = await ran(['learn', ...args, '--json'], folder);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Said;
}

describe('what is in force for bakucore learn', () => {
  it('is what the journal recorded, not what this host would take by itself', async () => {
    const [head = '', ...rest] = gunzipSync(readFileSync(SOUND)).toString().split('\n');
    const other = head
      .replace(/"openYes":[0-9.]+/, '"openYes":0.96')
      .replace(/"openNo":[0-9.]+/, '"openNo":0.03');
    expect(other).not.toBe(head);
    const file = join(folder, 'other.jsonl');
    writeFileSync(file, [other, ...rest].join('\n'));
    const said = await learnt([file]);
    expect(said).toMatchObject({ now: { openYes: 0.96, openNo: 0.03 }, inForce: `as ${file} recorded them` });
  });

  it('is what a config says where one is given', async () => {
    const config = join(folder, 'table.yaml');
    const links = { a: { transport: 'serial', path: '/dev/ttyACM0' } };
    const table = {
      rulesetOptions: demoOptions(FIXED_12.cells, 1),
      links,
      sensing: { openYes: 0.93, openNo: 0.04 },
    };
    writeFileSync(config, JSON.stringify({ tables: { t1: table } }));
    expect(await learnt([SOUND, '--config', config])).toMatchObject({ now: { openYes: 0.93, openNo: 0.04 } });
    const { code, stderr } = await ran(['learn', SOUND, '--config', config, '--table', 't9'], folder);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/has no table "t9".*It has: t1/s);
  });
});

describe('how the result of a ball is known', () => {
  it('is not confirmed by silence: balls of a match without judges count as not looked at', async () => {
    const said = await learnt([SOUND]);
    expect(said.balls.unseen).toBeGreaterThan(4);
    expect(said.balls).toMatchObject({ confirmed: 0, corrected: 0 });
    expect(said.proposed).toEqual(said.now);
  });

  it('tells a judge who rules as the host did from one who corrects it', async () => {
    const rolls: RollCase[] = [];
    await rollsOf(await openSource(SOUND), { parts: PARTS, each: (one) => rolls.push(one) });
    const one = rolls.find(({ final }) => final?.balls.every(({ opened }) => opened !== 'undetermined'));
    if (one?.final === undefined) throw new Error('no roll was decided');
    const { balls } = one.final;
    const judged = (turned: string | undefined) =>
      confirmedBalls({
        ...one,
        corrections: [
          {
            seq: 1,
            seqs: [1],
            atMs: 0,
            by: null,
            answer: [],
            record: null,
            wallTime: undefined,
            command: {
              input: {
                type: 'judge-roll',
                results: balls.map(({ player, opened }) => ({
                  player,
                  opened: player === turned ? (opened === 'yes' ? 'no' : 'yes') : opened,
                })),
              },
            },
          },
        ],
      }).map(({ player, looked }) => `${player} ${looked}`);
    expect(judged(undefined).sort()).toEqual(['A confirmed', 'B confirmed']);
    expect(judged('B').sort()).toEqual(['A confirmed', 'B corrected']);
    expect(confirmedBalls({ ...one, corrections: [] }).map(({ looked }) => looked)).toEqual([
      'unseen',
      'unseen',
    ]);
  });
});
