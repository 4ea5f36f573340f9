/** Tables of the detection bench, a line a corpus. */
import { barWords, latencyBars, rulingBars } from './detection-bars.ts';
import type { Figures, Kept, RowFigures, Times } from './detection-figures.ts';
import { noticedWords } from './detection-noticed.ts';
import type { Score } from './detection-score.ts';
import {
  ATTACH_WITHIN_MS,
  CONTACT_WITHIN_MS,
  FINAL_WITHIN_MS,
  OPEN_WITHIN_MS,
  OUT_WITHIN_MS,
} from './detection-times.ts';
import { f1, type Hits, prf } from './hits.ts';
import { interval } from './rolls.ts';

export type Rows = readonly (readonly [string, RowFigures])[];

export const cells = (of: readonly (string | number)[]): string => `| ${of.join(' | ')} |`;
export const head = (names: readonly string[]): string[] => [cells(names), cells(names.map(() => '---'))];
const three = (x: number): string => x.toFixed(3);
const beside = (hits: Hits | undefined): string => (hits === undefined ? '-' : three(f1(hits)));
const at = (ms: number | null): string => (ms === null ? '-' : ms.toFixed(0));
const quantiles = ({ p50, p99 }: Times): string => `${at(p50)} / ${at(p99)}`;

/** Three times: this detector, a fixed threshold, the library recipe. */
export function wrongTable(rows: Rows, all: Figures['rows']): string[] {
  const wrong = (s: Kept<Score>): string =>
    `${s.wrong.player}/${s.wrong.opened}/${s.wrong.attached} of ${s.balls}`;
  return [
    ...head([
      'corpus',
      'balls',
      'wrong player/opened/attached',
      'balls wrong, 95 %',
      'undetermined, 95 %',
      'fixed threshold',
      'library recipe',
      'bar',
      'opened F1: own',
      'threshold',
      'recipe',
      'attached F1: own',
      'threshold',
      'recipe',
    ]),
    ...rows.map(([name, row]) => {
      const { own, plain, naive } = row;
      return cells([
        name,
        own.balls,
        `${own.wrong.player}/${own.wrong.opened}/${own.wrong.attached}`,
        interval(own.wrong.any, own.balls),
        interval(own.doubtful, own.balls),
        wrong(plain),
        wrong(naive),
        barWords(rulingBars(name, row, all)),
        prf(own.open),
        three(f1(plain.open)),
        three(f1(naive.open)),
        prf(own.attach),
        three(f1(plain.attach)),
        three(f1(naive.attach)),
      ]);
    }),
  ];
}

/** Without the plain detectors their columns stay empty. */
export function scoreTable(
  rows: readonly (readonly [string, Pick<RowFigures, 'own'> & Partial<RowFigures>])[],
): string[] {
  return [
    ...head([
      'corpus',
      'contact F1',
      `contact within ${CONTACT_WITHIN_MS} ms: own`,
      'threshold',
      'recipe',
      `opened within ${OPEN_WITHIN_MS} ms: own`,
      'threshold',
      'recipe',
      `attached, final within ${ATTACH_WITHIN_MS} ms of due`,
      'off F1',
      'both on one core F1',
      'owner of what is held',
      'owner of what opened and left',
      'provisional opens taken back',
      'other provisional rulings taken back',
      'final rulings taken back, of those watched on',
      'provisional words that the final ruling does not have',
    ]),
    ...rows.map(([name, { own, plain, naive }]) =>
      cells([
        name,
        prf(own.contact),
        prf(own.contactInTime),
        beside(plain?.contactInTime),
        beside(naive?.contactInTime),
        prf(own.openInTime),
        beside(plain?.openInTime),
        beside(naive?.openInTime),
        prf(own.attachInTime),
        prf(own.off),
        prf(own.both),
        `${own.owner[0]} of ${own.owner[1]}`,
        `${own.ownerOff[0]} of ${own.ownerOff[1]}`,
        own.takenBack.opens,
        own.takenBack.otherProvisional,
        `${own.takenBack.finals} of ${own.watchedOn}`,
        own.flips,
      ]),
    ),
  ];
}

/** How soon it was said, ms: p50 / p99. */
export function latencyTable(rows: Rows): string[] {
  return [
    ...head([
      'corpus',
      'touch said after touch',
      'open said after contact',
      'attached first said after the latch',
      'final after rest, both on tiles',
      `within ${FINAL_WITHIN_MS} ms of rest, 95 %`,
      'final after the last seen of balls, where one left the tiles',
      `within ${OUT_WITHIN_MS} ms of it, 95 %`,
      'bar',
    ]),
    ...rows.map(([name, row]) => {
      const { own } = row;
      return cells([
        name,
        quantiles(own.contactMs),
        quantiles(own.openMs),
        quantiles(own.attachMs),
        quantiles(own.finalMs),
        interval(...own.finalInTime),
        `${quantiles(own.outMs)} of ${own.outMs.count}`,
        interval(...own.outInTime),
        barWords(latencyBars(row)),
      ]);
    }),
  ];
}

export function auditTable(rows: readonly (readonly [string, Pick<RowFigures, 'audit'>])[]): string[] {
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
      'flights over single tiles: F1',
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
        quantiles(audit.skewErrorMs),
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
export function noticedTable(rows: Rows): string[] {
  return [
    ...head(['trouble', 'noticed before play, of tables', 'said with rulings, of rolls']),
    ...rows.flatMap(([name, { noticed }]) => {
      if (noticed === undefined) return [];
      const { health, tables, reasons, rulings } = noticed;
      return [cells([name, noticedWords(health, tables), noticedWords(reasons, rulings)])];
    }),
  ];
}

export function confusionTable(name: string, { confusion }: Kept<Score>): string[] {
  const said = ['closed', 'off', 'one', 'two', '?'];
  return [
    `Truth and ruling of each ball, ${name}:`,
    '',
    ...head(['truly', ...said]),
    ...['closed', 'off', 'one', 'two'].map((truth) =>
      cells([truth, ...said.map((word) => confusion[`${truth}>${word}`] ?? 0)]),
    ),
  ];
}
