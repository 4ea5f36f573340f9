/** Refusals: counted, and remembered for people as long as they go on. */
import type { AtMs } from '../ids.ts';
import type { Heard, RefusalReason } from './link.ts';
import { count, type Way } from './link-state.ts';

/** A complaint that was not renewed for this long is over. */
const OVER_MS = 10_000;
/** Most complaints kept of a way in: junk topics must not make it grow. */
const MOST = 16;

/** Counts and remembers why a frame is not used. */
export function refuse(way: Way, atMs: AtMs, device: string, reason: RefusalReason, text: string): Heard {
  count(way, `refused.${reason}`);
  if (reason !== 'stale') remember(way, atMs, device, reason, text);
  return { kind: 'refused', reason, text };
}

/** The complaint that stands about a device here, or a plain one. */
export function standing(way: Way, device: string, otherwise: string): string {
  return (
    way.refusals.find((one) => one.device === device)?.text ?? `Board ${device} on ${way.link}: ${otherwise}`
  );
}

/** Keeps one complaint for each device. */
export function remember(way: Way, atMs: AtMs, device: string, reason: RefusalReason, text: string): void {
  way.refusals = way.refusals.filter((one) => one.device !== device && atMs - one.atMs < OVER_MS);
  way.refusals.push({ device, reason, text, atMs });
  if (way.refusals.length > MOST) way.refusals.shift();
}

/** A frame of this device was used: what was said against it is over, and so is what is old. */
export function forgive(way: Way, atMs: AtMs, device: string): void {
  if (way.refusals.length === 0) return;
  way.refusals = way.refusals.filter((one) => one.device !== device && atMs - one.atMs < OVER_MS);
}
