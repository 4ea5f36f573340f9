/** What is used of firmata-io 2.3.0, which comes without types. */
declare module 'firmata-io' {
  import type { EventEmitter } from 'node:events';

  /** One pin as the board described it. */
  export interface FirmataPin {
    /** Values of MODES that the pin can take. */
    readonly supportedModes: readonly number[];
    /** Number of its analog channel, 127 when it has none. */
    readonly analogChannel: number;
  }

  /** The client's end of the Firmata protocol over an open port. Emits `ready`, `reportversion`, `queryfirmware`. */
  export class Firmata extends EventEmitter {
    constructor(port: object, options?: { readonly reportVersionTimeout?: number });
    readonly MODES: {
      readonly INPUT: number;
      readonly OUTPUT: number;
      readonly PWM: number;
      readonly PULLUP: number;
      readonly ANALOG: number;
    };
    readonly pins: readonly FirmataPin[];
    /** Pin numbers by analog channel. */
    readonly analogPins: readonly number[];
    readonly version: { readonly major?: number; readonly minor?: number };
    readonly firmware: {
      readonly name?: string;
      readonly version?: { readonly major: number; readonly minor: number };
    };
    reportVersion(then: () => void): void;
    queryFirmware(then: () => void): void;
    setSamplingInterval(ms: number): void;
    pinMode(pin: number, mode: number): void;
    digitalWrite(pin: number, value: 0 | 1): void;
    /** Tells the level at every report of the pin's port, changed or not. */
    digitalRead(pin: number, then: (value: number) => void): void;
    /** Back to the state after power on: no reports, outputs off. */
    reset(): void;
  }

  const bind: { readonly Firmata: typeof Firmata };
  export default bind;
}
