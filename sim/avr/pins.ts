import type { ChipName, PortLetter } from './chips.ts';

/** One pin of a chip. */
export interface Pin {
  readonly port: PortLetter;
  /** 0 to 7. */
  readonly bit: number;
}

/** A pin the table drives. `world` numbers it as `BoardWorld` does. */
export interface InputPin extends Pin {
  readonly world: number;
}

/** Common pin of one analog multiplexer (CD74HC4067): its channel 0 is this sensor, the rest follow. */
export interface Common {
  /** Converter channel, A0 is 0. */
  readonly channel: number;
  readonly firstSensor: number;
}

/** A chain of WS2812, its first LED at the pin. */
export interface ChainPin extends Pin {
  readonly leds: number;
}

/** Where everything of the reference build is soldered; `wiring.md` and the firmware's pins.h say the same. */
export interface PinMap {
  readonly commons: readonly Common[];
  /** S0 to S3 of every multiplexer. */
  readonly select: readonly Pin[];
  /** Low when closed, pulled up by the chip. */
  readonly contacts: readonly InputPin[];
  /** High, by the chip's pull-up, when the beam is blocked. */
  readonly gates: readonly InputPin[];
  /** Low when pressed, pulled up by the chip. */
  readonly studs: readonly InputPin[];
  /** Chain order is tile order: tile 0 of the first chain comes first. */
  readonly chains: readonly ChainPin[];
  readonly statusLed: Pin;
}

/** Channels of one multiplexer that carry a sensor: two halls of six tiles. */
export const SENSORS_PER_COMMON = 12;
/** LEDs of one tile. */
export const LEDS_PER_TILE = 6;
const TILES_PER_SIDE = 6;

const row = (port: PortLetter, from: number, count: number): Pin[] =>
  Array.from({ length: count }, (_, i) => ({ port, bit: from + i }));
const inputs = (pins: readonly Pin[], firstWorld: number): InputPin[] =>
  pins.map((pin, i) => ({ ...pin, world: firstWorld + i }));
const chain = (port: PortLetter, bit: number): ChainPin => ({
  port,
  bit,
  leds: TILES_PER_SIDE * LEDS_PER_TILE,
});

export const PINS: { readonly [chip in ChipName]: PinMap } = {
  // Contacts D2..D7, select D8..D11, LEDs D12, status D13, hall common A0, gates A1 and A2, stud A3.
  uno: {
    commons: [{ channel: 0, firstSensor: 0 }],
    select: row('B', 0, 4),
    contacts: inputs(row('D', 2, TILES_PER_SIDE), 0),
    gates: inputs(row('C', 1, 2), 0),
    studs: inputs(row('C', 3, 1), 0),
    chains: [chain('B', 4)],
    statusLed: { port: 'B', bit: 5 },
  },
  // Contacts D37..D32 and D49..D44, select D22..D25, LEDs D12 and D11, status D13, halls A0 and A1, A8..A13 the rest.
  mega: {
    commons: [
      { channel: 0, firstSensor: 0 },
      { channel: 1, firstSensor: SENSORS_PER_COMMON },
    ],
    select: row('A', 0, 4),
    contacts: [
      ...inputs(row('C', 0, TILES_PER_SIDE), 0),
      ...inputs(row('L', 0, TILES_PER_SIDE), TILES_PER_SIDE),
    ],
    gates: [...inputs(row('K', 0, 2), 0), ...inputs(row('K', 3, 2), 2)],
    studs: [...inputs(row('K', 2, 1), 0), ...inputs(row('K', 5, 1), 1)],
    chains: [chain('B', 6), chain('B', 5)],
    statusLed: { port: 'B', bit: 7 },
  },
};
