/** Halls, inputs and LEDs of a Firmata board through johnny-five. Only for the process that speaks with the board. */
import type { Firmata } from 'firmata-io';
import five from 'johnny-five';
import { INPUT, SAMPLE_MAX } from '../../firmware-protocol/frame.ts';
import type { Look } from './firmata-answers.ts';
import { badPinTrouble, type FirmataTrouble } from './firmata-messages.ts';
import { type FirmataOptions, type PinName, pinsOf } from './firmata-options.ts';

/** What the parts tell: readings of halls (0 to 1023) and levels of inputs, each as it comes. */
export interface PartsEvents {
  hall(tile: number, counts: number): void;
  input(input: number, closed: boolean): void;
}

/** Why the board cannot be wired as the config says, or undefined. To be asked once the board is ready. */
export function pinTrouble(io: Firmata, options: FirmataOptions): FirmataTrouble | undefined {
  const taken = new Map<number, string>();
  for (const { key, pin } of pinsOf(options)) {
    const name = key.join('.');
    const number = numberOf(io, pin);
    const modes = number === undefined ? undefined : io.pins[number]?.supportedModes;
    if (number === undefined || modes === undefined || modes.length === 0) {
      return badPinTrouble(name, String(pin), 'is not there');
    }
    const role = key.at(-1);
    const mode = role === 'hall' ? io.MODES.ANALOG : role === 'led' ? io.MODES.OUTPUT : io.MODES.INPUT;
    if (!modes.includes(mode)) {
      const what = role === 'hall' ? 'an analog input' : role === 'led' ? 'an output' : 'an input';
      return badPinTrouble(name, String(pin), `cannot be ${what}`);
    }
    const other = taken.get(number);
    if (other !== undefined) return badPinTrouble(name, String(pin), `is the pin of ${other} already`);
    taken.set(number, name);
  }
  return undefined;
}

/** Puts johnny-five on a board that is not ready yet; nothing of it prints, prompts or takes signals. */
export function boardOver(io: Firmata): five.Board {
  // Its own limit of 10 s only prints; the process has one of its own.
  const settings = { io, repl: false, debug: false, sigint: false, timeout: 2 ** 30 };
  const board = new five.Board(settings);
  // Without a listener an error would end the process; the port and the process tell what went wrong.
  board.on('error', () => {});
  return board;
}

/**
 * Sets every pin up and begins to read. Contacts and gates are read raw, through the board: johnny-five's Button and
 * Switch hold each change back for 7 and 5 ms and swallow a touch that is shorter, and Pin looks every 20 ms.
 */
export function createParts(
  board: five.Board,
  io: Firmata,
  options: FirmataOptions,
  events: PartsEvents,
): { show(tile: number, look: Look): void } {
  const pin = (name: PinName): number => numberOf(io, name) ?? 0;
  const raw: { readonly pin: number; readonly input: number; readonly closedLevel: 0 | 1 }[] = [];
  for (const { tile, contact } of options.tiles) {
    pullUp(io, pin(contact));
    raw.push({ pin: pin(contact), input: tile, closedLevel: 0 });
  }
  const beams = [
    { pair: options.gates, near: INPUT.nearGateA, far: INPUT.farGateA },
    { pair: options.gatesB, near: INPUT.nearGateB, far: INPUT.farGateB },
  ];
  for (const { pair, near, far } of beams) {
    if (pair === undefined) continue;
    for (const [name, input] of [
      [pair.near, near],
      [pair.far, far],
    ] as const) {
      io.pinMode(pin(name), io.MODES.INPUT);
      raw.push({ pin: pin(name), input, closedLevel: 1 });
    }
  }
  const studs = [
    { name: options.stud, input: INPUT.studA },
    { name: options.studB, input: INPUT.studB },
  ];
  for (const { name, input } of studs) {
    if (name === undefined) continue;
    const button = new five.Button({ board, pin: pin(name), isPullup: true });
    button.on('down', () => events.input(input, true));
    button.on('up', () => events.input(input, false));
  }
  // Only now: a report covers eight pins, and shows those that are no inputs yet as low.
  for (const { pin: number, input, closedLevel } of raw) {
    io.digitalRead(number, (level) => events.input(input, level === closedLevel));
  }

  for (const { tile, hall } of options.tiles) {
    const sensor = new five.Sensor({ board, pin: hall, freq: options.samplingMs });
    const scale = SAMPLE_MAX / fullScaleOf(sensor);
    sensor.on('data', (median) => {
      // It tells 0 before the first reading.
      if (typeof sensor.raw === 'number' && typeof median === 'number') events.hall(tile, median * scale);
    });
  }

  const leds = new Map<number, { readonly led: five.Led; readonly dims: boolean }>();
  for (const { tile, led: name } of options.tiles) {
    if (name === undefined) continue;
    const number = pin(name);
    const led = new five.Led({ board, pin: number });
    leds.set(tile, { led, dims: led.mode === io.MODES.PWM });
    led.off();
  }
  return {
    show(tile, { level, blinkMs }) {
      const its = leds.get(tile);
      if (its === undefined) return;
      const { led, dims } = its;
      led.stop();
      if (level === 0) led.off();
      else if (blinkMs > 0) led.blink(blinkMs);
      else if (dims) led.brightness(level);
      else led.on();
    },
  };
}

/** Input with the board's own pull-up, by the mode of its name or by the older way. */
function pullUp(io: Firmata, pin: number): void {
  if (io.pins[pin]?.supportedModes.includes(io.MODES.PULLUP) === true) io.pinMode(pin, io.MODES.PULLUP);
  else {
    io.pinMode(pin, io.MODES.INPUT);
    io.digitalWrite(pin, 1);
  }
}

/** Its type lacks the field: 1023, or 4095 on boards with twelve bits. */
function fullScaleOf(sensor: five.Sensor): number {
  return 'resolution' in sensor && typeof sensor.resolution === 'number' ? sensor.resolution : SAMPLE_MAX;
}

function numberOf(io: Firmata, pin: PinName): number | undefined {
  if (typeof pin === 'number') return pin;
  return io.analogPins[Number(pin.slice(1))];
}
