import { avrInterrupt, CPU } from 'avr8js';

/** An interrupt source: vector address in words, flag and enable bits. `constant` vectors are level triggered. */
export type Vector = Parameters<CPU['queueInterrupt']>[0];

/** Something that happens at a cycle. Made once by its peripheral and set again and again, so nothing is allocated. */
export interface Alarm {
  /** Cycle at which it rings. */
  due: number;
  next: Alarm | null;
  set: boolean;
  readonly ring: () => void;
}

/** A quiet alarm; `BoardCpu.wake` sets it. */
export function alarm(ring: () => void): Alarm {
  return { due: 0, next: null, set: false, ring };
}

const VECTOR_WORDS = 128;

/**
 * The avr8js core with an agenda and an interrupt queue of our own: alarms ring at exact cycles in order and may set
 * themselves again while they ring, and the run loop may look at what is next.
 */
export class BoardCpu extends CPU {
  /** The alarm due first. */
  first: Alarm | null = null;
  readonly #waiting: (Vector | null)[] = new Array<Vector | null>(VECTOR_WORDS).fill(null);

  /** Sets an alarm to ring at a cycle, also one that is past: it then rings at the next look. */
  wake(what: Alarm, due: number): void {
    if (what.set) this.cancel(what);
    what.due = due;
    what.set = true;
    let before: Alarm | null = null;
    let after = this.first;
    while (after !== null && after.due <= due) {
      before = after;
      after = after.next;
    }
    what.next = after;
    if (before === null) this.first = what;
    else before.next = what;
  }

  /** Silences an alarm; one that is not set is left alone. */
  cancel(what: Alarm): void {
    if (!what.set) return;
    what.set = false;
    if (this.first === what) {
      this.first = what.next;
      return;
    }
    for (let at = this.first; at !== null; at = at.next) {
      if (at.next === what) {
        at.next = what.next;
        return;
      }
    }
  }

  /** Rings everything due by now, earliest first. */
  ringDue(): void {
    let head = this.first;
    while (head !== null && head.due <= this.cycles) {
      this.first = head.next;
      head.set = false;
      head.ring();
      head = this.first;
    }
  }

  /** Enters the waiting interrupt of the lowest vector; the caller has seen that one waits and that I is set. */
  enterInterrupt(): void {
    const vector = this.#waiting[this.nextInterrupt];
    if (vector === null || vector === undefined) return;
    avrInterrupt(this, vector.address);
    // avr8js counts 2; the data sheets say 4, and 5 where the program counter has 22 bits.
    this.cycles += this.pc22Bits ? 3 : 2;
    if (!vector.constant) this.clearInterrupt(vector);
  }

  override queueInterrupt(vector: Vector): void {
    this.#waiting[vector.address] = vector;
    if (this.nextInterrupt === -1 || vector.address < this.nextInterrupt) this.nextInterrupt = vector.address;
  }

  override clearInterrupt(vector: Vector, clearFlag = true): void {
    const { address, flagRegister, flagMask } = vector;
    if (clearFlag) this.data[flagRegister] = (this.data[flagRegister] ?? 0) & ~flagMask;
    const waiting = this.#waiting;
    if (waiting[address] === null) return;
    waiting[address] = null;
    if (this.nextInterrupt !== address) return;
    for (let at = address + 1; at < VECTOR_WORDS; at++) {
      if (waiting[at] !== null) {
        this.nextInterrupt = at;
        return;
      }
    }
    this.nextInterrupt = -1;
  }

  override addClockEvent(callback: () => void, cycles: number): () => void {
    this.wake(alarm(callback), this.cycles + Math.max(1, cycles));
    return callback;
  }

  override clearClockEvent(callback: () => void): boolean {
    for (let at = this.first; at !== null; at = at.next) {
      if (at.ring === callback) {
        this.cancel(at);
        return true;
      }
    }
    return false;
  }

  override updateClockEvent(callback: () => void, cycles: number): boolean {
    if (!this.clearClockEvent(callback)) return false;
    this.addClockEvent(callback, cycles);
    return true;
  }
}
