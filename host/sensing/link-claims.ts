/** Whether a board that says hello may be used: it has an identity, it fits the layout, and the side is free. */
import type { HelloFrame, Side } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { SIDES } from '../ids.ts';
import type { Layout, SensorLayout } from './layout.ts';
import type { HeardFrom, RefusalReason } from './link.ts';
import {
  type Board,
  boardOf,
  type Links,
  noticeOf,
  pathOf,
  SILENT_MS,
  serves,
  UNSET_DEVICE,
  type Way,
} from './link-state.ts';
import type { LinkNotice } from './seen.ts';

const ASSIGN = 'Give it an id and a side with `bakucore doctor --assign`.';
const HALLS: Readonly<Record<SensorLayout, number>> = { axis: 1, collector: 1, 'collector+offset': 2 };

type No = { readonly reason: RefusalReason; readonly text: string };

/** Takes in a hello: keeps what the board says of itself and judges it. Returns why it is refused, or undefined. */
export function introduce(
  links: Links,
  way: Way,
  hello: HelloFrame,
  from: HeardFrom | undefined,
  atMs: AtMs,
  out: LinkNotice[],
): No | undefined {
  if (from?.device !== undefined && from.device !== hello.device) {
    const text = `A board on ${way.link} calls itself ${hello.device} on the topic of ${from.device}. Its bridge or its settings name the wrong device.`;
    return { reason: 'topic', text };
  }
  if (from?.device === undefined && way.bound !== hello.device) {
    leave(links, way, atMs, out);
    way.bound = hello.device;
  }
  if (hello.device === UNSET_DEVICE) {
    return { reason: 'unset', text: `A board on ${way.link} has no identity. ${ASSIGN}` };
  }
  let board = boardOf(links, hello.device);
  if (board === undefined) {
    board = {
      device: hello.device,
      side: hello.side,
      tiles: hello.tiles,
      halls: hello.halls,
      refused: undefined,
      paths: [],
      route: undefined,
      lastMs: atMs,
      presence: 'alive',
      streams: [],
      sent: [],
    };
    makeRoom(links);
    links.boards.push(board);
  }
  pathOf(board, way.link);
  board.side = hello.side;
  board.tiles = hello.tiles;
  board.halls = hello.halls;
  board.refused = objection(links, board, way, atMs);
  return board.refused;
}

/** Most boards remembered; a table has one or two, and a broker lets anyone say hello. */
const MOST_BOARDS = 32;

/** Forgets the board that is missed least: one that is not used, or else gone, and was heard longest ago. */
function makeRoom(links: Links): void {
  if (links.boards.length < MOST_BOARDS) return;
  const rank = (board: Board): number =>
    board.refused !== undefined ? 0 : board.presence === 'lost' || board.presence === 'silent' ? 1 : 2;
  const [least] = [...links.boards].sort((a, b) => rank(a) - rank(b) || a.lastMs - b.lastMs);
  links.boards = links.boards.filter((board) => board !== least);
}

/** Another board was plugged in where one was heard: that one is gone from here. */
function leave(links: Links, way: Way, atMs: AtMs, out: LinkNotice[]): void {
  const before = boardOf(links, way.bound);
  if (before === undefined) return;
  before.paths = before.paths.filter((path) => path.link !== way.link);
  if (before.route === way.link) before.route = before.paths[0]?.link;
  if (before.paths.length > 0 || before.refused !== undefined || before.presence === 'lost') return;
  before.presence = 'lost';
  const text = `Another board took the place of ${before.device} on ${way.link}.`;
  out.push(noticeOf(before, way.link, 'link/lost', before.lastMs, atMs, text));
}

function objection(links: Links, board: Board, way: Way, atMs: AtMs): No | undefined {
  if (board.side === 'unset') {
    return { reason: 'unset', text: `Board ${board.device} on ${way.link} has no side. ${ASSIGN}` };
  }
  const misfit = misfitOf(links.setting.layout, board);
  if (misfit !== undefined) {
    return { reason: 'layout', text: `Board ${board.device} on ${way.link} ${misfit}` };
  }
  for (const other of links.boards) {
    if (other === board || other.refused !== undefined) continue;
    const shared = SIDES.find((side) => serves(board.side, side) && serves(other.side, side));
    if (shared === undefined) continue;
    const gone = other.presence === 'lost' || atMs - other.lastMs >= SILENT_MS;
    const where = other.route ?? other.paths[0]?.link ?? 'no link';
    const text = `Boards ${other.device} on ${where} and ${board.device} on ${way.link} both claim side ${shared}.`;
    if (!gone) {
      return {
        reason: 'side-taken',
        text: `${text} ${board.device} is not used. Unplug one, or change its side with \`bakucore doctor --assign\`.`,
      };
    }
    // The one that fell silent comes back as the newcomer.
    other.refused = { reason: 'side-taken', text: `${text} ${other.device} was silent and is not used.` };
  }
  return undefined;
}

/** What does not fit, as the end of a sentence, or undefined. */
function misfitOf(layout: Layout, board: Board): string | undefined {
  const needed = (side: Side) =>
    layout.cells.reduce((most, cell) => (cell.side === side ? Math.max(most, cell.tile + 1) : most), 0);
  const halls = HALLS[layout.sensors];
  if (board.halls !== halls) {
    return `has ${board.halls} hall sensors a tile, layout ${layout.name} (${layout.sensors}) needs ${halls}. Choose the layout that was built, or flash the board for this one.`;
  }
  // On a board of both sides, B's tiles follow A's, so that a surplus would shift them.
  const fits =
    board.side === 'both'
      ? board.tiles === needed('A') + needed('B')
      : board.tiles >= needed(board.side === 'A' ? 'A' : 'B');
  if (fits) return undefined;
  const tiles = board.side === 'both' ? needed('A') + needed('B') : needed(board.side === 'A' ? 'A' : 'B');
  return `watches ${board.tiles} tiles, layout ${layout.name} needs ${tiles} on side ${board.side}. Choose the layout that was built, or use another board.`;
}
