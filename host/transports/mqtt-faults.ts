import { type FaultCode, systemCodeOf, wordsOf } from '../fault.ts';

/** Why there is no session with a broker, what to do, and how long to wait before the next try. */
export interface MqttTrouble {
  readonly code: FaultCode;
  readonly reason: string;
  readonly remedy: string;
  /** Undefined: the usual quick retry. */
  readonly waitMs?: number;
}

/** Wait after a refused login: some brokers lock accounts that knock too fast. */
export const REFUSED_WAIT_MS = 5000;
/** First and longest wait after being kicked out: the other client must be able to play. */
export const FIRST_KICKED_WAIT_MS = 5000;
export const LONGEST_KICKED_WAIT_MS = 60_000;

/** The address without a login in it. */
export function shownUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}

/** MQTT 3.1.1 table 3.1: return codes of a refused CONNECT. */
const REFUSALS: Readonly<Record<number, { readonly why: string; readonly remedy: string }>> = {
  1: { why: 'does not speak MQTT 3.1.1', remedy: 'Use a broker that speaks MQTT 3.1.1.' },
  2: { why: 'does not accept the client id', remedy: 'Give the link another clientId.' },
  3: { why: 'is not ready', remedy: 'Wait, or look into the log of the broker.' },
  4: { why: 'refused user name or password', remedy: 'Check username and the file named by passwordFile.' },
  5: {
    why: 'does not let this user in',
    remedy: 'Check username, passwordFile and the access list of the broker.',
  },
  6: { why: 'does not accept the keep-alive of 5 s', remedy: 'Let the broker accept short keep-alives.' },
};

/** Names why a connection was not made or broke. */
export function connectTrouble(url: string, error: unknown): MqttTrouble {
  const shown = shownUrl(url);
  const returnCode = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const refusal = typeof returnCode === 'number' ? REFUSALS[returnCode] : undefined;
  if (refusal !== undefined) {
    return {
      code: 'mqtt/login-refused',
      reason: `The broker at ${shown} ${refusal.why}.`,
      remedy: refusal.remedy,
      waitMs: REFUSED_WAIT_MS,
    };
  }
  const detail = systemCodeOf(error) ?? wordsOf(error);
  return {
    code: 'mqtt/unreachable',
    reason: `No broker answers at ${shown} (${detail}).`,
    remedy: 'Start the broker, or correct broker.url, broker.host and broker.port; the host goes on trying.',
  };
}

export function lostTrouble(url: string, error: unknown): MqttTrouble {
  const detail = error === undefined ? '' : ` (${systemCodeOf(error) ?? wordsOf(error)})`;
  return {
    code: 'mqtt/lost',
    reason: `The connection to the broker at ${shownUrl(url)} broke${detail}.`,
    remedy: 'The host connects again as soon as the broker answers.',
  };
}

/** Closed right after the login several times in a row: a broker does that to two clients with one id. */
export function kickedTrouble(url: string, clientId: string, times: number): MqttTrouble {
  const doublings = Math.min(times, 8);
  return {
    code: 'mqtt/kicked-out',
    reason: `The broker at ${shownUrl(url)} closes the connection again and again right after the login: most likely another client uses the client id "${clientId}" too.`,
    remedy: 'Stop the second host or bridge, or give each its own clientId.',
    waitMs: Math.min(LONGEST_KICKED_WAIT_MS, FIRST_KICKED_WAIT_MS * 2 ** doublings),
  };
}

export function subscriptionTrouble(url: string, topic: string): MqttTrouble {
  return {
    code: 'mqtt/subscription-refused',
    reason: `The broker at ${shownUrl(url)} does not let this user read ${topic}.`,
    remedy: 'Allow reading and writing of bakucore/v1/# in the access list of the broker.',
    waitMs: REFUSED_WAIT_MS,
  };
}

export function passwordTrouble(path: string, error: unknown): MqttTrouble {
  return {
    code: 'mqtt/no-password',
    reason: `The password file ${path} cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
    remedy: 'Create it with the password as its first line, readable by the user that runs the host.',
    waitMs: REFUSED_WAIT_MS,
  };
}

export function stalledTrouble(url: string): MqttTrouble {
  return {
    code: 'mqtt/stalled',
    reason: `The broker at ${shownUrl(url)} no longer acknowledges what is sent.`,
    remedy: 'Look into the log of the broker; the host connects anew.',
  };
}
