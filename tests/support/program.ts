/** The built program as people run it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist/bin/bakucore.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly alive: boolean;
  /** Its end, once all that it said is read. */
  readonly ended: Promise<Ended>;
  /** Port of its pages, once it says so. */
  port(): Promise<number>;
  /** Closes this end of all its pipes: nobody reads what it says any more. */
  closePipes(): void;
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

export interface ProgramAsk {
  readonly cwd: string;
  readonly nodeArgs?: readonly string[];
  /** Takes away what root may do beyond the owner of files; for tests of permissions. */
  readonly powerless?: boolean;
}

export function program(args: readonly string[], ask: ProgramAsk): Program {
  const node = [process.execPath, ...(ask.nodeArgs ?? []), BUILT, ...args];
  const drop = ask.powerless === true && process.getuid?.() === 0;
  const [command = '', ...rest] = drop
    ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all', ...node]
    : node;
  const child = spawn(command, rest, { cwd: ask.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let alive = true;
  child.stdout.on('data', (bytes) => {
    stdout += bytes;
  });
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      alive = false;
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const sweep = (): void => void child.kill('SIGKILL');
  process.once('exit', sweep);
  void ended.then(() => process.removeListener('exit', sweep));
  return {
    child,
    get pid() {
      return child.pid ?? -1;
    },
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get alive() {
      return alive;
    },
    ended,
    async port() {
      for (;;) {
        const port = /Live table: http:\/\/127\.0\.0\.1:(\d+)\//.exec(stdout)?.[1];
        if (port !== undefined) return Number(port);
        if (!alive) throw new Error(`it ended: ${stderr}`);
        await new Promise((next) => setTimeout(next, 10));
      }
    },
    closePipes() {
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
    },
    async stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the program to its end. */
export async function ran(
  args: readonly string[],
  cwd: string,
): Promise<Ended & { readonly stdout: string; readonly stderr: string }> {
  const one = program(args, { cwd });
  const ended = await one.ended;
  return { ...ended, stdout: one.stdout, stderr: one.stderr };
}
