import { avrInstruction } from 'avr8js';
import type { BoardCpu } from './cpu.ts';

const SREG = 95;
const INTERRUPTS_ON = 0x80;
const SPL = 93;
const SPH = 94;
const SMCR = 0x53;
const SLEEP_ENABLE = 1;
const SLEEP_MODE = 0x0e;

const PLAIN = 0;
const PUSHES = 1;
const SLEEPS = 2;
const ERASED = 3;

/**
 * What the run loop must know of an opcode. The stack is looked at only after a push, a call or a write to the
 * pointer's low half: compilers move the pointer high half first, and between the two it is nonsense.
 */
const KIND = new Uint8Array(0x10000).map((_, opcode) => {
  if (opcode === 0x9588) return SLEEPS;
  if (opcode === 0xffff) return ERASED;
  const push = (opcode & 0xfe0f) === 0x920f;
  const call = (opcode & 0xf000) === 0xd000 || (opcode & 0xfe0e) === 0x940e;
  const indirect = opcode === 0x9509 || opcode === 0x9519;
  const moved = (opcode & 0xfe0f) === 0xbe0d;
  return push || call || indirect || moved ? PUSHES : PLAIN;
});

/** How the processor spent its time, in cycles since `clear`. */
export interface RunFigures {
  /** Cycles run, asleep or awake. */
  readonly cycles: number;
  /** Cycles asleep. */
  readonly asleep: number;
  /** Cycles with interrupts off, interrupt routines included, and the longest such stretch. */
  readonly interruptsOff: number;
  readonly longestInterruptsOff: number;
  /** Lowest stack pointer seen after a push, a call or an interrupt. */
  readonly lowestStack: number;
  /** Words of erased flash that were executed: more than none means the program ran away. */
  readonly erasedWordsRun: number;
}

/** Runs one processor; skips the time it sleeps. */
export interface Runner {
  /** Runs until this cycle or, where an instruction straddles it, just beyond. */
  run(untilCycle: number): void;
  /** Makes `run` return at once, now and from then on: the chip was reset. */
  stop(): void;
  figures(): RunFigures;
  clear(): void;
}

/**
 * The run loop. After interrupts were switched on (SEI, RETI, a write to SREG) one more instruction runs before a
 * waiting interrupt is taken, as on the chip: else `sei; sleep` could miss its wake-up. A sleeping core wakes only by
 * taking an interrupt, four cycles later than one that was awake (ATmega328P data sheet, 7.7.1). Idle is the only
 * sleep mode whose clocks are modelled.
 * @throws Error from `run` when the program enters another sleep mode
 */
export function createRunner(cpu: BoardCpu): Runner {
  // Copies of the imports: a test runner may turn imported names into slow look-ups.
  const step = avrInstruction;
  const kind = KIND;
  const { data, progMem } = cpu;
  let on = false;
  let asleepNow = false;
  let stopped = false;
  let offSince = cpu.cycles;
  let asleep = 0;
  let off = 0;
  let longestOff = 0;
  let lowest = data.length - 1;
  let erased = 0;
  let since = cpu.cycles;

  const lookAtStack = (): void => {
    const pointer = (data[SPL] ?? 0) | ((data[SPH] ?? 0) << 8);
    if (pointer < lowest) lowest = pointer;
  };

  const enter = (): void => {
    on = false;
    offSince = cpu.cycles;
    cpu.enterInterrupt();
    lookAtStack();
  };

  const notPlain = (what: number): void => {
    if (what === PUSHES) lookAtStack();
    else if (what === ERASED) erased += 1;
    else {
      const mode = data[SMCR] ?? 0;
      if ((mode & SLEEP_ENABLE) === 0) return;
      if ((mode & SLEEP_MODE) !== 0) {
        throw new Error(
          `The firmware entered sleep mode ${(mode & SLEEP_MODE) >> 1}; only idle (0) is emulated. Use SLEEP_MODE_IDLE.`,
        );
      }
      asleepNow = true;
    }
  };

  /** Lets time pass until the core is awake again or the end is reached. */
  const sleepOn = (until: number): void => {
    while (asleepNow && cpu.cycles < until && !stopped) {
      if (on && cpu.nextInterrupt >= 0) {
        asleepNow = false;
        cpu.cycles += 4;
        enter();
        return;
      }
      const due = cpu.first === null ? until : cpu.first.due;
      const to = Math.min(due, until);
      if (to > cpu.cycles) {
        asleep += to - cpu.cycles;
        cpu.cycles = to;
      }
      cpu.ringDue();
    }
  };

  return {
    run(until) {
      while (cpu.cycles < until && !stopped) {
        if (asleepNow) {
          sleepOn(until);
          continue;
        }
        const what = kind[progMem[cpu.pc] ?? 0xffff] ?? PLAIN;
        step(cpu);
        if (what !== PLAIN) notPlain(what);
        const first = cpu.first;
        if (first !== null && first.due <= cpu.cycles) cpu.ringDue();
        if (((data[SREG] ?? 0) & INTERRUPTS_ON) !== 0) {
          if (on) {
            if (cpu.nextInterrupt >= 0 && !asleepNow) enter();
          } else {
            on = true;
            const stretch = cpu.cycles - offSince;
            off += stretch;
            if (stretch > longestOff) longestOff = stretch;
          }
        } else if (on) {
          on = false;
          offSince = cpu.cycles;
        }
      }
    },
    stop() {
      stopped = true;
    },
    figures: () => ({
      cycles: cpu.cycles - since,
      asleep,
      interruptsOff: off,
      longestInterruptsOff: longestOff,
      lowestStack: lowest,
      erasedWordsRun: erased,
    }),
    clear() {
      since = cpu.cycles;
      offSince = cpu.cycles;
      asleep = 0;
      off = 0;
      longestOff = 0;
      lowest = data.length - 1;
      erased = 0;
    },
  };
}
