import type { RunFigures } from './sleep.ts';
import type { Chain } from './ws2812.ts';

/** What an emulator sees that a host cannot. Counters run since boot or since `clearFigures`. */
export interface AvrFigures {
  /** Cycles since the table was switched on. */
  readonly cycle: number;
  /** Share of the time the processor was awake, 0 to 1. */
  readonly busyShare: number;
  /** Lowest address the stack reached, and how many bytes of it that is. */
  readonly lowestStack: number;
  readonly stackBytes: number;
  /** Share of the time with interrupts off, interrupt routines included; longest stretch, µs. */
  readonly interruptsOffShare: number;
  readonly longestInterruptsOffUs: number;
  /** Bytes from the host lost since the receive buffer was full, since boot. */
  readonly receiveOverruns: number;
  /** Bytes from the host that came while the bootloader ran or that overfilled the line, since power on. */
  readonly unheardBytes: number;
  /** Strip writes latched since power on; time from first to last edge of all and of the longest, µs. */
  readonly ledWrites: number;
  readonly ledWriteUs: number;
  readonly longestLedWriteUs: number;
  /** Transfers that some WS2812 would cut in two, and pulses out of tolerance. */
  readonly ledPauses: number;
  readonly ledOddPulses: number;
  /** Conversions of a hall sensor; least time from a change of the multiplexer's channel to the sample, µs. */
  readonly hallSamples: number;
  readonly shortestSettleUs: number;
  /** Words of erased flash that ran: more than none means the program ran away. */
  readonly erasedWordsRun: number;
  /** Bits a second the firmware set, 0 before it boots. */
  readonly baud: number;
}

/** The emulator's own view of its board. */
export interface AvrProbe {
  figures(): AvrFigures;
  clearFigures(): void;
  /** Contents of the EEPROM, live. */
  readonly eeprom: Uint8Array;
  /** The light on D13. */
  statusLed(): boolean;
}

type RunPart = Pick<
  AvrFigures,
  | 'busyShare'
  | 'lowestStack'
  | 'stackBytes'
  | 'interruptsOffShare'
  | 'longestInterruptsOffUs'
  | 'erasedWordsRun'
>;
type LedPart = Pick<
  AvrFigures,
  'ledWrites' | 'ledWriteUs' | 'longestLedWriteUs' | 'ledPauses' | 'ledOddPulses'
>;

/** The processor's share of the figures; null before it has booted. */
export function runFigures(run: RunFigures | null, lastStack: number, cyclesPerUs: number): RunPart {
  const cycles = Math.max(1, run?.cycles ?? 1);
  const lowestStack = run?.lowestStack ?? lastStack;
  return {
    busyShare: run ? 1 - run.asleep / cycles : 0,
    lowestStack,
    stackBytes: lastStack - lowestStack,
    interruptsOffShare: (run?.interruptsOff ?? 0) / cycles,
    longestInterruptsOffUs: (run?.longestInterruptsOff ?? 0) / cyclesPerUs,
    erasedWordsRun: run?.erasedWordsRun ?? 0,
  };
}

/** The LED chains' share of the figures, all chains together. */
export function chainFigures(chains: readonly Chain[], atCycle: number, cyclesPerUs: number): LedPart {
  let [ledWrites, cycles, longest, ledPauses, ledOddPulses] = [0, 0, 0, 0, 0];
  for (const chain of chains) {
    const figures = chain.figures(atCycle);
    ledWrites += figures.writes;
    cycles += figures.cycles;
    longest = Math.max(longest, figures.longestCycles);
    ledPauses += figures.pauses;
    ledOddPulses += figures.oddPulses;
  }
  return {
    ledWrites,
    ledWriteUs: cycles / cyclesPerUs,
    longestLedWriteUs: longest / cyclesPerUs,
    ledPauses,
    ledOddPulses,
  };
}
