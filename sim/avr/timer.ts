import type { AVRTimerConfig } from 'avr8js';
import { alarm, type BoardCpu, type Vector } from './cpu.ts';

/** The clock that timers divide: it runs from reset and is restarted only by a write to GTCCR. */
export interface Prescaler {
  /** Cycle at which it stood at 0. */
  origin: number;
  /** Timers that divide it: told before and after the origin moves. */
  readonly timers: { settle(): void; changed(): void }[];
}

type TopOf = number | 'ocra' | 'icr';
/** Slope, top and where the overflow flag is set; a reserved setting counts as normal. */
type Mode = readonly [slope: 'single' | 'dual', top: TopOf, overflowAt: 'max' | 'top' | 'bottom'];

const MODES_8: readonly Mode[] = [
  ['single', 0xff, 'max'],
  ['dual', 0xff, 'bottom'],
  ['single', 'ocra', 'max'],
  ['single', 0xff, 'top'],
  ['single', 0xff, 'max'],
  ['dual', 'ocra', 'bottom'],
  ['single', 0xff, 'max'],
  ['single', 'ocra', 'top'],
];
const MODES_16: readonly Mode[] = [
  ['single', 0xffff, 'max'],
  ['dual', 0xff, 'bottom'],
  ['dual', 0x1ff, 'bottom'],
  ['dual', 0x3ff, 'bottom'],
  ['single', 'ocra', 'max'],
  ['single', 0xff, 'top'],
  ['single', 0x1ff, 'top'],
  ['single', 0x3ff, 'top'],
  ['dual', 'icr', 'bottom'],
  ['dual', 'ocra', 'bottom'],
  ['dual', 'icr', 'bottom'],
  ['dual', 'ocra', 'bottom'],
  ['single', 'icr', 'max'],
  ['single', 0xffff, 'max'],
  ['single', 'icr', 'top'],
  ['single', 'ocra', 'top'],
];

interface Unit {
  readonly vector: Vector;
  /** Tick at which the flag is set next, or Infinity. */
  due: number;
}

/**
 * A timer that costs nothing while it only counts: the count is worked out when it is read, and an alarm is set for
 * the next flag. (avr8js wakes once a count, which at a divider of 8 keeps a sleeping board busy.) Counting modes,
 * compare and overflow interrupts, the 16-bit temporary register and the shared prescaler's phase are as on the chip.
 * Not modelled: compare outputs on pins, input capture, external clocks; buffered compare registers act at once.
 */
export function createTimer(cpu: BoardCpu, table: AVRTimerConfig, prescaler: Prescaler): void {
  const { data } = cpu;
  const wide = table.bits === 16;
  const max = wide ? 0xffff : 0xff;
  const dividers = Object.values(table.dividers);
  const vector = (address: number, flagMask: number, enableMask: number): Unit => ({
    vector: { address, flagRegister: table.TIFR, flagMask, enableRegister: table.TIMSK, enableMask },
    due: Number.POSITIVE_INFINITY,
  });
  const overflow = vector(table.ovfInterrupt, table.TOV, table.TOIE);
  const compares: { unit: Unit; register: number; value: number }[] = [
    { unit: vector(table.compAInterrupt, table.OCFA, table.OCIEA), register: table.OCRA, value: 0 },
    { unit: vector(table.compBInterrupt, table.OCFB, table.OCIEB), register: table.OCRB, value: 0 },
  ];
  if (table.OCRC > 0) {
    compares.push({
      unit: vector(table.compCInterrupt, table.OCFC, table.OCIEC),
      register: table.OCRC,
      value: 0,
    });
  }
  const units = [overflow, ...compares.map((compare) => compare.unit)];

  let divider = 0;
  let dual = false;
  let overflowAt: Mode[2] = 'max';
  let topOf: TopOf = max;
  let icr = 0;
  let temporary = 0;
  /** Where the counter stood at which tick of the divided clock. Dual slopes count 0 to 2·top − 1 there. */
  let position0 = 0;
  let tick0 = 0;

  const top = (): number => (topOf === 'ocra' ? (compares[0]?.value ?? 0) : topOf === 'icr' ? icr : topOf);
  const period = (): number => (dual ? Math.max(1, 2 * top()) : top() + 1);
  const tickNow = (): number =>
    divider === 0 ? tick0 : Math.floor((cpu.cycles - prescaler.origin) / divider);
  const positionAt = (tick: number): number => {
    const raw = position0 + tick - tick0;
    if (!dual && position0 > top()) return raw <= max ? raw : (raw - max - 1) % period();
    return raw % period();
  };
  const countOf = (position: number): number => (dual && position > top() ? 2 * top() - position : position);

  /** Ticks until the counter stands at a value, 0 if it does now. */
  const ticksTo = (value: number, position: number): number => {
    const last = top();
    if (dual) {
      if (value > last) return Number.POSITIVE_INFINITY;
      const full = period();
      return Math.min((value - position + full) % full, (2 * full - value - position) % full);
    }
    if (position > last) {
      if (value >= position) return value - position;
      return value > last ? Number.POSITIVE_INFINITY : max + 1 - position + value;
    }
    if (value > last) return Number.POSITIVE_INFINITY;
    return value >= position ? value - position : value - position + last + 1;
  };
  const ticksToOverflow = (position: number): number => {
    if (dual) return period() - position;
    if (overflowAt === 'max' && top() < max)
      return position > top() ? max + 1 - position : Number.POSITIVE_INFINITY;
    return Math.max(1, top() + 1 - position);
  };

  const arm = (tick: number, justWritten = false): void => {
    if (divider === 0) {
      cpu.cancel(next);
      return;
    }
    const position = positionAt(tick);
    const enabled = data[table.TIMSK] ?? 0;
    const flagged = data[table.TIFR] ?? 0;
    // A flag that is up and raises no interrupt cannot change by itself, so nothing need happen at its next match.
    const matters = ({ vector: { flagMask, enableMask } }: Unit): boolean =>
      (flagged & flagMask) === 0 || (enabled & enableMask) !== 0;
    let first = Number.POSITIVE_INFINITY;
    overflow.due = matters(overflow) ? tick + ticksToOverflow(position) : Number.POSITIVE_INFINITY;
    if (overflow.due < first) first = overflow.due;
    for (const { unit, value } of compares) {
      // The flag goes up on the count after the match. A write to the counter blocks a match on that count.
      const away = ticksTo(value, position);
      const blocked = justWritten && away === 0;
      unit.due = matters(unit) ? tick + away + 1 + (blocked ? period() : 0) : Number.POSITIVE_INFINITY;
      if (unit.due < first) first = unit.due;
    }
    if (first === Number.POSITIVE_INFINITY) cpu.cancel(next);
    else cpu.wake(next, prescaler.origin + first * divider);
  };
  const next = alarm(() => {
    const tick = Math.round((next.due - prescaler.origin) / divider);
    for (const unit of units) if (unit.due <= tick) cpu.setInterruptFlag(unit.vector);
    arm(tick);
  });
  /** Takes the count as it stands for the new starting point; called before anything it depends on changes. */
  const settle = (): void => {
    // What fell due within the instruction now running must not be lost.
    if (next.set && next.due <= cpu.cycles) {
      cpu.cancel(next);
      next.ring();
    }
    const tick = tickNow();
    position0 = positionAt(tick);
    tick0 = tick;
  };
  const changed = (): void => {
    tick0 = tickNow();
    arm(tick0);
  };

  const control = (address: number) => (value: number) => {
    settle();
    const count = countOf(position0);
    data[address] = value;
    const a = data[table.TCCRA] ?? 0;
    const b = data[table.TCCRB] ?? 0;
    const mode = (wide ? MODES_16 : MODES_8)[((b & (wide ? 0x18 : 0x08)) >> 1) | (a & 3)];
    if (mode) {
      dual = mode[0] === 'dual';
      topOf = mode[1];
      overflowAt = mode[2];
    }
    position0 = count;
    divider = dividers[b & 7] ?? 0;
    changed();
    return true;
  };
  cpu.writeHooks[table.TCCRA] = control(table.TCCRA);
  cpu.writeHooks[table.TCCRB] = control(table.TCCRB);

  cpu.readHooks[table.TCNT] = () => {
    const count = countOf(positionAt(tickNow()));
    temporary = count >> 8;
    return count & 0xff;
  };
  cpu.writeHooks[table.TCNT] = (value) => {
    settle();
    position0 = wide ? (temporary << 8) | value : value;
    tick0 = tickNow();
    arm(tick0, true);
    return true;
  };
  const low = (register: number, put: (value: number) => void): void => {
    cpu.writeHooks[register] = (value) => {
      settle();
      put(wide ? (temporary << 8) | value : value);
      data[register] = value;
      if (wide) data[register + 1] = temporary;
      changed();
      return true;
    };
    if (wide) {
      cpu.writeHooks[register + 1] = (value) => {
        temporary = value;
        return true;
      };
    }
  };
  for (const compare of compares) {
    low(compare.register, (value) => {
      compare.value = value;
    });
  }
  if (wide) {
    low(table.ICR, (value) => {
      icr = value;
    });
    cpu.readHooks[table.TCNT + 1] = () => temporary;
    cpu.writeHooks[table.TCNT + 1] = (value) => {
      temporary = value;
      return true;
    };
  }
  cpu.writeHooks[table.TIFR] = (value) => {
    for (const { vector: source } of units) if (value & source.flagMask) cpu.clearInterrupt(source);
    settle();
    changed();
    return true;
  };
  cpu.writeHooks[table.TIMSK] = (value) => {
    data[table.TIMSK] = value;
    for (const { vector: source } of units) cpu.updateInterruptEnable(source, value);
    settle();
    changed();
    return true;
  };
  prescaler.timers.push({ settle, changed });
}

const GTCCR = 0x43;
const RESTART_SYNCHRONOUS = 0x01;
const RESTART_ASYNCHRONOUS = 0x02;

/** The two prescalers of a chip, zero at reset. The hold bit (TSM) of GTCCR is not modelled. */
export function createPrescalers(cpu: BoardCpu): { synchronous: Prescaler; asynchronous: Prescaler } {
  const make = (): Prescaler => ({ origin: cpu.cycles, timers: [] });
  const both = { synchronous: make(), asynchronous: make() };
  const restart = (prescaler: Prescaler): void => {
    for (const timer of prescaler.timers) timer.settle();
    prescaler.origin = cpu.cycles;
    for (const timer of prescaler.timers) timer.changed();
  };
  cpu.writeHooks[GTCCR] = (value) => {
    if (value & RESTART_SYNCHRONOUS) restart(both.synchronous);
    if (value & RESTART_ASYNCHRONOUS) restart(both.asynchronous);
    cpu.data[GTCCR] = 0;
    return true;
  };
  return both;
}
