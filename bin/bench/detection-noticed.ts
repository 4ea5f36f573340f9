/** What the table says of a trouble by itself: before play by its health, and with the rulings of the rolls. */
import { healthOf } from '../../host/sensing/health.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import { TROUBLES } from '../../sim/effects.ts';
import { playRoll } from '../../sim/played.ts';
import { type CorpusAsk, calibrationUnder, optionsOf } from './detection-hear.ts';
import { watchTable } from './watch.ts';

/** How often what was said: health codes of so many tables looked at, reason codes of so many final rulings. */
export interface Noticed {
  tables: number;
  health: Record<string, number>;
  rulings: number;
  reasons: Record<string, number>;
}

export function freshNoticed(): Noticed {
  return { tables: 0, health: {}, rulings: 0, reasons: {} };
}

/** A stuck contact counts as one after ten seconds; the health of a table is looked at after these. */
const IDLE_MS = 14_000;

export function isTrouble({ effects }: CorpusAsk): boolean {
  return effects.some((effect) => effect in TROUBLES);
}

function count(into: Record<string, number>, codes: Iterable<string>): void {
  for (const code of new Set(codes)) into[code] = (into[code] ?? 0) + 1;
}

/** The table of roll `seed`, calibrated before its trouble, is left alone before the call: what does its health say? */
export function noticeBefore(noticed: Noticed, ask: CorpusAsk, seed: number): void {
  const options = optionsOf(ask, seed);
  const { mat } = playRoll(seed, { ...options, callMs: IDLE_MS + 10_000 });
  const { sensing } = watchTable({
    layout: FIXED_12,
    calibration: calibrationUnder(options),
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity: { kind: 'idle' },
    callMs: 1000,
    untilMs: IDLE_MS,
    goOn: true,
  });
  noticed.tables += 1;
  count(
    noticed.health,
    healthOf(sensing, [], IDLE_MS).map(({ code }) => code),
  );
}

/** What the final ruling of a roll says besides its verdict. */
export function noticeIn(noticed: Noticed, final: RollRuling | undefined): void {
  if (final === undefined) return;
  noticed.rulings += 1;
  const codes = final.balls.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  count(
    noticed.reasons,
    codes.filter((code) => code.startsWith('doubt/') || code === 'owner/polarity-turned'),
  );
}

/** Counts as words, the most frequent first. */
export function noticedWords(of: Readonly<Record<string, number>>, all: number): string {
  const words = Object.entries(of)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([code, n]) => `${code} ${n}`);
  return words.length === 0 ? `nothing in ${all}` : `${words.join(', ')} of ${all}`;
}
