import { ANIMATION, type AnswerStatus, type DownlinkFrame } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import type { CellLight } from './lights.ts';

/**
 * Wait for an answer before a line is said again, ms. Arming is answered after the strip write that it may have to wait
 * for. Source: firmware-protocol/README.md, lines down.
 */
export const ANSWER_WITHIN_MS = 250;
/** After this many tries without an answer, and after a refusal, the board is left alone for a while. */
export const TRIES = 4;
export const REST_MS = 1000;
/** Arming waits this long for the rolling frame to be acknowledged, then goes ahead without it. */
export const ARM_ANYWAY_MS = 400;

/** What a tile was asked to show, as one comparable word: animation, level, colour. */
type Word = number;

type InFlight = {
  readonly tag: number;
  readonly words: readonly { readonly tile: number; readonly word: Word }[];
  readonly arm: boolean | null;
  readonly frame: DownlinkFrame;
  tries: number;
  sentAtMs: AtMs;
};

/**
 * Wanted, sent and acknowledged light of one board. One line is on its way at a time; the newest wish wins, no
 * queue. Plain JSON; changed only by the functions below.
 */
export type BoardLights = {
  wanted: Word[];
  /** What each tile shows; null where that is not known. */
  acked: (Word | null)[];
  armWanted: boolean;
  armAcked: boolean | null;
  armSinceMs: AtMs;
  /** Tiles that a person asked to see blink and that were not yet told to. */
  identifyMask: number;
  inFlight: InFlight | null;
  restUntilMs: AtMs;
  nextTag: number;
};

/** A board just heard of: nothing is known of what it shows. */
export function freshBoardLights(tiles: number): BoardLights {
  return {
    wanted: new Array<Word>(tiles).fill(0),
    acked: new Array<Word | null>(tiles).fill(null),
    armWanted: false,
    armAcked: null,
    armSinceMs: 0,
    identifyMask: 0,
    inFlight: null,
    restUntilMs: 0,
    nextTag: 1,
  };
}

/** The board restarted or was away: whatever it showed is forgotten, a line on its way counts as lost. */
export function forgetShown(board: BoardLights): void {
  board.acked.fill(null);
  board.armAcked = null;
  board.inFlight = null;
  board.restUntilMs = 0;
}

/** Says what the board's tiles should show, by tile index. */
export function wantLights(board: BoardLights, lights: readonly (CellLight | undefined)[]): void {
  for (let tile = 0; tile < board.wanted.length; tile++) {
    const light = lights[tile];
    board.wanted[tile] = light === undefined ? 0 : wordOf(light);
  }
}

/** Armed boards write no strip: light wished for meanwhile waits until they are disarmed. */
export function wantArmed(board: BoardLights, armed: boolean, atMs: AtMs): void {
  if (board.armWanted === armed) return;
  board.armWanted = armed;
  board.armSinceMs = atMs;
  if (armed) board.identifyMask = 0;
}

/** Lets a tile blink once, so that a person finds it. Forgotten when a roll begins first. */
export function wantIdentify(board: BoardLights, tile: number): void {
  board.identifyMask |= 1 << tile;
}

/** Line to say now, or nothing. Marks it as sent. */
export function nextFrame(board: BoardLights, atMs: AtMs): DownlinkFrame | undefined {
  const flying = board.inFlight;
  // A roll does not wait for colours that may have been lost: once it is late, arming goes first.
  const overtaken = flying !== null && flying.arm === null && armsAnyway(board, atMs);
  if (flying !== null) {
    if (atMs < flying.sentAtMs + ANSWER_WITHIN_MS) return undefined;
    if (overtaken) board.inFlight = null;
    else if (flying.tries >= TRIES) {
      board.inFlight = null;
      board.restUntilMs = atMs + REST_MS;
      return undefined;
    } else {
      flying.tries += 1;
      flying.sentAtMs = atMs;
      return flying.frame;
    }
  }
  if (atMs < board.restUntilMs) return undefined;
  const next = compose(board, atMs);
  if (next === undefined) return undefined;
  board.inFlight = { ...next, tries: 1, sentAtMs: atMs };
  // Until it is answered nobody knows what the board shows: a line given up may have been heard all the same.
  for (const { tile } of next.words) board.acked[tile] = null;
  if (next.arm !== null) board.armAcked = null;
  // Tag 0 is left to lines that nobody waits for.
  board.nextTag = (board.nextTag % 255) + 1;
  return next.frame;
}

/** Takes a board's answer. An answer to anything but the line on its way is of no interest. */
export function takeAnswer(board: BoardLights, tag: number, status: AnswerStatus, atMs: AtMs): void {
  const flying = board.inFlight;
  if (flying === null || flying.tag !== tag) return;
  board.inFlight = null;
  if (status === 'refused') {
    // Understood and not done: nothing is marked as shown. Said again at once it would be refused at once, for ever.
    board.restUntilMs = atMs + REST_MS;
    return;
  }
  for (const { tile, word } of flying.words) board.acked[tile] = word;
  if (flying.arm !== null) board.armAcked = flying.arm;
}

/** When `nextFrame` should be asked again, or nothing while all is shown. */
export function lightsDueAt(board: BoardLights): AtMs | undefined {
  if (board.inFlight !== null) return board.inFlight.sentAtMs + ANSWER_WITHIN_MS;
  return isOpen(board) ? board.restUntilMs : undefined;
}

function isOpen(board: BoardLights): boolean {
  if (board.armAcked !== board.armWanted) return true;
  return !board.armWanted && (board.identifyMask !== 0 || ledsOpen(board));
}

/** The roll has waited long enough for its still frame. */
function armsAnyway(board: BoardLights, atMs: AtMs): boolean {
  return board.armWanted && board.armAcked !== true && atMs >= board.armSinceMs + ARM_ANYWAY_MS;
}

function ledsOpen(board: BoardLights): boolean {
  for (let tile = 0; tile < board.wanted.length; tile++) {
    if (board.wanted[tile] !== board.acked[tile]) return true;
  }
  return false;
}

type Composed = Omit<InFlight, 'tries' | 'sentAtMs'>;

function compose(board: BoardLights, atMs: AtMs): Composed | undefined {
  const tag = board.nextTag;
  const arm = (armed: boolean): Composed => ({
    tag,
    words: [],
    arm: armed,
    frame: { kind: 'arm', tag, armed },
  });
  if (!board.armWanted && board.armAcked !== false) return arm(false);
  if (board.armWanted && board.armAcked !== true) {
    if (!ledsOpen(board) || armsAnyway(board, atMs)) return arm(true);
  } else if (board.armWanted) return undefined;
  if (board.identifyMask !== 0) {
    const tileMask = board.identifyMask;
    board.identifyMask = 0;
    return { tag, words: [], arm: null, frame: { kind: 'identify', tag, tileMask } };
  }
  return composeLeds(board, tag);
}

function composeLeds(board: BoardLights, tag: number): Composed | undefined {
  const first = board.wanted.findIndex((word, tile) => word !== board.acked[tile]);
  const word = board.wanted[first];
  if (word === undefined) return undefined;
  const words: { tile: number; word: Word }[] = [];
  let tileMask = 0;
  board.wanted.forEach((wanted, tile) => {
    if (wanted !== word || board.acked[tile] === word) return;
    tileMask |= 1 << tile;
    words.push({ tile, word });
  });
  return {
    tag,
    words,
    arm: null,
    frame: {
      kind: 'led',
      tag,
      tileMask,
      rgb: word % 0x1000000,
      level: Math.floor(word / 0x1000000) % 256,
      animation: Math.floor(word / 0x100000000),
    },
  };
}

function wordOf(light: CellLight): Word {
  return ANIMATION[light.animation] * 0x100000000 + light.level * 0x1000000 + light.rgb;
}
