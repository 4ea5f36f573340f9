import type { UsartTable } from './chips.ts';
import { alarm, type BoardCpu, type Vector } from './cpu.ts';
import { sampled, type Wire } from './wire.ts';

const RXC = 0x80;
const TXC = 0x40;
const UDRE = 0x20;
const FRAME_ERROR = 0x10;
const OVERRUN = 0x08;
const DOUBLE_SPEED = 0x02;
const SETTINGS = 0x03;
const RECEIVER_ON = 0x10;
const TRANSMITTER_ON = 0x08;
const PARITY = 0x20;
const TWO_STOP_BITS = 0x08;
const DATA_BITS = 0x06;

/** The serial port as the table's end sees it. */
export interface Usart {
  /** The wire has new bytes on it. */
  listen(): void;
  /** Bits a second by the registers as they stand. */
  baud(): number;
  /** Bytes lost since boot since the buffer and the shift register were full when another start bit came. */
  overruns(): number;
}

/**
 * A USART in 8N1 with what avr8js leaves out: two bytes of receive buffer before the shift register and the overrun
 * and framing flags (ATmega328P data sheet, 19.7), a transmit buffer before the shift register so that bytes follow
 * each other without a pause (19.6), and flags that a write to UCSRB or the entry of an interrupt does not clear.
 * @param wire bytes towards the chip; they come at the host's pace whether or not they are read
 * @param hostBitCycles length of the host's bit in cycles; another length at the chip garbles bytes both ways
 * @param sent told each byte as the host reads it and the cycle at which its stop bit ended
 */
export function createUsart(
  cpu: BoardCpu,
  table: UsartTable,
  wire: Wire,
  hostBitCycles: number,
  sent: (byte: number, endCycle: number) => void,
): Usart {
  const { data } = cpu;
  const { UCSRA, UCSRB, UCSRC, UBRRL, UBRRH, UDR } = table;
  const source = (address: number, flagMask: number, constant: boolean): Vector => ({
    address,
    flagRegister: UCSRA,
    flagMask,
    enableRegister: UCSRB,
    // RXCIE, TXCIE and UDRIE stand at the places of their flags.
    enableMask: flagMask,
    constant,
  });
  const received = source(table.rxCompleteInterrupt, RXC, true);
  const empty = source(table.dataRegisterEmptyInterrupt, UDRE, true);
  const complete = source(table.txCompleteInterrupt, TXC, false);
  data[UCSRA] = UDRE;
  data[UCSRC] = DATA_BITS;

  const register = (address: number): number => data[address] ?? 0;
  const bitCycles = (): number =>
    ((((register(UBRRH) & 0x0f) << 8) | register(UBRRL)) + 1) * (register(UCSRA) & DOUBLE_SPEED ? 8 : 16);
  const frameBits = (): number =>
    10 + (register(UCSRC) & TWO_STOP_BITS ? 1 : 0) + (register(UCSRC) & PARITY ? 1 : 0);

  // Sending: one byte in the shift register, one waiting in the data register.
  let shifting = -1;
  let buffered = -1;
  const send = (byte: number, from: number): void => {
    shifting = byte;
    cpu.wake(sending, from + frameBits() * bitCycles());
  };
  const sending = alarm(() => {
    const end = sending.due;
    const heard =
      bitCycles() === hostBitCycles ? shifting : sampled(shifting, hostBitCycles / bitCycles()).byte;
    shifting = -1;
    if (buffered >= 0) {
      send(buffered, end);
      buffered = -1;
      cpu.setInterruptFlag(empty);
    } else cpu.setInterruptFlag(complete);
    sent(heard, end);
  });

  // Receiving: two bytes in the buffer, and a third held by the shift register until the next start bit.
  const fifo = [0, 0];
  const framing = [0, 0];
  let held = 0;
  let waiting = -1;
  let waitingFraming = 0;
  let overruns = 0;
  const status = (): void => {
    const head = held > 0 ? (framing[0] ?? 0) : 0;
    data[UCSRA] = (register(UCSRA) & ~FRAME_ERROR) | head;
  };
  const keep = (byte: number, error: number): void => {
    fifo[held] = byte;
    framing[held] = error;
    held += 1;
    status();
    cpu.setInterruptFlag(received);
  };
  const listen = (): void => {
    const start = wire.nextStart();
    if (start === Number.POSITIVE_INFINITY) cpu.cancel(receiving);
    // A byte is complete in the middle of its stop bit.
    else cpu.wake(receiving, waiting >= 0 ? start : start + Math.floor(9.5 * bitCycles()));
  };
  const receiving = alarm(() => {
    if (waiting >= 0) {
      waiting = -1;
      overruns += 1;
      data[UCSRA] = register(UCSRA) | OVERRUN;
    } else {
      const byte = wire.take();
      if (register(UCSRB) & RECEIVER_ON) {
        const ratio = bitCycles() / hostBitCycles;
        const got = ratio === 1 ? { byte, framed: true } : sampled(byte, ratio);
        const error = got.framed ? 0 : FRAME_ERROR;
        if (held < 2) keep(got.byte, error);
        else {
          waiting = got.byte;
          waitingFraming = error;
        }
      }
    }
    listen();
  });

  cpu.writeHooks[UCSRA] = (value) => {
    data[UCSRA] = (register(UCSRA) & ~SETTINGS) | (value & SETTINGS);
    if (value & TXC) cpu.clearInterrupt(complete);
    return true;
  };
  cpu.writeHooks[UCSRB] = (value, old) => {
    data[UCSRB] = value;
    if (old & RECEIVER_ON && !(value & RECEIVER_ON)) {
      held = 0;
      waiting = -1;
      data[UCSRA] = register(UCSRA) & ~(OVERRUN | FRAME_ERROR);
      cpu.clearInterrupt(received);
      listen();
    }
    cpu.updateInterruptEnable(received, value);
    cpu.updateInterruptEnable(empty, value);
    cpu.updateInterruptEnable(complete, value);
    return true;
  };
  cpu.readHooks[UDR] = () => {
    if (held === 0) return 0;
    const byte = fifo[0] ?? 0;
    fifo[0] = fifo[1] ?? 0;
    framing[0] = framing[1] ?? 0;
    held -= 1;
    data[UCSRA] = register(UCSRA) & ~OVERRUN;
    if (waiting >= 0) {
      const late = waiting;
      waiting = -1;
      keep(late, waitingFraming);
      listen();
    }
    status();
    if (held === 0) cpu.clearInterrupt(received);
    return byte;
  };
  cpu.writeHooks[UDR] = (value) => {
    if (!(register(UCSRB) & TRANSMITTER_ON) || !(register(UCSRA) & UDRE)) return true;
    if (shifting < 0) send(value, cpu.cycles);
    else {
      buffered = value;
      cpu.clearInterrupt(empty);
    }
    return true;
  };

  listen();
  return { listen, baud: () => 16_000_000 / bitCycles(), overruns: () => overruns };
}
