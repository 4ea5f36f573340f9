/**
 * Every line of the wire as a value. Bytes and field order are specified in README.md; this file says what the
 * fields mean, in which unit and range. Imports nothing.
 */

/** Major version of the line protocol; the digit after the kind letter of every line. */
export const PROTOCOL_VERSION = 1;
/** Longest line a board sends, in bytes, line feed included. */
export const MAX_UP_BYTES = 200;
/** Longest line a board accepts, in bytes, line feed included (its receive ring holds 64). */
export const MAX_DOWN_BYTES = 60;
/** Milliseconds of samples in one burst line. */
export const BLOCK_MS = 8;
/** Most tiles that one board watches (ATmega2560 build). */
export const MAX_TILES = 12;
/** Full scale of a hall sample: ten bits. */
export const SAMPLE_MAX = 1023;
/** A quiet mean is in quarters of a count, 12 bits. */
export const MEAN_STEPS_PER_COUNT = 4;

/** Player side of a table. A sits at the lower edge of every picture, B at the upper. */
export type Side = 'A' | 'B';
/** What a board says of its place: one player's side, both (Mega build), or not yet assigned. */
export type BoardSide = Side | 'both' | 'unset';

/**
 * Bits of an input field and numbers of an edge's input. 0 to 11 are tile contacts in tile order.
 * A one-sided board uses the `A` numbers for its own side, whichever that is; a `both` board uses all.
 */
export const INPUT = {
  nearGateA: 16,
  farGateA: 17,
  studA: 18,
  nearGateB: 19,
  farGateB: 20,
  studB: 21,
  armed: 23,
} as const;

/** Bits of a hello's capability field. */
export const CAPABILITY = {
  contacts: 1 << 0,
  gates: 1 << 1,
  stud: 1 << 2,
  leds: 1 << 3,
  adjacency: 1 << 4,
  /** 1 kHz only on tiles that are active, the rest slower (Mega build). */
  sharedRate: 1 << 5,
  /** Times are of arrival at a translator, not of the device's own clock. */
  arrivalStamped: 1 << 6,
} as const;

/** Low byte of the boot counter and the line number within that boot, on every line up. */
export interface Stamp {
  /** Boot counter modulo 256. */
  readonly boot: number;
  /** 0 to 65535, wraps; 0 is the first hello of a boot. */
  readonly seq: number;
}

/** The board's introduction: first line of a boot, then once a second. */
export interface HelloFrame extends Stamp {
  readonly kind: 'hello';
  /** Device clock, µs, 32 bits, wraps every 71.58 min. */
  readonly deviceUs: number;
  /** EEPROM boot counter, 0 to 65535. */
  readonly bootId: number;
  /** Eight upper-case hex digits. `00000000` on an unset board. */
  readonly device: string;
  readonly side: BoardSide;
  /** Protocol version the board speaks, major only. */
  readonly protocol: number;
  /** `major.minor.patch` of the firmware. */
  readonly firmware: string;
  /** First 32 bits of the SHA-256 of the firmware's sources, eight upper-case hex digits. */
  readonly build: string;
  /** 1 to 12. */
  readonly tiles: number;
  /** Hall sensors a tile, 1 to 3. */
  readonly halls: number;
  /** Scans a second of an active tile. */
  readonly sampleHz: number;
  /** Or of CAPABILITY bits. */
  readonly capabilities: number;
  /** MCUSR at boot: bit 0 power on, 1 external, 2 brown-out, 3 watchdog. */
  readonly resetCause: number;
}

/** The whole truth at 50 Hz: a lost line heals at the next. */
export interface QuietFrame extends Stamp {
  readonly kind: 'quiet';
  readonly deviceUs: number;
  /** Or of 1 << INPUT numbers; 1 is closed, blocked or pressed (logical, already un-inverted). */
  readonly inputs: number;
  /** Mean of each hall since the last quiet line, in quarter counts, tile by tile, hall by hall. */
  readonly means: Uint16Array;
}

/** Dense samples of the tiles that are active: BLOCK_MS scans of 1 ms. */
export interface BurstFrame extends Stamp {
  readonly kind: 'burst';
  /** Start of the first scan of the block. */
  readonly deviceUs: number;
  /** Bit i: tile i is in this line. */
  readonly tileMask: number;
  /** Bit i: scan i of the block was lost to a strip write and repeats the scan before it. */
  readonly gapMask: number;
  /** Hall sensors a tile in this line. */
  readonly halls: number;
  /** Ten-bit counts: for each tile of the mask in ascending order, for each ms, for each hall. */
  readonly samples: Uint16Array;
  /** One byte for each tile of the mask; bit i: the contact was closed at scan i. */
  readonly contacts: Uint8Array;
}

/** One raw contact, gate or stud edge. */
export interface EdgeFrame extends Stamp {
  readonly kind: 'edge';
  readonly deviceUs: number;
  /** 0 to 11 or a member of INPUT. */
  readonly input: number;
  /** True: closed, blocked, pressed. */
  readonly closed: boolean;
}

/** Once a second: how the board fares. Counters are since boot and saturate at 65535. */
export interface HealthFrame extends Stamp {
  readonly kind: 'health';
  readonly deviceUs: number;
  readonly uptimeS: number;
  /** Supply in mV, measured against the internal 1.1 V reference; 0 when not measured. */
  readonly supplyMv: number;
  /** Receive overruns the UART reported. */
  readonly rxOverruns: number;
  /** Lines down that did not decode. */
  readonly rxFaults: number;
  /** Lines up dropped since the transmit ring was full. */
  readonly txDrops: number;
  /** Raw edges over the limit of 32 in 100 ms, not sent one by one. */
  readonly edgeDrops: number;
  /** Bytes between heap and deepest stack seen. */
  readonly stackFreeBytes: number;
  /** Scans lost to strip writes. */
  readonly lostScans: number;
  /** Largest deviation of a scan start from its millisecond since the last health line, µs. */
  readonly slipUs: number;
}

export type AnswerStatus = 'ok' | 'held' | 'refused' | 'unknown';

/** The board's answer to one line down. `held`: stored, shown when disarmed. */
export interface AnswerFrame extends Stamp {
  readonly kind: 'answer';
  readonly deviceUs: number;
  /** Tag of the line answered, 0 to 255. */
  readonly tag: number;
  readonly status: AnswerStatus;
}

/** A fault the board noticed by itself. Code registry in README.md. */
export interface FaultFrame extends Stamp {
  readonly kind: 'fault';
  readonly deviceUs: number;
  readonly code: number;
  /** 0 to 65535, meaning by code. */
  readonly detail: number;
}

/** Loose tiles only: which device touches which side, six sides clockwise from the one towards player B, `00000000` none. */
export interface AdjacencyFrame extends Stamp {
  readonly kind: 'adjacency';
  readonly deviceUs: number;
  readonly tile: number;
  readonly neighbours: readonly string[];
}

export type UplinkFrame =
  | HelloFrame
  | QuietFrame
  | BurstFrame
  | EdgeFrame
  | HealthFrame
  | AnswerFrame
  | FaultFrame
  | AdjacencyFrame;

/** Board animation run by the board itself while it is not armed, so that the wire stays quiet. */
export const ANIMATION = { steady: 0, breathe: 1, blink: 2, chase: 3, sparkle: 4 } as const;

/** Colour of every tile in the mask; shown at the board's next strip write. */
export interface LedFrame {
  readonly kind: 'led';
  readonly tag: number;
  readonly tileMask: number;
  /** 0xRRGGBB before brightness. */
  readonly rgb: number;
  /** Brightness 0 to 255. */
  readonly level: number;
  /** A value of ANIMATION. */
  readonly animation: number;
}
/** Armed: a roll is live; no strip write and no animation until disarmed. */
export interface ArmFrame {
  readonly kind: 'arm';
  readonly tag: number;
  readonly armed: boolean;
}
/** Asks for an answer: its time of flight bounds the clock offset. */
export interface PingFrame {
  readonly kind: 'ping';
  readonly tag: number;
}
/** Asks for a hello at once. */
export interface GreetFrame {
  readonly kind: 'greet';
  readonly tag: number;
}
/** Blinks the tiles of the mask white for 3 s, so that a person finds them. */
export interface IdentifyFrame {
  readonly kind: 'identify';
  readonly tag: number;
  readonly tileMask: number;
}
/** Checks each hall for rails and each input for a stuck level; answers by fault lines, then by an answer. */
export interface SelfTestFrame {
  readonly kind: 'selftest';
  readonly tag: number;
}
/** Sets one volatile setting; keys in README.md. */
export interface ConfigureFrame {
  readonly kind: 'configure';
  readonly tag: number;
  readonly key: number;
  /** 0 to 65535. */
  readonly value: number;
}
/** Writes identity to EEPROM. */
export interface AssignFrame {
  readonly kind: 'assign';
  readonly tag: number;
  readonly device: string;
  readonly side: BoardSide;
}

export type DownlinkFrame =
  | LedFrame
  | ArmFrame
  | PingFrame
  | GreetFrame
  | IdentifyFrame
  | SelfTestFrame
  | ConfigureFrame
  | AssignFrame;

/** Why a line is not a frame. Each is counted by name; the line is kept in the record. */
export type FrameFault =
  | 'empty'
  | 'too-long'
  | 'not-ascii'
  | 'no-checksum'
  | 'bad-checksum'
  | 'wrong-version'
  | 'unknown-kind'
  | 'bad-field';

/** A line always decodes to one of these; nothing throws. */
export type Decoded<Frame> =
  | { readonly ok: true; readonly frame: Frame }
  | { readonly ok: false; readonly fault: FrameFault; readonly detail: string };
