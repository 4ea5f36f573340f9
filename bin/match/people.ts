import { blockedCells, legalFree } from '../../host/advance/standing.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { corePrint } from '../../host/game/bakugan/data/cores.ts';
import type { GameState } from '../../host/game/bakugan/state.ts';
import type { LegalInput } from '../../host/game/ruleset.ts';
import { type CoreId, type Json, SIDES, type Side } from '../../host/ids.ts';
import type { Goal, Met } from './goals.ts';
import { judgeAt } from './judge.ts';
import { type RollKind, throwersAt } from './throws.ts';
import type { VirtualHost } from './virtual-host.ts';

/** People take this long for a thing, ms; a hand that lifts a ball is away after the second. */
const THINK_MS = 80;
/** A stud is let go before it is pressed again. */
const PRESS_MS = 260;
const LIFT_MS = 700;
/** A pass on the stud that was not heard is given again. */
const AGAIN_MS = 1500;

/** In which order the Bakugan are sent: the last of Ember is none that a Flip card of Gale stops. */
const ORDER: Readonly<Record<Side, readonly string[]>> = {
  A: ['A/1', 'A/2', 'A/3'],
  B: ['B/2', 'B/1', 'B/3'],
};

export interface People {
  /** Everybody looks once and does what is due. */
  look(atMs: number): void;
  readonly winner: Side | 'draw' | undefined;
}

/** Two players and a judge at a table, who do what a goal still needs and otherwise play on. */
export function peopleAt(host: VirtualHost, met: Met): People {
  const { table, sim } = host;
  /** Players know their own cores, and Ember's count on Damage. */
  const throwers = throwersAt(sim, ({ cores }) => {
    const damage = (core: CoreId): number => {
      const print = (table.decided().play.state as unknown as GameState).cores.find(
        (one) => one.core === core,
      )?.print;
      return print === undefined ? 0 : (corePrint(print)?.damage ?? 0);
    };
    return cores
      .filter(({ core }) => core.startsWith('A') && damage(core) > 0)
      .sort((a, b) => damage(b.core) - damage(a.core))
      .map(({ cell }) => cell);
  });
  const judge = judgeAt(host);
  const does: Record<Side, { situation: string; dueMs: number; tries: number }> = {
    A: { situation: '', dueMs: 0, tries: 0 },
    B: { situation: '', dueMs: 0, tries: 0 },
  };

  const kindOf = (): RollKind => {
    const lacks = (goal: Goal): boolean => !met.has(goal);
    if (lacks('fallen-roll')) return 'fall';
    if (lacks('shared-core')) return 'share';
    if (lacks('correction')) return 'cable';
    return lacks('flip-stop') ? 'plain' : 'lead';
  };

  const play = (player: Side, legal: LegalInput, filled: { readonly [field: string]: Json } = {}): void =>
    host.command({
      do: 'play',
      input: { ...legal.input, ...filled, by: { role: 'player', player } },
    });

  const act = (player: Side, game: GameState, atMs: number): void => {
    const blocked = blockedCells(bakugan.cues(game), table.decided());
    const legal = legalFree(bakugan.legalInputs(game, player), blocked);
    const usual = legal.filter((one) => one.aside !== true);
    if (usual.length === 0) return;
    const placing = usual.some(({ input }) => input.type === 'place') && game.at !== 'SU-4';
    const ball = placing ? sim.standing().find((one) => one.player === player) : undefined;
    const situation = `${game.at} ${ball?.cell ?? ''} ${usual.map(({ label }) => label).join('|')}`;
    const now = does[player];
    if (now.situation !== situation) {
      const thinkMs = usual[0]?.input.type === 'pass' ? PRESS_MS : THINK_MS;
      does[player] = { situation, dueMs: atMs + thinkMs, tries: 0 };
      return;
    }
    if (atMs < now.dueMs) return;
    does[player] = { ...now, dueMs: atMs + (ball === undefined ? AGAIN_MS : LIFT_MS), tries: now.tries + 1 };
    // Cores go back once the hand has taken the ball that holds them.
    if (ball !== undefined) {
      sim.act({ act: 'lift', player, cell: ball.cell });
      return;
    }
    const card = cardFor(player, game, legal, met);
    if (card !== undefined) {
      play(player, card.legal, card.filled);
      return;
    }
    const choice = chosen(player, usual, now.tries, met);
    if (choice.input.type === 'pass') sim.act({ act: 'stud', player });
    else play(player, choice);
  };

  return {
    get winner() {
      return bakugan.over(table.decided().play.state as never);
    },
    look(atMs) {
      const { activity, play: fold } = table.decided();
      const game = fold.state as unknown as GameState;
      if (game.winner !== null || judge.look(atMs, game)) return;
      if (activity.kind === 'roll') {
        throwers.look(atMs, activity, kindOf());
        return;
      }
      for (const side of SIDES) act(side, game, atMs);
    },
  };
}

/** A card that the player wants to play now: by its data where the deck is registered, said by hand where it is not. */
function cardFor(
  player: Side,
  game: GameState,
  legal: readonly LegalInput[],
  met: Met,
): { readonly legal: LegalInput; readonly filled: { readonly [field: string]: Json } } | undefined {
  if (game.at !== 'ST-8') return undefined;
  const brawler = game.selected[player];
  const open = game.players[player].bakugan.find(({ id }) => id === brawler)?.open === true;
  if (!open) return undefined;
  if (player === 'B') {
    const boost = legal.find(
      ({ input }) =>
        input.type === 'play' && input.card === 'BB-10' && JSON.stringify(input).includes(brawler ?? '-'),
    );
    return boost === undefined || game.players.B.played.length > 0 ? undefined : { legal: boost, filled: {} };
  }
  const cost = game.players.A.charged.count;
  if (met.has('hand-entry') || cost < 2) return undefined;
  const card = legal.find(
    ({ input }) => input.type === 'modify' && input.bakugan === brawler && input.cost !== undefined,
  );
  if (card === undefined) return undefined;
  return { legal: card, filled: { bPower: 300, cost: 2, label: 'Bubble Net' } };
}

/** The usual course: pass, flip all, send the next Bakugan, stop an attack where a Flip card does. */
function chosen(player: Side, usual: readonly LegalInput[], tries: number, met: Met): LegalInput {
  const [first] = usual;
  if (first === undefined) throw new Error('nothing may be done');
  switch (first.input.type) {
    case 'select': {
      const wanted = ORDER[player].find((id) => usual.some(({ input }) => input.bakugan === id));
      return usual.find(({ input }) => input.bakugan === wanted) ?? first;
    }
    case 'energize':
      return usual.find(({ input }) => input.energize === true && input.card !== 'BB-10') ?? first;
    case 'pass':
      return first;
    case 'play-flip':
      // One attack that is stopped is enough: the match is to end by a Team Attack.
      if (met.has('flip-stop')) return usual.find(({ input }) => input.type === 'leave-flip') ?? first;
      return first;
    default:
      // A person who is refused tries something else.
      return usual[tries % usual.length] ?? first;
  }
}
