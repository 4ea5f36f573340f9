/** The committed figures of the detection bench as text for people. */
import { barWords, idleBars } from './detection-bars.ts';
import { CURVE_AT, type Figures } from './detection-figures.ts';
import { wrongText } from './detection-misses.ts';
import {
  auditTable,
  cells,
  confusionTable,
  head,
  latencyTable,
  noticedTable,
  scoreTable,
  wrongTable,
} from './detection-rows.ts';
import { interval } from './rolls.ts';

const GROUPS = [
  ['main', 'Rolls of every kind'],
  ['layout', 'Other sensors'],
  ['impairment', 'Each impairment alone'],
  ['case', 'Hard cases by name'],
  ['unseen', 'Effects that nothing was fitted on'],
  ['trouble', 'Troubles after calibration'],
] as const;

/** 95 % interval of a count over hours (Poisson, by Byar's approximation), an hour. */
export function rateInterval(count: number, hours: number): string {
  const z = 1.96;
  const bound = (n: number, sign: number): number => {
    if (n === 0) return 0;
    const root = 1 - 1 / (9 * n) + (sign * z) / (3 * Math.sqrt(n));
    return n * root * root * root;
  };
  const least = bound(count, -1);
  const most = count === 0 ? 3.69 : bound(count + 1, 1);
  const rate = (n: number): string => (n / hours).toFixed(2);
  return `${rate(count)} (${rate(least)} to ${rate(most)})`;
}

const HEADER = [
  'A ball counts as wrong when a sure answer for its player, opened or attached cores is not the truth, as undetermined when',
  'one of them is in doubt. Beside it, on the same samples: a fixed threshold at 1 kHz, and a library recipe (johnny-five at',
  'its defaults, 19 ms), which never doubt. Each F1 stands with its 95 % interval and with precision/recall; the interval is',
  "Wilson's of the share J of right ones among right, invented and missed, since F1 = 2J / (1 + J). Where a time is asked for,",
  'an answer counts as right only when its moment fits too, one true moment to one that was said.',
  '',
  'A final ruling is due 700 ms after both balls rest on tiles (AM-07). Where one left the tiles, nobody sees it rest: it is',
  'waited for until nothing was seen to move for 3 s, or sooner when its speed at the gate tells that it can come to no tile',
  'any more (5.7.2.1); counted from the last stop, the last end of a touch, or the launch of a ball that touched nothing.',
  '',
];

function idleLines(figures: Figures): string[] {
  return [
    '## Armed, and nobody rolls',
    '',
    ...head([
      'class',
      'what',
      'hours',
      'of them on tables that run on from window to window',
      'things done to the table',
      'false opens an hour, 95 %',
      'of them final',
      'bar',
    ]),
    ...Object.entries(figures.idle).map(([name, idle]) =>
      cells([
        name,
        idle.what,
        idle.hours.toFixed(1),
        idle.runningHours.toFixed(1),
        idle.events,
        rateInterval(idle.falseOpens, idle.hours),
        idle.falseFinals,
        barWords(idleBars(idle)),
      ]),
    ),
  ];
}

function recoveryLines(figures: Figures): string[] {
  const rows = Object.entries(figures.recovery);
  if (rows.length === 0) return [];
  return [
    '## Right again after a fault',
    '',
    'Time between the end of a fault and the first touch of a tile, and how the roll was ruled: the same rolls in each row.',
    '',
    ...head(['fault', 'rolls', 'balls wrong, 95 %', 'undetermined, 95 %']),
    ...rows.map(([, { what, rolls, balls, wrong, doubtful }]) =>
      cells([what, rolls, interval(wrong, balls), interval(doubtful, balls)]),
    ),
    '',
  ];
}

export function textOf(figures: Figures): string {
  const rows = Object.entries(figures.rows);
  const lines = [
    '# How right the detector is',
    '',
    'Made by `bakucore bench detection`; figures of simulated rolls, seeds and mats that nothing was fitted on.',
    `Share of the full corpora asked for: ${figures.share}; a run may be cut by the clock, and each row says how many rolls it has.`,
    ...HEADER,
  ];
  for (const [group, title] of GROUPS) {
    const own = rows.filter(([, row]) => row.group === group);
    if (own.length === 0) continue;
    lines.push(`## ${title}`, '');
    for (const [name, row] of own)
      lines.push(`- ${name}: ${row.what} (${row.own.rolls} rolls from seed ${row.firstSeed})`);
    lines.push('', ...wrongTable(own, figures.rows), '', ...scoreTable(own), '');
    lines.push('How soon it was said, ms, p50 / p99:', '', ...latencyTable(own), '', ...auditTable(own), '');
    if (group === 'trouble') lines.push(...noticedTable(own), '');
    if (group === 'main') {
      for (const [name, row] of own) lines.push(...confusionTable(name, row.own), '');
    }
  }
  lines.push(
    '## Wrong rulings over doubt',
    '',
    'Wrong in a thousand balls ruled when so many of the least sure are asked about and the rest must be answered (doubt left',
    'then counts as a no):',
    '',
    ...head(['corpus', ...CURVE_AT.map((share) => `${share} %`)]),
  );
  for (const [name, curve] of Object.entries(figures.curves)) {
    lines.push(cells([name, ...curve.map((p) => `${p.wrongInThousand} (${p.wrong} of ${p.balls})`)]));
  }
  lines.push('', ...recoveryLines(figures), ...idleLines(figures));
  return `${lines.join('\n')}\n${wrongText(figures.wrong)}`;
}
