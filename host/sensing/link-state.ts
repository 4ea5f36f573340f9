/** What the links remember: ways in, boards, and the wires each board is heard on. Plain data, owned by the links. */
import type { BoardSide, Side } from '../../firmware-protocol/frame.ts';
import type { AtMs, LinkId } from '../ids.ts';
import { noGaps, type QuietGaps } from './latency-timer.ts';
import { type LinkCount, type LinkSetting, MQTT_WIRE, type RefusalReason, type Wire } from './link.ts';
import type { Stream } from './link-stream.ts';
import type { LinkNotice } from './seen.ts';

/** Device id of a board that nobody has named. */
export const UNSET_DEVICE = '00000000';
/** Silence after which a board counts as gone. */
export const SILENT_MS = 3000;
/** Silence that is a gap in a live roll: a quiet line comes every 20 ms. */
export const STALL_MS = 200;
/** Balance of clean and noisy lines is kept over about this many. */
const NOISE_LINES = 64;

/** A refusal that a person has to know about. */
export type Refusal = {
  readonly device: string;
  readonly reason: RefusalReason;
  readonly text: string;
  readonly atMs: AtMs;
};

/** One way in. */
export interface Way {
  readonly link: LinkId;
  readonly wire: Wire;
  up: boolean;
  /** Why it is down, with the remedy; empty while it is up or was never told. */
  downText: string;
  /** Device of the last hello on a wire that does not name devices itself; empty when none. */
  bound: string;
  heardAtMs: AtMs | undefined;
  /** What the last line of another version said; empty when none came for a while. */
  wrongVersion: string;
  wrongVersionAtMs: AtMs;
  /** Lines with bytes that no line has, and good ones, both halved now and then. */
  noise: number;
  clean: number;
  refusals: Refusal[];
  /** Arrivals of quiet lines, where the wire keeps their order. */
  readonly quiet: QuietGaps;
  readonly counts: { [Name in LinkCount]?: number };
}

/** One wire that a board is heard on. */
export interface Path {
  readonly link: LinkId;
  /** Last good line, new or repeated. */
  heardMs: AtMs;
  /** Lines of this board are refused here until the link goes down: another board has the same id. */
  blocked: boolean;
  /** Boot byte of a second board with this id on the same wire, and until when it is not listened to. */
  shunned: { readonly boot: number; readonly untilMs: AtMs } | undefined;
}

/** A board that has said hello. */
export interface Board {
  readonly device: string;
  side: BoardSide;
  tiles: number;
  halls: number;
  /** Why its lines are not used, or undefined. */
  refused: { readonly reason: RefusalReason; readonly text: string } | undefined;
  paths: Path[];
  /** Link that lines down take. */
  route: LinkId | undefined;
  /** Arrival of the newest line used. */
  lastMs: AtMs;
  presence: 'alive' | 'stalled' | 'silent' | 'lost';
  /** Lives, newest first. */
  streams: Stream[];
  /** Lines down that may still be answered, newest last. */
  sent: { readonly tag: number; readonly atMs: AtMs }[];
}

/** All links of a table. */
export interface Links {
  readonly setting: LinkSetting;
  ways: Way[];
  boards: Board[];
}

/** Links that have heard nothing. */
export function createLinks(setting: LinkSetting): Links {
  return { setting, ways: setting.links.map(({ link, wire }) => createWay(link, wire)), boards: [] };
}

function createWay(link: LinkId, wire: Wire): Way {
  return {
    link,
    wire,
    up: false,
    downText: '',
    bound: '',
    heardAtMs: undefined,
    wrongVersion: '',
    wrongVersionAtMs: Number.NEGATIVE_INFINITY,
    noise: 0,
    clean: 0,
    refusals: [],
    quiet: noGaps(),
    counts: {},
  };
}

/** The way in of this name. One that the setting lacks is added, with the least assumed of its wire. */
export function wayOf(links: Links, link: LinkId): Way {
  for (const way of links.ways) if (way.link === link) return way;
  const known = links.setting.links.find((one) => one.link === link);
  const way = createWay(link, known?.wire ?? MQTT_WIRE);
  links.ways.push(way);
  return way;
}

export function boardOf(links: Links, device: string): Board | undefined {
  for (const board of links.boards) if (board.device === device) return board;
  return undefined;
}

/** The wire of this link to a board, added when it is new. */
export function pathOf(board: Board, link: LinkId): Path {
  for (const path of board.paths) if (path.link === link) return path;
  const path: Path = { link, heardMs: Number.NEGATIVE_INFINITY, blocked: false, shunned: undefined };
  board.paths.push(path);
  return path;
}

export function count(way: Way, name: LinkCount, by = 1): void {
  way.counts[name] = (way.counts[name] ?? 0) + by;
}

/** Keeps the balance of lines with bytes that no line has against all others. */
export function weigh(way: Way, noisy: boolean): void {
  if (noisy) way.noise++;
  else way.clean++;
  if (way.noise + way.clean <= NOISE_LINES) return;
  way.noise /= 2;
  way.clean /= 2;
}

/** Whether a board watches tiles of this side. */
export function serves(side: BoardSide, which: Side): boolean {
  return side === which || side === 'both';
}

export function noticeOf(
  board: Board,
  link: LinkId,
  code: string,
  fromMs: AtMs,
  toMs: AtMs,
  text: string,
): LinkNotice {
  return { code, link, device: board.device, side: board.side, fromMs, toMs, text };
}
