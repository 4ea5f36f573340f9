import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRig, type HeardLine, movingWorld, type Rig } from '../bin/bench/avr-rig.ts';
import type { DownlinkFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import { countsOf } from '../sim/avr/adc.ts';
import { assignedEeprom } from '../sim/avr/identity.ts';
import { LEDS_PER_TILE, PINS, type Pin } from '../sim/avr/pins.ts';
import { voltsOf } from '../sim/world.ts';
import { worldOf } from './support/avr-program.ts';

/** Boot silence and the two quiet lines after which onsets count. */
const READY_US = 1_100_000;

type Kind = UplinkFrame['kind'];
function framesOf<K extends Kind>(lines: readonly HeardLine[], kind: K): Extract<UplinkFrame, { kind: K }>[] {
  return lines.flatMap(({ frame }) =>
    frame?.kind === kind ? [frame as Extract<UplinkFrame, { kind: K }>] : [],
  );
}
const led = (tag: number, tileMask: number, rgb: number): DownlinkFrame => ({
  ...{ kind: 'led', tag, tileMask, rgb, level: 255, animation: 0 },
});

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

  /** Samples that a world gave, scan by scan, and what the board said of them. */
  function compareBursts(chip: 'uno' | 'mega', seconds: number, activeTiles: number) {
    const sensors = chip === 'uno' ? 12 : 24;
    const given: { atUs: number; counts: number }[][] = Array.from({ length: sensors }, () => []);
    const world = movingWorld(activeTiles, READY_US + 100_000);
    const rig = createRig({
      chip,
      world: {
        ...world,
        fieldMt(sensor, atUs) {
          const mT = world.fieldMt(sensor, atUs);
          given[sensor]?.push({ atUs, counts: countsOf(voltsOf(mT), 5) });
          return mT;
        },
      },
    });
    const lines = rig.run(READY_US + 100_000 + seconds * 1e6);
    // The first scan starts at device time 1000 µs.
    const bootUs = (given[0]?.[0]?.atUs ?? 0) - 1000;
    let compared = 0;
    let wrong = 0;
    for (const burst of framesOf(lines, 'burst')) {
      const tiles = Array.from({ length: 12 }, (_, tile) => tile).filter(
        (tile) => (burst.tileMask >> tile) & 1,
      );
      for (const [place, tile] of tiles.entries()) {
        for (let scan = 0; scan < 8; scan++) {
          if ((burst.gapMask >> scan) & 1) continue;
          for (let hall = 0; hall < 2; hall++) {
            const atUs = bootUs + burst.deviceUs + 1000 * scan;
            // A scan of twelve channels takes 0.7 ms, so its samples lie within 0.8 ms of its start.
            const taken =
              given[2 * tile + hall]?.filter((one) => one.atUs > atUs - 50 && one.atUs < atUs + 850) ?? [];
            // Fed from a slower scan, where the board shares its rate: repeats what it had.
            if (taken.length === 0 && chip === 'mega') continue;
            compared += 1;
            const said = burst.samples[(place * 8 + scan) * 2 + hall];
            if (taken.length !== 1 || taken[0]?.counts !== said) wrong += 1;
          }
        }
      }
    }
    return { rig, lines, compared, wrong };
  }

  it('sends, at 1 kHz from six tiles, exactly the samples it was fed', () => {
    const { rig, lines, compared, wrong } = compareBursts('uno', 1, 6);
    expect(wrong).toBe(0);
    // One second of twelve channels at 1 kHz, less what is still on its way.
    expect(compared).toBeGreaterThan(11_500);
    expect(lines.every((line) => line.frame)).toBe(true);
    const bursts = framesOf(lines, 'burst');
    // At least 16 ms from before the onset.
    expect(Math.min(...bursts.map((burst) => burst.deviceUs))).toBeLessThan(
      READY_US + 100_000 - 1_000_000 - 16_000,
    );
    // Numbered without a gap.
    const seqs = lines.map((line) => line.frame?.seq ?? -1);
    expect(seqs.every((seq, i) => i === 0 || seq === (seqs[i - 1] ?? 0) + 1)).toBe(true);
    expect(rig.board.figures().receiveOverruns).toBe(0);
  });

  it.each(['uno', 'mega'] as const)('scans six active tiles of the %s at 1 kHz while armed', (chip) => {
    const world = movingWorld(6, READY_US);
    const scans: number[] = [];
    const rig = createRig({
      chip,
      world: {
        ...world,
        fieldMt(sensor, atUs) {
          if (sensor === 0) scans.push(atUs);
          return world.fieldMt(sensor, atUs);
        },
      },
    });
    rig.run(READY_US);
    rig.ask({ kind: 'arm', tag: 1, armed: true });
    rig.run(READY_US + 300_000);
    scans.length = 0;
    rig.run(rig.nowUs() + 500_000);
    expect(scans.length).toBe(500);
    const steps = scans.slice(1).map((at, i) => at - (scans[i] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(980);
    expect(Math.max(...steps)).toBeLessThan(1020);
  });

  it('sends what six tiles of the Mega were fed', () => {
    const { compared, wrong } = compareBursts('mega', 0.5, 6);
    expect(wrong).toBe(0);
    expect(compared).toBeGreaterThan(5000);
  });

  it('tells contacts, gates and the stud by edges with their time', () => {
    const edges: readonly [number, number, boolean][] = [
      [1_200_300, 2, true],
      [1_230_700, 2, false],
      [1_250_100, 16, true],
      [1_255_900, 16, false],
      [1_270_000, 17, true],
      [1_300_000, 18, true],
    ];
    const level = (input: number, atUs: number): boolean =>
      edges.filter(([us, one]) => one === input && us <= atUs).at(-1)?.[2] ?? false;
    const rig = createRig({
      chip: 'uno',
      world: worldOf({
        contact: (tile, us) => level(tile, us),
        gate: (gate, us) => level(16 + gate, us),
        stud: (_, us) => level(18, us),
        nextEdgeUs: (after) => edges.find(([us]) => us > after)?.[0] ?? Number.POSITIVE_INFINITY,
      }),
    });
    const lines = rig.run(1_400_000);
    const told = framesOf(lines, 'edge');
    expect(told.map((edge) => [edge.input, edge.closed])).toEqual(
      edges.map(([, input, closed]) => [input, closed]),
    );
    // The board's clock starts with its first scan less a millisecond, some ms after the bootloader's end.
    const offsets = told.map((edge, i) => (edges[i]?.[0] ?? 0) - edge.deviceUs);
    expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(520);
    const { inputs } = framesOf(lines, 'quiet').at(-1) ?? { inputs: 0 };
    expect(inputs).toBe((1 << 17) | (1 << 18));
  });

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
