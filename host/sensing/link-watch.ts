/** What links do when nothing is heard: gaps that fall due, silence, and wires that go down and come back. */
import type { AtMs, LinkId } from '../ids.ts';
import { type Board, count, type Links, noticeOf, SILENT_MS, STALL_MS, wayOf, weigh } from './link-state.ts';
import type { Gap, Stream } from './link-stream.ts';
import type { LinkNotice } from './seen.ts';

/** Host time of the next thing that `settleLinks` has to do, or Infinity. */
export function dueAt(links: Links): AtMs {
  let due = Number.POSITIVE_INFINITY;
  for (const board of links.boards) {
    due = Math.min(due, silenceDue(board));
    for (const stream of board.streams) {
      for (const gap of stream.gaps) if (gap.dueMs < due) due = gap.dueMs;
    }
  }
  return due;
}

function silenceDue(board: Board): AtMs {
  if (board.refused !== undefined || board.streams.length === 0) return Number.POSITIVE_INFINITY;
  if (board.presence === 'alive') return board.lastMs + STALL_MS;
  return board.presence === 'stalled' ? board.lastMs + SILENT_MS : Number.POSITIVE_INFINITY;
}

/** Does everything that fell due up to `toMs`, in order, each at its own time. */
export function settleLinks(links: Links, toMs: AtMs, out: LinkNotice[]): void {
  for (let due = dueAt(links); due <= toMs; due = dueAt(links)) {
    for (const board of links.boards) {
      for (const stream of board.streams) giveUp(links, board, stream, due, out);
      if (silenceDue(board) <= due) fallSilent(links, board, due, out);
    }
  }
}

/** Declares lost what is still missing from gaps that are due. */
export function giveUp(links: Links, board: Board, stream: Stream, dueMs: AtMs, out: LinkNotice[]): void {
  if (stream.gaps.length === 0) return;
  const due = stream.gaps.filter((gap) => gap.dueMs <= dueMs);
  if (due.length === 0) return;
  stream.gaps = stream.gaps.filter((gap) => gap.dueMs > dueMs);
  for (const gap of due) lose(links, board, gap, out);
}

function lose(links: Links, board: Board, gap: Gap, out: LinkNotice[]): void {
  const way = wayOf(links, gap.link);
  count(way, 'gaps');
  count(way, 'lost', gap.missing);
  const lines = gap.missing === 1 ? 'One line' : `${gap.missing} lines`;
  const text = `${lines} of board ${board.device} did not arrive.`;
  const notice = noticeOf(board, gap.link, 'link/gap', gap.fromMs, gap.toMs, text);
  out.push({ ...notice, lines: gap.missing });
}

function fallSilent(links: Links, board: Board, atMs: AtMs, out: LinkNotice[]): void {
  const link = board.route ?? board.paths[0]?.link;
  if (link === undefined) return;
  if (board.presence === 'alive') {
    board.presence = 'stalled';
    count(wayOf(links, link), 'stalls');
    const text = `Nothing from board ${board.device} for ${STALL_MS} ms.`;
    out.push(noticeOf(board, link, 'link/stall', board.lastMs, atMs, text));
    return;
  }
  board.presence = 'silent';
  const text = `Board ${board.device} is silent: check its cable and its supply.`;
  out.push(noticeOf(board, link, 'link/silent', board.lastMs, atMs, text));
}

/** The transport says that lines can come and go. */
export function linkUp(links: Links, link: LinkId, atMs: AtMs, out: LinkNotice[]): void {
  settleLinks(links, atMs, out);
  const way = wayOf(links, link);
  way.up = true;
  way.downText = '';
}

/**
 * The transport lost the wire. Boards heard nowhere else are lost from their last line on. On a wire that does not
 * name devices the next lines wait for a hello, since another board may be plugged in.
 */
export function linkDown(
  links: Links,
  link: LinkId,
  atMs: AtMs,
  reason: string,
  remedy: string | undefined,
  out: LinkNotice[],
): void {
  settleLinks(links, atMs, out);
  const way = wayOf(links, link);
  if (way.up) count(way, 'downs');
  way.up = false;
  way.bound = '';
  way.refusals = [];
  way.wrongVersion = '';
  way.noise = 0;
  way.downText = remedy === undefined ? reason : `${reason} ${remedy}`;
  for (const board of links.boards) {
    const here = board.paths.find((path) => path.link === link);
    if (here === undefined) continue;
    board.paths = board.paths.filter((path) => path !== here);
    const other = board.paths.find((path) => !path.blocked && wayOf(links, path.link).up);
    if (board.route === link) board.route = other?.link;
    const elsewhere = other !== undefined && atMs - other.heardMs < SILENT_MS;
    if (here.blocked || elsewhere || board.refused !== undefined || board.presence === 'lost') continue;
    if (board.streams.length === 0) continue;
    board.presence = 'lost';
    const text = `Board ${board.device} is lost: ${way.downText}`;
    out.push(noticeOf(board, link, 'link/lost', board.lastMs, atMs, text));
  }
}

/** The transport dropped bytes or messages before they were lines. What they held shows as gaps. */
export function dropped(links: Links, link: LinkId, howMany: number, atMs: AtMs, out: LinkNotice[]): void {
  settleLinks(links, atMs, out);
  const way = wayOf(links, link);
  count(way, 'dropped', howMany);
  // At a wrong baud rate hardly a line feed is seen: that too is noise.
  if (way.wire.ordered) weigh(way, true);
}
