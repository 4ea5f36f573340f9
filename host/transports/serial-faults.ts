import { type FaultCode, wordsOf } from '../fault.ts';

/** Why a port did not open or went away, with what a person can do. */
export interface SerialTrouble {
  readonly code: FaultCode;
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Names the reason why a port did not open. The driver gives words only (those of the operating system on Linux and
 * macOS, its own on Windows, the mock's in tests), so the words are what is matched.
 */
export function openTrouble(path: string, error: unknown): SerialTrouble {
  const words = wordsOf(error);
  if (/permission denied|eacces|operation not permitted/i.test(words)) {
    return {
      code: 'serial/not-permitted',
      reason: `This user may not open the port ${path}.`,
      remedy:
        'On Linux add the user to the group that owns the port, then log in again: sudo usermod -aG dialout $USER',
    };
  }
  if (/cannot lock|temporarily unavailable|is locked|busy|access denied/i.test(words)) {
    return {
      code: 'serial/busy',
      reason: `Another program holds the port ${path}.`,
      remedy: `Close the other program (a serial monitor, a second host); on Linux "fuser ${path}" names it.`,
    };
  }
  if (/no such (file|device)|file not found|does not exist|enoent|enxio|enodev/i.test(words)) {
    return {
      code: 'serial/missing',
      reason: `There is no port ${path}.`,
      remedy:
        'Plug the board in; if it is, compare the path with "ls /dev/serial/by-id" (Linux), "ls /dev/cu.*" (macOS) or the device list (Windows).',
    };
  }
  if (
    /inappropriate ioctl|not a (tty|typewriter|character device)|is a directory|invalid argument/i.test(words)
  ) {
    return {
      code: 'serial/not-a-port',
      reason: `${path} is no serial port (${words}).`,
      remedy: 'Give the path of the board, as in /dev/serial/by-id/….',
    };
  }
  return {
    code: 'serial/failed',
    reason: `The port ${path} did not open (${words}).`,
    remedy: 'Unplug the board and plug it in again; the host goes on trying.',
  };
}

/** The port closed by itself. */
export function lostTrouble(path: string, error: unknown): SerialTrouble {
  const words = error === undefined || error === null ? '' : ` (${wordsOf(error)})`;
  return {
    code: 'serial/lost',
    reason: `The port ${path} went away${words}.`,
    remedy: 'Check the cable; the host opens the port again as soon as it is back.',
  };
}

/** The port is open and mute. */
export function silentTrouble(path: string, silentMs: number): SerialTrouble {
  return {
    code: 'serial/silent',
    reason: `Nothing was heard on ${path} for ${silentMs} ms.`,
    remedy:
      'Check that the board has power, runs the BakuCore firmware and that baudRate is the same on both sides.',
  };
}

/** The operating system does not answer the request to open. */
export function stuckTrouble(path: string): SerialTrouble {
  return {
    code: 'serial/failed',
    reason: `The port ${path} does not open and does not say why.`,
    remedy: 'Unplug the board and plug it in again.',
  };
}

/** The native driver did not load. */
export function driverTrouble(error: unknown): SerialTrouble {
  return {
    code: 'serial/no-driver',
    reason: `The serial driver does not load on this machine (${wordsOf(error)}).`,
    remedy: 'Install the dependencies again on this very machine: npm ci',
  };
}
