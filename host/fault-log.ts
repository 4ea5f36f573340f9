import type { LinkId } from './ids.ts';
import type { Log } from './log.ts';

/** A fault that comes again within this time is counted, not said again, ms. */
const SAY_AGAIN_MS = 30_000;

/** Says faults of links in the log without flooding it: everything stands in the journal. */
export function faultLog(log: Log): { tell(link: LinkId, code: string, text: string, atMs: number): void } {
  const told = new Map<string, { atMs: number; kept: number }>();
  return {
    tell(link, code, text, atMs) {
      const key = `${link} ${code}`;
      const last = told.get(key);
      if (last !== undefined && atMs - last.atMs < SAY_AGAIN_MS) {
        last.kept += 1;
        return;
      }
      log.warn(text, {
        link,
        code,
        ...(last === undefined || last.kept === 0 ? {} : { alsoBefore: last.kept }),
      });
      told.set(key, { atMs, kept: 0 });
    },
  };
}
