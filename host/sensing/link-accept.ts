/** What comes of a good frame of a board that may be used: new or heard before, when it happened, what is missing. */
import type { Side, UplinkFrame } from '../../firmware-protocol/frame.ts';
import { BLOCK_MS, MAX_TILES } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { noteQuiet } from './latency-timer.ts';
import type { Heard } from './link.ts';
import {
  boundFloor,
  clockErrorOf,
  createClock,
  hearTime,
  hostOf,
  isSetBack,
  restartClock,
  unwrapped,
} from './link-clock.ts';
import { lifeOf, type Sighting } from './link-lives.ts';
import { forgive, refuse, remember, standing } from './link-refusals.ts';
import {
  type Board,
  count,
  type Links,
  noticeOf,
  type Path,
  pathOf,
  SILENT_MS,
  type Way,
  wayOf,
} from './link-state.ts';
import { createStream, fillGap, type Stream, takeLine } from './link-stream.ts';
import { giveUp } from './link-watch.ts';
import type { LinkNotice } from './seen.ts';

/** Lives kept of each board: late copies of those before are told from resets. */
const LIVES = 8;
/** A route stays with its wire until nothing was heard there for this long. */
const ROUTE_MS = 1000;
/** On a wire that both boards share, the newcomer's lines are refused for as long as they come, and this long after. */
const SHUN_MS = 3000;
/** A wire that was heard this recently still sets how long a missing line is waited for. */
const WIRE_MS = 5000;

/** A good frame on its way in. */
export interface Arrival {
  readonly links: Links;
  readonly board: Board;
  readonly way: Way;
  readonly path: Path;
  readonly frame: UplinkFrame;
  /** Checksum of its line. */
  readonly sum: number;
  readonly atMs: AtMs;
  readonly out: LinkNotice[];
}

/** Takes in a frame: finds its life, maps its time, keeps account of what is missing. */
export function admit(arrival: Arrival): Heard {
  const { board, way, path, frame, sum, atMs } = arrival;
  const { device } = board;
  if (path.shunned?.boot === frame.boot && atMs < path.shunned.untilMs) {
    path.shunned = { boot: frame.boot, untilMs: atMs + SHUN_MS };
    return refuse(way, atMs, device, 'same-id', standing(way, device, 'Its id is taken.'));
  }
  const life = lifeOf(board, way, frame, sum, atMs);
  switch (life.kind) {
    case 'stale': {
      const text = `Board ${device}: a line that is too old to tell whether it was heard before.`;
      return refuse(way, atMs, device, 'stale', text);
    }
    case 'known':
      if (life.seen.place === 'repeat') {
        path.heardMs = atMs;
        count(way, 'repeats');
        return { kind: 'repeat', device };
      }
      return accept(arrival, life.stream, life.seen);
    case 'born': {
      const stream = bear(arrival, life.sameBoot);
      const deviceMs = unwrapped(stream.clock, frame.deviceUs, atMs);
      const seen: Sighting = { deviceMs, number: frame.seq, place: 'next' };
      return accept(arrival, stream, seen);
    }
    case 'clock': {
      jump(arrival, life.stream);
      const deviceMs = unwrapped(life.stream.clock, frame.deviceUs, atMs);
      return accept(arrival, life.stream, { ...life.seen, deviceMs });
    }
    case 'rival':
      return rival(arrival, life.stream, life.seen);
    default:
      return life satisfies never;
  }
}

/** Begins a life. A board that was heard before was reset: what it made up to now is uncertain. */
function bear(arrival: Arrival, sameBoot: boolean): Stream {
  const { board, way, frame, atMs, out } = arrival;
  const before = board.streams[0];
  const { rateLimit, floorMs } = way.wire;
  const clock = createClock(rateLimit, floorMs, before?.clock);
  // A board that was reset begins with number 0; one that is met in mid-life with whatever it says.
  const stream = createStream(frame.boot, atMs, way.link, clock, before === undefined ? frame.seq : 0);
  if (before !== undefined) {
    stream.coveredMs = Math.min(before.coveredMs, atMs);
    count(way, 'resets');
    const text = sameBoot
      ? `Board ${board.device} was reset and counts the same boot again: its EEPROM may be worn out.`
      : `Board ${board.device} was reset: check its supply when nobody pressed the button.`;
    out.push(noticeOf(board, way.link, 'link/reset', stream.coveredMs, atMs, text));
  }
  board.streams = [stream, ...board.streams].slice(0, LIVES);
  board.sent = [];
  return stream;
}

function jump(arrival: Arrival, stream: Stream): void {
  const { board, way, atMs, out } = arrival;
  const text = `The clock of board ${board.device} jumped.`;
  out.push(noticeOf(board, way.link, 'link/clock', Math.min(stream.coveredMs, atMs), atMs, text));
  restartClock(stream.clock);
  stream.coveredMs = atMs;
}

/** Two boards carry one id. The one that was there first stays; the newcomer's wire is shut until replugged. */
function rival(arrival: Arrival, stream: Stream, seen: Sighting): Heard {
  const { links, board, way, atMs, out } = arrival;
  const newer = board.streams.slice(0, board.streams.indexOf(stream));
  for (const { bornOn, boot } of newer) {
    const path = pathOf(board, bornOn);
    if (bornOn === way.link) path.shunned = { boot, untilMs: atMs + SHUN_MS };
    else path.blocked = true;
    if (board.route === bornOn) board.route = way.link;
    const text = `Two boards carry the id ${board.device}, on ${way.link} and on ${bornOn}. The newcomer on ${bornOn} is not used: give it another id with \`bakucore doctor --assign\`, then plug it in again.`;
    remember(wayOf(links, bornOn), atMs, board.device, 'same-id', text);
  }
  const since = Math.min(atMs, ...newer.map(({ bornMs }) => bornMs));
  const text = `Two boards carry the id ${board.device}.`;
  out.push(noticeOf(board, way.link, 'link/rival', since, atMs, text));
  board.streams = board.streams.filter((one) => !newer.includes(one));
  return accept(arrival, stream, seen);
}

function accept(arrival: Arrival, stream: Stream, seen: Sighting): Heard {
  const { links, board, way, path, frame, sum, atMs, out } = arrival;
  const { clock } = stream;
  const next = seen.number > stream.highest;
  // Of a life that is over only late lines still come.
  if (next && stream === board.streams[0] && isSetBack(clock, atMs)) jump(arrival, stream);
  hearTime(clock, seen.deviceMs, atMs);
  if (way.wire.floorMs > clock.floorMs && !heardOnQuicker(arrival)) clock.floorMs = way.wire.floorMs;
  const startMs = Math.min(atMs, hostOf(clock, seen.deviceMs));
  const endMs = frame.kind === 'burst' ? startMs + BLOCK_MS : startMs;
  const dueMs = atMs + patienceOf(arrival);
  path.heardMs = atMs;
  if (next) welcome(arrival);
  if (next && frame.kind === 'quiet' && way.wire.ordered) noteQuiet(way.quiet, atMs);
  takeLine(stream, seen.number, sum, seen.deviceMs, { startMs, endMs }, way.link, dueMs);
  if (!next) {
    count(way, 'late');
    if (fillGap(stream, seen.number) === 'given-up') count(way, 'recovered');
  }
  giveUp(links, board, stream, atMs, out);
  steer(arrival);
  if (frame.kind === 'answer') answered(board, stream, seen.deviceMs, frame.tag);
  const misfit = shapeOf(board, frame);
  if (misfit !== undefined) return refuse(way, atMs, board.device, 'layout', misfit);
  const { side } = board;
  if (side === 'unset') {
    return refuse(way, atMs, board.device, 'unset', standing(way, board.device, 'It has no side.'));
  }
  count(way, 'fresh');
  forgive(way, atMs, board.device);
  return fresh(frame, board.device, side, startMs, clockErrorOf(clock), !next);
}

function fresh(
  frame: UplinkFrame,
  device: string,
  side: Side | 'both',
  atMs: AtMs,
  errorMs: number,
  late: boolean,
): Heard {
  return { kind: 'fresh', frame, device, side, atMs, errorMs, late };
}

/** A newer line came: the board is there. Tells when it was not. */
function welcome(arrival: Arrival): void {
  const { board, way, atMs, out } = arrival;
  if (board.presence === 'silent' || board.presence === 'lost') {
    const text = `Board ${board.device} is back on ${way.link}.`;
    out.push(noticeOf(board, way.link, 'link/back', board.lastMs, atMs, text));
  }
  board.presence = 'alive';
  board.lastMs = atMs;
}

/** Lines down go where the board was heard, and stay there while that wire lives. */
function steer(arrival: Arrival): void {
  const { links, board, way, atMs } = arrival;
  if (board.route === way.link) return;
  const now = board.paths.find((path) => path.link === board.route);
  const lives =
    now !== undefined && !now.blocked && wayOf(links, now.link).up && atMs - now.heardMs < ROUTE_MS;
  if (!lives) board.route = way.link;
}

/** How long a missing line may still come: that of the slowest wire the board is heard on. */
function patienceOf(arrival: Arrival): number {
  const { links, board, way, atMs } = arrival;
  let patience = way.wire.patienceMs;
  for (const path of board.paths) {
    if (path.link === way.link || atMs - path.heardMs > WIRE_MS) continue;
    patience = Math.max(patience, wayOf(links, path.link).wire.patienceMs);
  }
  return patience;
}

function heardOnQuicker(arrival: Arrival): boolean {
  const { links, board, way, atMs } = arrival;
  return board.paths.some(
    (path) =>
      path.link !== way.link &&
      atMs - path.heardMs < SILENT_MS &&
      wayOf(links, path.link).wire.floorMs < way.wire.floorMs,
  );
}

function answered(board: Board, stream: Stream, deviceMs: number, tag: number): void {
  const sent = board.sent.findLast((one) => one.tag === tag);
  if (sent === undefined) return;
  boundFloor(stream.clock, deviceMs, sent.atMs);
  board.sent = board.sent.filter((one) => one.tag !== tag);
}

/** Why a frame does not fit what the board's hello said, or undefined. */
function shapeOf(board: Board, frame: UplinkFrame): string | undefined {
  const { tiles, halls, device } = board;
  if (frame.kind === 'burst' && (frame.halls !== halls || frame.tileMask >> tiles !== 0)) {
    return `Board ${device} sent samples of tiles or halls that its hello does not name.`;
  }
  if (frame.kind === 'quiet' && frame.means.length !== tiles * halls) {
    return `Board ${device} sent ${frame.means.length} means for ${tiles * halls} sensors.`;
  }
  if (frame.kind === 'edge' && frame.input < MAX_TILES && frame.input >= tiles) {
    return `Board ${device} sent an edge of tile ${frame.input}; it has ${tiles}.`;
  }
  return undefined;
}
