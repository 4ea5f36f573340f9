/** The forms a field of a line can take. Each form is a value that reads and writes itself. */
import type { FrameFault } from './frame.ts';
import { INPUT, MAX_TILES } from './frame.ts';

/** A place in a line while its fields are read, and the first thing that was wrong. */
export class Cursor {
  readonly line: string;
  /** First character of the next field. */
  at: number;
  /** The last comma, after which the checksum stands. */
  readonly end: number;
  fault: FrameFault | undefined = undefined;
  detail = '';

  constructor(line: string, at: number, end: number) {
    this.line = line;
    this.at = at;
    this.end = end;
  }

  /** Text of the next field, without its comma. Empty once the fields have run out. */
  take(): string {
    if (this.at > this.end) {
      this.fail('a field is missing');
      return '';
    }
    const comma = this.line.indexOf(',', this.at);
    const text = this.line.slice(this.at, comma);
    this.at = comma + 1;
    return text;
  }

  /** Keeps the first fault; what follows one means nothing. */
  fail(detail: string, fault: FrameFault = 'bad-field'): void {
    if (this.fault !== undefined) return;
    this.fault = fault;
    this.detail = detail;
  }
}

/** One form: how a value stands in a line. `write` throws a RangeError for a value that has no spelling. */
export interface Field<Value> {
  read(cursor: Cursor): Value;
  write(value: Value): string;
}

const HEX = '0123456789ABCDEF';
/** Value of a hex digit by character; a lower-case digit is not one. */
const DIGIT = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) DIGIT[HEX.charCodeAt(value)] = value;

/** Code of the comma, which ends every field. */
export const COMMA = 44;

/** Number that `width` upper-case hex digits at `at` spell, up to eight, or -1. Characters must be ASCII. */
export function hexAt(line: string, at: number, width: number): number {
  let value = 0;
  let wrong = 0;
  for (let i = at; i < at + width; i++) {
    const digit = DIGIT[line.charCodeAt(i)] ?? -1;
    wrong |= digit;
    value = (value << 4) | digit;
  }
  return wrong < 0 ? -1 : value >>> 0;
}

/** Bits set in a mask. */
export function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** `value` in `width` upper-case hex digits. Throws a RangeError when it does not fit. */
export function hexOf(value: number, width: number): string {
  if (!Number.isInteger(value) || value < 0 || value >= pow16(width)) {
    throw new RangeError(`${value} does not fit ${width} hex digits`);
  }
  return value.toString(16).toUpperCase().padStart(width, '0');
}

function pow16(width: number): number {
  let product = 1;
  for (let i = 0; i < width; i++) product *= 16;
  return product;
}

/** A number in `width` hex digits, no greater than `max` and no less than `min`. */
export function hex(width: number, max = pow16(width) - 1, min = 0): Field<number> {
  return {
    read(cursor) {
      const text = cursor.take();
      const value = text.length === width ? hexAt(text, 0, width) : -1;
      if (value < min || value > max)
        cursor.fail(`"${text}" is not a number of ${width} hex digits in range`);
      return value;
    },
    write(value) {
      if (value < min || value > max) throw new RangeError(`${value} is not within ${min} to ${max}`);
      return hexOf(value, width);
    },
  };
}

/** A number in decimal without sign or leading zeros, from `min` to `max`. */
export function decimal(max: number, min = 0): Field<number> {
  return {
    read(cursor) {
      const text = cursor.take();
      const value = /^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : -1;
      if (value < min || value > max) cursor.fail(`"${text}" is not a decimal number of ${min} to ${max}`);
      return value;
    },
    write(value) {
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new RangeError(`${value} is not a whole number of ${min} to ${max}`);
      }
      return String(value);
    },
  };
}

/** Text that `pattern` describes from end to end. */
export function text(pattern: RegExp, what: string): Field<string> {
  return {
    read(cursor) {
      const value = cursor.take();
      if (!pattern.test(value)) cursor.fail(`"${value}" is not ${what}`);
      return value;
    },
    write(value) {
      if (!pattern.test(value)) throw new RangeError(`"${value}" is not ${what}`);
      return value;
    },
  };
}

/** One of a few words; the pairs are [value, spelling]. */
export function word<Value>(pairs: readonly (readonly [Value, string])[], otherwise: Value): Field<Value> {
  return {
    read(cursor) {
      const spelling = cursor.take();
      for (const [value, its] of pairs) if (its === spelling) return value;
      cursor.fail(`"${spelling}" is none of ${pairs.map(([, its]) => its).join(' ')}`);
      return otherwise;
    },
    write(value) {
      for (const [its, spelling] of pairs) if (its === value) return spelling;
      throw new RangeError(`${String(value)} has no spelling`);
    },
  };
}

/** 0 or 1. */
export const flag: Field<boolean> = word(
  [
    [false, '0'],
    [true, '1'],
  ],
  false,
);

/** Device id: eight hex digits, kept as text. */
export const device: Field<string> = text(/^[0-9A-F]{8}$/, 'a device id of eight hex digits');

/** `major.minor.patch`, each 0 to 255 without leading zeros. */
export const firmware: Field<string> = text(
  /^(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){2}$/,
  'a firmware version of three numbers',
);

const INPUTS: ReadonlySet<number> = new Set(Object.values(INPUT));

/** Whether boards have an input of this number: a tile contact or a member of INPUT. */
export function isInput(value: number): boolean {
  return (value >= 0 && value < MAX_TILES) || INPUTS.has(value);
}

/** Number of a tile contact or a member of INPUT, in two hex digits. */
export const input: Field<number> = {
  read(cursor) {
    const value = hex(2).read(cursor);
    if (value >= MAX_TILES && !INPUTS.has(value)) cursor.fail(`there is no input ${value}`);
    return value;
  },
  write(value) {
    if (value >= MAX_TILES && !INPUTS.has(value)) throw new RangeError(`there is no input ${value}`);
    return hex(2).write(value);
  },
};

/** The same form several times over, as one list. */
export function times<Value>(count: number, each: Field<Value>): Field<readonly Value[]> {
  return {
    read(cursor) {
      const values: Value[] = [];
      for (let i = 0; i < count; i++) values.push(each.read(cursor));
      return values;
    },
    write(values) {
      if (values.length !== count) throw new RangeError(`${values.length} values in place of ${count}`);
      return values.map((value) => each.write(value)).join(',');
    },
  };
}
