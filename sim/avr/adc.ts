import type { AdcTable } from './chips.ts';
import { alarm, type BoardCpu, type Vector } from './cpu.ts';

const ENABLE = 0x80;
const START = 0x40;
const AUTO_TRIGGER = 0x20;
const FLAG = 0x10;
const INTERRUPT_ENABLE = 0x08;
const PRESCALER = 0x07;
const LEFT_ADJUST = 0x20;
const MUX5 = 0x08;
const TRIGGER_SOURCE = 0x07;
/** Volts of the internal reference as a multiplexer input. */
const BANDGAP_VOLTS = 1.1;

/** Counts, 0 to 1023, of a voltage against a reference: floor(V / Vref · 1024), clipped. */
export function countsOf(volts: number, reference: number): number {
  const counts = Math.floor((volts / reference) * 1024);
  return counts < 0 ? 0 : Math.min(counts, 1023);
}

/** What the converter is wired to. */
export interface AnalogSide {
  /** Volts at a pin, 0 is A0, at a cycle: asked once a conversion, at the moment of sampling. */
  volts(channel: number, atCycle: number): number;
  /** Supply of the chip and reference AVCC, volts. */
  supplyVolts(): number;
}

/**
 * The converter in the timing of the data sheet (ATmega328P, 23.4): its clock runs from the moment it is enabled; a
 * conversion starts at the next rising edge of that clock, samples 1.5 clocks later and takes 13, the first after
 * enabling 13.5 and 25. Free running is modelled, other trigger sources and differential inputs are not.
 */
export function createAdc(cpu: BoardCpu, table: AdcTable, analog: AnalogSide): void {
  const { data } = cpu;
  const { ADMUX, ADCSRA, ADCSRB, ADCL, ADCH } = table;
  const done: Vector = {
    address: table.interrupt,
    flagRegister: ADCSRA,
    flagMask: FLAG,
    enableRegister: ADCSRA,
    enableMask: INTERRUPT_ENABLE,
  };
  const register = (address: number): number => data[address] ?? 0;
  let clockFrom = 0;
  let first = true;
  let busy = false;
  let locked = false;
  let counts = 0;
  let setting = 0;
  let reference = 0;
  let finish = 0;

  const clock = (): number => 1 << Math.max(1, register(ADCSRA) & PRESCALER);
  const begin = (edge: number): void => {
    busy = true;
    setting = ((register(ADMUX) & 0x1f) | (register(ADCSRB) & MUX5 ? 0x20 : 0)) & table.muxMask;
    reference = table.references[register(ADMUX) >> 6] ?? 0;
    const cycles = clock();
    finish = edge + (first ? 25 : 13) * cycles;
    cpu.wake(sampling, edge + (first ? 13.5 : 1.5) * cycles);
    first = false;
  };
  const voltsNow = (atCycle: number): number => {
    if (setting === table.bandgap) return BANDGAP_VOLTS;
    const channel = table.channelOf(setting);
    return channel < 0 ? 0 : analog.volts(channel, atCycle);
  };
  const sampling = alarm(() => {
    counts = countsOf(voltsNow(sampling.due), reference === 0 ? analog.supplyVolts() : reference);
    cpu.wake(ending, finish);
  });
  const ending = alarm(() => {
    busy = false;
    if (!locked) {
      const word = register(ADMUX) & LEFT_ADJUST ? counts << 6 : counts;
      data[ADCL] = word & 0xff;
      data[ADCH] = word >> 8;
    }
    const control = register(ADCSRA);
    const freeRunning = (control & AUTO_TRIGGER) !== 0 && (register(ADCSRB) & TRIGGER_SOURCE) === 0;
    if (freeRunning) begin(ending.due);
    else data[ADCSRA] = control & ~START;
    cpu.setInterruptFlag(done);
  });

  cpu.writeHooks[ADCSRA] = (value, old) => {
    if (value & FLAG) cpu.clearInterrupt(done);
    const flag = register(ADCSRA) & FLAG;
    if (value & ENABLE && !(old & ENABLE)) {
      clockFrom = cpu.cycles;
      first = true;
    }
    if (!(value & ENABLE)) {
      busy = false;
      cpu.cancel(sampling);
      cpu.cancel(ending);
    }
    const start = value & ENABLE && (busy || value & START) ? START : 0;
    data[ADCSRA] = (value & ~(FLAG | START)) | flag | start;
    cpu.updateInterruptEnable(done, value);
    if (start && !busy) {
      const cycles = clock();
      begin(clockFrom + (Math.floor((cpu.cycles - clockFrom) / cycles) + 1) * cycles);
    }
    return true;
  };
  // Reading the low byte holds the result until the high byte is read.
  cpu.readHooks[ADCL] = () => {
    locked = true;
    return register(ADCL);
  };
  cpu.readHooks[ADCH] = () => {
    locked = false;
    return register(ADCH);
  };
}
