/** One line in: what it is and who sent it. What comes of it is in link-accept.ts. */
import { hexAt } from '../../firmware-protocol/fields.ts';
import type { FrameFault } from '../../firmware-protocol/frame.ts';
import { decodeLine } from '../../firmware-protocol/line.ts';
import type { AtMs, LinkId } from '../ids.ts';
import type { RawLine } from '../record.ts';
import type { Heard, HeardFrom } from './link.ts';
import { admit } from './link-accept.ts';
import { introduce } from './link-claims.ts';
import { refuse, standing } from './link-refusals.ts';
import { boardOf, count, type Links, pathOf, UNSET_DEVICE, type Way, wayOf, weigh } from './link-state.ts';
import { settleLinks } from './link-watch.ts';
import type { LinkNotice } from './seen.ts';

/** Lines down whose answers are waited for. */
const SENT = 8;
/** A board whose hello alone is of another version says so once a second, between lines that look right. */
const OTHER_VERSION_MS = 1500;

/**
 * Takes in one line as it arrived. `atMs` never goes back from call to call. Notices are added to `out`; everything
 * that fell due before is settled first. Never throws.
 */
export function hearLine(
  links: Links,
  link: LinkId,
  raw: RawLine,
  atMs: AtMs,
  from: HeardFrom | undefined,
  out: LinkNotice[],
): Heard {
  settleLinks(links, atMs, out);
  const way = wayOf(links, link);
  count(way, 'lines');
  way.up = true;
  way.downText = '';
  way.heardAtMs = atMs;
  if (from?.retained === true) {
    const text = `A line on ${link} was retained by the broker. Lines must never be published with retain; clear the topic of ${from.device ?? 'the device'}.`;
    return refuse(way, atMs, from.device ?? '', 'retained', text);
  }
  if (!('line' in raw)) return failed(way, 'not-ascii', 'bytes that are no text', atMs);
  const decoded = decodeLine(raw.line);
  if (!decoded.ok) return failed(way, decoded.fault, decoded.detail, atMs);
  weigh(way, false);
  if (atMs - way.wrongVersionAtMs > OTHER_VERSION_MS) way.wrongVersion = '';
  const { frame } = decoded;
  if (frame.kind === 'hello') {
    const no = introduce(links, way, frame, from, atMs, out);
    if (no !== undefined) return refuse(way, atMs, frame.device, no.reason, no.text);
  }
  const device = from?.device ?? way.bound;
  if (device === UNSET_DEVICE) {
    return refuse(way, atMs, device, 'unset', standing(way, device, 'It has no identity.'));
  }
  const board = boardOf(links, device);
  if (board === undefined) {
    const text = `Lines come on ${link} from a board that has not said who it is.`;
    return refuse(way, atMs, device, 'no-hello', text);
  }
  if (board.refused !== undefined) return refuse(way, atMs, device, board.refused.reason, board.refused.text);
  const path = pathOf(board, link);
  if (path.blocked) return refuse(way, atMs, device, 'same-id', standing(way, device, 'Its id is taken.'));
  return admit({ links, board, way, path, frame, sum: sumOf(raw.line), atMs, out });
}

/** A line was handed to the transport: its answer will bound how quick the wire can be. */
export function lineSent(links: Links, device: string, tag: number, atMs: AtMs): void {
  const board = boardOf(links, device);
  if (board === undefined) return;
  board.sent.push({ tag, atMs });
  if (board.sent.length > SENT) board.sent.shift();
}

function sumOf(line: string): number {
  return hexAt(line, line.length - (line.endsWith('\r') ? 5 : 4), 4);
}

function failed(way: Way, fault: FrameFault, detail: string, atMs: AtMs): Heard {
  count(way, `fault.${fault}`);
  if (fault === 'wrong-version') {
    way.wrongVersion = detail;
    way.wrongVersionAtMs = atMs;
  } else weigh(way, fault === 'not-ascii');
  return { kind: 'fault', fault, detail };
}
