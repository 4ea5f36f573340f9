import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumOf } from '../firmware-protocol/crc.ts';
import { ANIMATION, type DownlinkFrame, type UplinkFrame } from '../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import { type ConfigProblem, type ParsedConfig, parseConfig, problemLine } from '../host/config.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { createLinks, type Heard, hearLine, linkUp, SERIAL_WIRE } from '../host/sensing/links.ts';
import type { LinkNotice } from '../host/sensing/seen.ts';
import { firmata, firmataKind } from '../host/transports/firmata.ts';
import { createAnswers, type Look } from '../host/transports/firmata-answers.ts';
import type { BoardProcessEvents } from '../host/transports/firmata-fork.ts';
import type { ToBoard } from '../host/transports/firmata-messages.ts';
import { createTranslator, type TranslatorAsk } from '../host/transports/firmata-translator.ts';
import { eventually, Listener, placeOf, settle, testClock } from './support/transports.ts';

const LEAST = {
  path: '/dev/ttyUSB0',
  device: '0f1a7a01',
  tiles: [
    { tile: 0, hall: 'A0', contact: 2 },
    { tile: 1, hall: 'A1', contact: 3 },
  ],
};

/** Rules have options of their own, which are no matter here. */
function linkProblems(parsed: ParsedConfig): readonly ConfigProblem[] {
  return parsed.ok ? [] : parsed.problems.filter(({ key }) => key.includes('.links.'));
}

describe('options of a Firmata board', () => {
  it('are completed: 57600 baud, the quickest sampling, the side of the link', () => {
    expect(firmata.parse(LEAST, placeOf({ side: 'B' }))).toEqual({
      ...LEAST,
      device: '0F1A7A01',
      side: 'B',
      baudRate: 57_600,
      samplingMs: 10,
      answerMs: 10_000,
      silentMs: 3000,
    });
  });

  it.each<[string, object, RegExp]>([
    ['no device', { device: undefined }, /\.device: is needed here/],
    ['a short device', { device: '12AB' }, /\.device: must be eight hex digits/],
    ['the device of an unset board', { device: '00000000' }, /\.device: must not be 00000000/],
    ['no tiles', { tiles: [] }, /\.tiles: must be at least 1/],
    ['a typo', { tilse: [] }, /\.tilse: has no meaning here\. Did you mean "tiles"\?/],
    ['too fast', { samplingMs: 5 }, /\.samplingMs: must be at least 10/],
    ['too slow', { samplingMs: 20 }, /\.samplingMs: must be at most 19/],
    [
      'a hall on a digital pin',
      { tiles: [{ tile: 0, hall: '7', contact: 2 }] },
      /\.tiles\.0\.hall: must be an analog pin, "A0" to "A15"/,
    ],
    [
      'a contact on the serial wire',
      { tiles: [{ tile: 0, hall: 'A0', contact: 1 }] },
      /\.tiles\.0\.contact: must be a pin: a whole number from 2/,
    ],
    ['no contact', { tiles: [{ tile: 0, hall: 'A0' }] }, /\.tiles\.0\.contact: /],
    [
      'a pin twice',
      { tiles: [...LEAST.tiles, { tile: 2, hall: 'A2', contact: 'A1' }] },
      /\.tiles\.2\.contact: is the pin of tiles\.1\.hall already/,
    ],
    ['a stud on a contact', { stud: 3 }, /\.stud: is the pin of tiles\.1\.contact already/],
    [
      'a tile twice',
      { tiles: [LEAST.tiles[0], { tile: 0, hall: 'A1', contact: 3 }] },
      /\.tiles\.1\.tile: is the number of tiles\.0 already/,
    ],
    [
      'a gap',
      { tiles: [LEAST.tiles[0], { tile: 2, hall: 'A1', contact: 3 }] },
      /\.tiles\.1\.tile: leaves a gap: 2 tiles are numbered 0 to 1/,
    ],
    ['no side', { side: undefined }, /\.side: is needed here: A, B or both/],
    ['gates of a side that it does not serve', { gatesB: { near: 8, far: 9 } }, /\.gatesB: .*it is "gates"/],
  ])('name the key: %s', (_, change, words) => {
    const link = { transport: 'firmata', side: 'A', ...LEAST, ...change };
    const text = JSON.stringify({ tables: { t1: { links: { uno: link } } } });
    const parsed = parseConfig(text, 'table.yaml', PARTS, () => '');
    const problems = linkProblems(parsed).map(problemLine);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(words);
    expect(problems[0]).toContain('tables.t1.links.uno.');
  });

  it('share ports and sides with boards of our own firmware', () => {
    const links = {
      a: { transport: 'serial', side: 'A', path: '/dev/ttyUSB0' },
      b: { transport: 'firmata', side: 'A', ...LEAST },
    };
    const parsed = parseConfig(JSON.stringify({ tables: { t1: { links } } }), 't.yaml', PARTS, () => '');
    const codes = linkProblems(parsed).map(({ code }) => code);
    expect(codes.sort()).toEqual(['config/path-twice', 'config/side-twice']);
  });
});

/** A translator at a clock that is set by hand. */
function bench(more: Partial<TranslatorAsk> = {}) {
  const lines: string[] = [];
  const at = { us: 0 };
  const translator = createTranslator({
    device: '0F1A7A01',
    side: 'A',
    tiles: 2,
    samplingMs: 19,
    gates: true,
    stud: false,
    leds: false,
    bootId: 0x1234,
    build: '00C0FFEE',
    nowUs: () => at.us,
    say: (line) => lines.push(line) > 0,
    ...more,
  });
  const frames = (): UplinkFrame[] =>
    lines.map((line) => {
      const decoded = decodeLine(line);
      if (!decoded.ok) throw new Error(`${line}: ${decoded.detail}`);
      return decoded.frame;
    });
  const pass = (ms: number): void => {
    for (const end = at.us + ms * 1000; at.us < end; ) {
      at.us += 5000;
      translator.heard();
      translator.tick();
    }
  };
  const of = <Kind extends UplinkFrame['kind']>(kind: Kind) =>
    frames().filter((frame): frame is Extract<UplinkFrame, { kind: Kind }> => frame.kind === kind);
  return { translator, lines, at, frames, pass, of };
}

describe('readings as lines', () => {
  it('begin with a hello of boot and sequence 0, then 50 quiet lines, a hello and a health line a second', () => {
    const { translator, frames, pass, of } = bench();
    translator.hall(0, 100);
    expect(translator.complete).toBe(false);
    translator.hall(1, 900);
    expect(translator.complete).toBe(true);
    pass(100);
    expect(frames()).toEqual([]);
    translator.begin();
    pass(10_000);
    expect(frames()[0]).toMatchObject({
      kind: 'hello',
      boot: 0x34,
      seq: 0,
      bootId: 0x1234,
      sampleHz: 52,
      halls: 1,
    });
    expect(frames().map(({ seq }) => seq)).toEqual(frames().map((_, i) => i));
    expect(of('quiet')).toHaveLength(500);
    expect(of('hello')).toHaveLength(11);
    expect(of('health')).toHaveLength(10);
    expect(of('health').at(-1)).toMatchObject({ uptimeS: 9, rxFaults: 0, edgeDrops: 0, txDrops: 0 });
  });

  it('tell means in quarter counts, and a hall that was not read as it was', () => {
    const { translator, pass, of } = bench();
    translator.hall(0, 100);
    translator.hall(0, 101);
    translator.hall(1, 1023);
    translator.begin();
    pass(40);
    translator.hall(0, 7);
    pass(20);
    expect(of('quiet').map(({ means }) => [...means])).toEqual([
      [402, 4092],
      [402, 4092],
      [28, 4092],
    ]);
  });

  it('tell an edge at its arrival, and levels before the beginning as levels', () => {
    const { translator, at, pass, of } = bench();
    translator.input(1, true);
    translator.begin();
    at.us = 1234.7;
    translator.input(0, true);
    translator.input(0, true);
    translator.input(16, true);
    pass(20);
    expect(of('edge')).toMatchObject([
      { deviceUs: 1234, input: 0, closed: true },
      { deviceUs: 1234, input: 16, closed: true },
    ]);
    expect(of('quiet')[0]?.inputs).toBe((1 << 0) | (1 << 1) | (1 << 16));
  });

  it('bound the edges of a contact that chatters, and say so', () => {
    const { translator, pass, of } = bench();
    translator.begin();
    pass(100);
    for (let i = 0; i < 50; i++) translator.input(1, i % 2 === 0);
    translator.input(17, true);
    pass(1000);
    expect(of('edge').filter(({ input }) => input === 1)).toHaveLength(32);
    expect(of('edge').filter(({ input }) => input === 17)).toHaveLength(1);
    expect(of('fault')).toMatchObject([{ code: 5, detail: 1 }]);
    expect(of('health').at(-1)?.edgeDrops).toBe(18);
  });

  it('stop while the board is silent, and count the pauses of the process itself', () => {
    const { translator, lines, at, pass, of } = bench();
    translator.begin();
    pass(100);
    const before = lines.length;
    for (let i = 0; i < 400; i++) {
      at.us += 5000;
      translator.tick();
    }
    // Three samplings of patience, then nothing: neither quiet lines nor hellos.
    expect(lines.length - before).toBeLessThanOrEqual(3);
    const quiet = of('quiet').length;
    at.us += 300_000;
    translator.heard();
    translator.tick();
    translator.tick();
    expect(of('quiet').length).toBe(quiet + 1);
    pass(1000);
    // 300 ms are more than the field holds.
    expect(of('health').at(-1)?.slipUs).toBe(65_535);
  });

  it('number a line that had to be dropped, so that the host knows', () => {
    let full = true;
    const lines: string[] = [];
    const { translator, pass } = bench({ say: (line) => !full && lines.push(line) > 0 });
    translator.begin();
    full = false;
    pass(20);
    const first = decodeLine(lines[0] ?? '');
    expect(first.ok && first.frame.seq).toBe(1);
  });

  it('are good lines whatever is read, and the clock wraps as 32 bits do', () => {
    const step = fc.oneof(
      fc.record({
        hall: fc.integer({ min: 0, max: 1 }),
        counts: fc.double({ min: -5, max: 5000, noNaN: true }),
      }),
      fc.record({ input: fc.constantFrom(0, 1, 16, 17, 18), closed: fc.boolean() }),
      fc.record({ ms: fc.integer({ min: 0, max: 3000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { translator, at, pass, frames } = bench({ stud: true });
        at.us = 0xffff_ffff - 2_000_000;
        translator.heard();
        translator.begin();
        for (const one of steps) {
          if ('hall' in one) translator.hall(one.hall, one.counts);
          else if ('input' in one) translator.input(one.input, one.closed);
          else pass(one.ms);
        }
        pass(20);
        const seqs = frames().map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, i) => i));
      }),
      { numRuns: 50 },
    );
  });
});

describe('lines down to a Firmata board', () => {
  const answering = (lit: number) => {
    const base = bench({ leds: lit !== 0 });
    const shown: Look[][] = [[], []];
    const clock = testClock();
    const { take } = createAnswers({
      translator: base.translator,
      tiles: 2,
      lit,
      show: (tile, look) => shown[tile]?.push(look),
      after: (ms, then) => clock.after(ms, then),
    });
    base.translator.begin();
    const ask = (frame: DownlinkFrame): string => {
      take(encodeDown(frame));
      const answer = base.of('answer').at(-1);
      expect(answer?.tag).toBe(frame.tag);
      return answer?.status ?? '';
    };
    return { ...base, shown, clock, take, ask };
  };
  const led = { kind: 'led', rgb: 0x00ff00, level: 128, animation: ANIMATION.steady } as const;

  it('light what has a LED; a tile without one is no reason to say it again', () => {
    const { ask, shown } = answering(0b01);
    expect(ask({ ...led, tag: 1, tileMask: 0b11 })).toBe('ok');
    expect(ask({ ...led, tag: 2, tileMask: 0b10 })).toBe('unknown');
    expect(ask({ ...led, tag: 3, tileMask: 0b100 })).toBe('refused');
    expect(shown).toEqual([[{ level: 128, blinkMs: 0 }], []]);
  });

  it('are held while armed, when nothing moves on the board', () => {
    const { ask, shown, pass, of } = answering(0b11);
    ask({ ...led, tag: 1, tileMask: 0b01, animation: ANIMATION.blink });
    expect(shown[0]?.at(-1)?.blinkMs).toBeGreaterThan(0);
    expect(ask({ kind: 'arm', tag: 2, armed: true })).toBe('ok');
    expect(shown[0]?.at(-1)).toEqual({ level: 128, blinkMs: 0 });
    const writes = shown.map((its) => its.length);
    expect(ask({ ...led, tag: 3, tileMask: 0b10 })).toBe('held');
    expect(ask({ kind: 'identify', tag: 4, tileMask: 0b11 })).toBe('refused');
    expect(ask({ kind: 'selftest', tag: 5 })).toBe('refused');
    expect(shown.map((its) => its.length)).toEqual(writes);
    pass(20);
    expect((of('quiet').at(-1)?.inputs ?? 0) >> 23).toBe(1);
    expect(ask({ kind: 'arm', tag: 6, armed: false })).toBe('ok');
    expect(shown[1]?.at(-1)).toEqual({ level: 128, blinkMs: 0 });
    expect(shown[0]?.at(-1)?.blinkMs).toBeGreaterThan(0);
  });

  it('blink for 3 s to identify, then show what was there', async () => {
    const { ask, shown, clock } = answering(0b11);
    ask({ ...led, tag: 1, tileMask: 0b01 });
    expect(ask({ kind: 'identify', tag: 2, tileMask: 0b01 })).toBe('ok');
    expect(shown[0]?.at(-1)?.blinkMs).toBeGreaterThan(0);
    await clock.pass(2999);
    expect(shown[0]?.at(-1)?.blinkMs).toBeGreaterThan(0);
    await clock.pass(1);
    expect(shown[0]?.at(-1)).toEqual({ level: 128, blinkMs: 0 });
  });

  it('test halls and inputs, greet, and decline what this board has not', () => {
    const { ask, translator, pass, of } = answering(0);
    translator.hall(0, 2);
    translator.hall(1, 512);
    translator.input(1, true);
    pass(20);
    expect(ask({ kind: 'selftest', tag: 1 })).toBe('ok');
    expect(of('fault')).toMatchObject([
      { code: 1, detail: 0 },
      { code: 4, detail: 1 },
    ]);
    const hellos = of('hello').length;
    expect(ask({ kind: 'greet', tag: 2 })).toBe('ok');
    expect(of('hello')).toHaveLength(hellos + 1);
    expect(ask({ kind: 'ping', tag: 3 })).toBe('ok');
    expect(ask({ kind: 'configure', tag: 4, key: 1, value: 20 })).toBe('unknown');
    expect(ask({ kind: 'assign', tag: 5, device: '5C0FFEE1', side: 'A' })).toBe('refused');
    expect(ask({ ...led, tag: 6, tileMask: 1 })).toBe('unknown');
  });

  it('that are no frames are counted, and answered where checksum and tag are right', () => {
    const { take, pass, of } = answering(0);
    const sealed = (body: string): string =>
      body + checksumOf(body, body.length).toString(16).toUpperCase().padStart(4, '0');
    take('P1,04,0000');
    take('nonsense');
    take('');
    expect(of('answer')).toEqual([]);
    take(sealed('Z1,07,'));
    take(sealed('P2,08,'));
    take(sealed('L1,09,000,FFFFFF,FF,0,'));
    expect(of('answer').map(({ tag, status }) => `${tag} ${status}`)).toEqual([
      '7 unknown',
      '8 unknown',
      '9 refused',
    ]);
    pass(1000);
    expect(of('health').at(-1)?.rxFaults).toBe(6);
  });
});

describe('the rest of the host', () => {
  it('takes the lines as those of any board with one hall a tile, and a new start as a reset', () => {
    const links = createLinks({
      layout: { ...FIXED_12, sensors: 'axis' },
      links: [{ link: 'f', wire: SERIAL_WIRE }],
    });
    const notices: LinkNotice[] = [];
    const heard: Heard[] = [];
    linkUp(links, 'f', 0, notices);
    let hostMs = 1000;
    for (const bootId of [7, 8]) {
      const { translator, at, pass } = bench({
        tiles: 6,
        bootId,
        say(line) {
          heard.push(hearLine(links, 'f', { line }, hostMs + at.us / 1000 + 0.4, undefined, notices));
          return true;
        },
      });
      for (let tile = 0; tile < 6; tile++) translator.hall(tile, 512);
      translator.begin();
      pass(500);
      translator.input(3, true);
      pass(4500);
      hostMs += 8000;
    }
    expect(heard.map(({ kind }) => kind)).toEqual(heard.map(() => 'fresh'));
    expect(heard).toHaveLength(2 * (1 + 250 + 5 + 5 + 1));
    // Times are as good as the link can tell, although they are of arrival: the hello says so.
    const last = heard.at(-1);
    expect(last?.kind === 'fresh' && last.errorMs).toBeLessThan(DEFAULT_LIMITS.clockDoubtMs);
    expect(links.ways[0]?.counts).toMatchObject({ fresh: heard.length, resets: 1 });
  });
});

/** The transport over a process that is played here. */
function played() {
  const clock = testClock();
  const listener = new Listener();
  const starts: { readonly asked: ToBoard[]; events: BoardProcessEvents; killed: boolean }[] = [];
  const kind = firmataKind((events) => {
    const mine = { asked: [] as ToBoard[], events, killed: false };
    starts.push(mine);
    return {
      ask: (message) => mine.asked.push(message) > 0,
      kill() {
        mine.killed = true;
        events.ended('signal SIGKILL');
      },
    };
  });
  const open = () => kind.open('f', kind.parse(LEAST, placeOf({ side: 'A' })), listener, clock);
  const tell = (message: unknown): void => starts.at(-1)?.events.told(message);
  return { clock, listener, starts, open, tell };
}

describe('the process that speaks with a board', () => {
  it('is told what to do, and started again for ever when it dies, ever more patiently', async () => {
    const { clock, listener, starts, open, tell } = played();
    const transport = await open();
    expect(starts[0]?.asked[0]).toMatchObject({ ask: 'start', options: { path: '/dev/ttyUSB0', side: 'A' } });
    tell({ told: 'up', detail: 'StandardFirmata 2.5' });
    expect(listener.isUp).toBe(true);
    starts[0]?.events.ended('signal SIGSEGV');
    expect(listener.downs).toMatchObject([
      { code: 'firmata/ended', reason: expect.stringContaining('SIGSEGV'), remedy: expect.any(String) },
    ]);
    expect(transport.send('P1,04,495D')).toBe(false);
    await clock.pass(100);
    expect(starts).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      starts.at(-1)?.events.ended('exit code 1');
      await clock.pass(5000);
    }
    expect(starts).toHaveLength(22);
    // The same reason is told once.
    expect(listener.downs).toHaveLength(2);
    const boots = starts.flatMap(({ asked: [first] }) => (first?.ask === 'start' ? [first.bootId] : []));
    expect(new Set(boots).size).toBe(22);
    tell({ told: 'up', detail: 'StandardFirmata 2.5' });
    starts.at(-1)?.events.ended(undefined);
    await clock.pass(100);
    expect(starts).toHaveLength(23);
    await settle();
  });

  it('is ended when it hangs; one that starts slowly is given time', async () => {
    const { clock, listener, starts, open, tell } = played();
    await open();
    await clock.pass(19_000);
    expect(starts[0]?.killed).toBe(false);
    tell({ told: 'alive' });
    for (let i = 0; i < 30; i++) {
      await clock.pass(1000);
      tell({ told: 'alive' });
    }
    expect(starts[0]?.killed).toBe(false);
    await clock.pass(6000);
    expect(starts[0]?.killed).toBe(true);
    expect(listener.downs[0]?.code).toBe('firmata/ended');
    expect(starts).toHaveLength(2);
  });

  it('gives the reason of its end itself, and that one stands', async () => {
    const { clock, listener, starts, open, tell } = played();
    await open();
    tell({ told: 'up', detail: '' });
    tell({ told: 'down', code: 'serial/lost', reason: 'The port went away.', remedy: 'Check the cable.' });
    starts[0]?.events.ended(undefined);
    expect(listener.downs.map(({ code }) => code)).toEqual(['serial/lost']);
    await clock.pass(100);
    tell({ told: 'down', code: 'serial/missing', reason: 'No port.', remedy: 'Plug it in.' });
    tell({ told: 'down', code: 'serial/missing', reason: 'No port.', remedy: 'Plug it in.' });
    expect(listener.downs.map(({ code }) => code)).toEqual(['serial/lost', 'serial/missing']);
  });

  it('may say anything: what is not understood is counted', async () => {
    const { listener, open, tell } = played();
    await open();
    for (const junk of [null, 7, 'x', {}, { told: 'line' }, { told: 'line', line: 5 }, { told: 'out' }])
      tell(junk);
    tell({ told: 'line', line: 'E1,before it was up' });
    tell({ told: 'up', detail: '' });
    tell({ told: 'line', line: 'E1\u0007' });
    expect(listener.lines).toEqual(['base64 RTEH']);
    expect(listener.droppedOf('message that is not understood')).toBe(1);
  });

  it('is asked to stop on close, and ended when it does not', async () => {
    const { clock, starts, open } = played();
    const transport = await open();
    const closing = transport.close();
    expect(starts[0]?.asked.at(-1)).toEqual({ ask: 'stop' });
    await clock.pass(1000);
    expect(starts[0]?.killed).toBe(true);
    await closing;
    await clock.pass(60_000);
    expect(starts).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  const noProc = existsSync('/proc/self/task') ? '' : ' (skipped: needs /proc to find it)';
  it.skipIf(noProc !== '')(`never outlives the host, not even a killed one${noProc}`, async () => {
    const root = join(import.meta.dirname, '..');
    const loader = join(import.meta.dirname, 'support/typescript.mjs');
    const script = `
      import { firmataKind } from ${JSON.stringify(join(root, 'host/transports/firmata.ts'))};
      import { forkedBoard } from ${JSON.stringify(join(root, 'host/transports/firmata-fork.ts'))};
      import { systemClock } from ${JSON.stringify(join(root, 'host/clock.ts'))};
      const kind = firmataKind(forkedBoard(['--import', ${JSON.stringify(loader)}]));
      const options = kind.parse(${JSON.stringify({ ...LEAST, path: '/nowhere/tty' })}, { side: 'A' });
      const tell = (...words) => console.log(JSON.stringify(words));
      const events = { up: tell, line: tell, dropped: tell, down: (link, reason, remedy, code) => tell(code) };
      await kind.open('f', options, events, systemClock);`;
    const host = spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let said = '';
      host.stdout.on('data', (text: Buffer) => {
        said += text.toString();
      });
      await eventually('the process at work', () => said.includes('\n'), 20_000);
      expect(said).toBe('["serial/missing"]\n');
      const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8').trim().split(' ');
      expect(children).toHaveLength(1);
      const command = `/proc/${children[0]}/cmdline`;
      expect(readFileSync(command, 'utf8')).toContain('firmata-board');
      host.kill('SIGKILL');
      // An ended process has no command line, or no longer a folder.
      await eventually('its end', () => !existsSync(command) || readFileSync(command, 'utf8') === '', 5000);
    } finally {
      host.kill('SIGKILL');
    }
  });
});
