/** What the ways in tell, as inputs of the table and as lines of the log. */
import type { Input } from './advance/input.ts';
import type { Clock } from './clock.ts';
import type { LinkId } from './ids.ts';
import type { Log } from './log.ts';
import type { TransportEvents } from './transports/transport.ts';

/** Stamps everything that the ways in tell with the clock's time, once, and hands it to `hear`. */
export function linkEvents(hear: (input: Input) => void, clock: Clock, log: Log): TransportEvents {
  /** Links that were told as down, in the log too. */
  const down = new Set<LinkId>();
  return {
    line(link, raw, from) {
      hear({
        kind: 'line',
        atMs: clock.now(),
        link,
        raw,
        ...(from?.device === undefined ? {} : { device: from.device }),
        ...(from?.retained === undefined ? {} : { retained: from.retained }),
      });
    },
    up(link, detail) {
      if (down.delete(link)) log.info(`Up again: ${detail}.`, { link });
      hear({ kind: 'link', atMs: clock.now(), link, up: true, reason: detail });
    },
    down(link, reason, remedy) {
      down.add(link);
      log.warn(remedy === undefined ? reason : `${reason} ${remedy}`, { link });
      hear({
        kind: 'link',
        atMs: clock.now(),
        link,
        up: false,
        reason,
        ...(remedy === undefined ? {} : { remedy }),
      });
    },
    dropped(link, what, count) {
      hear({ kind: 'dropped', atMs: clock.now(), link, what, count });
    },
  };
}
