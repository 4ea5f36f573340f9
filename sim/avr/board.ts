import { type BoardWorld, type SimBoard, voltsOf } from '../world.ts';
import { createAdc } from './adc.ts';
import { CHIPS, type ChipName } from './chips.ts';
import { BoardCpu } from './cpu.ts';
import { attachEeprom, freshEeprom } from './eeprom.ts';
import { loadHex } from './hex.ts';
import { createInputs, type Inputs } from './inputs.ts';
import { watchOutputs } from './outputs.ts';
import { PINS, SENSORS_PER_COMMON } from './pins.ts';
import { createPorts } from './ports.ts';
import { type AvrProbe, chainFigures, runFigures } from './probe.ts';
import { createRunner, type Runner } from './sleep.ts';
import { createPrescalers, createTimer } from './timer.ts';
import { createUplink } from './uplink.ts';
import { createUsart, type Usart } from './usart.ts';
import { attachWatchdog } from './watchdog.ts';
import { createWire } from './wire.ts';
import { type Chain, createChain } from './ws2812.ts';

/** What to run and on what. */
export interface AvrBoardOptions {
  readonly chip: ChipName;
  /** Text of an Intel HEX file. */
  readonly hex: string;
  readonly world: BoardWorld;
  /** Kept and changed in place; a new chip's 0xFF where left out. Must have the chip's size (1024 or 4096). */
  readonly eeprom?: Uint8Array;
  /** Time after power on and reset in which the bootloader listens and the firmware does not run, ms. 1000. */
  readonly bootSilenceMs?: number;
  /** Rate of the host's port, bits a second. 500000. */
  readonly baud?: number;
  /** How much faster than 16 MHz the board's resonator runs, parts in a million. 0. */
  readonly clockPpm?: number;
  /** Supply, V; sensors are ratiometric, so only the board's own measurement of it changes. 5. */
  readonly supplyVolts?: number;
}

interface Core {
  readonly cpu: BoardCpu;
  readonly runner: Runner;
  readonly usart: Usart;
  readonly inputs: Inputs;
}

const MCUSR = 0x54;
const RESET_CAUSE = { power: 1, button: 2, watchdog: 8 } as const;
const FIRST_SRAM = 0x100;

/** SRAM after power on: noise, the same every time, so that firmware that relies on zeroes is found. */
function noise(into: Uint8Array): void {
  let state = 0x2545f491;
  for (let i = 0; i < into.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    into[i] = state >>> 24;
  }
}

/**
 * A board with its chip, running a firmware image in virtual time: the same inputs give the same bytes at the same
 * cycles, always. The bootloader's silence follows power on and every reset, whatever its cause.
 * @throws Error where the image or the EEPROM does not fit the chip
 */
export function createAvrBoard(options: AvrBoardOptions): SimBoard & AvrProbe {
  const { world } = options;
  const chip = CHIPS[options.chip];
  const map = PINS[options.chip];
  const flash = loadHex(options.hex, chip.flashBytes);
  const eeprom = options.eeprom ?? freshEeprom(chip);
  if (eeprom.length !== chip.eepromBytes) {
    throw new Error(`The EEPROM of the ${chip.name} has ${chip.eepromBytes} bytes, not ${eeprom.length}.`);
  }
  const supplyVolts = options.supplyVolts ?? 5;
  const cyclesPerUs = 16 * (1 + (options.clockPpm ?? 0) / 1_000_000);
  const silence = Math.round((options.bootSilenceMs ?? 1000) * 1000 * cyclesPerUs);
  const hostBit = (1_000_000 * cyclesPerUs) / (options.baud ?? 500_000);
  // A resonator within 1 % of its rate moves no sample point out of its bit.
  const nominalBit = Math.abs((options.clockPpm ?? 0) / 1_000_000) < 0.01 ? Math.round(hostBit) : hostBit;
  const wire = createWire(10 * hostBit);
  const uplink = createUplink(cyclesPerUs, 10 * hostBit + hostBit);
  const chains: Chain[] = map.chains.map((chain) => createChain(chain.leds, cyclesPerUs));
  const rgb = new Uint32Array(map.chains.reduce((sum, chain) => sum + chain.leds, 0));
  const commons = new Map(map.commons.map((common) => [common.channel, common.firstSensor]));

  const lastStack = FIRST_SRAM + chip.extendedBytes + chip.sramBytes - 1;

  let now = 0;
  let bootAt = silence;
  let cause: keyof typeof RESET_CAUSE = 'power';
  let core: Core | null = null;
  let kept: Uint8Array | null = null;
  let keptCause = 0;
  let unheard = 0;
  let hallSamples = 0;
  let shortestSettle = Number.POSITIVE_INFINITY;

  const boot = (): Core => {
    const cpu = new BoardCpu(flash, chip.sramBytes + chip.extendedBytes);
    cpu.cycles = bootAt;
    const sram = cpu.data.subarray(FIRST_SRAM + chip.extendedBytes);
    if (kept) sram.set(kept);
    else noise(sram);
    cpu.data[MCUSR] = keptCause | RESET_CAUSE[cause];
    const ports = createPorts(cpu, chip);
    const prescalers = createPrescalers(cpu);
    for (const { registers, asynchronous } of chip.timers) {
      createTimer(cpu, registers, asynchronous ? prescalers.asynchronous : prescalers.synchronous);
    }
    const mux = watchOutputs(cpu, ports, map, chains);
    createAdc(cpu, chip.adc, {
      supplyVolts: () => supplyVolts,
      volts(channel, atCycle) {
        const firstSensor = commons.get(channel);
        if (firstSensor === undefined) {
          const letter = chip.analogPorts[channel >> 3];
          return letter && ports.level(letter, channel & 7) ? supplyVolts : 0;
        }
        // Unused inputs of the multiplexer are tied to ground.
        if (mux.channel >= SENSORS_PER_COMMON) return 0;
        hallSamples += 1;
        const settle = atCycle - mux.since;
        if (settle < shortestSettle) shortestSettle = settle;
        const volts = voltsOf(world.fieldMt(firstSensor + mux.channel, atCycle / cyclesPerUs));
        return supplyVolts === 5 ? volts : (volts * supplyVolts) / 5;
      },
    });
    attachEeprom(cpu, chip, eeprom);
    unheard += wire.skipUntil(cpu.cycles);
    const usart = createUsart(cpu, chip.usart, wire, nominalBit, uplink.sent);
    const runner = createRunner(cpu);
    attachWatchdog(cpu, chip.watchdog, () => {
      cause = 'watchdog';
      runner.stop();
    });
    const inputs = createInputs(cpu, ports, map, world, cyclesPerUs);
    // The receive line idles high.
    ports.get(options.chip === 'uno' ? 'D' : 'E').setPin(0, true);
    return { cpu, runner, usart, inputs };
  };

  /** The processor stops here and starts again after the bootloader's silence. */
  const restart = (why: keyof typeof RESET_CAUSE): void => {
    cause = why;
    if (core) {
      kept = core.cpu.data.slice(FIRST_SRAM + chip.extendedBytes);
      keptCause = core.cpu.data[MCUSR] ?? 0;
      core = null;
    }
    bootAt = now + silence;
  };

  return {
    eeprom,
    runTo(atUs) {
      const until = Math.floor(atUs * cyclesPerUs);
      while (now < until) {
        if (core === null) {
          if (bootAt > until) {
            now = until;
            return;
          }
          now = bootAt;
          core = boot();
        } else core.inputs.look();
        core.runner.run(until);
        now = Math.max(now, Math.min(core.cpu.cycles, until));
        if (core.cpu.cycles < until) restart('watchdog');
      }
    },
    takeBytes: () => uplink.take(),
    feed(bytes) {
      unheard += wire.put(bytes, now);
      core?.usart.listen();
    },
    leds() {
      let offset = 0;
      let writes = 0;
      for (const [i, chain] of chains.entries()) {
        chain.colours(rgb, offset, now);
        writes += chain.figures(now).writes;
        offset += map.chains[i]?.leds ?? 0;
      }
      return { rgb: rgb.slice(), writes };
    },
    reset: () => restart('button'),
    statusLed() {
      if (core === null) return false;
      const { port, bit } = map.statusLed;
      const table = chip.ports[port];
      if (!table) return false;
      const { data } = core.cpu;
      return ((((data[table.PORT] ?? 0) & (data[table.DDR] ?? 0)) >> bit) & 1) === 1;
    },
    figures: () => ({
      ...runFigures(core?.runner.figures() ?? null, lastStack, cyclesPerUs),
      ...chainFigures(chains, now, cyclesPerUs),
      cycle: now,
      receiveOverruns: core?.usart.overruns() ?? 0,
      unheardBytes: unheard,
      hallSamples,
      shortestSettleUs: shortestSettle / cyclesPerUs,
      baud: core?.usart.baud() ?? 0,
    }),
    clearFigures() {
      core?.runner.clear();
      for (const chain of chains) chain.clearFigures();
      hallSamples = 0;
      shortestSettle = Number.POSITIVE_INFINITY;
    },
  };
}
