import { MAX_DOWN_BYTES } from '../../firmware-protocol/frame.ts';
import { decodeDownLine } from '../../firmware-protocol/line.ts';
import type { LinkId } from '../../host/ids.ts';
import type { RawLine } from '../../host/record.ts';
import type { Transport, TransportEvents } from '../../host/transports/transport.ts';

/** A transport without a wire that holds both sides to their contract. */
export interface StrictTransport extends Transport {
  /** Lines that were sent while the link was up. */
  readonly sent: readonly string[];
  /** What was done that the contract forbids. */
  readonly wrong: readonly string[];
  readonly isClosed: boolean;
  line(raw: RawLine): void;
  up(detail: string): void;
  down(reason: string): void;
  dropped(what: string, count: number): void;
}

/** Sending fails in the middle of a send when `breaks` says so: the link goes down at once, as a pulled plug does. */
export function strictTransport(
  link: LinkId,
  events: TransportEvents,
  breaks: (line: string) => boolean = () => false,
): StrictTransport {
  const sent: string[] = [];
  const wrong: string[] = [];
  let isUp = false;
  let isClosed = false;
  const open = (what: string): boolean => {
    if (isClosed) wrong.push(`${what} after close`);
    return !isClosed;
  };
  return {
    link,
    sent,
    wrong,
    get isClosed() {
      return isClosed;
    },
    send(line, to) {
      if (!open('send')) return false;
      if (!isUp) return false;
      if (line.length + 1 > MAX_DOWN_BYTES) wrong.push(`a line of ${line.length} bytes`);
      if (!decodeDownLine(line).ok) wrong.push(`no line: ${line}`);
      if (to?.device === '') wrong.push('a line to no device');
      if (breaks(line)) {
        isUp = false;
        events.down(link, 'The port is gone.', 'Plug it in again.');
        return false;
      }
      sent.push(line);
      return true;
    },
    async close() {
      if (isClosed) wrong.push('closed twice');
      isClosed = true;
    },
    line: (raw) => void (open('line') && events.line(link, raw)),
    up(detail) {
      isUp = true;
      if (open('up')) events.up(link, detail);
    },
    down(reason) {
      isUp = false;
      if (open('down')) events.down(link, reason);
    },
    dropped: (what, count) => void (open('dropped') && events.dropped(link, what, count)),
  };
}
