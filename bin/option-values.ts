import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number in a range. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most) {
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Reads an option that is a chance. */
export function chance(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError('Give a chance from 0 to 1.');
  }
  return value;
}

/** Reads an option that must hold something. */
export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Reads the address of a broker. */
export function brokerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(mqtts?|wss?):$/.test(url.protocol) || url.hostname === '') {
    throw new InvalidArgumentError('Give an address as in mqtt://192.168.1.5:1883.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('Give the login by --username and --password-file.');
  }
  return text;
}

/** Least and greatest rate of a serial port. */
export const baudRate = whole(300, 4_000_000);
