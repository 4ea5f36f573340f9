import type { RollRuling } from '../sensing/ruling.ts';

/** What two rulings of one roll say differently, in words. */
export function flipsBetween(
  before: RollRuling | undefined,
  after: RollRuling | undefined,
): readonly string[] {
  // A roll that play left before it was ruled, as by a new game, has nothing that could flip.
  if (before === undefined) return [];
  if (after === undefined) return [`${stageOf(before)} → ${stageOf(after)}`];
  const flips: string[] = [];
  const players = new Set([...before.balls, ...after.balls].map(({ player }) => player));
  for (const player of players) {
    const was = before.balls.find((ball) => ball.player === player);
    const is = after.balls.find((ball) => ball.player === player);
    const change = (what: string, a: string | undefined, b: string | undefined): void => {
      if (a !== b) flips.push(`${player} ${what}: ${a || 'nothing'} → ${b || 'nothing'}`);
    };
    change('opened', was?.opened, is?.opened);
    change('holds', was?.attached.sure.join('+'), is?.attached.sure.join('+'));
  }
  const illegal = (ruling: RollRuling): string => ruling.illegal.map(({ code }) => code).join('+');
  if (illegal(before) !== illegal(after))
    flips.push(`offences: ${illegal(before) || 'none'} → ${illegal(after) || 'none'}`);
  return flips;
}

function stageOf(ruling: RollRuling | undefined): string {
  return ruling === undefined ? 'no ruling' : ruling.stage;
}
