import {
  type AVREEPROMConfig,
  type AVRExternalInterrupt,
  type AVRPinChangeInterrupt,
  type AVRPortConfig,
  type AVRTimerConfig,
  adcConfig,
  eepromConfig,
  INT0,
  INT1,
  PCINT0,
  PCINT1,
  PCINT2,
  portAConfig,
  portBConfig,
  portCConfig,
  portDConfig,
  portEConfig,
  portFConfig,
  portGConfig,
  portHConfig,
  portJConfig,
  portKConfig,
  portLConfig,
  timer0Config,
  timer1Config,
  timer2Config,
  usart0Config,
  watchdogConfig,
} from 'avr8js';

/** The boards that are emulated: ATmega328P (Uno, Nano) and ATmega2560 (Mega). */
export type ChipName = 'uno' | 'mega';

export type PortLetter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'J' | 'K' | 'L';

/** Register and vector addresses of a USART; vectors in words. */
export interface UsartTable {
  readonly UCSRA: number;
  readonly UCSRB: number;
  readonly UCSRC: number;
  readonly UBRRL: number;
  readonly UBRRH: number;
  readonly UDR: number;
  readonly rxCompleteInterrupt: number;
  readonly dataRegisterEmptyInterrupt: number;
  readonly txCompleteInterrupt: number;
}

/** Register addresses of the converter and what its multiplexer and reference bits mean. */
export interface AdcTable {
  readonly ADMUX: number;
  readonly ADCSRA: number;
  readonly ADCSRB: number;
  readonly ADCL: number;
  readonly ADCH: number;
  /** Vector, in words. */
  readonly interrupt: number;
  /** Multiplexer bits that exist; bit 5 is MUX5 of ADCSRB. */
  readonly muxMask: number;
  /** Multiplexer setting of the 1.1 V reference. */
  readonly bandgap: number;
  /** Pin of a multiplexer setting, 0 to 15, or -1 where the setting is no pin. */
  channelOf(setting: number): number;
  /** Reference in volts by the two REFS bits; 0 stands for the supply. */
  readonly references: readonly number[];
}

/** A chip as data: sizes and register tables. Vectors are word addresses throughout. */
export interface ChipTable {
  readonly name: ChipName;
  readonly flashBytes: number;
  /** Bytes of SRAM, and the extended registers above 0xFF that lie before it. */
  readonly sramBytes: number;
  readonly extendedBytes: number;
  readonly eepromBytes: number;
  readonly ports: { readonly [letter in PortLetter]?: AVRPortConfig };
  /** Port of converter channels 0 to 7, then of 8 to 15: a pin that is no sensor reads its logic level. */
  readonly analogPorts: readonly PortLetter[];
  readonly timers: readonly { readonly registers: AVRTimerConfig; readonly asynchronous: boolean }[];
  readonly usart: UsartTable;
  readonly adc: AdcTable;
  readonly eeprom: AVREEPROMConfig;
  readonly watchdog: { readonly WDTCSR: number; readonly interrupt: number };
}

const UNO: ChipTable = {
  name: 'uno',
  flashBytes: 0x8000,
  sramBytes: 0x800,
  extendedBytes: 0,
  eepromBytes: 1024,
  ports: {
    B: portBConfig,
    C: portCConfig,
    D: { ...portDConfig, externalInterrupts: [null, null, INT0, INT1] },
  },
  analogPorts: ['C'],
  timers: [
    { registers: timer0Config, asynchronous: false },
    { registers: timer1Config, asynchronous: false },
    { registers: timer2Config, asynchronous: true },
  ],
  usart: usart0Config,
  adc: {
    ADMUX: adcConfig.ADMUX,
    ADCSRA: adcConfig.ADCSRA,
    ADCSRB: adcConfig.ADCSRB,
    ADCL: adcConfig.ADCL,
    ADCH: adcConfig.ADCH,
    interrupt: adcConfig.adcInterrupt,
    muxMask: 0x0f,
    bandgap: 14,
    channelOf: (setting) => (setting < 8 ? setting : -1),
    references: [0, 0, 0, 1.1],
  },
  eeprom: eepromConfig,
  watchdog: { WDTCSR: watchdogConfig.WDTCSR, interrupt: watchdogConfig.watchdogInterrupt },
};

/** Word address of an ATmega2560 vector: four bytes each, numbered from 0 (data sheet, table 14-1). */
const vector = (number: number): number => number * 2;

const external = (index: number): AVRExternalInterrupt => ({
  EICR: index < 4 ? 0x69 : 0x6a,
  EIMSK: 0x3d,
  EIFR: 0x3c,
  index,
  iscOffset: (index % 4) * 2,
  interrupt: vector(1 + index),
});

const pinChange = (
  from: AVRPinChangeInterrupt,
  number: number,
  mask: number,
  offset: number,
): AVRPinChangeInterrupt => ({ ...from, pinChangeInterrupt: vector(number), mask, offset });

/** Sixteen-bit timers of the ATmega2560 differ only in addresses, vectors and having a third compare unit. */
const wide = (index: number, base: number, first: number): AVRTimerConfig => ({
  ...timer1Config,
  TIFR: 0x35 + index,
  TIMSK: 0x6e + index,
  TCCRA: base,
  TCCRB: base + 1,
  TCCRC: base + 2,
  TCNT: base + 4,
  ICR: base + 6,
  OCRA: base + 8,
  OCRB: base + 10,
  OCRC: base + 12,
  OCFC: 8,
  OCIEC: 8,
  captureInterrupt: vector(first),
  compAInterrupt: vector(first + 1),
  compBInterrupt: vector(first + 2),
  compCInterrupt: vector(first + 3),
  ovfInterrupt: vector(first + 4),
});

const MEGA: ChipTable = {
  name: 'mega',
  flashBytes: 0x40000,
  sramBytes: 0x2000,
  extendedBytes: 0x100,
  eepromBytes: 4096,
  ports: {
    A: portAConfig,
    B: { ...portBConfig, pinChange: pinChange(PCINT0, 9, 0xff, 0) },
    C: { PIN: portCConfig.PIN, DDR: portCConfig.DDR, PORT: portCConfig.PORT, externalInterrupts: [] },
    D: {
      PIN: portDConfig.PIN,
      DDR: portDConfig.DDR,
      PORT: portDConfig.PORT,
      externalInterrupts: [external(0), external(1), external(2), external(3)],
    },
    E: {
      ...portEConfig,
      pinChange: pinChange(PCINT1, 10, 0x01, 0),
      externalInterrupts: [null, null, null, null, external(4), external(5), external(6), external(7)],
    },
    F: portFConfig,
    G: portGConfig,
    H: portHConfig,
    J: { ...portJConfig, pinChange: pinChange(PCINT1, 10, 0x7f, 1) },
    K: { ...portKConfig, pinChange: pinChange(PCINT2, 11, 0xff, 0) },
    L: portLConfig,
  },
  analogPorts: ['F', 'K'],
  timers: [
    {
      registers: {
        ...timer0Config,
        compAInterrupt: vector(21),
        compBInterrupt: vector(22),
        ovfInterrupt: vector(23),
      },
      asynchronous: false,
    },
    { registers: wide(1, 0x80, 16), asynchronous: false },
    {
      registers: {
        ...timer2Config,
        compAInterrupt: vector(13),
        compBInterrupt: vector(14),
        ovfInterrupt: vector(15),
      },
      asynchronous: true,
    },
    { registers: wide(3, 0x90, 31), asynchronous: false },
    { registers: wide(4, 0xa0, 41), asynchronous: false },
    { registers: wide(5, 0x120, 46), asynchronous: false },
  ],
  usart: {
    UCSRA: 0xc0,
    UCSRB: 0xc1,
    UCSRC: 0xc2,
    UBRRL: 0xc4,
    UBRRH: 0xc5,
    UDR: 0xc6,
    rxCompleteInterrupt: vector(25),
    dataRegisterEmptyInterrupt: vector(26),
    txCompleteInterrupt: vector(27),
  },
  adc: {
    ADMUX: 0x7c,
    ADCSRA: 0x7a,
    ADCSRB: 0x7b,
    ADCL: 0x78,
    ADCH: 0x79,
    interrupt: vector(29),
    muxMask: 0x3f,
    bandgap: 0x1e,
    channelOf: (setting) => (setting < 8 ? setting : setting >= 0x20 && setting < 0x28 ? setting - 0x18 : -1),
    references: [0, 0, 1.1, 2.56],
  },
  eeprom: { ...eepromConfig, eepromReadyInterrupt: vector(30) },
  watchdog: { WDTCSR: 0x60, interrupt: vector(12) },
};

/** Register tables by chip: the ATmega328P's are avr8js's, the ATmega2560's are ours. */
export const CHIPS: { readonly [name in ChipName]: ChipTable } = { uno: UNO, mega: MEGA };
