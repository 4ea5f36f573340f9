/**
 * Simulated rolls with ground truth against the detector's rulings: confusion for player, contact, opened and
 * attached, share of doubt, and latencies.
 *
 *     bakucore bench rolls [ROLLS] [FIRST_SEED] [clean|worn|impaired] [axis|collector|collector+offset] [--same-polarity] [--list]
 */
import { pathToFileURL } from 'node:url';
import type { SensorLayout } from '../../host/sensing/layout.ts';
import type { BallRuling, RollRuling } from '../../host/sensing/ruling.ts';
import type { BallTruth } from '../../sim/truth.ts';
import { wilson } from './hits.ts';
import { type RollRun, type RollSetting, runRoll } from './roll-runs.ts';

/** One cell of the table: how often truth was this and the ruling that. */
export type Confusion = Map<string, Map<string, number>>;

export interface BenchResult {
  readonly rolls: number;
  readonly balls: number;
  readonly player: Confusion;
  readonly contact: Confusion;
  readonly opened: Confusion;
  readonly attached: Confusion;
  /** Balls with a wrong sure answer in player, opened or attached. */
  readonly wrongBalls: number;
  readonly wrongRolls: number;
  /** Balls with `undetermined` in player or opened, or a core set that is only possible. */
  readonly doubtfulBalls: number;
  readonly retracted: number;
  readonly unfinished: number;
  /** ms from contact with the core that opened it to the first provisional open. */
  readonly provisionalMs: readonly number[];
  /** ms from both balls at rest to the final ruling, where both stood on tiles. */
  readonly finalMs: readonly number[];
  readonly samples: number;
  /** Seeds of rolls that were wrong or doubtful, with what was. */
  readonly misses: readonly string[];
}

function count(table: Confusion, truth: string, said: string): void {
  const row = table.get(truth) ?? new Map<string, number>();
  row.set(said, (row.get(said) ?? 0) + 1);
  table.set(truth, row);
}

const setOf = (cores: readonly string[]): string => [...cores].sort().join('+');

/** Pairs rulings with balls: by player, what is left by order. */
function paired(run: RollRun, ruling: RollRuling): readonly (readonly [BallTruth, BallRuling])[] {
  const left = [...ruling.balls];
  const out: [BallTruth, BallRuling][] = [];
  const unpaired: BallTruth[] = [];
  for (const truth of run.truth.balls) {
    const i = left.findIndex((b) => b.player === truth.player);
    const found = i >= 0 ? left.splice(i, 1)[0] : undefined;
    if (found === undefined) unpaired.push(truth);
    else out.push([truth, found]);
  }
  for (const truth of unpaired) {
    const next = left.shift();
    if (next !== undefined) out.push([truth, next]);
  }
  return out;
}

function firstOpenMs(run: RollRun, player: string): number | undefined {
  for (const { output, outMs } of run.said) {
    if (output.kind !== 'ruling') continue;
    if (output.ruling.balls.some((b) => b.player === player && b.opened === 'yes')) return outMs;
  }
  return undefined;
}

/** Runs the rolls of these seeds; `progress` hears how many are done. */
export function benchRolls(
  rolls: number,
  firstSeed: number,
  setting: Omit<RollSetting, 'seed'>,
  progress?: (done: number) => void,
): BenchResult {
  const player: Confusion = new Map();
  const contact: Confusion = new Map();
  const opened: Confusion = new Map();
  const attached: Confusion = new Map();
  const provisionalMs: number[] = [];
  const finalMs: number[] = [];
  const misses: string[] = [];
  let balls = 0;
  let wrongBalls = 0;
  let wrongRolls = 0;
  let doubtfulBalls = 0;
  let retracted = 0;
  let unfinished = 0;
  let samples = 0;
  for (let i = 0; i < rolls; i += 1) {
    const seed = firstSeed + i;
    const run = runRoll({ ...setting, seed });
    samples += run.samples;
    const ruling = run.final;
    if (run.said.some((s) => s.output.kind === 'retraction')) retracted += 1;
    if (ruling === undefined) {
      unfinished += 1;
      misses.push(`${seed}: no final ruling`);
      continue;
    }
    let wrongRoll = false;
    for (const [truth, said] of paired(run, ruling)) {
      balls += 1;
      const wrong: string[] = [];
      const doubt: string[] = [];
      const seen = truth.path.length > 0;
      if (seen) count(player, truth.player, said.player);
      if (said.player === 'undetermined') {
        // Whose it was is asked; what each of the two did is then not claimed of anybody.
        doubtfulBalls += 1;
        misses.push(`${seed} ${truth.player} ${truth.ending} ${truth.mode}: ? player`);
        continue;
      }
      const openedTrue = truth.opened ? 'yes' : 'no';
      count(opened, openedTrue, said.opened);
      if (said.opened === 'undetermined') doubt.push(`opened(${openedTrue})`);
      else if (said.opened !== openedTrue) wrong.push(`opened ${openedTrue}>${said.opened}`);
      const touched = setOf(truth.contact);
      const sure = setOf(said.contact.sure);
      const possible = said.contact.possible.length > 0;
      count(contact, 'touched', touched === sure && !possible ? 'right' : possible ? 'possible' : 'wrong');
      if (touched !== sure)
        misses.push(
          `${seed} ${truth.player} ${truth.ending}: contact ${touched}>${sure}?${setOf(said.contact.possible)}`,
        );
      const held = setOf(truth.attached);
      const kind = truth.attached.length === 0 ? 'none' : truth.attached.length === 1 ? 'one' : 'two';
      const saidHeld = setOf(said.attached.sure);
      if (said.opened === 'undetermined' || said.attached.possible.length > 0) {
        count(attached, kind, 'undetermined');
        if (said.attached.possible.length > 0) doubt.push('attached');
      } else {
        count(attached, kind, held === saidHeld ? 'right' : 'wrong');
        if (held !== saidHeld) wrong.push(`attached ${held || '-'}>${saidHeld || '-'}`);
      }
      if (wrong.length > 0) {
        wrongBalls += 1;
        wrongRoll = true;
      }
      if (doubt.length > 0) doubtfulBalls += 1;
      if (wrong.length > 0 || doubt.length > 0) {
        misses.push(
          `${seed} ${truth.player} ${truth.ending} ${truth.mode}: ${wrong.concat(doubt.map((d) => `? ${d}`)).join(', ')}`,
        );
      }
      if (truth.opened && truth.latchCell !== undefined) {
        const onto = truth.path.find(
          (v) => v.cell === truth.latchCell && (v.toMs ?? Infinity) >= (truth.latchMs ?? 0),
        );
        const at = firstOpenMs(run, truth.player);
        if (onto !== undefined && at !== undefined) provisionalMs.push(at - onto.fromMs);
      }
    }
    if (wrongRoll) wrongRolls += 1;
    const standing = run.truth.balls.every((b) => b.path.some((v) => v.toMs === undefined));
    const last = run.said.find((s) => s.output.kind === 'ruling' && s.output.ruling.stage === 'final');
    if (standing && last !== undefined) {
      const took = last.outMs - Math.max(...run.truth.balls.map((b) => b.restMs));
      finalMs.push(took);
      if (took > 850) misses.push(`${seed}: final ${took.toFixed(0)} ms after both at rest`);
    }
    progress?.(i + 1);
  }
  return {
    rolls,
    balls,
    player,
    contact,
    opened,
    attached,
    wrongBalls,
    wrongRolls,
    doubtfulBalls,
    retracted,
    unfinished,
    provisionalMs,
    finalMs,
    samples,
    misses,
  };
}

/** Value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** A share with its 95 % interval, in per cent. */
export function interval(hits: number, of: number): string {
  if (of === 0) return '-';
  const [least, most] = wilson(hits, of);
  const percent = (x: number): string => (100 * x).toFixed(2);
  return `${percent(hits / of)} % (${percent(least)} to ${percent(most)})`;
}

/** The result as text for people. */
export function table(result: BenchResult): string {
  const lines: string[] = [];
  const show = (name: string, confusion: Confusion): void => {
    lines.push(name);
    for (const [truth, row] of [...confusion].sort(([a], [b]) => a.localeCompare(b))) {
      const cells = [...row].sort(([a], [b]) => a.localeCompare(b)).map(([said, n]) => `${said} ${n}`);
      lines.push(`  ${truth.padEnd(8)} ${cells.join('   ')}`);
    }
  };
  show('player (truth: said)', result.player);
  show('contact', result.contact);
  show('opened (truth: said)', result.opened);
  show('attached (truth: said)', result.attached);
  lines.push(
    `balls wrong in player, opened or attached  ${result.wrongBalls} of ${result.balls}: ${interval(result.wrongBalls, result.balls)}`,
  );
  lines.push(
    `rolls wrong                                ${result.wrongRolls} of ${result.rolls}: ${interval(result.wrongRolls, result.rolls)}`,
  );
  lines.push(
    `balls undetermined                         ${result.doubtfulBalls} of ${result.balls}: ${interval(result.doubtfulBalls, result.balls)}`,
  );
  lines.push(`rolls with a retraction ${result.retracted}, without a final ruling ${result.unfinished}`);
  const { provisionalMs: p, finalMs: f } = result;
  lines.push(
    `provisional open after contact: p50 ${quantile(p, 0.5).toFixed(0)} ms, p99 ${quantile(p, 0.99).toFixed(0)} ms (${p.length})`,
  );
  lines.push(
    `final after both at rest:       p50 ${quantile(f, 0.5).toFixed(0)} ms, p99 ${quantile(f, 0.99).toFixed(0)} ms (${f.length})`,
  );
  return lines.join('\n');
}

function main(args: readonly string[]): void {
  const plain = args.filter((a) => !a.startsWith('--'));
  const rolls = Number(plain[0] ?? 1000);
  const firstSeed = Number(plain[1] ?? 1_000_000);
  const conditions = plain[2] === 'impaired' || plain[2] === 'worn' ? plain[2] : 'clean';
  const samePolarity = args.includes('--same-polarity');
  const sensors = (plain[3] ?? 'collector+offset') as SensorLayout;
  const began = performance.now();
  const result = benchRolls(rolls, firstSeed, { sensors, conditions, samePolarity }, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${rolls} rolls`);
  });
  console.log(
    `${rolls} rolls, ${conditions}${samePolarity ? ', equal polarities' : ''}, ${sensors}, seeds from ${firstSeed}`,
  );
  console.log(table(result));
  if (args.includes('--list')) console.log(result.misses.join('\n'));
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
