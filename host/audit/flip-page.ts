import type { RollRuling } from '../sensing/ruling.ts';
import { escaped, num, page } from './html.ts';
import type { Rejudged } from './rejudge.ts';
import { isEventful, NARROW, tracePicture } from './trace-picture.ts';

/** One roll that flips, as a page of its own: what was ruled, what would be, and what the tiles read meanwhile. */
export function flipPage(source: string, against: string, rejudged: Rejudged): string {
  const { roll, game, match, before, after, flips, trace, cores = [] } = rejudged;
  const coreOn = (cell: string): string | undefined => cores.find((one) => one.cell === cell)?.core;
  const cells = trace?.cells.filter((cell) => isEventful(cell)) ?? [];
  const decided = before?.atMs;
  const pictures =
    trace === undefined
      ? []
      : cells.map((cell) => tracePicture(trace, cell, coreOn(cell.cell), decided, NARROW));
  return page(
    `Roll ${roll}: ${flips.length === 1 ? '1 difference' : `${flips.length} differences`}`,
    `<h1>Roll ${escaped(roll)}, game ${game}${match === undefined ? '' : `, match ${escaped(match)}`}</h1>
<p class="soft">${escaped(source)}, judged again ${escaped(against)}</p>
<div class="card warn"><ul>${flips.map((flip) => `<li><b>${escaped(flip)}</b></li>`).join('')}</ul></div>
<div class="grid">${rulingCard('As recorded', before)}${rulingCard('Judged again', after)}</div>
<h2>What the tiles read</h2>
<div class="card traces">${pictures.join('') || '<p>No tile felt anything.</p>'}</div>`,
  );
}

function rulingCard(title: string, ruling: RollRuling | undefined): string {
  if (ruling === undefined) return `<div class="card"><h3>${title}</h3><p>No ruling.</p></div>`;
  const balls = ruling.balls.map((ball) => {
    const reasons = ball.reasons.map(({ text }) => `<li>${escaped(text)}</li>`).join('');
    const held = ball.attached.sure.join(', ') || 'nothing';
    return `<p class="side-${escaped(ball.player)}"><b>${escaped(ball.player)}</b> opened: <b class="${escaped(ball.opened)}">${escaped(ball.opened)}</b> (${num(100 * ball.confidence.opened, 1)} %), holds ${escaped(held)}</p><ul class="small">${reasons}</ul>`;
  });
  return `<div class="card"><h3>${title}</h3>${balls.join('')}</div>`;
}
