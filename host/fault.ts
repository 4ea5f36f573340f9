/**
 * Every fault a person can meet, by its stable code, with one sentence each. Tests and programs compare the code;
 * the words of a message may change.
 */
export const FAULTS = {
  'config/unreadable': 'The config file cannot be read.',
  'config/empty': 'The config file says nothing.',
  'config/too-large': 'The config file is larger than any config needs to be.',
  'config/syntax': 'The config file is not well-formed YAML.',
  'config/key-twice': 'A key is given twice in one mapping.',
  'config/alias-bomb': 'Aliases in the config unfold into far more than is written.',
  'config/unknown-key': 'A key has no meaning here.',
  'config/missing-key': 'A key that is needed is not given.',
  'config/bad-value': 'A value is of the wrong kind or out of its range.',
  'config/bad-name': 'A name does not fit topics and addresses.',
  'config/unknown-part': 'No transport, ruleset or display has this name.',
  'config/unknown-layout': 'No layout has this name.',
  'config/bad-layout': 'A layout contradicts itself.',
  'config/path-twice': 'Two links use the same port.',
  'config/side-twice': 'Two boards are said to serve the same side.',
  'config/open-to-all': 'A service would be open to the network without a password.',
  'config/not-together': 'Options were given together that exclude each other.',
  'config/refused': 'The config was refused.',
  'serial/missing': 'There is no such port.',
  'serial/not-permitted': 'This user may not open the port.',
  'serial/busy': 'Another program holds the port.',
  'serial/not-a-port': 'The path names something that is no serial port.',
  'serial/failed': 'The port did not open.',
  'serial/lost': 'The port went away.',
  'calibrate/no-table': 'There is no table to calibrate.',
  'calibrate/silent': 'A board that is to be calibrated says nothing.',
  'calibrate/no-file': 'There is nowhere to keep a calibration.',
  'calibrate/unfinished': 'A calibration stopped before its last step.',
  'calibrate/not-kept': 'A calibration could not be written.',
  'serial/silent': 'The port is open and nothing is heard on it.',
  'serial/no-driver': 'The serial driver does not load on this machine.',
  'mqtt/unreachable': 'Nothing answers at the address of the broker.',
  'mqtt/login-refused': 'The broker refused user name, password or client id.',
  'mqtt/no-password': 'The file with the password cannot be read.',
  'mqtt/subscription-refused': 'The broker lets this client in but not hear its table.',
  'mqtt/kicked-out': 'The broker closes the connection again and again right after the login.',
  'mqtt/lost': 'The connection to the broker broke.',
  'mqtt/stalled': 'The broker no longer acknowledges what is sent.',
  'broker/port-taken': 'Another program listens on the port of the broker.',
  'broker/not-permitted': 'This user may not listen on the port of the broker.',
  'broker/failed': 'The broker could not listen.',
  'replay/unreadable': 'The capture cannot be read.',
  'replay/ended': 'The capture has been played to its end.',
  'firmata/no-answer': 'The board on the port does not answer as StandardFirmata does.',
  'firmata/bad-pin': 'The board lacks a pin that the config names, or cannot use it so.',
  'firmata/restarted': 'The board started anew by itself.',
  'firmata/silent': 'The board no longer sends readings.',
  'firmata/ended': 'The process that speaks with the board ended.',
  'journal/not-writable': 'The folder of the journal cannot be written.',
  'journal/write-failed': 'The journal cannot be written; play waits.',
  'journal/unreadable': 'The journal cannot be read.',
  'journal/in-use': 'Another host writes this journal.',
  'journal/cannot-resume': 'The match in progress cannot be gone on with; an operator decides.',
  'journal/disk-full': 'There is too little room on the disk to begin.',
  'journal/key-unusable': 'The key that signs the journal cannot be used.',
  'journal/key-changed': 'The journal is signed with another key than before.',
  'journal/torn-tail': 'The last record was cut off; it is kept aside.',
  'journal/damaged': 'A record of the journal is damaged.',
  'journal/clock-set-back': 'The clock of this machine was set back.',
  'journal/not-intact': 'The journal is not what was written.',
  'journal/not-kept': 'Records that this needs were let go or removed with leave.',
  'journal/unknown-form': 'The file is of a form or version that is not known here.',
  'journal/differs': 'A replay gives something else than was recorded.',
  'rules/unknown-rule': 'The game has no rule of this number.',
  'event/unreadable': 'The file of an event cannot be read or written.',
  'event/refused': 'An event does not take this.',
  'library/no-such-match': 'The library has no such match.',
  'library/removed': 'The match was removed before.',
  'file/unreadable': 'A file that was named cannot be read.',
  'file/not-written': 'A file that was named cannot be written.',
  'file/is-input': 'A file that is read was named as the place for results.',
  'file/in-journal': 'A place in the journal of a table was named for results.',
  'file/named-twice': 'A file is named twice and would count twice.',
  'http/port-taken': 'Another program listens on the port of the pages.',
  'http/failed': 'The pages could not be served.',
} as const satisfies Readonly<Record<string, string>>;

/** A stable, namespaced name of a fault. */
export type FaultCode = keyof typeof FAULTS;

/**
 * A fault with its code, one sentence that says what happened, and a remedy that says what to do. `message` is
 * `code: sentence remedy`, fit for a terminal.
 */
export class TableFault extends Error {
  readonly code: FaultCode;
  readonly sentence: string;
  readonly remedy: string;

  constructor(code: FaultCode, sentence: string, remedy: string, options?: { readonly cause?: unknown }) {
    super(`${code}: ${sentence}${remedy === '' ? '' : ` ${remedy}`}`, options);
    this.name = 'TableFault';
    this.code = code;
    this.sentence = sentence;
    this.remedy = remedy;
  }
}

/** The words of anything thrown; an aggregate of connection attempts gives its first. Never throws. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0) {
    return wordsOf(error.errors[0]);
  }
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}

/** The system's error code of anything thrown (`ENOSPC`, `EADDRINUSE`), or undefined. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
