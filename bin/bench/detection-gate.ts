/**
 * The detection bench in small, as a gate: fixed rolls whose scores may not fall by more than their stated noise
 * against the committed ones.
 *
 *     node dist/bin/bench/detection-gate.js [--write]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CLEAN, type LoneEnding, type RollShares } from '../../sim/shares.ts';
import type { Variant } from './detection-hear.ts';
import { runIdle } from './detection-idle.ts';
import { type RunAsk, runCorpus } from './detection-run.ts';

/** Counts of mistakes: the lower the better. */
export interface GateScore {
  readonly balls: number;
  readonly wrong: number;
  readonly undetermined: number;
  /** Cores said to be touched that were not, and the other way round. */
  readonly contactInvented: number;
  readonly contactMissed: number;
  readonly openMissed: number;
  readonly attachMissed: number;
  readonly openP50Ms: number;
}

export type GateScores = Readonly<Record<string, GateScore>>;

export const GATE_FILE = 'bin/bench/detection.gate.json';

const only = (ending: LoneEnding, more: Partial<RollShares> = {}): Partial<RollShares> => ({
  endings: { attach: 0, 'two-cores': 0, off: 0, vacant: 0, pass: 0, rest: 0, miss: 0, shut: 0, [ending]: 1 },
  join: 0,
  strike: 0,
  early: 0,
  ...more,
});
const SEED = 50_000_000;
const ask = (i: number, rolls: number, effects: RunAsk['effects'], more: Partial<RunAsk> = {}): RunAsk => ({
  effects,
  rolls,
  firstSeed: SEED + i * 10_000,
  plainEach: 0,
  ...more,
});

export const GATE = {
  clean: ask(0, 100, []),
  impaired: ask(1, 60, ['contacts', 'leds', 'spikes', 'shift', 'drift']),
  coupled: ask(2, 60, ['coupled']),
  'equal polarities': ask(3, 40, [], { samePolarity: true }),
  'join later': ask(4, 20, [], {
    shares: only('attach', { join: 1, joinGapMs: [60, 2000] }),
    vacantCells: 0,
  }),
  'join 20-60': ask(5, 20, [], { shares: only('attach', { join: 1, joinGapMs: [20, 60] }), vacantCells: 0 }),
  'two cores, one dead': ask(6, 20, [], {
    shares: only('two-cores', { deadContact: 1, faultAt: 'held' }),
    vacantCells: 0,
  }),
  'off after 300-600': ask(7, 20, [], { shares: only('off', { dwellMs: [300, 600] }), vacantCells: 0 }),
  'rest closed': ask(8, 20, [], { shares: only('rest'), vacantCells: 0 }),
  'lost lines': ask(9, 20, ['lost-lines'], { shares: { ...CLEAN, early: 0 } }),
  reset: ask(10, 20, ['reset'], { shares: { ...CLEAN, early: 0 } }),
} as const satisfies Record<string, RunAsk>;

export type GateName = keyof typeof GATE;

/** Armed minutes with hands on the table: no open may be invented. */
export const GATE_IDLE_HOURS = 0.05;

export function gateScore(name: GateName, variant: Variant = 'asIs'): GateScore {
  const { own } = runCorpus({ ...GATE[name], variant });
  const sorted = [...own.openMs].sort((a, b) => a - b);
  return {
    balls: own.balls,
    wrong: own.wrong.any,
    undetermined: own.doubtful,
    contactInvented: own.contact[1],
    contactMissed: own.contact[2],
    openMissed: own.open[2],
    attachMissed: own.attach[2],
    openP50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
  };
}

/** False opens of the gate's armed minutes. */
export function gateIdle(): number {
  return runIdle('hands', SEED + 900_000, GATE_IDLE_HOURS).falseOpens;
}

/** How far a count may rise before that is more than chance: two deviations of a count of this size. */
export function noiseOf(count: number): number {
  return Math.ceil(2 * Math.sqrt(Math.max(1, count))) - 1;
}

/** Rise of the middle of the first word of an open that fails, ms. */
const LATER_MS = 20;

/** What is worse than committed by more than noise; empty when nothing is. */
export function gateFailures(name: string, committed: GateScore, now: GateScore): string[] {
  const out: string[] = [];
  const counts = [
    'wrong',
    'undetermined',
    'contactInvented',
    'contactMissed',
    'openMissed',
    'attachMissed',
  ] as const;
  for (const count of counts) {
    const most = committed[count] + noiseOf(committed[count]);
    if (now[count] > most)
      out.push(`${name}: ${count} ${committed[count]} -> ${now[count]}, at most ${most}`);
  }
  if (now.openP50Ms > committed.openP50Ms + LATER_MS) {
    out.push(`${name}: opens said ${committed.openP50Ms} -> ${now.openP50Ms} ms after contact`);
  }
  return out;
}

/** @throws Error when the committed file lacks this corpus */
export function committedScore(name: GateName, file = GATE_FILE): GateScore {
  const all = JSON.parse(readFileSync(file, 'utf8')) as GateScores;
  const score = all[name];
  if (score === undefined) throw new Error(`${file} has no ${name}: write it anew with --write`);
  return score;
}

function namesOf<Key extends string>(of: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(of) as Key[];
}

function main(write: boolean): void {
  const scores: Record<string, GateScore> = {};
  const failures: string[] = [];
  for (const name of namesOf(GATE)) {
    const now = gateScore(name);
    scores[name] = now;
    process.stdout.write(`${name.padEnd(20)} ${JSON.stringify(now)}\n`);
    if (!write) failures.push(...gateFailures(name, committedScore(name), now));
  }
  const idle = gateIdle();
  if (idle > 0) failures.push(`hands while armed: ${idle} opens invented`);
  if (write) writeFileSync(GATE_FILE, `${JSON.stringify(scores, null, 2)}\n`);
  process.stdout.write(failures.length === 0 ? 'The gate is open.\n' : `${failures.join('\n')}\n`);
  if (failures.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.includes('--write'));
