import type { Json } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { BallRuling, Verdict } from '../sensing/ruling.ts';
import type { Correction } from './corrections.ts';
import { escaped } from './html.ts';
import { bakuganName } from './in-force.ts';
import type { RollCase } from './rolls.ts';
import type { Judged, Standing } from './standing-result.ts';

const SAID: Readonly<Record<Verdict, string>> = {
  yes: 'Opened',
  no: 'Did not open',
  undetermined: 'Undetermined',
};
const INSTEAD = {
  again: 'Rolled again',
  'no-brawl': 'The turn went on without a Brawl',
  withdrawn: 'Taken back: this roll does not count',
} as const;
const TAGS: Readonly<Record<Judged, string>> = {
  confirmed: 'confirmed by a judge',
  settled: 'settled by a judge',
  overridden: 'overruled by a judge',
  withdrawn: 'withdrawn',
};

/** A result in words, as in `Opened on B2`. */
export function resultWords(opened: Verdict, cores: readonly string[]): string {
  if (opened !== 'yes') return SAID[opened];
  return cores.length === 0 ? 'Opened, did not stay' : `Opened on ${cores.join(', ')}`;
}

/** What the sensors said of a ball, in words; cores in doubt with a question mark. */
export function saidOf({ opened, attached }: BallRuling): string {
  return resultWords(opened, [...attached.sure, ...attached.possible.map((core) => `${core}?`)]);
}

/** The sensors' word on a ball as a heading: plain where it stands, struck through where it does not. */
export function verdictLine(ball: BallRuling, { balls, instead, judged }: Standing): string {
  const own = instead === undefined ? balls.find(({ player }) => player === ball.player)?.judged : judged;
  const words = escaped(saidOf(ball));
  if (own === undefined) return `<p class="verdict ${escaped(ball.opened)}">${words}</p>`;
  const tag = ` <span class="tag">${instead === 'again' ? 'rolled again' : TAGS[own]}</span>`;
  const stands = instead === undefined && own !== 'overridden';
  return stands
    ? `<p class="verdict ${escaped(ball.opened)}">${words}${tag}</p>`
    : `<p class="verdict gone"><s>${words}</s>${tag}</p>`;
}

/** What stands of each ball in one line, for a list of rolls. */
export function standingLine(one: RollCase, { balls, instead }: Standing): string {
  if (instead !== undefined) return `<span class="soft">${INSTEAD[instead].toLowerCase()}</span>`;
  const unclear = (one.final?.balls ?? []).filter(
    ({ player }) => player === 'undetermined' && balls.length === 0,
  );
  const said = [
    ...balls.map(({ player, opened }) => [player, one.players[player], opened] as const),
    ...unclear.map(({ opened }) => ['undetermined', '?', opened] as const),
  ].map(
    ([side, name, opened]) =>
      `<span class="side-${side}">${escaped(name)}</span> <span class="${opened}">${SAID[opened].toLowerCase()}</span>`,
  );
  return said.join(', ') || 'no final ruling';
}

/** What stands, with the sensors' ruling and the judge's side by side; empty where no judge said anything. */
export function resultView(one: RollCase, standing: Standing): string {
  const { balls, instead, judged, by } = standing;
  if (judged === undefined || by === undefined) return '';
  const rows = (['A', 'B'] as const).flatMap((player) => {
    const ball = one.final?.balls.find((each) => each.player === player);
    const own = balls.find((each) => each.player === player);
    if (ball === undefined && own === undefined) return [];
    const id = one.activity.balls.find((each) => each.player === player)?.bakugan;
    const who = `<b class="side-${player}">${escaped(one.players[player])}</b>${id === undefined ? '' : `<br><span class="soft">${escaped(bakuganName(one, id))}</span>`}`;
    const gone = instead !== undefined || own?.judged === 'overridden';
    const words = ball === undefined ? 'no word' : escaped(saidOf(ball));
    const said = gone ? `<s class="soft">${words}</s>` : words;
    const ruled =
      own?.judged === undefined
        ? '<span class="soft">nothing</span>'
        : `<b class="${own.opened}">${escaped(resultWords(own.opened, own.cores))}</b>`;
    const cells = instead === undefined ? `<td>${said}</td><td>${ruled}</td>` : `<td>${said}</td>`;
    return [`<tr><td>${who}</td>${cells}</tr>`];
  });
  const heading =
    instead === undefined
      ? judged === 'settled'
        ? 'A judge settled what the sensors left open'
        : judged === 'confirmed'
          ? 'A judge confirmed the sensors'
          : 'A judge overruled the sensors'
      : INSTEAD[instead];
  const columns = `<th>ball</th><th>sensors said</th>${instead === undefined ? '<th>judge ruled</th>' : ''}`;
  return `<div class="card stands"><h3>What stands: ${escaped(heading.charAt(0).toLowerCase() + heading.slice(1))}</h3>
<table><thead><tr>${columns}</tr></thead><tbody>${rows.join('')}</tbody></table>
<p class="small soft">${escaped(byWords(by))}</p></div>`;
}

/** Who as a role, when, by which rule. */
function byWords({ by, command, record, wallTime, seq }: Correction): string {
  const role = textIn(by, 'role');
  const rule = textIn(record, 'rule') || textIn(command, 'rule');
  const when = wallTime === undefined ? '' : `, ${wallTime.replace('T', ' ').slice(0, 19)} UTC`;
  return `By ${role === 'judge' ? 'a judge' : role === '' ? 'somebody' : `the ${role}`}${when}, ${rule === '' ? 'no rule named' : `rule ${rule}`}; record ${seq}.`;
}

function textIn(value: Json, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
}
