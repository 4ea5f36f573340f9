/**
 * An Uno with StandardFirmata as its protocol (version 2.5) and its source describe it, strict: a message that no
 * StandardFirmata would understand is written down as a complaint. Virtual pins, real time.
 */

const ANALOG_IN = 0x02;
const INPUT = 0x00;
const OUTPUT = 0x01;
const PWM = 0x03;
const SERVO = 0x04;
const I2C = 0x06;
const PULLUP = 0x0b;

const TOTAL_PINS = 20;
const FIRST_ANALOG = 14;
const PORTS = 3;
const PWM_PINS: ReadonlySet<number> = new Set([3, 5, 6, 9, 10, 11]);
const DEFAULT_SAMPLING_MS = 19;

export interface FirmataBoard {
  /** Bytes from the host. */
  receive(bytes: Uint8Array): void;
  /** Power on or reset: all forgotten, silent for the boot loader's time, then it introduces itself. */
  reset(): void;
  /** Power off, or a program that hangs: neither hears nor speaks. */
  halt(): void;
  /** What the converter of an analog channel reads, 0 to 1023. */
  setAnalog(channel: number, counts: number): void;
  /** Drives a pin from outside; undefined leaves it to its pull-up. */
  drive(pin: number, level: 0 | 1 | undefined): void;
  /** What a pin puts out: 0 or 1, 0 to 255 with PWM, undefined when it is no output. */
  output(pin: number): number | undefined;
  /** Every level that a pin put out since the reset. */
  outputs(pin: number): readonly number[];
  readonly samplingMs: number;
  /** Messages that no StandardFirmata understands. */
  readonly complaints: readonly string[];
}

export interface FirmataBoardAsk {
  readonly send: (bytes: Uint8Array) => void;
  /** Silence after a reset, ms. */
  readonly bootMs?: number;
  /** Says nothing by itself and answers nothing, as another program on the board would. */
  readonly mute?: boolean;
}

export function createFirmataBoard(ask: FirmataBoardAsk): FirmataBoard {
  const complaints: string[] = [];
  const analog = new Uint16Array(6).fill(512);
  const driven = new Map<number, 0 | 1>();
  let modes: number[] = [];
  let written: number[] = [];
  let history = new Map<number, number[]>();
  let reportPorts: boolean[] = [];
  let sentPorts: number[] = [];
  let reportAnalog = new Set<number>();
  let samplingMs = DEFAULT_SAMPLING_MS;
  let previousMs = 0;
  let message: number[] = [];
  let isOn = false;
  let timer: NodeJS.Timeout | undefined;

  const send = (...bytes: number[]): void => {
    if (isOn) ask.send(Uint8Array.from(bytes));
  };
  const two = (value: number): [number, number] => [value & 0x7f, (value >> 7) & 0x7f];
  const isDigital = (pin: number): boolean => pin >= 2 && pin < TOTAL_PINS;
  const modesOf = (pin: number): [number, number][] => [
    ...(isDigital(pin)
      ? [
          [INPUT, 1] satisfies [number, number],
          [PULLUP, 1] satisfies [number, number],
          [OUTPUT, 1] satisfies [number, number],
        ]
      : []),
    ...(pin >= FIRST_ANALOG ? [[ANALOG_IN, 10] satisfies [number, number]] : []),
    ...(PWM_PINS.has(pin) ? [[PWM, 8] satisfies [number, number]] : []),
    ...(isDigital(pin) ? [[SERVO, 14] satisfies [number, number]] : []),
    ...(pin >= 18 ? [[I2C, 1] satisfies [number, number]] : []),
  ];
  const put = (pin: number, value: number): void => {
    written[pin] = value;
    history.set(pin, [...(history.get(pin) ?? []), value]);
  };

  const start = (): void => {
    modes = Array.from({ length: TOTAL_PINS }, (_, pin) =>
      pin >= FIRST_ANALOG ? ANALOG_IN : isDigital(pin) ? OUTPUT : -1,
    );
    written = new Array<number>(TOTAL_PINS).fill(0);
    history = new Map();
    reportPorts = new Array<boolean>(PORTS).fill(false);
    sentPorts = new Array<number>(PORTS).fill(0);
    reportAnalog = new Set();
    message = [];
  };

  const levelOf = (pin: number): number => {
    const mode = modes[pin];
    if (mode !== INPUT && mode !== PULLUP) return 0;
    return driven.get(pin) ?? (mode === PULLUP || written[pin] === 1 ? 1 : 0);
  };
  const portOf = (port: number): number => {
    let bits = 0;
    for (let bit = 0; bit < 8; bit++) if (levelOf(port * 8 + bit) === 1) bits |= 1 << bit;
    return bits;
  };
  const outputPort = (port: number, force: boolean): void => {
    const bits = portOf(port);
    if (!force && sentPorts[port] === bits) return;
    sentPorts[port] = bits;
    send(0x90 | port, ...two(bits));
  };
  const checkInputs = (): void => {
    for (let port = 0; port < PORTS; port++) if (reportPorts[port]) outputPort(port, false);
  };
  const sendAnalog = (channel: number): void => send(0xe0 | channel, ...two(analog[channel] ?? 0));

  const version = (): void => send(0xf9, 2, 5);
  const firmware = (): void => {
    const name = [...'StandardFirmata.ino'].flatMap((letter) => two(letter.charCodeAt(0)));
    send(0xf0, 0x79, 2, 5, ...name, 0xf7);
  };

  const sysex = (command: number | undefined, args: readonly number[]): void => {
    const bare = args.length === 0;
    if (command === 0x79 && bare) firmware();
    else if (command === 0x6b && bare) {
      const pins = Array.from({ length: TOTAL_PINS }, (_, pin) => [...modesOf(pin).flat(), 127]);
      send(0xf0, 0x6c, ...pins.flat(), 0xf7);
    } else if (command === 0x69 && bare) {
      const channels = Array.from({ length: TOTAL_PINS }, (_, pin) =>
        pin >= FIRST_ANALOG ? pin - FIRST_ANALOG : 127,
      );
      send(0xf0, 0x6a, ...channels, 0xf7);
    } else if (command === 0x7a && args.length === 2) {
      samplingMs = (args[0] ?? 0) | ((args[1] ?? 0) << 7);
    } else complaints.push(`sysex ${command?.toString(16)} with ${args.length} bytes`);
  };

  const setMode = (pin: number, mode: number): void => {
    if (!modesOf(pin).some(([able]) => able === mode)) {
      complaints.push(`pin ${pin} cannot take mode ${mode}`);
      return;
    }
    modes[pin] = mode;
    written[pin] = mode === PULLUP ? 1 : 0;
    if (mode !== ANALOG_IN) reportAnalog.delete(pin - FIRST_ANALOG);
  };

  const writePort = (port: number, bits: number): void => {
    if (port >= PORTS) complaints.push(`no port ${port}`);
    for (let bit = 0; bit < 8; bit++) {
      const pin = port * 8 + bit;
      const value = (bits >> bit) & 1;
      if (modes[pin] === OUTPUT && written[pin] !== value) put(pin, value);
      // The older way to a pull-up.
      else if (modes[pin] === INPUT && value === 1) written[pin] = 1;
    }
  };

  const writeAnalog = (pin: number, value: number): void => {
    if (modes[pin] === PWM) put(pin, value);
    else complaints.push(`analog write to pin ${pin}, which is in mode ${modes[pin]}`);
  };

  /** Data bytes that follow a command, undefined for what is no command. */
  const lengthOf = (command: number): number | undefined => {
    const high = command & 0xf0;
    if (high === 0xe0 || high === 0x90 || command === 0xf4 || command === 0xf5) return 2;
    if (high === 0xc0 || high === 0xd0) return 1;
    if (command === 0xf9 || command === 0xff) return 0;
    return undefined;
  };

  const obey = (command: number, [first = 0, second = 0]: readonly number[]): void => {
    const low = command & 0x0f;
    const high = command & 0xf0;
    if (high === 0xe0) writeAnalog(low, first | (second << 7));
    else if (high === 0x90) writePort(low, first | (second << 7));
    else if (command === 0xf4) setMode(first, second);
    else if (high === 0xc0) {
      if (low >= 6 || first > 1) complaints.push(`report analog ${low} ${first}`);
      else if (first === 0) reportAnalog.delete(low);
      else {
        reportAnalog.add(low);
        sendAnalog(low);
      }
    } else if (high === 0xd0) {
      if (low >= PORTS || first > 1) complaints.push(`report port ${low} ${first}`);
      reportPorts[low] = first === 1;
      if (first === 1) outputPort(low, true);
    } else if (command === 0xf9) version();
    else if (command === 0xff) start();
    else complaints.push(`command ${command.toString(16)}`);
  };

  const take = (byte: number): void => {
    const command = message[0];
    if (command === undefined) {
      if (byte === 0xf0) message = [byte];
      else if (lengthOf(byte) === undefined) complaints.push(`byte ${byte.toString(16)} begins nothing`);
      else if (lengthOf(byte) === 0) obey(byte, []);
      else message = [byte];
      return;
    }
    if (command === 0xf0 && byte === 0xf7) {
      const [, kind, ...args] = message;
      message = [];
      sysex(kind, args);
      return;
    }
    if (byte > 0x7f) {
      complaints.push(`byte ${byte.toString(16)} within command ${command.toString(16)}`);
      message = [];
      return;
    }
    message.push(byte);
    if (command === 0xf0 || message.length - 1 < (lengthOf(command) ?? 0)) return;
    const data = message.slice(1);
    message = [];
    obey(command, data);
  };

  const loop = (): void => {
    checkInputs();
    const nowMs = performance.now();
    if (nowMs - previousMs > samplingMs) {
      previousMs += samplingMs;
      // A test machine that was held up does not read faster afterwards.
      if (nowMs - previousMs > samplingMs) previousMs = nowMs;
      for (const channel of reportAnalog)
        if (modes[FIRST_ANALOG + channel] === ANALOG_IN) sendAnalog(channel);
    }
    timer = setTimeout(loop, 1);
  };
  const halt = (): void => {
    isOn = false;
    clearTimeout(timer);
  };

  return {
    receive(bytes) {
      if (isOn && ask.mute !== true) for (const byte of bytes) take(byte);
    },
    reset() {
      halt();
      start();
      samplingMs = DEFAULT_SAMPLING_MS;
      timer = setTimeout(() => {
        isOn = true;
        if (ask.mute === true) return;
        version();
        firmware();
        previousMs = performance.now();
        loop();
      }, ask.bootMs ?? 50);
    },
    halt,
    setAnalog(channel, counts) {
      analog[channel] = counts;
    },
    drive(pin, level) {
      if (level === undefined) driven.delete(pin);
      else driven.set(pin, level);
      if (isOn) checkInputs();
    },
    output: (pin) => (modes[pin] === OUTPUT || modes[pin] === PWM ? written[pin] : undefined),
    outputs: (pin) => history.get(pin) ?? [],
    get samplingMs() {
      return samplingMs;
    },
    complaints,
  };
}
