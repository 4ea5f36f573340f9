import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownlinkFrame, QuietFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import { CAPABILITY } from '../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import { firmataKind } from '../host/transports/firmata.ts';
import { forkedBoard } from '../host/transports/firmata-fork.ts';
import type { Transport } from '../host/transports/transport.ts';
import { openPty, type PtyEnd } from '../sim/pty.ts';
import { createFirmataBoard, type FirmataBoard } from './support/firmata-board.ts';
import { eventually, hasProgram, Listener, placeOf, realClock } from './support/transports.ts';

const socatIsThere = hasProgram('socat');
if (!socatIsThere) console.warn('skipped: Firmata over a pty needs socat (apt-get install socat)');

const SOURCE = ['--import', join(import.meta.dirname, 'support/typescript.mjs')];
const OPTIONS = {
  device: 'f1a70001',
  tiles: [
    { tile: 0, hall: 'A0', contact: 2, led: 13 },
    { tile: 1, hall: 'A1', contact: 3, led: 9 },
    { tile: 2, hall: 'A2', contact: 'A3' },
  ],
  stud: 8,
  gates: { near: 4, far: 5 },
  silentMs: 3000,
  answerMs: 20_000,
};
describe.skipIf(!socatIsThere)('a StandardFirmata board on a pty, through johnny-five', () => {
  let folder: string;
  let path: string;
  let pty: PtyEnd | undefined;
  let board: FirmataBoard;
  let listener: Listener;
  let transport: Transport | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bakucore-firmata-'));
    path = join(folder, 'port');
    listener = new Listener();
  });
  afterEach(async () => {
    await transport?.close();
    transport = undefined;
    board.halt();
    await pty?.close();
    pty = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const plug = async (mute = false): Promise<void> => {
    board = createFirmataBoard({ send: (bytes) => pty?.write(bytes), mute });
    pty = await openPty({
      link: path,
      resetOnOpen: true,
      received: (bytes) => board.receive(bytes),
      opened: () => board.reset(),
    });
  };
  const open = async (options: object = {}): Promise<void> => {
    const kind = firmataKind(forkedBoard(SOURCE));
    const parsed = kind.parse({ ...OPTIONS, path, ...options }, placeOf({ side: 'A' }));
    transport = await kind.open('f', parsed, listener, realClock);
  };
  const frames = (): UplinkFrame[] =>
    listener.lines.map((line) => {
      const decoded = decodeLine(line);
      if (!decoded.ok) throw new Error(`${line}: ${decoded.fault} ${decoded.detail}`);
      return decoded.frame;
    });
  const quiets = (): QuietFrame[] => frames().filter((frame) => frame.kind === 'quiet');
  const lastMeans = (): number[] => [...(quiets().at(-1)?.means ?? [])];
  const up = (): Promise<void> => listener.until('up', (one) => one.isUp);
  const answerTo = async (frame: DownlinkFrame): Promise<string> => {
    const from = listener.lines.length;
    expect(transport?.send(encodeDown(frame))).toBe(true);
    const its = (): UplinkFrame | undefined =>
      frames()
        .slice(from)
        .find((one) => one.kind === 'answer' && one.tag === frame.tag);
    await eventually(`answer to ${frame.kind}`, () => its() !== undefined);
    const answer = its();
    return answer?.kind === 'answer' ? answer.status : '';
  };

  it('says who it is, what its halls read, and each edge; shows what it is told', async () => {
    await plug();
    board.setAnalog(0, 300);
    board.drive(4, 0);
    board.drive(5, 0);
    await open();
    await up();
    await listener.until('lines', (one) => one.lines.length > 30);
    const [hello, ...rest] = frames();
    expect(hello).toMatchObject({
      kind: 'hello',
      seq: 0,
      device: 'F1A70001',
      side: 'A',
      protocol: 1,
      firmware: '1.0.0',
      tiles: 3,
      halls: 1,
      sampleHz: 100,
      capabilities:
        CAPABILITY.contacts |
        CAPABILITY.gates |
        CAPABILITY.stud |
        CAPABILITY.leds |
        CAPABILITY.arrivalStamped,
    });
    expect(rest.map(({ seq }) => seq)).toEqual(rest.map((_, i) => i + 1));
    expect(board.samplingMs).toBe(10);
    expect(lastMeans()).toEqual([1200, 2048, 2048]);
    expect(quiets().every(({ inputs }) => inputs === 0)).toBe(true);
    expect(rest.some(({ kind }) => kind === 'edge')).toBe(false);

    board.setAnalog(2, 777);
    await eventually('the changed level', () => lastMeans()[2] === 3108);
    expect(lastMeans()).toEqual([1200, 2048, 3108]);

    const edges = (): string[] =>
      frames().flatMap((frame) => (frame.kind === 'edge' ? [`${frame.input} ${frame.closed}`] : []));
    board.drive(3, 0);
    await eventually('contact', () => edges().length === 1);
    board.drive(3, undefined);
    await eventually('its end', () => edges().length === 2);
    // Shorter than the 7 ms of johnny-five's Button.
    board.drive(17, 0);
    await new Promise((done) => setTimeout(done, 2));
    board.drive(17, 1);
    board.drive(4, 1);
    board.drive(8, 0);
    await eventually('the others', () => edges().length === 6);
    expect(edges()).toEqual(['1 true', '1 false', '2 true', '2 false', '16 true', '18 true']);
    await eventually('their bits', () => quiets().at(-1)?.inputs === ((1 << 16) | (1 << 18)));

    const led = { kind: 'led', rgb: 0x0080ff, animation: 0 } as const;
    expect(board.output(13)).toBe(0);
    expect(await answerTo({ ...led, tag: 1, tileMask: 0b001, level: 255 })).toBe('ok');
    await eventually('pin 13 lights', () => board.output(13) === 1);
    expect(await answerTo({ ...led, tag: 2, tileMask: 0b010, level: 51 })).toBe('ok');
    await eventually('pin 9 glows', () => board.output(9) === 51);
    expect(await answerTo({ ...led, tag: 3, tileMask: 0b100, level: 255 })).toBe('unknown');
    expect(await answerTo({ kind: 'arm', tag: 4, armed: true })).toBe('ok');
    expect(await answerTo({ ...led, tag: 5, tileMask: 0b001, level: 0 })).toBe('held');
    expect(board.output(13)).toBe(1);
    expect(await answerTo({ kind: 'arm', tag: 6, armed: false })).toBe('ok');
    await eventually('pin 13 is dark', () => board.output(13) === 0);
    expect(await answerTo({ kind: 'ping', tag: 7 })).toBe('ok');

    expect(board.complaints).toEqual([]);
    await listener.until('health', () => frames().some(({ kind }) => kind === 'health'));
    // 50 a second, by the translator's own clock; a busy machine brings single ones late.
    const times = quiets().map(({ deviceUs }) => deviceUs);
    const steps = times.slice(1).map((us, i) => us - (times[i] ?? 0));
    expect(steps.sort((x, y) => x - y)[Math.floor(steps.length / 4)]).toBeLessThan(21_000);
    const spanMs = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
    expect((times.length - 1) / (spanMs / 1000)).toBeLessThan(51);

    // It does not go on talking to an empty room.
    await transport?.close();
    expect(board.output(9)).toBe(0);
  });

  it('comes back after unplug and replug, as another boot', async () => {
    await plug();
    await open();
    await up();
    await listener.until('lines', (one) => one.lines.length > 5);
    const before = frames()[0];
    await pty?.unplug();
    board.halt();
    await listener.until('down', (one) => !one.isUp);
    // Drivers do not always tell of a pulled cable; then the silence does.
    expect(['serial/lost', 'firmata/silent']).toContain(listener.downs[0]?.code);
    expect(transport?.send('P1,01,ABCD')).toBe(false);
    await listener.until('no port', (one) => one.downs.length === 2);
    expect(listener.downs[1]?.code).toBe('serial/missing');
    const lines = listener.lines.length;
    await pty?.replug();
    await up();
    await listener.until('lines again', (one) => one.lines.length > lines + 5);
    const after = frames()[lines];
    expect(after).toMatchObject({ kind: 'hello', seq: 0 });
    expect(after?.boot).toBe(((before?.boot ?? 0) + 1) & 0xff);
  });

  it('notices a board that hangs, one that restarts, and sets each up again', async () => {
    await plug();
    await open();
    await up();
    board.reset();
    await listener.until('restarted', (one) => one.downs.length === 1);
    expect(listener.downs[0]?.code).toBe('firmata/restarted');
    await up();
    await listener.until('lines', (one) => one.lines.length > 20);
    board.halt();
    const lines = listener.lines.length;
    await listener.until('silent', (one) => one.downs.length === 2);
    expect(listener.downs[1]?.code).toBe('firmata/silent');
    // No line is made up for a board that does not speak.
    expect(listener.lines.length - lines).toBeLessThan(100);
    await up();
  });

  it('names a board that is no Firmata board, and a pin that is not there', async () => {
    await plug(true);
    await open({ answerMs: 1000 });
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]).toMatchObject({
      code: 'firmata/no-answer',
      remedy: expect.stringContaining('StandardFirmata'),
    });
    await transport?.close();
    board.halt();
    await pty?.close();
    await plug();
    listener = new Listener();
    await open({ tiles: [{ tile: 0, hall: 'A7', contact: 2 }] });
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]).toMatchObject({
      code: 'firmata/bad-pin',
      reason: 'tiles.0.hall: pin A7 of this board is not there.',
    });
  });
});
