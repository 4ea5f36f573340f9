import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DownlinkFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import { INPUT } from '../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { drawBodies } from '../sim/bodies.ts';
import { createMat, type Mat } from '../sim/mat.ts';
import { createScriptedBoard, type ScriptedBoardAsk } from '../sim/scripted-board.ts';
import { standing } from '../sim/tracks.ts';
import type { SimBoard } from '../sim/world.ts';

/** A board on a mat with everything it says, decoded; a line that does not decode fails the test. */
function bench(more: Partial<ScriptedBoardAsk> = {}, seed = 3) {
  const mat = createMat(FIXED_12, seed);
  const board = createScriptedBoard({
    world: mat.world('A'),
    side: 'A',
    tiles: 6,
    halls: 2,
    device: '5C0FFEE1',
    bootId: 298,
    ...more,
  });
  const heard: { readonly atMs: number; readonly frame: UplinkFrame }[] = [];
  let nowMs = 0;
  const run = (toMs: number): void => {
    for (; nowMs < toMs; nowMs += 1) {
      board.runTo((nowMs + 1) * 1000);
      for (const { atUs, bytes } of board.takeBytes()) {
        const line = Buffer.from(bytes).toString('latin1');
        expect(line.endsWith('\n')).toBe(true);
        const decoded = decodeLine(line.slice(0, -1));
        if (!decoded.ok) throw new Error(`${decoded.fault}: ${decoded.detail} in ${line}`);
        heard.push({ atMs: atUs / 1000, frame: decoded.frame });
      }
    }
  };
  const tell = (frame: DownlinkFrame): void => board.feed(Buffer.from(`${encodeDown(frame)}\n`, 'latin1'));
  const of = <Kind extends UplinkFrame['kind']>(kind: Kind) =>
    heard.flatMap(({ atMs, frame }) =>
      frame.kind === kind ? [{ atMs, frame: frame as Extract<UplinkFrame, { kind: Kind }> }] : [],
    );
  return { mat, board, heard, run, tell, of };
}

/** A ball that comes to stand on tile 0 at this moment. */
function stand(mat: Mat, atUs: number): void {
  const tile = mat.tiles[0];
  const [body] = drawBodies({ seed: 5 });
  if (tile === undefined || body === undefined) throw new Error('a mat has tiles and balls');
  mat.put(standing(body, atUs, tile.x + 2, tile.y + 1));
}

describe('a quiet board', () => {
  it('is silent for a second, then says hello with seq 0, and again each second', () => {
    const { run, heard, of } = bench();
    run(4100);
    expect(heard[0]?.frame).toMatchObject({
      kind: 'hello',
      seq: 0,
      bootId: 298,
      boot: 42,
      device: '5C0FFEE1',
    });
    expect(heard[0]?.atMs).toBeGreaterThanOrEqual(1000);
    expect(heard[0]?.atMs).toBeLessThan(1003);
    expect(of('hello').map((h) => Math.round(h.frame.deviceUs / 1000))).toEqual([0, 1000, 2000, 3000]);
    expect(heard.map((h) => h.frame.seq)).toEqual(heard.map((_, i) => i));
  });

  it('sends quiet lines at 50 Hz that carry the level of every hall, and nothing dense', () => {
    const { run, of, mat } = bench();
    run(3000);
    const quiet = of('quiet');
    expect(quiet.length).toBeGreaterThanOrEqual(99);
    expect(quiet.length).toBeLessThanOrEqual(100);
    const gaps = quiet.slice(1).map((q, i) => q.frame.deviceUs - (quiet[i]?.frame.deviceUs ?? 0));
    expect(new Set(gaps)).toEqual(new Set([20_000]));
    expect(of('burst')).toEqual([]);
    expect(of('edge')).toEqual([]);
    const means = quiet.at(-1)?.frame.means ?? new Uint16Array();
    expect(means.length).toBe(12);
    mat.tiles.slice(0, 6).forEach((tile, t) => {
      tile.spread.halls.forEach((hall, h) => {
        // 512 counts at rest; 10.24 counts a millitesla.
        const expected = 4 * (511.5 + hall.offsetMt * 10.24);
        expect(Math.abs((means[2 * t + h] ?? 0) - expected)).toBeLessThan(6);
      });
    });
  });

  it('keeps its lines in the order and pace of a wire of 500000 baud', () => {
    const { run, heard } = bench();
    run(2500);
    for (let i = 1; i < heard.length; i += 1) {
      expect(heard[i]?.atMs).toBeGreaterThan(heard[i - 1]?.atMs ?? 0);
    }
  });

  it('has a clock that may be wrong by half a per cent', () => {
    const { run, of } = bench({ clockError: 0.005 });
    run(11_000);
    const quiet = of('quiet');
    const [first, last] = [quiet[0], quiet.at(-1)];
    const device = ((last?.frame.deviceUs ?? 0) - (first?.frame.deviceUs ?? 0)) / 1000;
    expect(device / ((last?.atMs ?? 0) - (first?.atMs ?? 0))).toBeCloseTo(1.005, 4);
  });
});

describe('a ball on a tile', () => {
  it('brings bursts with at least 16 ms from before, without holes, and an edge at its time', () => {
    const { mat, run, of } = bench();
    run(1999);
    stand(mat, 2_500_000);
    run(2800);
    const bursts = of('burst').filter((b) => (b.frame.tileMask & 1) !== 0);
    const first = bursts[0]?.frame;
    // The device clock began after a second of silence.
    expect(1_500_000 - (first?.deviceUs ?? 0)).toBeGreaterThanOrEqual(16_000);
    expect(1_500_000 - (first?.deviceUs ?? 0)).toBeLessThanOrEqual(25_000);
    expect(bursts.map((b) => b.frame.deviceUs)).toEqual(
      bursts.map((_, i) => (first?.deviceUs ?? 0) + 8000 * i),
    );
    const [edge] = of('edge');
    expect(edge?.frame).toMatchObject({ input: 0, closed: true });
    expect(Math.abs((edge?.frame.deviceUs ?? 0) - 1_500_000)).toBeLessThanOrEqual(500);
  });

  it('shows the step in the samples and the contact in its bits', () => {
    const { mat, run, of } = bench();
    run(1999);
    stand(mat, 2_500_000);
    run(2800);
    const level: number[] = [];
    const closed: boolean[] = [];
    for (const { frame } of of('burst')) {
      if (frame.tileMask !== 1) continue;
      for (let ms = 0; ms < 8; ms += 1) {
        level.push(frame.samples[ms * frame.halls] ?? 0);
        closed.push(((frame.contacts[0] ?? 0) & (1 << ms)) !== 0);
      }
    }
    const rest = level.slice(0, 16).reduce((a, b) => a + b, 0) / 16;
    const seated = level.slice(-16).reduce((a, b) => a + b, 0) / 16;
    expect(seated - rest).toBeGreaterThan(100);
    expect(closed.slice(0, 15)).not.toContain(true);
    expect(closed.slice(-50)).not.toContain(false);
  });

  it('goes quiet again when nothing has moved for 0.3 s', () => {
    const { mat, run, of } = bench();
    stand(mat, 2_000_000);
    run(4000);
    const last = of('burst').at(-1)?.atMs ?? 0;
    expect(last).toBeGreaterThan(2290);
    expect(last).toBeLessThan(2500);
  });
});

describe('lines down', () => {
  it('are answered by tag; colours show after the strip write, scaled by the level', () => {
    const { run, tell, of, board } = bench();
    run(1500);
    tell({ kind: 'ping', tag: 4 });
    tell({ kind: 'led', tag: 5, tileMask: 0b10, rgb: 0x804020, level: 255, animation: 0 });
    run(1700);
    expect(of('answer').map((a) => [a.frame.tag, a.frame.status])).toEqual([
      [4, 'ok'],
      [5, 'ok'],
    ]);
    expect([...board.leds().rgb.slice(6, 12)]).toEqual(Array(6).fill(0x804020));
    expect(board.leds().rgb[0]).toBe(0);
  });

  it('hold back light while armed and say so; armed stands in the inputs; no scan is lost', () => {
    const { run, tell, of, board } = bench();
    run(1500);
    tell({ kind: 'arm', tag: 1, armed: true });
    run(1520);
    tell({ kind: 'led', tag: 2, tileMask: 1, rgb: 0xffffff, level: 255, animation: 3 });
    run(2000);
    const { writes } = board.leds();
    expect(of('answer').map((a) => a.frame.status)).toEqual(['ok', 'held']);
    expect((of('quiet').at(-1)?.frame.inputs ?? 0) & (1 << INPUT.armed)).not.toBe(0);
    run(3000);
    expect(board.leds().writes).toBe(writes);
    expect(of('health').at(-1)?.frame.lostScans).toBe(0);
    tell({ kind: 'arm', tag: 3, armed: false });
    run(4600);
    expect(board.leds().writes).toBeGreaterThan(10);
    // A write costs one scan, and there are at most ten in a second.
    expect(of('health').at(-1)?.frame.lostScans).toBeGreaterThan(5);
    expect(of('health').at(-1)?.frame.lostScans).toBeLessThanOrEqual(16);
  });

  it('are refused, unknown or counted as the protocol says', () => {
    const { run, tell, of, board } = bench();
    run(1200);
    tell({ kind: 'led', tag: 1, tileMask: 0x800, rgb: 0, level: 0, animation: 0 });
    tell({ kind: 'configure', tag: 2, key: 1, value: 2000 });
    tell({ kind: 'configure', tag: 3, key: 0x60, value: 1 });
    tell({ kind: 'configure', tag: 4, key: 2, value: 100 });
    board.feed(Buffer.from('P1,09,0000\nnoise\n\n', 'latin1'));
    run(2600);
    expect(of('answer').map((a) => a.frame.status)).toEqual(['refused', 'refused', 'unknown', 'ok']);
    expect(of('health').at(-1)?.frame.rxFaults).toBe(2);
  });

  it('name the board for good: identity survives a reset, the boot counter rises, seq starts anew', () => {
    const { run, tell, of, board } = bench({ side: 'unset', device: '00000000' });
    run(1500);
    tell({ kind: 'assign', tag: 9, device: 'BADCAFE5', side: 'B' });
    run(1600);
    expect(of('hello').at(-1)?.frame).toMatchObject({ device: 'BADCAFE5', side: 'B' });
    board.reset();
    run(2550);
    const before = of('hello').length;
    run(2700);
    const again = of('hello')[before]?.frame;
    expect(again).toMatchObject({ device: 'BADCAFE5', side: 'B', bootId: 299, seq: 0, resetCause: 2 });
  });

  it('set one thing at a time: after a reset all others are the defaults of the protocol reference', () => {
    const { mat, board, run, tell, of } = bench();
    run(1500);
    tell({ kind: 'configure', tag: 1, key: 2, value: 1000 });
    run(1600);
    board.reset();
    run(3000);
    tell({ kind: 'configure', tag: 2, key: 3, value: 20 });
    stand(mat, 3_500_000);
    run(5500);
    const last = of('burst').at(-1)?.atMs ?? 0;
    expect(last).toBeGreaterThan(3790);
    expect(last).toBeLessThan(4000);
  });
});

describe('faults on the mat', () => {
  it('read as rails and stuck inputs in a self-test', () => {
    const { mat, run, tell, of } = bench();
    const cell = mat.tiles[2]?.cell ?? '';
    mat.kill(cell, 1, 60);
    mat.spoil(cell, 'stuck', { fromUs: 0, toUs: Infinity });
    run(1500);
    tell({ kind: 'selftest', tag: 1 });
    run(1600);
    expect(of('fault').map((f) => [f.frame.code, f.frame.detail])).toEqual([
      [2, 5],
      [4, 2],
    ]);
  });
});

it('two boards of one seed give the same bytes, whatever the quantum', () => {
  const bytes = (quantumUs: number): string => {
    const mat = createMat(FIXED_12, 8);
    stand(mat, 1_600_000);
    const board: SimBoard = createScriptedBoard({
      world: mat.world('A'),
      side: 'A',
      tiles: 6,
      halls: 2,
      device: '5C0FFEE1',
    });
    const hash = createHash('sha256');
    for (let at = quantumUs; at <= 3_000_000; at += quantumUs) {
      board.runTo(at);
      for (const run of board.takeBytes()) hash.update(`${run.atUs} `).update(run.bytes);
    }
    return hash.digest('hex');
  };
  expect(bytes(1000)).toBe(bytes(1000));
  expect(bytes(1000)).toBe(bytes(250_000));
});
