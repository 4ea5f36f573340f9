import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRig, type HeardLine, movingWorld, type Rig } from '../bin/bench/avr-rig.ts';
import { assignedEeprom } from '../sim/avr/identity.ts';
import { PINS, type Pin } from '../sim/avr/pins.ts';
import { framesOf, led, READY_US } from './support/avr-heard.ts';
import { worldOf } from './support/avr-program.ts';

describe('the committed firmware on an emulated board', () => {
  it.each(['uno', 'mega'] as const)('says hello first once the %s has booted, and once a second', (chip) => {
    const rig = createRig({ chip, world: worldOf() });
    expect(rig.run(999_000)).toEqual([]);
    const lines = rig.run(3_500_000);
    expect(lines.every((line) => line.frame)).toBe(true);
    const first = lines[0]?.frame;
    expect(first).toMatchObject({
      kind: 'hello',
      seq: 0,
      bootId: 1,
      device: '00000000',
      side: 'unset',
      protocol: 1,
      tiles: chip === 'uno' ? 6 : 12,
      halls: 2,
      sampleHz: 1000,
      resetCause: 1,
    });
    expect(lines[0]?.atUs).toBeLessThan(1_050_000);
    expect(framesOf(lines, 'hello').length).toBeGreaterThanOrEqual(3);
    const quiet = framesOf(lines, 'quiet');
    expect(quiet.length).toBeGreaterThan(115);
    // Nothing lies on the table: 2.5 V on every sensor, which is 512 counts.
    expect([...(quiet.at(-1)?.means ?? [])]).toEqual(new Array(chip === 'uno' ? 12 : 24).fill(2048));
    expect(rig.board.figures()).toMatchObject({ baud: 500_000, erasedWordsRun: 0, unheardBytes: 0 });
  });

  it('names the pins that the emulated boards have', () => {
    const header = readFileSync('firmware-protocol/arduino/BakuTile/src/pins.h', 'utf8');
    const spelled = (pin: Pin) => `{'${pin.port}', ${pin.bit}}`;
    const run = (pins: readonly Pin[]) => `{'${pins[0]?.port}', ${pins[0]?.bit}, ${pins.length}}`;
    for (const chip of ['uno', 'mega'] as const) {
      const space = header.match(new RegExp(`namespace ${chip} \\{(.*?)\\n\\}`, 's'))?.[1] ?? '';
      const says = (name: string) => space.match(new RegExp(`\\b${name} = (\\{[^}]*\\})`))?.[1];
      const pins = PINS[chip];
      const sides = chip === 'uno' ? ['A'] : ['A', 'B'];
      expect(says('kSelect')).toBe(run(pins.select));
      expect(says('kStatus')).toBe(spelled(pins.statusLed));
      for (const [i, side] of sides.entries()) {
        const analogPort = chip === 'uno' ? 'C' : 'F';
        expect(says(`kMux${side}`)).toBe(`{'${analogPort}', ${pins.commons[i]?.channel}}`);
        expect(says(`kContacts${side}`)).toBe(run(pins.contacts.slice(6 * i, 6 * i + 6)));
        const [near, far, stud, strip] = [
          ...[pins.gates[2 * i], pins.gates[2 * i + 1], pins.studs[i], pins.chains[i]],
        ];
        for (const [name, pin] of Object.entries({
          GateNear: near,
          GateFar: far,
          Stud: stud,
          Strip: strip,
        })) {
          expect(says(`k${name}${side}`)).toBe(pin && spelled(pin));
        }
      }
    }
  });

  it('keeps its identity and counts its boots through a reset', () => {
    const rig = createRig({ chip: 'uno', world: worldOf() });
    rig.run(READY_US);
    expect(rig.ask({ kind: 'assign', tag: 9, device: '5C0FFEE1', side: 'B' }).status).toBe('ok');
    rig.run(rig.nowUs() + 100_000);
    rig.board.reset();
    const [first] = rig.run(rig.nowUs() + 1_100_000);
    expect(first?.frame).toMatchObject({
      ...{ kind: 'hello', seq: 0, bootId: 2, device: '5C0FFEE1', side: 'B', resetCause: 2 },
    });
    // A second board with the same EEPROM is the same board.
    const again = createRig({ chip: 'uno', world: worldOf(), eeprom: rig.board.eeprom.slice() });
    expect(again.run(READY_US)[0]?.frame).toMatchObject({ device: '5C0FFEE1', side: 'B', bootId: 3 });
  });

  it.each([
    ['uno', 'A'],
    ['uno', 'B'],
    ['mega', 'both'],
  ] as const)('is who its EEPROM says: a %s on side %s', (chip, side) => {
    const rig = createRig({ chip, world: worldOf(), eeprom: assignedEeprom(chip, '0BADCAFE', side) });
    const lines = rig.run(READY_US);
    expect(lines[0]?.frame).toMatchObject({ kind: 'hello', device: '0BADCAFE', side, bootId: 1 });
    expect(framesOf(lines, 'fault')).toEqual([]);
  });

  it('counts on from the boots in its EEPROM', () => {
    const eeprom = assignedEeprom('uno', '0BADCAFE', 'A', 0x12ff);
    const rig = createRig({ chip: 'uno', world: worldOf(), eeprom });
    expect(rig.run(READY_US)[0]?.frame).toMatchObject({ kind: 'hello', boot: 0x00, bootId: 0x1300 });
  });

  it('measures its supply', () => {
    for (const supplyVolts of [5, 4.4]) {
      const rig = createRig({ chip: 'uno', world: worldOf(), supplyVolts });
      const health = framesOf(rig.run(2_800_000), 'health').at(-1);
      // Ten bits of 1.1 V: a step is 0.45 %.
      expect(Math.abs((health?.supplyMv ?? 0) / 1000 - supplyVolts)).toBeLessThan(0.03);
    }
  });

  it('says the same bytes at the same moments every time', () => {
    const hashOf = (): string => {
      const rig: Rig = createRig({ chip: 'uno', world: movingWorld(3, 1_200_000) });
      const hash = createHash('sha256');
      const take = (lines: readonly HeardLine[]): void => {
        for (const line of lines) hash.update(`${line.atUs}:${line.text}\n`);
      };
      take(rig.run(READY_US));
      for (let i = 0; i < 4; i++) {
        rig.ask(led(i, 63, 0x112233 * i));
        take(rig.run(rig.nowUs() + 100_000));
      }
      hash.update(rig.board.leds().rgb);
      return hash.digest('hex');
    };
    expect(hashOf()).toBe(hashOf());
  });
});
