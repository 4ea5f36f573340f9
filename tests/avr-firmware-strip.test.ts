import { describe, expect, it } from 'vitest';
import { createRig } from '../bin/bench/avr-rig.ts';
import { LEDS_PER_TILE } from '../sim/avr/pins.ts';
import { framesOf, led, READY_US } from './support/avr-heard.ts';
import { worldOf } from './support/avr-program.ts';

describe('the strip of the committed firmware', () => {
  it.each(['uno', 'mega'] as const)('shows LED lines as colours on the chain of the %s', (chip) => {
    const rig = createRig({ chip, world: worldOf() });
    rig.run(READY_US);
    const tiles = chip === 'uno' ? 6 : 12;
    const colours = Array.from({ length: tiles }, (_, tile) => 0x102030 + tile * 0x0b0705);
    for (const [tile, rgb] of colours.entries()) expect(rig.ask(led(tile, 1 << tile, rgb)).status).toBe('ok');
    rig.run(rig.nowUs() + 300_000);
    const { rgb } = rig.board.leds();
    expect([...rgb]).toEqual(colours.flatMap((colour) => new Array<number>(LEDS_PER_TILE).fill(colour)));
    expect(rig.board.figures()).toMatchObject({ ledPauses: 0, ledOddPulses: 0, receiveOverruns: 0 });
  });

  it('writes no strip while armed, holds what it is told, and shows it when disarmed', () => {
    const rig = createRig({ chip: 'uno', world: worldOf() });
    rig.run(READY_US);
    rig.ask(led(1, 63, 0x445566));
    expect(rig.ask({ kind: 'arm', tag: 2, armed: true }).status).toBe('ok');
    const before = rig.board.leds();
    expect(before.rgb[0]).toBe(0x445566);
    expect(rig.ask(led(3, 63, 0x112233)).status).toBe('held');
    const lines = rig.run(rig.nowUs() + 500_000);
    expect(rig.board.leds()).toEqual(before);
    expect((framesOf(lines, 'quiet').at(-1)?.inputs ?? 0) >> 23).toBe(1);
    rig.ask({ kind: 'arm', tag: 4, armed: false });
    rig.run(rig.nowUs() + 300_000);
    expect(rig.board.leds().rgb[35]).toBe(0x112233);
  });

  /** Lines down while the strip is written: what the receiver lost. */
  function overrunsWith(ledsPerLook: number): { lost: number; counted: number; answered: number } {
    const rig = createRig({ chip: 'uno', world: worldOf() });
    rig.run(READY_US);
    rig.ask({ kind: 'configure', tag: 1, key: LEDS_PER_LOOK_KEY, value: ledsPerLook });
    rig.run(rig.nowUs() + 1000);
    let answered = 0;
    const listen = (us: number): void => {
      answered += framesOf(rig.run(rig.nowUs() + us), 'answer').length;
    };
    for (let i = 0; i < 12; i++) {
      rig.send(led(16 + i, 63, 0x010203 * (i + 1)));
      // The strip is written within the next two milliseconds; lines arrive all the while, 220 of every 440 µs.
      for (let ping = 0; ping < PINGS; ping++) {
        listen(440);
        rig.send({ kind: 'ping', tag: 32 + i * PINGS + ping });
      }
      listen(150_000);
    }
    const health = framesOf(rig.run(rig.nowUs() + 1_100_000), 'health').at(-1);
    return { lost: rig.board.figures().receiveOverruns, counted: health?.rxOverruns ?? -1, answered };
  }
  /** A setting of this firmware's own; 1 as shipped. */
  const LEDS_PER_LOOK_KEY = 0x80;
  const PINGS = 6;

  it('loses no byte to its strip writes as shipped', () => {
    expect(overrunsWith(1)).toEqual({ lost: 0, counted: 0, answered: 12 * (1 + PINGS) });
  });

  it('does lose bytes, and counts that, when it is told not to look at its receiver for six LEDs', () => {
    const { lost, counted, answered } = overrunsWith(6);
    expect(lost).toBeGreaterThan(0);
    expect(counted).toBeGreaterThan(0);
    expect(answered).toBeLessThan(12 * (1 + PINGS));
  });
});
