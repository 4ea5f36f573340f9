import type { Output } from '../../host/advance/input.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import type { Side } from '../../host/ids.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollTruth } from '../../sim/truth.ts';
import { type Met, watchGoals } from './goals.ts';
import { peopleAt } from './people.ts';
import { illegalOptions, matchOptions } from './teams.ts';
import { openVirtualHost, type VirtualHostAsk } from './virtual-host.ts';

/** Boards have booted and their clocks are known after this, ms; nobody rolls before. */
const BOOTED_MS = 2500;
const LOOK_MS = 5;
/** A match takes a minute or two of the table's time; one that takes longer is stuck. */
const LONGEST_MS = 20 * 60_000;

export type MatchRun = {
  readonly winner: Side | 'draw' | undefined;
  readonly turns: number;
  readonly tableMs: number;
  readonly met: Met;
  /** What really happened on the mat, roll by roll. */
  readonly truth: readonly RollTruth[];
};

export type MatchAsk = Pick<VirtualHostAsk, 'seed' | 'dataDir' | 'boards'> & {
  told(output: Output): void;
  /** Told now and then how far it is. */
  progress?(turn: number, tableMs: number): void;
};

/** Plays one whole match on a simulated mat, from the deck check to its end. */
export async function runMatch(ask: MatchAsk): Promise<MatchRun> {
  let truth: () => readonly RollTruth[] = () => [];
  const goals = watchGoals(() => truth());
  const host = await openVirtualHost({
    ...ask,
    options: matchOptions(FIXED_12, ask.seed),
    told(output) {
      goals.told(output);
      ask.told(output);
    },
  });
  truth = () => host.sim.truth();
  const people = peopleAt(host, goals.met);
  const operator = { role: 'operator' } as const;
  await host.run(BOOTED_MS);
  for (const options of [illegalOptions(FIXED_12, ask.seed), matchOptions(FIXED_12, ask.seed)]) {
    host.command({ do: 'new-game', by: operator, options: JSON.parse(JSON.stringify(options)) });
    await host.run(200);
  }
  const turn = (): number => (host.table.decided().play.state as unknown as GameState).turn;
  while (people.winner === undefined && host.nowMs < LONGEST_MS) {
    people.look(host.nowMs);
    await host.run(LOOK_MS);
    if (Math.round(host.nowMs) % 1000 === 0) ask.progress?.(turn(), host.nowMs);
  }
  await host.run(1000);
  const { winner } = people;
  const run = { winner, turns: turn(), tableMs: host.nowMs, met: goals.met, truth: truth() };
  await host.close();
  return run;
}
