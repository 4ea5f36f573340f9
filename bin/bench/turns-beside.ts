import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** What is used of boardgame.io, which is no part of this program: it is loaded from a folder that a person names. */
interface BoardgameClient {
  start(): void;
  readonly moves: Readonly<Record<string, (...args: readonly unknown[]) => void>>;
  getState(): { readonly ctx: { readonly turn: number; readonly gameover?: unknown } } | null;
}
type BoardgameIo = { readonly Client: (ask: object) => BoardgameClient };

/**
 * A comparable game on boardgame.io: two players with decks, hands, Energy, a discard pile, three Bakugan and twelve
 * cores; a turn has as many moves as one here. Each move does a little of what a step of the rules does, so what is
 * measured is the engine under it. Set up as its own documents show: a local client, nothing switched off or added.
 */
export interface BesideGame {
  readonly version: string;
  /** One whole turn. */
  turn(): void;
  readonly moves: number;
}

/** Throws a RangeError that says what to do when the folder does not hold boardgame.io. */
export function besideGame(folder: string, movesPerTurn: number): BesideGame {
  const from = createRequire(join(resolve(folder), 'package.json'));
  let io: BoardgameIo;
  let version: string;
  try {
    io = from('boardgame.io/client');
    version = from('boardgame.io/package.json').version;
  } catch {
    throw new RangeError(
      `${folder} does not hold boardgame.io. Install it there: npm install --prefix ${folder} boardgame.io@0.50`,
    );
  }
  const client = io.Client({ game: gameOf(), numPlayers: 2, debug: false });
  client.start();
  let moves = 0;
  return {
    version,
    turn() {
      for (let at = 0; at < movesPerTurn - 1; at += 1) {
        const name = COURSE[at % COURSE.length] ?? 'pass';
        client.moves[name]?.(at);
        moves += 1;
      }
      client.moves.endTurn?.();
      moves += 1;
    },
    get moves() {
      return moves;
    },
  };
}

/** Passes are the most frequent move of a turn, as they are here. */
const COURSE = ['draw', 'energize', 'pass', 'select', 'pass', 'roll', 'pass', 'play', 'pass', 'pass', 'flip'];

interface Player {
  deck: number[];
  hand: number[];
  discard: number[];
  energy: number;
  open: boolean[];
}
interface Table {
  players: Record<string, Player>;
  cores: { cell: number; heldBy: string | null }[];
  log: string[];
}
type Move = {
  readonly G: Table;
  readonly ctx: { readonly currentPlayer: string };
  readonly events: { endTurn(): void };
};

function gameOf(): object {
  const player = (): Player => ({
    deck: Array.from({ length: 40 }, (_, card) => card),
    hand: [1, 2, 3, 4, 5],
    discard: [],
    energy: 2,
    open: [false, false, false],
  });
  const own = ({ G, ctx }: Move): Player => {
    const found = G.players[ctx.currentPlayer];
    if (found === undefined) throw new RangeError('No such player.');
    return found;
  };
  return {
    setup: (): Table => ({
      players: { 0: player(), 1: player() },
      cores: Array.from({ length: 12 }, (_, cell) => ({ cell, heldBy: null })),
      log: [],
    }),
    moves: {
      draw(move: Move) {
        const one = own(move);
        // Decks are filled up from the discard pile, so that the match has no end.
        if (one.deck.length === 0) one.deck = one.discard.splice(0);
        const card = one.deck.pop();
        if (card !== undefined) one.hand.push(card);
      },
      energize(move: Move) {
        own(move).energy = Math.min(10, own(move).energy + 1);
      },
      pass() {},
      select(move: Move, at: number) {
        own(move).open[at % 3] = false;
      },
      roll(move: Move, at: number) {
        own(move).open[at % 3] = true;
        for (const core of move.G.cores) {
          if (core.heldBy === move.ctx.currentPlayer) core.heldBy = null;
        }
        const core = move.G.cores[at % 12];
        if (core !== undefined) core.heldBy = move.ctx.currentPlayer;
      },
      play(move: Move) {
        const card = own(move).hand.pop();
        if (card !== undefined) own(move).discard.push(card);
      },
      flip(move: Move) {
        own(move).discard.push(...own(move).deck.splice(-3));
        move.G.log = [...move.G.log, 'flipped'].slice(-60);
      },
      endTurn: ({ events }: Move) => events.endTurn(),
    },
  };
}
