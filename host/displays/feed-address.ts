import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Whether an address to bind is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/**
 * Whether a request's `Host` names this machine. A page of another site that resolves its own name to this machine
 * (DNS rebinding) sends that name and is refused. An address written as digits cannot be rebound.
 */
export function hostIsOurs(header: string | undefined, bound: string, alsoNamed: readonly string[]): boolean {
  const name = nameOf(header);
  if (name === undefined) return false;
  if (isLoopback(name) || alsoNamed.includes(name)) return true;
  if (isLoopback(bound)) return false;
  const own = hostname().toLowerCase();
  return isIP(name) !== 0 || name === bound.toLowerCase() || name === own || name === `${own}.local`;
}

/** Whether an `Origin`, if there is one, is the page of this very host; programs send none. */
export function originIsOurs(
  origin: string | undefined,
  hostHeader: string | undefined,
  alsoFrom: readonly string[],
): boolean {
  if (origin === undefined) return true;
  if (alsoFrom.includes(origin)) return true;
  const url = parsed(origin);
  return url !== undefined && hostHeader !== undefined && url.host === hostHeader.toLowerCase();
}

/** Address to open in a browser for something bound to `host`. */
export function urlOf(host: string, port: number): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const shown = bare === '0.0.0.0' || bare === '::' ? (outwardAddress() ?? 'localhost') : bare;
  return `http://${isIP(shown) === 6 ? `[${shown}]` : shown}:${port}/`;
}

function outwardAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((one) => one.family === 'IPv4' && !one.internal)?.address;
}

function nameOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 260 || /[/\\@?#\s]/.test(header)) return undefined;
  return parsed(`http://${header}`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .toLowerCase();
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
