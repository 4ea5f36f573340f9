/** The committed figures of the detection bench, and the same as text for people. */
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { IdleResult } from './detection-idle.ts';
import { noticedWords } from './detection-noticed.ts';
import type { RunResult } from './detection-run.ts';
import type { Hits, Score } from './detection-score.ts';
import { interval, quantile } from './rolls.ts';

export interface RowFigures {
  readonly group: string;
  readonly what: string;
  readonly firstSeed: number;
  readonly own: Score;
  readonly naive: Score;
  readonly plain: Score;
  readonly audit: RunResult['audit'];
  readonly noticed?: RunResult['noticed'];
}

export interface CurvePoint {
  /** Share of balls that are asked about, per cent. */
  readonly undetermined: number;
  /** Wrong rulings in a thousand balls that are not asked about. */
  readonly wrongInThousand: number;
  readonly wrong: number;
  readonly balls: number;
}

export interface Figures {
  readonly share: number;
  readonly rows: Readonly<Record<string, RowFigures>>;
  readonly curves: Readonly<Record<string, readonly CurvePoint[]>>;
  readonly idle: Readonly<
    Record<string, IdleResult & { readonly what: string; readonly barPerHour: number }>
  >;
}

/** A final ruling is said within this of both balls at rest: T_rest and what hearing and saying it may take, ms. */
const FINAL_WITHIN_MS = DEFAULT_LIMITS.restMs + 150;
const CURVE_AT = [0, 1, 3, 5, 10] as const;

/** Wrong rulings left when so many of the least sure balls are asked about. */
export function curveOf(forced: readonly number[]): CurvePoint[] {
  const balls: { sure: number; wrong: number }[] = [];
  for (let i = 0; i + 1 < forced.length; i += 2)
    balls.push({ sure: forced[i] ?? 0, wrong: forced[i + 1] ?? 0 });
  balls.sort((a, b) => a.sure - b.sure || b.wrong - a.wrong);
  return CURVE_AT.map((undetermined) => {
    const kept = balls.slice(Math.round((undetermined / 100) * balls.length));
    const wrong = kept.reduce((n, ball) => n + ball.wrong, 0);
    const share = kept.length === 0 ? 0 : wrong / kept.length;
    return { undetermined, wrongInThousand: Math.round(share * 10_000) / 10, wrong, balls: kept.length };
  });
}

export function f1([right, invented, missed]: Hits): number {
  return right + invented + missed === 0 ? 1 : (2 * right) / (2 * right + invented + missed);
}

const three = (x: number): string => x.toFixed(3);
const prf = (hits: Hits): string => {
  const [right, invented, missed] = hits;
  if (right + missed + invented === 0) return '-';
  const part = (of: number): string => (right + of === 0 ? '-' : (right / (right + of)).toFixed(3));
  return `${three(f1(hits))} (${part(invented)}/${part(missed)})`;
};
const ms = (values: readonly number[], share: number): string =>
  values.length === 0 ? '-' : quantile(values, share).toFixed(0);
const inTime = (finalMs: readonly number[]): string =>
  interval(finalMs.filter((late) => late <= FINAL_WITHIN_MS).length, finalMs.length);
const cells = (of: readonly (string | number)[]): string => `| ${of.join(' | ')} |`;
const head = (names: readonly string[]): string[] => [cells(names), cells(names.map(() => '---'))];

const GROUPS = [
  ['main', 'Rolls of every kind'],
  ['layout', 'Other sensors'],
  ['impairment', 'Each impairment alone'],
  ['case', 'Hard cases by name'],
  ['unseen', 'Effects that nothing was fitted on'],
  ['trouble', 'Troubles after calibration'],
] as const;

/** Three times: this detector, a fixed threshold, the library recipe. */
function wrongTable(rows: readonly (readonly [string, RowFigures])[]): string[] {
  const wrong = (s: Score): string => `${s.wrong.player}/${s.wrong.opened}/${s.wrong.attached} of ${s.balls}`;
  return [
    ...head([
      'corpus',
      'balls',
      'wrong player/opened/attached',
      'balls wrong, 95 %',
      'undetermined, 95 %',
      'fixed threshold',
      'library recipe',
      'opened F1 (P/R): own',
      'threshold',
      'recipe',
      'attached F1: own',
      'threshold',
      'recipe',
    ]),
    ...rows.map(([name, { own, plain, naive }]) =>
      cells([
        name,
        own.balls,
        `${own.wrong.player}/${own.wrong.opened}/${own.wrong.attached}`,
        interval(own.wrong.any, own.balls),
        interval(own.doubtful, own.balls),
        wrong(plain),
        wrong(naive),
        prf(own.open),
        three(f1(plain.open)),
        three(f1(naive.open)),
        prf(own.attach),
        three(f1(plain.attach)),
        three(f1(naive.attach)),
      ]),
    ),
  ];
}

function scoreTable(rows: readonly (readonly [string, RowFigures])[]): string[] {
  return [
    ...head([
      'corpus',
      'contact F1 (P/R)',
      'off',
      'both on one core',
      'owner of what is held',
      'open said after contact p50 / p99 ms',
      'final after rest p50 / p99 ms',
      `within ${FINAL_WITHIN_MS} ms of rest, 95 %`,
      'taken back: provisional / final',
    ]),
    ...rows.map(([name, { own }]) =>
      cells([
        name,
        prf(own.contact),
        prf(own.off),
        prf(own.both),
        `${own.owner[0]} of ${own.owner[1]}`,
        `${ms(own.openMs, 0.5)} / ${ms(own.openMs, 0.99)}`,
        `${ms(own.finalMs, 0.5)} / ${ms(own.finalMs, 0.99)}`,
        inTime(own.finalMs),
        `${own.flips} / ${own.retracted}`,
      ]),
    ),
  ];
}

function auditTable(rows: readonly (readonly [string, RowFigures])[]): string[] {
  return [
    ...head([
      'corpus',
      'release skew error p50 / p99 ms',
      'within its stated error',
      'not measurable',
      'far gates apart: within',
      'within the zone: said rightly / wrongly / unsaid',
      'beyond the zone: void / left to the judge / of',
      'legal release: void, 95 %; left to the judge',
      'early, over 1.0 s apart: found / invented / missed',
      'flights over single tiles: F1 (P/R)',
      'within',
      'void by flight: found / invented / missed',
      'speed: within',
      'not measurable',
      'rolled or slid: rightly / wrongly / not measurable',
      'path: edits of cells',
    ]),
    ...rows.map(([name, { audit }]) =>
      cells([
        name,
        `${ms(audit.skewErrorMs, 0.5)} / ${ms(audit.skewErrorMs, 0.99)}`,
        interval(...audit.skewWithin),
        audit.skewUnmeasured,
        interval(...audit.crossingWithin),
        audit.zone.join(' / '),
        `${audit.beyond[0]} / ${audit.perhapsBeyond[0]} / ${audit.beyond[0] + audit.beyond[2]}`,
        `${interval(...audit.legalVoid)}; ${audit.perhapsBeyond[1]} of ${audit.legalVoid[1]}`,
        [audit.early, audit.apart].map((hits) => hits.join(' / ')).join(', '),
        `${prf(audit.bounce)}, ${audit.bounce[0] + audit.bounce[2]} of ${audit.bouncedAnywhere} that bounced`,
        interval(...audit.bounceWithin),
        audit.flightVoid.join(' / '),
        interval(...audit.speedWithin),
        audit.speedUnmeasured,
        audit.turning.join(' / '),
        `${audit.path[0]} of ${audit.path[1]}`,
      ]),
    ),
  ];
}

/** What degrades stands in the tables before; this is what is noticed. */
function noticedTable(rows: readonly (readonly [string, RowFigures])[]): string[] {
  return [
    ...head(['trouble', 'noticed before play, of tables', 'said with rulings, of rolls']),
    ...rows.flatMap(([name, { noticed }]) =>
      noticed === undefined
        ? []
        : [
            cells([
              name,
              noticedWords(noticed.health, noticed.tables),
              noticedWords(noticed.reasons, noticed.rulings),
            ]),
          ],
    ),
  ];
}

function confusionTable(name: string, score: Score): string[] {
  const said = ['closed', 'off', 'one', 'two', '?'];
  return [
    `Truth and ruling of each ball, ${name}:`,
    '',
    ...head(['truly', ...said]),
    ...['closed', 'off', 'one', 'two'].map((truth) =>
      cells([truth, ...said.map((word) => score.confusion[`${truth}>${word}`] ?? 0)]),
    ),
  ];
}

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

export function textOf(figures: Figures): string {
  const rows = Object.entries(figures.rows);
  const lines = [
    '# How right the detector is',
    '',
    'Made by `bakucore bench detection`; figures of simulated rolls, seeds and mats that nothing was fitted on.',
    `Share of the full corpora asked for: ${figures.share}; a run may be cut by the clock, and each row says how many rolls it has.`,
    'A ball counts as wrong when a sure answer for its player, opened or attached cores is not the truth, as undetermined when one of them is in doubt. Beside it, on the same samples: a fixed',
    "threshold at 1 kHz, and a library recipe (johnny-five's defaults at 19 ms), which never doubt.",
    '',
  ];
  for (const [group, title] of GROUPS) {
    const own = rows.filter(([, row]) => row.group === group);
    if (own.length === 0) continue;
    lines.push(`## ${title}`, '');
    for (const [name, row] of own)
      lines.push(`- ${name}: ${row.what} (${row.own.rolls} rolls from seed ${row.firstSeed})`);
    lines.push('', ...wrongTable(own), '', ...scoreTable(own), '', ...auditTable(own), '');
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
  );
  lines.push(...head(['corpus', ...CURVE_AT.map((at) => `${at} %`)]));
  for (const [name, curve] of Object.entries(figures.curves)) {
    lines.push(cells([name, ...curve.map((p) => `${p.wrongInThousand} (${p.wrong} of ${p.balls})`)]));
  }
  lines.push('', '## Armed, and nobody rolls', '');
  lines.push(
    ...head([
      'class',
      'what',
      'hours',
      'things done to the table',
      'false opens an hour, 95 %',
      'of them final',
      'bar',
    ]),
  );
  for (const [name, idle] of Object.entries(figures.idle)) {
    lines.push(
      cells([
        name,
        idle.what,
        idle.hours.toFixed(1),
        idle.events,
        rateInterval(idle.falseOpens, idle.hours),
        idle.falseFinals,
        idle.barPerHour,
      ]),
    );
  }
  return `${lines.join('\n')}\n`;
}
