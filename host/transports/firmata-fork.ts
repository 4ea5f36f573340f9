import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wordsOf } from '../fault.ts';
import type { ToBoard } from './firmata-messages.ts';

/** The process that speaks with a board, seen from the host. */
export interface BoardProcess {
  /** False when it is gone. */
  ask(message: ToBoard): boolean;
  /** Ends it at once; `ended` follows. */
  kill(): void;
}

export interface BoardProcessEvents {
  /** Whatever it sent, unchecked. */
  told(message: unknown): void;
  /** It is gone; told once. `how` in words, undefined when it ended in good order. */
  ended(how: string | undefined): void;
}

/** Starts the process; never throws. */
export type StartBoard = (events: BoardProcessEvents) => BoardProcess;

/** Characters of its last words that are kept. */
const LAST_WORDS = 400;

/**
 * Starts `firmata-board` of this very folder with Node, as source or as built. From source it needs a Node that reads
 * TypeScript, or `execArgv` with a loader that does. What it prints is kept for the reason of its end, and not shown.
 */
export function forkedBoard(execArgv: readonly string[] = []): StartBoard {
  const entry = fileURLToPath(new URL(`./firmata-board${extname(import.meta.url)}`, import.meta.url));
  return (events) => {
    let words = '';
    let over = false;
    const end = (how: string | undefined): void => {
      if (over) return;
      over = true;
      events.ended(how);
    };
    let child: ChildProcess;
    try {
      child = fork(entry, [], { execArgv: [...execArgv], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    } catch (error) {
      setImmediate(() => end(wordsOf(error)));
      return { ask: () => false, kill() {} };
    }
    child.stderr?.on('data', (text: Buffer) => {
      words = `${words}${text.toString()}`.slice(-LAST_WORDS);
    });
    child.on('message', (message) => events.told(message));
    child.on('error', (error) => {
      if (child.pid === undefined) end(wordsOf(error));
    });
    // `close` comes after `exit`, once its last words are read.
    child.on('close', (code, signal) => end(code === 0 ? undefined : endOf(code, signal, words)));
    return {
      ask(message) {
        if (!child.connected) return false;
        child.send(message, () => {});
        return true;
      },
      kill() {
        child.kill('SIGKILL');
      },
    };
  };
}

function endOf(code: number | null, signal: string | null, words: string): string {
  const how = code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`;
  const error = words.split('\n').findLast((line) => /\w+Error\b|error:/i.test(line)) ?? '';
  return error === '' ? how : `${how}: ${error.trim()}`;
}
