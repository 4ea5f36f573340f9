import type { Beam } from './gates.ts';
import { agree, begin, compare, createGrounds, type Grounds } from './grounds.ts';
import { type Attribution, shareOut, signOf } from './owners.ts';
import type { Tiles } from './tiles.ts';
import { hasOpened, type Runner, type Token } from './tracks.ts';

/** The sharing found last and what it was found from: most looks find the same arrivals as the look before. */
export interface Sharing {
  readonly grounds: Grounds;
  shared: Attribution | undefined;
}

/** Two balls and the tokens of a crowded roll. */
const ROOM = 512;

export function createSharing(): Sharing {
  return { grounds: createGrounds(ROOM), shared: undefined };
}

/**
 * Everything that a sharing reads of a token, of a runner and of its gates: the compiler asks for what is added to them. A
 * level or a score that grows while a ball lands is no news until it says something else of its owner.
 */
const TOKEN: readonly ((token: Token) => number)[] = Object.values({
  cell: (token) => token.cell,
  nth: (token) => token.nth,
  laid: (token) => token.laid,
  atMs: (token) => token.atMs,
  untilMs: (token) => token.untilMs,
  midMs: (token) => token.midMs,
  peak: signOf,
  opened: (token) => (hasOpened(token) ? 1 : 0),
  openedMs: (token) => (hasOpened(token) ? token.openedMs : NaN),
} satisfies Record<keyof Token, (token: Token) => number>);
type RunnerNumber = Exclude<keyof Runner, 'side' | 'gates' | 'gatesKnown'>;
const RUNNER = Object.keys({
  polarity: 0,
  strength: 0,
  exchanged: 0,
  gateY: 0,
  own: 0,
  speed: 0,
  middleX: 0,
} satisfies Record<RunnerNumber, 0>) as RunnerNumber[];
const BEAM = ['blockedMs', 'freeMs', 'errorMs', 'beforeMs'] as const satisfies readonly (keyof Beam)[];

/** As `shareOut`, which is asked only where something that it looks at has changed. */
export function shareAgain(
  sharing: Sharing,
  tiles: Tiles,
  runners: readonly Runner[],
  tokens: readonly Token[],
): Attribution {
  const { grounds } = sharing;
  begin(grounds);
  for (const runner of runners) {
    for (const key of RUNNER) compare(grounds, runner[key]);
    compare(grounds, runner.gatesKnown ? 1 : 0);
    for (const key of BEAM) {
      compare(grounds, runner.gates.near[key]);
      compare(grounds, runner.gates.far[key]);
    }
  }
  for (const token of tokens) for (const read of TOKEN) compare(grounds, read(token));
  if (!agree(grounds) || sharing.shared === undefined) sharing.shared = shareOut(tiles, runners, tokens);
  return sharing.shared;
}
