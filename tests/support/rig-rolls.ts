/** The rolls of a host whose balls roll on a simulated mat: as ruled, and as they were. */
import type { Output } from '../../host/advance/input.ts';
import type { RollId } from '../../host/ids.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { SimTable } from '../../sim/table.ts';
import { wrongIn } from './chain.ts';

/** A roll with what was ruled and what of it is not true. */
export interface Ruled {
  readonly ruling: RollRuling;
  readonly wrong: readonly string[];
  /** Why a ball of it is not decided; empty when all are. */
  readonly doubts: readonly string[];
}

/** A hand swings for a quarter of a second, then the ball is on its way. */
const SWING_MS = 300;
/** What rolls are played with. */
interface Played {
  readonly sim: SimTable;
  readonly outputs: readonly Output[];
  pass(ms: number): Promise<void>;
  until(what: string, holds: () => boolean, withinMs?: number): Promise<void>;
}

export interface Rolls {
  /** Plays on until both balls of the next roll are on their way to the cores; gives that roll. */
  midRoll(): Promise<RollId>;
  /** Plays on until the next roll that is called from now on is ruled. */
  nextRoll(): Promise<Ruled>;
}

export function rollsOf({ sim, outputs, pass, until }: Played): Rolls {
  return {
    async midRoll() {
      const was = sim.truth().length;
      await until('balls roll', () => sim.thrown().length === 2 && sim.truth().length > was, 60_000);
      await pass(SWING_MS);
      return sim.truth().at(-1)?.roll ?? '';
    },
    async nextRoll() {
      const was = sim.truth().length;
      const before = outputs.length;
      let seen = before;
      let found: RollRuling | undefined;
      await until(
        'a roll is ruled',
        () => {
          if (outputs.length === seen) return false;
          seen = outputs.length;
          const called = sim.truth();
          if (called.length === was) return false;
          found = finals(outputs.slice(before)).find(({ roll }) => roll === called.at(-1)?.roll);
          return found !== undefined;
        },
        60_000,
      );
      if (found === undefined) throw new Error('no ruling');
      const ruling = found;
      const truth = sim.truth().findLast(({ roll }) => roll === ruling.roll);
      return {
        ruling,
        wrong: truth === undefined ? ['this roll never was'] : wrongIn(ruling, truth),
        doubts: ruling.balls
          .filter(({ player, opened }) => player === 'undetermined' || opened === 'undetermined')
          .flatMap(({ player, reasons }) => reasons.map(({ code, text }) => `${player}: ${code}: ${text}`)),
      };
    },
  };
}

function finals(outputs: readonly Output[]): readonly RollRuling[] {
  return outputs.flatMap((output) =>
    output.kind === 'ruling' && output.ruling.stage === 'final' ? [output.ruling] : [],
  );
}
