import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { MatchName, RemoveAsk } from '../displays/archive-messages.ts';
import type { FeedArchive, Made } from '../displays/feed-archive.ts';
import { TableFault } from '../fault.ts';
import type { Json, TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { FromRoom, Job } from './archive-jobs.ts';
import type { MadeAt } from './archive-room.ts';
import type { Match } from './matches.ts';

/** The process ends when nobody has asked for this long, ms: an idle host holds nothing of it. */
const IDLE_MS = 5 * 60_000;
/** Most memory of the process, MB; it is started again when it needs more. */
const MOST_MB = 512;
/** Match files that stay open. */
const MOST_OPEN = 4;
/** Jobs that may wait. */
const MOST_WAITING = 64;

/** A table that runs here: its matches are removed through its own journal. */
export interface EntombingTable {
  entomb(removal: { readonly [key: string]: Json }): Promise<void>;
}

export interface ArchiveOptions {
  readonly dataDir: string;
  readonly tables: ReadonlyMap<TableId, EntombingTable>;
  /** The built page that checks records. */
  readonly verifyFile: string;
  readonly log: Log;
}

type Waiting = {
  readonly at: ChildProcess;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Recorded matches for the pages. The work is done by a process of its own that is started when somebody asks. */
export function openArchive({ dataDir, tables, verifyFile, log }: ArchiveOptions): FeedArchive {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let madeDir: string | undefined;
  let opened: string[] = [];
  let starting: Promise<ChildProcess> | undefined;
  let ids = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  const start = async (): Promise<ChildProcess> => {
    madeDir ??= await mkdtemp(join(tmpdir(), 'bakucore-made-'));
    const started = fork(roomFile(), [dataDir, madeDir], {
      execArgv: [`--max-old-space-size=${MOST_MB}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    started.on('message', (message: FromRoom) => {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ('value' in message) one?.resolve(message.value);
      else one?.reject(new TableFault(message.fault.code, message.fault.sentence, message.fault.remedy));
    });
    const end = (): void => {
      if (child === started) child = undefined;
      // One that ends late takes nothing from the one that was started after it.
      for (const [id, one] of waiting) {
        if (one.at !== started) continue;
        waiting.delete(id);
        one.reject(ended());
      }
    };
    started.on('error', end);
    started.on('exit', (code) => {
      if (code !== 0 && code !== null && !closed) log.warn('The reader of recorded matches ended', { code });
      end();
    });
    child = started;
    return started;
  };

  const process = async (): Promise<ChildProcess> => {
    if (child !== undefined) return child;
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  };

  const letGo = (): void => {
    if (child?.connected === true) child.disconnect();
    child = undefined;
  };

  const ask = async <Answer>(job: Job): Promise<Answer> => {
    if (closed) throw ended();
    if (waiting.size >= MOST_WAITING) {
      throw new TableFault(
        'http/failed',
        'Too much is being looked up in recorded matches.',
        'Try again shortly.',
      );
    }
    const at = await process();
    if (closed) {
      letGo();
      throw ended();
    }
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size === 0) letGo();
    }, IDLE_MS);
    idle.unref();
    ids += 1;
    const id = ids;
    return new Promise<Answer>((resolve, reject) => {
      // The process answers a job with the value of that job: see `archive-worker.ts`.
      waiting.set(id, { at, resolve: resolve as (value: unknown) => void, reject });
      at.send({ id, job });
    });
  };

  return {
    library: (one) => ask({ do: 'library', ask: one }),
    outline: (name) => ask({ do: 'outline', name }),
    stretch: (name, one) => ask({ do: 'stretch', name, ask: one }),
    trace: (name, roll, ruledMs) => ask({ do: 'trace', name, roll, ruledMs }),
    async make(one): Promise<Made> {
      const made = await ask<MadeAt>({ do: 'make', ask: one });
      const { size } = await stat(made.path);
      return { ...made, bytes: size };
    },
    async open(file) {
      madeDir ??= await mkdtemp(join(tmpdir(), 'bakucore-made-'));
      const table = `file-${randomBytes(8).toString('hex')}`;
      const path = join(madeDir, `${table}.sent`);
      try {
        await pipeline(Readable.from(file), createWriteStream(path, { mode: 0o600 }));
        const name = await ask<MatchName>({ do: 'open', path, table });
        opened = [...opened, join(madeDir, table)];
        for (const old of opened.splice(0, Math.max(0, opened.length - MOST_OPEN))) {
          await rm(old, { recursive: true, force: true });
        }
        return name;
      } finally {
        await rm(path, { force: true });
      }
    },
    async remove(one) {
      const table = tables.get(one.table);
      if (table === undefined) return ask({ do: 'remove', ask: one });
      const match = await ask<Match>({ do: 'to-remove', ask: one });
      if (!match.closed) throw goesOn(one);
      // A tombstone whose records are still there, as after trouble with the disk, is enough.
      if (match.removed === undefined) await table.entomb(tombstoneOf(match, one));
      return ask({ do: 'prune', name: nameOf(one) });
    },
    verifyPage: () => readFile(verifyFile, 'utf8').catch(() => undefined),
    async close() {
      closed = true;
      clearTimeout(idle);
      const last = child;
      letGo();
      last?.kill();
      if (madeDir !== undefined) await rm(madeDir, { recursive: true, force: true });
    },
  };
}

function tombstoneOf(match: Match, { who, why }: RemoveAsk): { readonly [key: string]: Json } {
  return { match: match.id, from: match.from, to: match.to, who, why };
}

function nameOf({ table, match }: MatchName): MatchName {
  return { table, match };
}

function goesOn({ match }: MatchName): TableFault {
  return new TableFault(
    'library/no-such-match',
    `Match ${match} is the newest of a table that runs, so it cannot be removed.`,
    'Start a new game, then remove it.',
  );
}

function ended(): TableFault {
  return new TableFault('http/failed', 'The reader of recorded matches ended.', 'Try again.');
}

/** From source the built file is run: the process needs no loader then. */
function roomFile(): string {
  const path = import.meta.url.endsWith('.ts')
    ? '../../dist/host/audit/archive-worker.js'
    : './archive-worker.js';
  return fileURLToPath(new URL(path, import.meta.url));
}
