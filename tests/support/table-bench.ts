import type { Command, Input, Output } from '../../host/advance/input.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import type { Audience } from '../../host/game/ruleset.ts';
import { collectingLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import { openRecordedTable } from '../../host/recorded-table.ts';
import type { Table } from '../../host/table.ts';
import { createVirtualClock } from '../../sim/clock.ts';
import { finalsIn } from './chain.ts';
import { type MemoryDisk, memoryDisk } from './memory-disk.ts';
import { type StrictTransport, strictTransport } from './strict-transport.ts';
import { settle } from './transports.ts';
import { virtualTable } from './virtual-table.ts';

/** Who sees all of a scene. */
export const OPERATOR: Audience = { kind: 'operator' };

/** A run whose inputs are played to the shell, each at its time. */
export const recorded = (() => {
  const table = virtualTable({ seed: 7, judge: true });
  table.runUntil(() => finalsIn(table.outputs).length >= 2, 60_000);
  table.run(1500);
  return table;
})();
/** What the run heard, without the ticks of its clock. */
export const heard = recorded.inputs.filter(({ kind }) => kind !== 'tick');

/** A table to play to, and all that can be seen of it from outside. */
export interface TableBench {
  readonly table: Table;
  readonly disk: MemoryDisk;
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly log: ReturnType<typeof collectingLog>;
  /** What was told, each with the last record that was safe then. */
  readonly told: readonly { readonly output: Output; readonly safeSeq: number }[];
  /** How often the scene was said to have changed. */
  readonly changes: number;
  readonly transports: ReadonlyMap<string, StrictTransport>;
  /** Plays recorded inputs at their times. */
  play(inputs: readonly Input[], after?: () => void): Promise<void>;
}

interface BenchAsk {
  readonly setting?: Partial<TableSetting>;
  readonly onTold?: (output: Output, table: Table | undefined) => void;
  readonly breaks?: (line: string) => boolean;
}

/** The shell of a table on a disk in memory and wires that are watched, in virtual time. */
export async function tableBench(ask: BenchAsk = {}): Promise<TableBench> {
  const disk = memoryDisk();
  const clock = createVirtualClock();
  const log = collectingLog();
  const told: { output: Output; safeSeq: number }[] = [];
  const transports = new Map<string, StrictTransport>();
  let changes = 0;
  let opened: Table | undefined;
  const table = await openRecordedTable({
    dataDir: '/data',
    origin: 'bakucore/test/t1',
    configHash: 'test',
    setting: { ...recorded.setting, ...ask.setting },
    parts: PARTS,
    clock,
    log,
    newMatch: false,
    disk,
    listener: {
      told(output) {
        told.push({ output, safeSeq: disk.safeSeq() });
        ask.onTold?.(output, opened);
      },
      changed: () => {
        changes += 1;
      },
    },
    openLinks: async (events) =>
      recorded.setting.links.map(({ link }) => {
        const transport = strictTransport(link, events, ask.breaks);
        transports.set(link, transport);
        return transport;
      }),
  });
  opened = table;
  const give = (input: Input): void => {
    if (input.kind === 'tick') return;
    if (input.kind === 'command') {
      table.command(input.id, input.command);
      return;
    }
    const transport = transports.get(input.link);
    if (transport === undefined) throw new Error(`no link ${input.link}`);
    if (input.kind === 'line') transport.line(input.raw);
    else if (input.kind === 'dropped') transport.dropped(input.what, input.count);
    else if (input.up) transport.up(input.reason);
    else transport.down(input.reason);
  };
  return {
    table,
    disk,
    clock,
    log,
    told,
    transports,
    get changes() {
      return changes;
    },
    async play(inputs, after) {
      for (const input of inputs) {
        clock.runTo(input.atMs);
        give(input);
        await settle();
        after?.();
      }
    },
  };
}

/** What the run heard up to a moment. */
export const heardUpTo = (atMs: number): readonly Input[] => heard.filter((input) => input.atMs <= atMs);
/** The operator's call for a new game. */
export const NEW_GAME: Command = { do: 'new-game', by: { role: 'operator' } };
