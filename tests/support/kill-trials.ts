import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemDisk } from '../../host/journal/disk.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { lookAtJournal } from './journal-look.ts';
import { FILLER } from './kill-child.ts';
import { drawFrom } from './power-cut-files.ts';
import { eventually } from './transports.ts';
import { demoFor, settingFor } from './virtual-table.ts';

export interface KillTrials {
  readonly kills: number;
  readonly rulings: number;
  readonly torn: number;
  readonly untold: number;
  readonly records: number;
  readonly wrong: readonly string[];
}

/** Kills a playing process at random moments; 20 ms later the next one goes on in the same folder. */
export async function killTrials(ask: {
  readonly seed: number;
  readonly kills: number;
  /** Longest life after the table plays, ms of real time. */
  readonly lifeMs: number;
  /** A disk of a few megabytes, mounted there, that each life fills up and frees again. */
  readonly smallDisk?: string;
  /** Program and arguments that run `playUntilKilled` with the arguments added. */
  readonly child: readonly [string, ...string[]];
}): Promise<KillTrials> {
  const draw = drawFrom(ask.seed);
  const dataDir = mkdtempSync(join(ask.smallDisk ?? tmpdir(), 'bakucore-kill-'));
  mkdirSync(join(dataDir, 't1'), { recursive: true });
  const sim = createSimTable({ layout: FIXED_12, seed: ask.seed });
  const setting = settingFor(sim, demoFor(ask.seed));
  const announced: string[] = [];
  const wrong: string[] = [];
  const counts = { torn: 0, untold: 0, records: 0 };
  let rulings = 0;
  try {
    for (let n = 0; n < ask.kills; n += 1) {
      const given = [dataDir, `${ask.seed}`, `${n}`, ...(ask.smallDisk === undefined ? [] : ['fills'])];
      const printed = await oneLife(ask.child, given, () => bytesIn(join(dataDir, 't1')), draw(ask.lifeMs));
      // Whoever starts next has made room first.
      rmSync(join(dataDir, FILLER), { force: true });
      for (const line of printed) {
        const { kind, data } = JSON.parse(line);
        if (kind === 'ruling' && data.ruling?.stage === 'final') rulings += 1;
        if (kind === 'ruling' || kind === 'event') announced.push(line);
      }
      const label = `kill ${n}`;
      await lookAtJournal({ disk: systemDisk, dataDir, announced, wrong, label, counts, setting });
      await new Promise((done) => setTimeout(done, 20));
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { kills: ask.kills, rulings, ...counts, wrong };
}

/** A journal of about a hundred records. */
const PLAYED_BYTES = 20_000;

function bytesIn(folder: string): number {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Starts a process, lets it play for a while once it has played at all, kills it; gives the whole lines it printed. */
async function oneLife(
  child: readonly [string, ...string[]],
  given: readonly string[],
  bytes: () => number,
  lifeMs: number,
): Promise<readonly string[]> {
  const [program, ...fixed] = child;
  const running = spawn(program, [...fixed, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  running.stdout.setEncoding('utf8');
  const ended = new Promise<void>((done) => running.stdout.once('close', () => done()));
  const ready = new Promise<void>((done) => {
    running.stdout.on('data', (more: string) => {
      text += more;
      if (text.startsWith('ready\n')) done();
    });
  });
  await Promise.race([ready, ended]);
  await eventually('it plays', () => running.exitCode !== null || bytes() > PLAYED_BYTES);
  await new Promise((done) => setTimeout(done, lifeMs));
  running.kill('SIGKILL');
  await ended;
  return text.split('\n').slice(1, -1);
}
