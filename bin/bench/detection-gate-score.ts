/** What the gate compares of a run, and by how much each may be worse than committed. */
import type { RunResult } from './detection-run.ts';
import { wilson } from './hits.ts';

/** How often something was wrong, of how many times it could have been. */
export type Counted = readonly [count: number, of: number];
/** A quantile, ms, and the upper end of its 95 % interval. */
export type Timed = readonly [ms: number, upperMs: number];

/** Mistakes and latencies of one corpus: the lower the better. */
export interface GateScore {
  readonly counts: Readonly<Record<string, Counted>>;
  readonly times: Readonly<Record<string, Timed>>;
}

export type GateScores = Readonly<Record<string, GateScore>>;

/**
 * A quantile with the upper end of its 95 % interval, free of any distribution: of n times the one in place
 * n·q + 1.96·√(n·q·(1 − q)) of their order, the largest where there are not so many.
 */
export function timed(values: readonly number[], share: number): Timed {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const place = (k: number): number => sorted[Math.min(n - 1, Math.max(0, Math.floor(k)))] ?? 0;
  return [place(n * share), place(Math.ceil(n * share + 1.96 * Math.sqrt(n * share * (1 - share))))];
}

/** Times fewer than these say nothing of their hundredth. */
const LEAST_FOR_P99 = 100;

export function gateScore({ own, audit }: RunResult): GateScore {
  const { balls, rolls } = own;
  const outside = ([inside, of]: readonly [number, number]): Counted => [of - inside, of];
  const touches = own.contact[0] + own.contact[2];
  const counts = {
    wrong: [own.wrong.any, balls],
    undetermined: [own.doubtful, balls],
    unfinished: [own.unfinished, rolls],
    'contact invented': [own.contact[1], touches],
    'contact missed': [own.contact[2], touches],
    'contact not in time': [own.contactInTime[2], touches],
    'open invented': [own.open[1], balls],
    'open missed': [own.open[2], balls],
    'open not in time': [own.openInTime[2], balls],
    'attached invented': [own.attach[1], balls],
    'attached missed': [own.attach[2], balls],
    'attached not in time': [own.attachInTime[2], balls],
    'off invented or missed': [own.off[1] + own.off[2], balls],
    'both on one core invented or missed': [own.both[1] + own.both[2], rolls],
    'owner wrong': [own.owner[1] - own.owner[0], balls],
    'owner of off wrong': [own.ownerOff[1] - own.ownerOff[0], balls],
    'provisional opens taken back': [own.takenBack.opens, balls],
    'other provisional rulings taken back': [own.takenBack.otherProvisional, balls],
    'final rulings taken back': [own.takenBack.finals, own.watchedOn],
    'provisional words that the final ruling lacks': [own.flips, balls],
    'final later than 850 ms': outside(own.finalInTime),
    'final later than 3150 ms, ball off the tiles': outside(own.outInTime),
    'skew outside its error': outside(audit.skewWithin),
    'skew not measured': [audit.skewUnmeasured, balls],
    'gates apart outside the error': outside(audit.crossingWithin),
    'zone wrongly said': [audit.zone[1], balls],
    'zone unsaid': [audit.zone[2], balls],
    'beyond the zone invented': [audit.beyond[1], balls],
    'beyond the zone missed': [audit.beyond[2], balls],
    'beyond the zone, not left to the judge either': [audit.beyond[2] - audit.perhapsBeyond[0], balls],
    'legal release left to the judge': [audit.perhapsBeyond[1], balls],
    'over 1.0 s apart invented': [audit.apart[1], rolls],
    'over 1.0 s apart missed': [audit.apart[2], rolls],
    'early invented': [audit.early[1], rolls],
    'early missed': [audit.early[2], rolls],
    'flights invented': [audit.bounce[1], balls],
    'flights missed': [audit.bounce[2], balls],
    'flights outside the error': outside(audit.bounceWithin),
    'void by flight invented': [audit.flightVoid[1], balls],
    'void by flight missed': [audit.flightVoid[2], balls],
    'speed outside its error': outside(audit.speedWithin),
    'speed not measured': [audit.speedUnmeasured, balls],
    'rolled or slid wrongly said': [audit.turning[1], balls],
    'rolled or slid not said': [audit.turning[2], balls],
    'edits of paths': [audit.path[0], audit.path[1]],
  } satisfies Record<string, Counted>;
  const p99 = (name: string, values: readonly number[]): Record<string, Timed> =>
    values.length < LEAST_FOR_P99 ? {} : { [name]: timed(values, 0.99) };
  const p50 = (name: string, values: readonly number[]): Record<string, Timed> =>
    values.length === 0 ? {} : { [name]: timed(values, 0.5) };
  return {
    counts,
    times: {
      ...p50('touch said p50', own.contactMs),
      ...p50('open said p50', own.openMs),
      ...p99('open said p99', own.openMs),
      ...p50('attached said p50', own.attachMs),
      ...p50('final p50', own.finalMs),
      ...p99('final p99', own.finalMs),
      ...p50('final p50, ball off the tiles', own.outMs),
      ...p99('final p99, ball off the tiles', own.outMs),
      ...p50('skew error p50', audit.skewErrorMs),
    },
  };
}

/**
 * Largest count that is still chance against the committed one: the upper end of its 95 % interval, Wilson's of its share.
 * Of 3000 balls 0, 1, 2 and 3 wrong ones allow 3, 5, 7 and 8.
 */
export function mostOf([count, of]: Counted): number {
  if (of === 0) return 0;
  return Math.max(count, Math.floor(of * wilson(Math.min(count, of), of)[1]));
}

/**
 * Armed windows in which an open was invented, by what is done to the table. It never has to happen: no noise is allowed,
 * each more than committed fails.
 */
export function idleFailures(committed: GateScore, now: GateScore): readonly string[] {
  return Object.entries(now.counts).flatMap(([kind, [opens, of]]) => {
    const [before] = committed.counts[kind] ?? [0];
    return opens > before ? [`${kind}: opens invented ${before} -> ${opens} of ${of} armed windows`] : [];
  });
}

export interface Failure {
  readonly text: string;
  /** By how many of its noises it is worse than committed: from 1 on it fails. */
  readonly noises: number;
}

/** What is worse than committed by more than noise, the worst first; empty when nothing is. */
export function gateFailures(name: string, committed: GateScore, now: GateScore): readonly Failure[] {
  const out: Failure[] = [];
  for (const [what, before] of Object.entries(committed.counts)) {
    const [count = Infinity, of] = now.counts[what] ?? [];
    // What is asked about or lost is not counted elsewhere: the limit goes by what there is now.
    const most = mostOf(before) * (before[1] === 0 ? 1 : Math.max(1, (of ?? 0) / before[1]));
    if (count <= most) continue;
    const noises = (count - before[0]) / Math.max(1, most - before[0]);
    out.push({
      text: `${name}: ${what} ${before[0]} -> ${count} of ${of}, at most ${Math.floor(most)}`,
      noises,
    });
  }
  for (const [what, [ms, upperMs]] of Object.entries(committed.times)) {
    const [later] = now.times[what] ?? [];
    if (later === undefined || later <= upperMs) continue;
    const noises = (later - ms) / Math.max(1, upperMs - ms);
    out.push({ text: `${name}: ${what} ${ms} -> ${later} ms, at most ${upperMs}`, noises });
  }
  return out.sort((a, b) => b.noises - a.noises);
}
