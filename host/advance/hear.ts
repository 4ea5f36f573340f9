import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import { encodeDown } from '../../firmware-protocol/line.ts';
import type { AtMs, LinkId, Side } from '../ids.ts';
import { forgetShown, freshBoardLights, takeAnswer } from '../scene/board-lights.ts';
import { dropped, type HeardFrom, hearLine, linkDown, linkUp } from '../sensing/links.ts';
import type { LinkNotice } from '../sensing/seen.ts';
import { hearFrame, hearNotice } from '../sensing/sensing.ts';
import { hearForCalibration } from './calibrating.ts';
import type { Input } from './input.ts';
import type { TableSetting } from './setting.ts';
import type { Collected, TableState } from './state.ts';
import { lightBoards, tilesOf } from './strips.ts';

type FromWire = Extract<Input, { readonly kind: 'line' | 'link' | 'dropped' }>;

/** What the wire itself says of a line; a serial port says nothing. */
function fromOf({ device, retained }: Extract<Input, { readonly kind: 'line' }>): HeardFrom | undefined {
  if (device === undefined && retained === undefined) return undefined;
  return { ...(device === undefined ? {} : { device }), ...(retained === undefined ? {} : { retained }) };
}

/**
 * Takes what a transport tells: a line, the link's state, bytes that never became a line. `atMs` is no earlier than the
 * state, where the input's own may be.
 */
export function hearWire(
  state: TableState,
  setting: TableSetting,
  input: FromWire,
  atMs: AtMs,
  collected: Collected,
): void {
  switch (input.kind) {
    case 'line': {
      const heard = hearLine(state.links, input.link, input.raw, atMs, fromOf(input), collected.notices);
      takeNotices(state, collected);
      if (heard.kind === 'fresh') {
        takeFrame(
          state,
          setting,
          heard.device,
          heard.side,
          heard.frame,
          heard.atMs,
          heard.errorMs,
          atMs,
          collected,
        );
      }
      return;
    }
    case 'link':
      if (input.up) {
        linkUp(state.links, input.link, atMs, collected.notices);
        // Lines of a board are used once it has said who it is: asking spares waiting for its next hello.
        const line = encodeDown({ kind: 'greet', tag: 0 });
        collected.outputs.push({ kind: 'send', atMs, link: input.link, device: '', line });
      } else linkDown(state.links, input.link, atMs, input.reason, input.remedy, collected.notices);
      takeNotices(state, collected);
      return;
    case 'dropped':
      dropped(state.links, input.link, input.count, atMs, collected.notices);
      takeNotices(state, collected);
      return;
    default:
      input satisfies never;
  }
}

function takeFrame(
  state: TableState,
  setting: TableSetting,
  device: string,
  side: Side | 'both',
  frame: UplinkFrame,
  atMs: AtMs,
  errorMs: number,
  arrivedMs: AtMs,
  collected: Collected,
): void {
  const tiles = tilesOf(setting.layout, side);
  let board = state.boards.get(device);
  if (board === undefined || board.wanted.length !== tiles) {
    board = freshBoardLights(tiles);
    state.boards.set(device, board);
  }
  // A hello may say another side than the one before.
  if (frame.kind === 'hello') lightBoards(state, setting, arrivedMs);
  if (frame.kind === 'answer') takeAnswer(board, frame.tag, frame.status, arrivedMs);
  else hearFrame(state.sensing, side, frame, atMs, errorMs, collected.sensed);
  if (frame.kind === 'quiet') hearForCalibration(state, side, frame);
}

/** Boards that restarted or were away show nothing that was asked of them before. */
const FORGETS: ReadonlySet<string> = new Set(['link/reset', 'link/back']);

/** Tells sensing and people what a link noticed. */
export function takeNotices(state: TableState, collected: Collected): void {
  for (const notice of collected.notices) {
    hearNotice(state.sensing, notice, collected.sensed);
    if (FORGETS.has(notice.code) && notice.device !== undefined) {
      const board = state.boards.get(notice.device);
      if (board !== undefined) forgetShown(board);
      state.lightsStale = true;
    }
    collected.outputs.push(faultOf(notice));
  }
  collected.notices.length = 0;
}

function faultOf(notice: LinkNotice): {
  readonly kind: 'fault';
  readonly atMs: AtMs;
  readonly link: LinkId;
  readonly code: string;
  readonly text: string;
} {
  return { kind: 'fault', atMs: notice.toMs, link: notice.link, code: notice.code, text: notice.text };
}
