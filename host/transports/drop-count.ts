import type { LinkId } from '../ids.ts';
import type { TransportClock, TransportEvents } from './transport.ts';

/** Longest time that a count of dropped things is held back, ms. */
export const DROP_REPORT_MS = 1000;

/** Tells of dropped bytes and messages: the first at once, what follows summed up once a second. */
export interface DropCount {
  add(what: string, count?: number): void;
  /** Tells what is still held back, and forgets the timer. */
  flush(): void;
}

/** Noise can drop hundreds of pieces a second; each report is recorded, so reports are bounded and counts are not. */
export function dropCount(link: LinkId, events: TransportEvents, clock: TransportClock): DropCount {
  const held = new Map<string, number>();
  let cancel: (() => void) | undefined;

  const tellHeld = (): void => {
    for (const [what, count] of held) events.dropped(link, what, count);
    held.clear();
  };
  const onTimer = (): void => {
    cancel = undefined;
    if (held.size === 0) return;
    tellHeld();
    cancel = clock.after(DROP_REPORT_MS, onTimer);
  };
  return {
    add(what, count = 1) {
      if (cancel !== undefined) {
        held.set(what, (held.get(what) ?? 0) + count);
        return;
      }
      events.dropped(link, what, count);
      cancel = clock.after(DROP_REPORT_MS, onTimer);
    },
    flush() {
      cancel?.();
      cancel = undefined;
      tellHeld();
    },
  };
}
