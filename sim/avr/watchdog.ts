import { alarm, type BoardCpu, type Vector } from './cpu.ts';

const RESET_ENABLE = 0x08;
const CHANGE_ENABLE = 0x10;
const INTERRUPT_ENABLE = 0x40;
const FLAG = 0x80;
const PROTECTED = 0x2f;
/** 128 kHz oscillator: the shortest period is 2048 of its cycles, 16 ms. */
const CYCLES_OF_SHORTEST = (16_000_000 / 128_000) * 2048;

/**
 * The watchdog timer (ATmega328P data sheet, 10.8): timed sequence, interrupt mode, reset mode and both.
 * @param bite told when it resets the chip
 */
export function attachWatchdog(
  cpu: BoardCpu,
  table: { readonly WDTCSR: number; readonly interrupt: number },
  bite: () => void,
): void {
  const { data } = cpu;
  const { WDTCSR } = table;
  const timeout: Vector = {
    address: table.interrupt,
    flagRegister: WDTCSR,
    flagMask: FLAG,
    enableRegister: WDTCSR,
    enableMask: INTERRUPT_ENABLE,
  };
  let changeUntil = -1;
  let deadline = 0;
  const restart = (): void => {
    const setting = data[WDTCSR] ?? 0;
    deadline = cpu.cycles + CYCLES_OF_SHORTEST * (1 << ((setting & 7) | ((setting & 0x20) >> 2)));
  };
  const running = (): boolean => ((data[WDTCSR] ?? 0) & (RESET_ENABLE | INTERRUPT_ENABLE)) !== 0;
  const check = alarm(() => {
    if (!running()) return;
    // The deadline moves on with every WDR; only the last one counts.
    if (cpu.cycles >= deadline) {
      const setting = data[WDTCSR] ?? 0;
      if (setting & INTERRUPT_ENABLE) {
        cpu.setInterruptFlag(timeout);
        if (setting & RESET_ENABLE) data[WDTCSR] = (data[WDTCSR] ?? 0) & ~INTERRUPT_ENABLE;
      } else {
        bite();
        return;
      }
      restart();
    }
    cpu.wake(check, deadline);
  });
  cpu.onWatchdogReset = restart;
  cpu.writeHooks[WDTCSR] = (value, old) => {
    const open = cpu.cycles <= changeUntil;
    if (value & FLAG) cpu.clearInterrupt(timeout);
    const flag = (data[WDTCSR] ?? 0) & FLAG;
    if (value & CHANGE_ENABLE && value & RESET_ENABLE && !open) changeUntil = cpu.cycles + 4;
    // Outside the four cycles the reset bit may only be set and the period not changed.
    const guarded = open ? value & PROTECTED : (old & PROTECTED) | (value & RESET_ENABLE);
    data[WDTCSR] = flag | guarded | (value & INTERRUPT_ENABLE);
    cpu.updateInterruptEnable(timeout, value);
    if (running()) {
      restart();
      cpu.wake(check, deadline);
    } else cpu.cancel(check);
    return true;
  };
}
