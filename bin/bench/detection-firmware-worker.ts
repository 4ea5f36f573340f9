/** A worker that judges rolls twice: through the firmware on emulated boards, and as samples of the same rolls. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createAvrBoard } from '../../sim/avr/board.ts';
import { assignedEeprom } from '../../sim/avr/identity.ts';
import type { BoardFactory } from '../../sim/table.ts';
import { type Claim, claimsOf, setOf } from './detection-claims.ts';
import { type CorpusAsk, type HeardRoll, hearBoards, hearRoll } from './detection-hear.ts';
import { keepingIn } from './firmware-kept.ts';
import { whyOf } from './firmware-why.ts';

export interface FirmwareJob {
  readonly row: string;
  readonly ask: CorpusAsk;
  readonly seed: number;
  /** Lines of the emulated boards are kept in this folder, and taken from it when they are there. */
  readonly keep?: string;
}

export interface FirmwareAnswer {
  readonly kind: 'firmware';
  readonly row: string;
  readonly seed: number;
  readonly lines: number;
  /** Virtual seconds of both boards together. */
  readonly virtualS: number;
  readonly cpuS: number;
  /** What the two say differently, in words; empty when nothing. */
  readonly differences: readonly string[];
  /** Whether opened, attached cores and doubt are the same; only touched cores may differ then. */
  readonly sameVerdict: boolean;
}

function hexFile(): URL {
  const built = import.meta.url.endsWith('.js');
  return new URL(`${built ? '../../../' : '../../'}firmware-protocol/hex/uno.hex`, import.meta.url);
}

const hex = readFileSync(hexFile(), 'utf8');

const unos: BoardFactory = ({ world, side, device, clockError }) =>
  createAvrBoard({
    chip: 'uno',
    hex,
    world,
    eeprom: assignedEeprom('uno', device, side),
    clockPpm: Math.round((clockError ?? 0) * 1_000_000),
  });

function wordsOf(claim: Claim | undefined): string {
  if (claim === undefined) return 'nothing';
  const doubt = claim.doubt ? 'undetermined, ' : '';
  return `${doubt}opened ${claim.opened}, touched ${setOf(claim.contact) || '-'}, on ${setOf(claim.attached) || '-'}`;
}

function reasonsOf(heard: HeardRoll, player: string): string {
  const ball = heard.final?.balls.find((b) => b.player === player);
  if (ball === undefined) return 'no ruling';
  const score = ball.openScore === undefined ? '' : `, open score ${ball.openScore.toFixed(3)}`;
  return `${ball.reasons.map((r) => r.code).join(' ')}${score}`;
}

/** For how long scripted boards have to speak until the roll is ruled: a guess at how long emulated ones will. */
const longOf = ({ ask, seed }: FirmwareJob): number => hearBoards(ask, seed, undefined).afterMs ?? 0;

export function judgeTwice(job: FirmwareJob): FirmwareAnswer {
  const cpu = process.cpuUsage();
  const capture = job.keep === undefined ? undefined : keepingIn(job.keep, job.row, hex, longOf(job));
  const emulated = hearBoards(job.ask, job.seed, unos, capture);
  const sampled = hearRoll(job.ask, job.seed);
  const { balls } = emulated.truth;
  const a = claimsOf(emulated, balls).balls;
  const b = claimsOf(sampled, balls).balls;
  const verdict = (claim: Claim | undefined): string =>
    claim === undefined ? '' : `${claim.doubt} ${claim.opened} ${setOf(claim.attached)}`;
  const differences = balls.flatMap((ball, i) => {
    const [one, other] = [wordsOf(a[i]), wordsOf(b[i])];
    if (one === other) return [];
    const entry = ({ final }: HeardRoll) => final?.balls.find(({ player }) => player === ball.player);
    const why = whyOf(job.ask.effects, entry(emulated), entry(sampled), verdict(a[i]) === verdict(b[i]));
    return [
      `${job.row} ${job.seed} ${ball.player} ${ball.ending}: firmware ${one} [${reasonsOf(emulated, ball.player)}]; samples ${other} [${reasonsOf(sampled, ball.player)}]; truly ${ball.opened ? 'yes' : 'no'}, touched ${setOf(ball.contact) || '-'}, on ${setOf(ball.attached) || '-'}. ${why}`,
    ];
  });
  const sameVerdict = balls.every((_, i) => verdict(a[i]) === verdict(b[i]));
  const spent = process.cpuUsage(cpu);
  return {
    kind: 'firmware',
    row: job.row,
    seed: job.seed,
    lines: emulated.lines ?? 0,
    virtualS: (2 * (emulated.truth.toMs + (emulated.afterMs ?? 0))) / 1000,
    cpuS: (spent.user + spent.system) / 1e6,
    differences,
    sameVerdict,
  };
}

parentPort?.on('message', (job: FirmwareJob) => {
  const answer = judgeTwice(job);
  parentPort?.postMessage({ kind: 'progress', done: 1 });
  parentPort?.postMessage(answer);
});
