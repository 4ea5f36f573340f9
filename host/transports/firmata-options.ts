import * as z from 'zod';
import type { Side } from '../ids.ts';
import type { LinkPlace } from './transport.ts';

/** A pin as it is printed on the board: a number for digital ones, `A0` to `A15` for analog ones. */
export type PinName = number | string;

const analogPin = z
  .string()
  .regex(/^A([0-9]|1[0-5])$/, 'must be an analog pin, "A0" to "A15"')
  .describe('Analog pin of the linear hall sensor, as in A0');
// 0 and 1 are the serial wire itself.
const pin = z
  .unknown()
  .refine(isPinName, 'must be a pin: a whole number from 2 to 127, or "A0" to "A15"')
  .transform((value): PinName => (isPinName(value) ? value : 0));

const gates = z.strictObject({
  near: pin.describe('Beam at the table edge; high when blocked'),
  far: pin.describe('Beam 177.8 mm inside; high when blocked'),
});

const schema = z.strictObject({
  path: z.string().min(1).describe('The port: /dev/serial/by-id/… on Linux, COM5 on Windows'),
  baudRate: z.int().min(300).max(4_000_000).default(57_600).describe('57600 in every StandardFirmata'),
  device: z
    .string()
    .regex(/^[0-9A-Fa-f]{8}$/, 'must be eight hex digits, as in 5C0FFEE1')
    .toUpperCase()
    .refine((id) => id !== '00000000', 'must not be 00000000, which is a board without a name')
    .describe('A name of your choice that no other board has: eight hex digits'),
  tiles: z
    .array(
      z.strictObject({
        tile: z.int().min(0).max(11).describe('Number of the tile in the layout, from 0'),
        hall: analogPin,
        contact: pin.describe('Pin of the contact, which closes to GND'),
        led: pin.optional().describe('Pin of a status LED'),
      }),
    )
    .min(1)
    .max(12)
    .describe('Every tile of the board, from tile 0 without a gap'),
  stud: pin.optional().describe('Pin of the pass stud, which closes to GND'),
  gates: gates.optional().describe('Pins of the launch gates'),
  studB: pin.optional().describe('Pass stud of player B, on a board for both sides'),
  gatesB: gates.optional().describe('Launch gates of player B, on a board for both sides'),
  samplingMs: z
    .int()
    .min(10)
    .max(19)
    .default(10)
    .describe('How often the board reads its analog pins; Firmata allows no less than 10'),
  answerMs: z
    .int()
    .min(1000)
    .max(60_000)
    .default(10_000)
    .describe('How long a board may take to introduce itself'),
  silentMs: z
    .int()
    .min(1000)
    .max(60_000)
    .default(3000)
    .describe('A port that is mute for so long is closed and opened again'),
});

/** Options of a Firmata board as `readOptions` checks and completes them. */
export type FirmataOptions = Readonly<z.infer<typeof schema>> & { readonly side: Side | 'both' };

/** The options as JSON Schema for editors. A side is needed here: Firmata has no place for one on the board. */
export function firmataSchema(): { readonly [key: string]: unknown } {
  const plain = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { ...plain, required: ['side', ...(plain.required ?? [])] };
}

/** Checks options; throws a ZodError whose paths name the keys. */
export function readOptions(given: unknown, { side }: LinkPlace): FirmataOptions {
  const parsed = schema.safeParse(given);
  const issues: z.core.$ZodIssue[] = parsed.success ? [] : [...parsed.error.issues];
  if (side === undefined) {
    issues.push(problem(['side'], 'is needed here: A, B or both, since a Firmata board cannot say it', side));
  }
  if (parsed.success) issues.push(...contradictions(parsed.data, side));
  if (issues.length > 0 || !parsed.success || side === undefined) throw new z.ZodError(issues);
  return { ...parsed.data, side };
}

/** Every input or output with its pin and the key that names it. */
export function pinsOf(
  options: Omit<FirmataOptions, 'side'>,
): readonly { readonly key: readonly (string | number)[]; readonly pin: PinName }[] {
  return [
    ...options.tiles.flatMap(({ hall, contact, led }, i) => [
      { key: ['tiles', i, 'hall'], pin: hall },
      { key: ['tiles', i, 'contact'], pin: contact },
      ...(led === undefined ? [] : [{ key: ['tiles', i, 'led'], pin: led }]),
    ]),
    ...(['stud', 'studB'] as const).flatMap((key) => {
      const pin = options[key];
      return pin === undefined ? [] : [{ key: [key], pin }];
    }),
    ...(['gates', 'gatesB'] as const).flatMap((key) => {
      const pair = options[key];
      if (pair === undefined) return [];
      return [
        { key: [key, 'near'], pin: pair.near },
        { key: [key, 'far'], pin: pair.far },
      ];
    }),
  ];
}

function contradictions(
  options: Omit<FirmataOptions, 'side'>,
  side: Side | 'both' | undefined,
): readonly z.core.$ZodIssue[] {
  const found: z.core.$ZodIssue[] = [];
  const tiles = new Map<number, number>();
  options.tiles.forEach(({ tile }, i) => {
    const first = tiles.get(tile);
    if (first !== undefined) {
      found.push(problem(['tiles', i, 'tile'], `is the number of tiles.${first} already`, tile));
    } else if (tile >= options.tiles.length) {
      const most = options.tiles.length - 1;
      found.push(
        problem(['tiles', i, 'tile'], `leaves a gap: ${most + 1} tiles are numbered 0 to ${most}`, tile),
      );
    }
    if (first === undefined) tiles.set(tile, i);
  });
  const pins = new Map<PinName, string>();
  for (const { key, pin: name } of pinsOf(options)) {
    const taken = pins.get(name);
    if (taken === undefined) pins.set(name, key.join('.'));
    else found.push(problem(key, `is the pin of ${taken} already`, name));
  }
  if (side === 'both') return found;
  for (const key of ['studB', 'gatesB'] as const) {
    if (options[key] === undefined) continue;
    const own = key === 'studB' ? 'stud' : 'gates';
    found.push(problem([key], `is for boards with "side: both"; of one side it is "${own}"`, options[key]));
  }
  return found;
}

function problem(path: readonly (string | number)[], message: string, input: unknown): z.core.$ZodIssue {
  return { code: 'custom', path: [...path], message, input };
}

function isPinName(value: unknown): value is PinName {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 2 && value <= 127;
  return typeof value === 'string' && /^A([0-9]|1[0-5])$/.test(value);
}
