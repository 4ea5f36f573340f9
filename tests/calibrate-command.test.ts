import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { leadCalibration } from '../bin/calibrate-lead.ts';
import { calibrationTable, gatesOf } from '../bin/calibration-table.ts';
import { TableFault } from '../host/fault.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { Side } from '../host/ids.ts';
import {
  type CalibratePrompt,
  type Calibrator,
  calibrationMade,
  createCalibrator,
  skipStep,
} from '../host/sensing/calibrate.ts';
import { calibrationReport } from '../host/sensing/calibration-report.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import type { TransportEvents, TransportKind } from '../host/transports/transport.ts';
import { drawBodies } from '../sim/bodies.ts';
import { createMat } from '../sim/mat.ts';
import { createScriptedBoard } from '../sim/scripted-board.ts';
import { lifted, standing } from '../sim/tracks.ts';
import { ran } from './support/program.ts';
import { testClock } from './support/transports.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 240_000 });

const SEED = 7;
const SILENT_MS = 15_000;
const [BODY] = drawBodies({ seed: SEED });

/** Two boards behind links `usb-a` and `usb-b`, led by a person; `spoil` may silence a board or hold a beam. */
async function led(ask: {
  readonly silentFromMs?: Partial<Record<Side, number>>;
  readonly beams?: readonly ('near' | 'far')[];
}) {
  const body = BODY;
  if (body === undefined) throw new Error('no ball was drawn');
  const clock = testClock();
  const mat = createMat(FIXED_12, SEED);
  const heard = new Map<string, TransportEvents>();
  const boards = (['A', 'B'] as const).map((side) => ({
    side,
    link: `usb-${side.toLowerCase()}`,
    text: '',
    board: createScriptedBoard({
      world: mat.world(side),
      side,
      tiles: 6,
      halls: 2,
      device: side === 'A' ? 'A0000001' : 'B0000001',
    }),
  }));
  const fake: TransportKind<unknown> = {
    name: 'fake',
    parse: (options) => options,
    async open(link, _options, events) {
      heard.set(link, events);
      return {
        link,
        send(line) {
          boards.find((one) => one.link === link)?.board.feed(Buffer.from(`${line}\n`));
          return true;
        },
        async close() {
          heard.delete(link);
        },
      };
    },
  };
  const prompts: string[] = [];
  let held = '';
  const done = leadCalibration({
    layout: FIXED_12,
    links: {
      'usb-a': { transport: 'fake', options: {} },
      'usb-b': { transport: 'fake', options: {} },
    },
    parts: { transports: [fake], rulesets: [] },
    clock,
    silentMs: SILENT_MS,
    begin: (gates) =>
      createCalibrator({ layout: FIXED_12, reference: body.bakugan, balls: [], gates, before: undefined }),
    told(prompt, calibrator) {
      prompts.push(prompt.text);
      act(prompt, calibrator);
    },
    aside() {},
  }).then(
    (calibrator) => ({ calibrator, fault: undefined }),
    (fault: unknown) => ({ calibrator: undefined, fault }),
  );
  const act = (prompt: CalibratePrompt, calibrator: Calibrator): void => {
    const us = clock.now() * 1000 + 500_000;
    const track = mat.track(held);
    if (calibrator.leaving) {
      if (track !== undefined) mat.put(lifted(track, us, 250));
      held = '';
    } else if (prompt.step.kind === 'seat' && held === '') {
      const tile = mat.tiles.find(({ cell }) => cell === prompt.cell);
      mat.put(standing(body, us, tile?.x ?? 0, tile?.y ?? 0));
      held = body.bakugan;
    } else if (prompt.step.kind === 'gates') {
      const gates = ask.beams ?? ['near', 'far'];
      for (const gate of gates) {
        mat.handInGate(prompt.step.side, gate, { fromUs: us, toUs: us + 200_000 });
      }
      if (gates.length < 2) clock.after(3000, () => skipStep(calibrator));
    }
  };
  let over = false;
  void done.then(() => {
    over = true;
  });
  while (!over && clock.now() < 200_000) {
    await clock.pass(20);
    for (const one of boards) {
      one.board.runTo(clock.now() * 1000);
      const bytes = one.board.takeBytes().map((run) => Buffer.from(run.bytes).toString('latin1'));
      const lines = (one.text + bytes.join('')).split('\n');
      one.text = lines.pop() ?? '';
      if (clock.now() >= (ask.silentFromMs?.[one.side] ?? Number.POSITIVE_INFINITY)) continue;
      for (const line of lines) heard.get(one.link)?.line(one.link, { line });
    }
  }
  return { ...(await done), prompts, tookMs: clock.now() };
}

describe('calibrating a real table from the command', () => {
  it('leads through every tile and the launch gates of both sides, each named', async () => {
    const { calibrator, prompts } = await led({});
    if (calibrator === undefined) throw new Error('it ended without a calibration');
    for (const side of ['A', 'B']) {
      expect(prompts.filter((text) => text.includes(`both light beams of side ${side}`))).toHaveLength(1);
    }
    const made = calibrationMade(calibrator);
    if (made === undefined) throw new Error('it is not done');
    const report = calibrationReport(FIXED_12, made);
    expect(report.filter(({ pass }) => !pass)).toEqual([]);
    const text = calibrationTable(report, gatesOf(calibrator)).join('\n');
    expect(text).toContain('Launch gate of side A: near beam works, far beam works.');
    expect(text).toContain('Launch gate of side B: near beam works, far beam works.');
    // The whole row of each tile: one share a neighbour.
    const rows = text.split('\n').filter((line) => line.includes("neighbours' balls"));
    expect(rows).toHaveLength(12);
    for (const [i, row] of rows.entries()) {
      for (const tile of Object.keys(report[i]?.neighbours ?? {})) expect(row).toContain(`${tile} `);
    }
    expect(text.match(/ offset /g)).toHaveLength(12);
  });

  it('names the beam that was not seen to work', async () => {
    const { calibrator } = await led({ beams: ['near'] });
    if (calibrator === undefined) throw new Error('it ended without a calibration');
    expect(gatesOf(calibrator)).toEqual([
      { side: 'A', near: true, far: false },
      { side: 'B', near: true, far: false },
    ]);
    expect(calibrationTable([], gatesOf(calibrator)).join('\n')).toMatch(/far beam NOT SEEN TO WORK/);
  });

  it.each([
    ['from the start', 0],
    ['in the middle', 20_000],
  ])('ends with an error that names link and remedy when a board is silent %s', async (_when, fromMs) => {
    const { fault, tookMs } = await led({ silentFromMs: { B: fromMs } });
    expect(fault).toBeInstanceOf(TableFault);
    expect(fault).toMatchObject({ code: 'calibrate/silent' });
    expect(String(fault)).toMatch(/Side B said nothing for 15 s: look at link usb-b\./);
    expect(fault instanceof TableFault && fault.remedy).toMatch(/Plug the board in/);
    expect(tookMs).toBeGreaterThan(fromMs + SILENT_MS - 1000);
    expect(tookMs).toBeLessThan(fromMs + SILENT_MS + 1000);
  });
});

describe('bakucore calibrate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calibrate-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives up on a port that is not there after the time that was set, with link and remedy', async () => {
    const config = join(folder, 'table.yaml');
    const links = {
      'usb-a': { transport: 'serial', path: '/dev/not-there-a' },
      'usb-b': { transport: 'serial', path: '/dev/not-there-b' },
    };
    const table = { rulesetOptions: demoOptions(FIXED_12.cells, SEED), links };
    writeFileSync(config, JSON.stringify({ tables: { t1: table } }));
    const { code, stderr } = await ran(['calibrate', '--config', config, '--silent-seconds', '2'], folder);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/Side A and side B said nothing for 2 s: look at link usb-a \(.*\), usb-b \(/);
    expect(stderr).toMatch(/Plug the board in/);
  });

  it('tries the gates of the simulated table, and prints both halls and neighbours of each tile', async () => {
    const { code, stdout, stderr } = await ran(['calibrate', '--simulated', '--json'], folder);
    expect(code).toBe(0);
    const said = JSON.parse(stdout) as {
      tiles: { halls: { hall: string }[]; neighbours: Record<string, number> }[];
      gates: object[];
    };
    expect(said.tiles).toHaveLength(12);
    for (const tile of said.tiles)
      expect(tile.halls.map(({ hall }) => hall)).toEqual(['collector', 'offset']);
    expect(said.gates).toEqual([
      { side: 'A', near: true, far: true },
      { side: 'B', near: true, far: true },
    ]);
    expect(stderr).toContain('both light beams of side B');
  });
});
