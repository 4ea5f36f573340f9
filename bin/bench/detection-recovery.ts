/** How soon after a fault the table rules rightly again: a board falls silent and is back some time before the first touch. */
import { captureRoll } from '../../sim/corpus.ts';
import { claimsOf } from './detection-claims.ts';
import { hearBoards } from './detection-hear.ts';
import type { Capture } from './detection-lines.ts';
import { freshScore, scoreRoll } from './detection-score.ts';

export interface RecoveryAsk {
  /** The board is heard again so long before the first touch of a tile, ms. */
  readonly backMs: number;
  readonly rolls: number;
  readonly firstSeed: number;
}

export interface RecoveryResult {
  rolls: number;
  balls: number;
  wrong: number;
  doubtful: number;
}

/** All lines of one board are lost for so long. */
export const SILENT_MS = 1000;

/** Both boards speak on, and nobody hears one of them for a while. */
function silenced(backMs: number): Capture {
  return (seed, options) => {
    const captured = captureRoll(seed, options);
    const touches = captured.truth.balls.flatMap(({ path }) => path.map(({ fromMs }) => fromMs));
    const heardMs = Math.min(captured.truth.toMs, ...touches) - backMs;
    const via = seed % 2 === 0 ? 'sim-a' : 'sim-b';
    const lines = captured.lines.filter(
      (line) => line.via !== via || line.atMs < heardMs - SILENT_MS || line.atMs >= heardMs,
    );
    return { ...captured, lines };
  };
}

export function runRecovery(
  { backMs, rolls, firstSeed }: RecoveryAsk,
  progress: () => void = () => {},
): RecoveryResult {
  const score = freshScore();
  for (let seed = firstSeed; seed < firstSeed + rolls; seed += 1) {
    const heard = hearBoards({ effects: [] }, seed, undefined, silenced(backMs));
    scoreRoll(score, heard.truth, claimsOf(heard, heard.truth.balls));
    progress();
  }
  return { rolls, balls: score.balls, wrong: score.wrong.any, doubtful: score.doubtful };
}
