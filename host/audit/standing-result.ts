import type { CoreId, Json, Side } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { BallRuling, RollRuling, Verdict } from '../sensing/ruling.ts';
import type { Correction } from './corrections.ts';
import type { RollCase } from './rolls.ts';

/** What a judge's word was to what the sensors had said. */
export type Judged = 'confirmed' | 'settled' | 'overridden' | 'withdrawn';

/** The result of one player's ball that stands. */
export interface StandingBall {
  readonly player: Side;
  readonly opened: Verdict;
  readonly cores: readonly CoreId[];
  /** Undefined where no judge said anything of it. */
  readonly judged: Judged | undefined;
}

/** What stands of a roll after all that was said of it. */
export interface Standing {
  /** `overridden` where any sure word of the sensors does not stand; undefined where no judge said anything. */
  readonly judged: Judged | undefined;
  /** By player; empty when no result stands. */
  readonly balls: readonly StandingBall[];
  /** Why no result stands: the roll was ordered again, the turn went on without a Brawl, or it was taken back. */
  readonly instead: 'again' | 'no-brawl' | 'withdrawn' | undefined;
  /** The newest word of a judge that it rests on. */
  readonly by: Correction | undefined;
}

/** Works out what stands of a roll: the sensors' last word, and each judge's word after it in turn. */
export function standingOf(one: Pick<RollCase, 'roll' | 'final' | 'corrections'>): Standing {
  const { roll, final, corrections } = one;
  let balls: readonly StandingBall[] = (final?.balls ?? []).flatMap((ball) => said(ball));
  let instead: Standing['instead'];
  let judged: Judged | undefined;
  let by: Correction | undefined;
  for (const correction of corrections) {
    const word = wordOf(correction.command, roll);
    by = correction;
    if (word === 'withdrawn' || word === 'again' || word === 'no-brawl') {
      instead = word;
      balls = [];
      judged = word === 'withdrawn' ? 'withdrawn' : isDoubtful(final) ? 'settled' : 'overridden';
      continue;
    }
    // After a roll was taken back the sensors' word on it stands no more.
    const others = instead === undefined ? balls : [];
    instead = undefined;
    balls = [
      ...others.filter(({ player }) => !word.some((each) => each.player === player)),
      ...word.map((each) => ({ ...each, judged: toSensors(each, final) })),
    ].sort((a, b) => (a.player < b.player ? -1 : 1));
    judged = worst(balls, final);
  }
  return { judged, balls, instead, by };
}

/** Whether the sensors left a roll, or the core of a ball, to a judge. */
export function isDoubtful(final: RollRuling | undefined): boolean {
  return final === undefined || final.balls.length === 0 || final.balls.some(isInDoubt);
}

function isInDoubt({ player, opened, attached }: BallRuling): boolean {
  return player === 'undetermined' || opened === 'undetermined' || attached.possible.length > 0;
}

function said({ player, opened, attached }: BallRuling): readonly StandingBall[] {
  return player === 'undetermined' ? [] : [{ player, opened, cores: attached.sure, judged: undefined }];
}

type Word = Pick<StandingBall, 'player' | 'opened' | 'cores'>;

/** What a command says of this roll; one that takes the game back, or corrects another roll, takes it back. */
function wordOf(command: Json, roll: string): readonly Word[] | 'again' | 'no-brawl' | 'withdrawn' {
  if (!isObject(command) || !isObject(command.input)) return 'withdrawn';
  const { input } = command;
  if (input.roll !== roll) return 'withdrawn';
  if (input.verdict === 'again' || input.verdict === 'no-brawl') return input.verdict;
  const results = Array.isArray(input.results) ? input.results : [];
  return results.filter(isObject).flatMap(({ player, opened, cores }): readonly Word[] => {
    if (player !== 'A' && player !== 'B') return [];
    if (opened !== 'yes' && opened !== 'no') return [];
    const held = Array.isArray(cores) ? cores.filter((core) => typeof core === 'string') : [];
    return [{ player, opened, cores: held }];
  });
}

function toSensors({ player, opened, cores }: Word, final: RollRuling | undefined): Judged {
  const ball = final?.balls.find((each) => each.player === player);
  if (ball === undefined || isInDoubt(ball)) return 'settled';
  const same = ball.opened === opened && String([...ball.attached.sure].sort()) === String([...cores].sort());
  return same ? 'confirmed' : 'overridden';
}

function worst(balls: readonly StandingBall[], final: RollRuling | undefined): Judged {
  // Results that stand although the sensors found an offence set that finding aside.
  if ((final?.illegal.length ?? 0) > 0) return 'overridden';
  const all = balls.map(({ judged }) => judged);
  return (['overridden', 'settled'] as const).find((each) => all.includes(each)) ?? 'confirmed';
}
