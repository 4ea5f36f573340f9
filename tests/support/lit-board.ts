import type { DownlinkFrame } from '../../firmware-protocol/frame.ts';
import {
  type BoardLights,
  freshBoardLights,
  nextFrame,
  takeAnswer,
  wantLights,
} from '../../host/scene/board-lights.ts';
import type { CellLight } from '../../host/scene/lights.ts';

export const RED = 0xff0000;
export const BLUE = 0x0000ff;
export const GREEN = 0x00ff00;

/** A steady light of one tile; `level` is its brightness, 0 to 255. */
export const glow = (rgb: number, level = 80): CellLight => ({
  cell: 'q0r0',
  rgb,
  level,
  animation: 'steady',
});
/** The same light on every tile of a board. */
export const all = (rgb: number, tiles = 6): readonly CellLight[] =>
  Array.from({ length: tiles }, () => glow(rgb));

/** Answers every line at once until the board has nothing more to say. */
export function settle(board: BoardLights, atMs: number): DownlinkFrame[] {
  const said: DownlinkFrame[] = [];
  for (let frame = nextFrame(board, atMs); frame !== undefined; frame = nextFrame(board, atMs)) {
    said.push(frame);
    takeAnswer(board, frame.tag, 'ok', atMs);
    if (said.length > 100) throw new Error('never settles');
  }
  return said;
}

/** A board that shows `rgb` everywhere and is not armed. */
export function showing(rgb: number): BoardLights {
  const board = freshBoardLights(6);
  wantLights(board, all(rgb));
  settle(board, 0);
  return board;
}

/** A line in a few words: what it asks for, the tiles as bits, the colour in hex. */
export const brief = (frame: DownlinkFrame | undefined): string => {
  switch (frame?.kind) {
    case 'led':
      return `led ${frame.tileMask.toString(2)} ${frame.rgb.toString(16)}`;
    case 'arm':
      return `arm ${frame.armed}`;
    case 'identify':
      return `identify ${frame.tileMask.toString(2)}`;
    default:
      return frame?.kind ?? 'nothing';
  }
};
