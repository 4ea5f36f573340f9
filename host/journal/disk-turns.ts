import type { Disk } from './disk.ts';

/** Writes under way at once on one disk: as many as Node has threads for files. */
const MOST = 4;
/** Of them those for which nobody waits: what somebody waits for always finds a free place, or soon does. */
const MOST_UNHURRIED = 2;

/** A place in the line for a disk. */
export interface Turn {
  /** Resolves when it is this one's turn. */
  readonly come: Promise<void>;
  /** Somebody waits for it now: it goes before all for which nobody does. */
  hurry(): void;
  /** Gives the place to the next. */
  done(): void;
}

/**
 * Lets the tables of a host write to one disk in turns: a ruling that somebody waits for goes before the raw lines of a
 * hundred other tables, and lines that wait longer go out in one write with those that came meanwhile.
 */
export interface DiskTurns {
  ask(hurried: boolean): Turn;
}

type Waiting = { hurried: boolean; readonly begin: () => void };

export function createDiskTurns(): DiskTurns {
  let line: Waiting[] = [];
  let going = 0;
  let unhurried = 0;

  const next = (): Waiting | undefined => {
    if (going >= MOST) return undefined;
    return line.find(({ hurried }) => hurried) ?? (unhurried < MOST_UNHURRIED ? line[0] : undefined);
  };

  const serve = (): void => {
    for (let one = next(); one !== undefined; one = next()) {
      line = line.filter((other) => other !== one);
      going += 1;
      if (!one.hurried) unhurried += 1;
      one.begin();
    }
  };

  return {
    ask(hurried) {
      let begin = (): void => {};
      const come = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const one: Waiting = { hurried, begin };
      let isDone = false;
      line.push(one);
      serve();
      return {
        come,
        hurry() {
          if (one.hurried || !line.includes(one)) return;
          one.hurried = true;
          serve();
        },
        done() {
          if (isDone) return;
          isDone = true;
          going -= 1;
          if (!one.hurried) unhurried -= 1;
          serve();
        },
      };
    },
  };
}

const turns = new WeakMap<Disk, DiskTurns>();

/** The turns that all tables on this disk share. */
export function turnsOn(disk: Disk): DiskTurns {
  const known = turns.get(disk) ?? createDiskTurns();
  turns.set(disk, known);
  return known;
}
