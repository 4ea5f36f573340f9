/** What people and the rest of the host ask of the links: who is where, what is wrong, which way back. */
import type { Side } from '../../firmware-protocol/frame.ts';
import type { LinkId } from '../ids.ts';
import { isHeldBack } from './latency-timer.ts';
import { LINK_COUNTS, type LinkCount } from './link.ts';
import { type Board, boardOf, type Links, serves, UNSET_DEVICE, type Way } from './link-state.ts';
import type { LinkSeen } from './seen.ts';

/** Noisy lines from which a wrong baud rate is suspected, when they outnumber the clean ones by NOISE_SHARE. */
const NOISE_LEAST = 8;
const NOISE_SHARE = 3;

/** Device that is used for this side, or undefined. */
export function deviceOf(links: Links, side: Side): string | undefined {
  return used(links, side)?.device;
}

/**
 * Where lines down to this side's board go: the wire it was last heard on. Undefined while it is nowhere heard, and
 * once it has fallen silent: what it shows is said anew when it is back.
 */
export function sendRouteFor(
  links: Links,
  side: Side,
): { readonly link: LinkId; readonly device: string } | undefined {
  const board = used(links, side);
  if (board?.route === undefined || board.presence === 'silent' || board.presence === 'lost')
    return undefined;
  return { link: board.route, device: board.device };
}

/** Asked with every line. */
function used(links: Links, side: Side): Board | undefined {
  for (const board of links.boards) {
    if (board.refused === undefined && serves(board.side, side)) return board;
  }
  return undefined;
}

/** Every way in as a person wants to know it: one entry for each board heard on it, or one bare entry. */
export function linksSeen(links: Links): readonly LinkSeen[] {
  return links.ways.flatMap((way) => {
    const devices = new Set<string>();
    for (const board of links.boards) {
      if (board.paths.some((path) => path.link === way.link)) devices.add(board.device);
    }
    for (const { device } of way.refusals) if (device !== '') devices.add(device);
    const general = [...ofWay(way), ...textsOf(way, '')];
    if (devices.size === 0) return [entry(way, undefined, undefined, general)];
    return [...devices].map((device) => {
      const board = boardOf(links, device);
      const own = [...textsOf(way, device), ...ofBoard(board)];
      return entry(way, device, board, [...general, ...own]);
    });
  });
}

function entry(
  way: Way,
  device: string | undefined,
  board: Board | undefined,
  complaints: readonly string[],
): LinkSeen {
  const side = board?.side ?? (device === UNSET_DEVICE ? 'unset' : undefined);
  return {
    link: way.link,
    up: way.up,
    ...(device === undefined ? {} : { device }),
    ...(side === undefined ? {} : { side }),
    ...(way.heardAtMs === undefined ? {} : { heardAtMs: way.heardAtMs }),
    complaints,
    ...(isHeldBack(way.quiet) ? { heldBack: true as const } : {}),
    counts: countsOf(way),
  };
}

function countsOf(way: Way): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of Object.keys(LINK_COUNTS) as LinkCount[]) {
    const value = way.counts[name] ?? 0;
    if (value !== 0) counts[name] = value;
  }
  return counts;
}

function ofWay(way: Way): readonly string[] {
  const complaints: string[] = [];
  if (way.downText !== '') complaints.push(way.downText);
  if (way.noise >= NOISE_LEAST && way.noise > NOISE_SHARE * way.clean) {
    complaints.push(`Mostly noise on ${way.link}: check baud 500000 and that this is the board's port.`);
  }
  if (way.wrongVersion !== '') {
    complaints.push(
      `The board on ${way.link} speaks another protocol (${way.wrongVersion}). Flash it with the firmware that came with this host.`,
    );
  }
  return complaints;
}

function textsOf(way: Way, device: string): readonly string[] {
  return way.refusals.filter((one) => one.device === device).map((one) => one.text);
}

function ofBoard(board: Board | undefined): readonly string[] {
  if (board === undefined || board.refused !== undefined || board.presence !== 'silent') return [];
  return [`Board ${board.device} is silent: check its cable and its supply.`];
}
