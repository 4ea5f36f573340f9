import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { type GameState, sideOf } from '../../host/game/bakugan/state.ts';
import type { LegalInput } from '../../host/game/ruleset.ts';
import type { RollId } from '../../host/ids.ts';
import type { BallTruth } from '../../sim/truth.ts';
import type { VirtualHost } from './virtual-host.ts';

const BY = { role: 'judge', name: 'Ines' } as const;
/** A judge comes to the table, and looks at the video afterwards, ms. */
const COMES_MS = 3000;
const LOOKS_MS = 1500;

export interface Judge {
  /** True while play waits for the judge. */
  look(atMs: number, game: GameState): boolean;
}

type Mistake = { readonly roll: RollId; readonly balls: readonly BallTruth[] };

/**
 * A judge who rules on what the sensors leave open by what can be seen on the table. The first time the core is named
 * wrongly; looking at the video the judge corrects that, after having seen what the correction changes.
 */
export function judgeAt(host: VirtualHost): Judge {
  const { table, sim } = host;
  let dueMs: number | undefined;
  let mistaken: Mistake | undefined;
  let erred = false;

  const rule = (game: GameState): void => {
    const { roll } = game;
    const truth = sim.truth().findLast((one) => one.roll === roll?.id);
    const open = roll?.results.find(({ opened }) => opened === 'undetermined');
    if (roll === null || truth === undefined || open === undefined) return;
    const ball = truth.balls.find(({ player }) => player === open.player);
    const legal = bakugan.legalInputs(game, 'judge');
    const held = ball?.attached ?? [];
    const isMistake = !erred && ball !== undefined && held.length === 1;
    const wanted = resultFor(
      legal,
      open.player,
      ball?.opened === true,
      isMistake ? otherCore(game, held) : held,
    );
    if (wanted === undefined) return;
    if (isMistake) {
      erred = true;
      mistaken = { roll: roll.id, balls: truth.balls };
    }
    host.command({ do: 'play', input: { ...wanted.input, reason: 'The cable was out', by: BY } });
  };

  const correct = ({ roll, balls }: Mistake): void => {
    const results = balls.map(({ player, opened, attached }) => ({
      player,
      opened: opened ? 'yes' : 'no',
      cores: [...attached],
    }));
    const input = { type: 'judge-roll', roll, reason: 'Seen on video', results, by: BY } as const;
    const command = {
      do: 'replace-ruling',
      by: BY,
      roll,
      input,
      reason: 'The ball stands on another core, seen on video',
      rule: '5.7.2',
    } as const;
    const seen = table.ask({ kind: 'foresee', command });
    if ('code' in seen || seen.kind !== 'foresee') return;
    host.command({ ...command, basis: seen.basis });
  };

  return {
    look(atMs, game) {
      if (mistaken !== undefined && game.at !== 'ST-6') {
        dueMs ??= atMs + LOOKS_MS;
        if (atMs < dueMs) return true;
        correct(mistaken);
        mistaken = undefined;
        dueMs = undefined;
        return true;
      }
      if (game.at !== 'ST-6') return false;
      if (dueMs === undefined) {
        dueMs = atMs + COMES_MS;
        for (const link of sim.links) {
          if (!sim.isUp(link)) sim.act({ act: 'fault', fault: 'unplug', player: 'A', on: false });
        }
      }
      if (atMs < dueMs) return true;
      dueMs = undefined;
      rule(game);
      return true;
    },
  };
}

/** The judge's input that says this of one ball. */
function resultFor(
  legal: readonly LegalInput[],
  player: string,
  opened: boolean,
  cores: readonly string[],
): LegalInput | undefined {
  const result = [{ player, opened: opened ? 'yes' : 'no', cores: opened ? [...cores] : [] }];
  return legal.find(({ input }) => JSON.stringify(input.results) === JSON.stringify(result));
}

/** Another core of the same owner on the field. */
function otherCore(game: GameState, held: readonly string[]): readonly string[] {
  const [core = 'A'] = held;
  const other = game.cores.find(
    (one) => one.cell !== null && one.core !== core && sideOf(one.core) === sideOf(core),
  );
  return other === undefined ? held : [other.core];
}
