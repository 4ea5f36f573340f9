import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WireCommand } from '../host/displays/feed-messages.ts';
import { handFor } from '../host/pages/operator/sim-hand.ts';
import type { CalibratingSeen } from '../host/sensing/calibrate-seen.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { FeedEar } from './support/feed-ear.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT } from './support/kept.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const SEED = 12;

describe('the calibration of a table, over its feed', () => {
  let rig: Rig;
  let ear: FeedEar;
  let ids = 0;

  beforeAll(async () => {
    rig = await hostRig({ seed: SEED });
    rig.play = false;
    ear = await FeedEar.open(Number(new URL(rig.host.url).port));
    ear.subscribe({ kind: 'operator' });
    await rig.pass(6000);
  });
  afterAll(() => ear.close());

  /** What the host answers to a command: nothing when it accepts, else the code. */
  async function ask(command: WireCommand, by: FeedEar = ear): Promise<string | undefined> {
    ids += 1;
    const id = `c${ids}`;
    by.send({ op: 'command', id, table: 't1', command });
    const answer = () =>
      by.heard.find((one) => (one.op === 'accepted' || one.op === 'refused') && one.id === id);
    await rig.until('the command is answered', () => answer() !== undefined, 5000);
    const found = answer();
    return found?.op === 'refused' ? found.refusal.code : undefined;
  }

  const now = (): CalibratingSeen | null => ear.scene?.calibrating ?? null;

  it('is the operator’s alone', async () => {
    const judge = await FeedEar.open(Number(new URL(rig.host.url).port));
    judge.subscribe({ kind: 'judge' });
    const start: WireCommand = { do: 'calibrate', act: 'start', reference: 'A/1', balls: [] };
    expect(await ask(start, judge)).toBe('feed/not-allowed');
    judge.close();
    expect(rig.scene().calibrating).toBeNull();
  });

  it('leads to its report: what to do, the lit tile, live levels, every tile measured', async () => {
    const balls = ['A/2', 'A/3', 'B/1', 'B/2', 'B/3'];
    expect(await ask({ do: 'calibrate', act: 'start', reference: 'A/1', balls })).toBeUndefined();
    let did = '';
    let fieldAtTarget = 0;
    const lit = new Set<string>();
    await rig.until(
      'the report is there',
      () => {
        const seen = now();
        if (seen === null) return false;
        const shining = ear.scene?.lights.filter(({ level }) => level > 0).map(({ cell }) => cell) ?? [];
        if (seen.step === 'seat' && shining.length === 1) lit.add(shining[0] ?? '');
        const level = ear.scene?.levels.find(({ cell }) => cell === seen.cell);
        fieldAtTarget = Math.max(fieldAtTarget, Math.abs(level?.fieldMt[0] ?? 0));
        const next = handFor(seen, did);
        if (next !== undefined) {
          did = next.did;
          // A hand at the simulated table, asked over the feed as the page does.
          ear.send({ op: 'sim', id: `h${did}`, table: 't1', action: next.action });
        }
        return seen.step === 'done';
      },
      180_000,
    );
    expect(now()?.report).toHaveLength(12);
    for (const tile of now()?.report ?? []) expect(tile).toMatchObject({ pass: true, contact: true });
    expect(now()?.gates.every(({ work }) => work)).toBe(true);
    expect(lit.size).toBe(12);
    expect(fieldAtTarget).toBeGreaterThan(5);
  });

  it('is kept in its file and in force from then on', async () => {
    expect(await ask({ do: 'calibrate', act: 'save' })).toBeUndefined();
    await rig.until('it is in use', () => now() === null && ear.scene?.calibrating === null, 10_000);
    const kept = rig.logged.find(({ text }) => text === 'Calibration kept');
    const file = String(kept?.fields.file ?? '');
    expect(existsSync(file)).toBe(true);
    const written: Calibration = JSON.parse(readFileSync(file, 'utf8'));
    expect(written.tiles).toHaveLength(12);
    expect(Object.keys(written.balls).sort()).toEqual(['A/1', 'A/2', 'A/3', 'B/1', 'B/2', 'B/3']);
  });

  it('is good enough to play on: a roll is ruled as it was', async () => {
    rig.play = true;
    for (let n = 0; n < 2; n += 1) expect((await rig.nextRoll()).wrong).toEqual([]);
  });

  it('is in force when the host starts again on the same file', async () => {
    const file = String(rig.logged.find(({ text }) => text === 'Calibration kept')?.fields.file);
    const written: Calibration = JSON.parse(readFileSync(file, 'utf8'));
    // One contact of that mat was found dead, which the simulated mat itself knows nothing of.
    const tiles = written.tiles.map((one) => (one.tile === 'A3' ? { ...one, contactWorks: false } : one));
    writeFileSync(file, JSON.stringify({ ...written, tiles }));
    const again = await hostRig({ seed: SEED, table: { calibration: file } });
    again.play = false;
    await again.pass(4000);
    const found = again.scene().health.map(({ code, cell }) => ({ code, cell }));
    expect(found).toEqual([{ code: 'health/contact-dead', cell: 'q1r1' }]);
    await again.close();
  });

  it('replays with the calibration in its middle: same words, same hashes', async () => {
    expect(await rig.close()).toMatchObject(ALL_KEPT);
  });
});
