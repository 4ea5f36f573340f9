import { describe, expect, it } from 'vitest';
import { checksumOf } from '../firmware-protocol/crc.ts';
import { ANIMATION, type DownlinkFrame } from '../firmware-protocol/frame.ts';
import { encodeDown } from '../firmware-protocol/line.ts';
import { createAnswers, type Look } from '../host/transports/firmata-answers.ts';
import { translatorBench } from './support/firmata-translator.ts';
import { testClock } from './support/transports.ts';

describe('lines down to a Firmata board', () => {
  const answering = (lit: number) => {
    const base = translatorBench({ leds: lit !== 0 });
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
