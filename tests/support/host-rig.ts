/**
 * A whole host, as `bakucore start` runs it, in virtual time: real serial transport over ports that a test holds in its
 * hand, real journal on disk, real pages on a free port, boards and balls simulated. Whatever a test puts on a wire goes
 * through everything.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from '../../host/advance/input.ts';
import { parseConfig } from '../../host/config.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { BakuganView } from '../../host/game/bakugan/view.ts';
import { type Host, runHost } from '../../host/host.ts';
import type { LinkId, RollId } from '../../host/ids.ts';
import { LOW_SPACE_BYTES } from '../../host/journal/folder.ts';
import { collectingLog, type LogLine } from '../../host/log.ts';
import { PARTS, withParts } from '../../host/parts.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { LinkSeen } from '../../host/sensing/seen.ts';
import { mqtt } from '../../host/transports/mqtt.ts';
import { serialKind } from '../../host/transports/serial.ts';
import { createVirtualClock } from '../../sim/clock.ts';
import { createSimTable, type SimTable, type SimTableAsk } from '../../sim/table.ts';
import { Cable } from './cable.ts';
import { wrongIn } from './chain.ts';
import { type Handed, type Kept, keptIn, tapped } from './kept.ts';
import { seatsAt, standingOf } from './seats.ts';

export interface RigAsk extends Partial<Omit<SimTableAsk, 'seed'>> {
  readonly seed?: number;
  /** Links beside or instead of the two serial ones, as in the config. */
  readonly links?: (serial: object) => object;
  readonly broker?: object;
  /** Parts of the config's `http` beside the port. */
  readonly http?: object;
  /** Options of the game, where they are not those of the demo. */
  readonly options?: object;
  /** Keys of the table's config beside its options and links. */
  readonly table?: object;
  /** Wall clock in ms since 1970, read whenever the host asks for a label. */
  readonly wall?: () => number;
  /** Whether nothing is on its way outside; virtual time stands still meanwhile. */
  readonly calm?: () => boolean;
}

export interface Rig {
  readonly host: Host;
  readonly sim: SimTable;
  readonly cables: { readonly a: Cable; readonly b: Cable };
  readonly outputs: readonly Output[];
  readonly handed: readonly Handed[];
  readonly logged: readonly LogLine[];
  readonly nowMs: number;
  /** Players throw when a roll is called. */
  rolls: boolean;
  /** Players do anything at all. */
  play: boolean;
  scene(): Scene;
  view(): BakuganView;
  link(name: LinkId): LinkSeen;
  counts(name: LinkId): Readonly<Record<string, number>>;
  complaints(): readonly string[];
  faults(code: string): readonly string[];
  /** Lets the boards start and the host know their clocks; nobody throws meanwhile. */
  boot(ms?: number): Promise<void>;
  /** Lets virtual time pass. */
  pass(ms: number): Promise<void>;
  until(what: string, holds: () => boolean, withinMs?: number): Promise<void>;
  /** Lets the host's time go on as the machine's does, until something is done. */
  alongside<Result>(deed: Promise<Result>): Promise<Result>;
  /** Plays on until both balls of the next roll are on their way to the cores; gives that roll. */
  midRoll(): Promise<RollId>;
  /** Plays on until the next roll that is called from now on is ruled. */
  nextRoll(): Promise<Ruled>;
  close(): Promise<Kept>;
}

/** A roll with what was ruled and what of it is not true. */
export interface Ruled {
  readonly ruling: RollRuling;
  readonly wrong: readonly string[];
  /** Why a ball of it is not decided; empty when all are. */
  readonly doubts: readonly string[];
}

/** Virtual time stands still while the disk works: memory is quicker, where a host finds the room that it asks for. */
export function quickFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 * LOW_SPACE_BYTES ? memory : tmpdir();
}

const LOOK_MS = 5;
/** A hand swings for a quarter of a second, then the ball is on its way. */
const SWING_MS = 300;
/** A second of boot loader, then lines enough to know a clock. */
const BOOT_MS = 2500;

export async function hostRig(ask: RigAsk = {}): Promise<Rig> {
  const {
    seed = 3,
    links,
    broker,
    http,
    options = demoOptions(FIXED_12.cells, seed),
    table: keys = {},
    wall,
    calm = () => true,
    ...more
  } = ask;
  const folder = mkdtempSync(join(quickFolder(), 'bakucore-rig-'));
  const sim = createSimTable({ layout: FIXED_12, seed, ...more });
  const virtual = createVirtualClock();
  const clock = wall === undefined ? virtual : { ...virtual, wall: () => new Date(wall()).toISOString() };
  const cables = {
    a: new Cable('/dev/mat-a', (bytes) => void sim.feed('sim-a', bytes)),
    b: new Cable('/dev/mat-b', (bytes) => void sim.feed('sim-b', bytes)),
  };
  const handed: Handed[] = [];
  const outputs: Output[] = [];
  const log = collectingLog();
  const parts = withParts(PARTS, {
    transports: [
      tapped(
        serialKind(async ({ path }) => {
          const cable = Object.values(cables).find((one) => one.path === path);
          if (cable === undefined) throw new Error(`no cable ${path}`);
          return cable.port();
        }),
        handed,
      ),
      tapped(mqtt, handed),
    ],
  });
  const ports = {
    'side-a': { transport: 'serial', path: cables.a.path, side: 'A' },
    'side-b': { transport: 'serial', path: cables.b.path, side: 'B' },
  };
  const parsed = parseConfig(
    JSON.stringify({
      http: { port: 0, ...http },
      dataDir: join(folder, 'data'),
      ...(broker === undefined ? {} : { broker }),
      tables: { t1: { ...keys, rulesetOptions: options, links: links?.(ports) ?? ports } },
    }),
    'rig',
    parts,
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ text }) => text).join('\n'));
  const host = await runHost({
    config: parsed.config,
    parts,
    clock,
    log,
    pagesDir: join(import.meta.dirname, '../../dist/pages'),
    simulated: {
      feed: { act: (_table, action) => void sim.act(action) },
      calibrationOf: () => sim.calibration(),
    },
    onTold: (_table, output) => outputs.push(output),
  });
  const table = host.tables.get('t1');
  if (table === undefined) throw new Error('no table t1');
  const scene = (): Scene => table.scene({ kind: 'operator' });
  const seats = seatsAt(
    {
      // Nobody plays before the sensors were looked at.
      look: () => {
        const decided = table.decided();
        const waits = !decided.start.begun && scene().start.blocks.length > 0;
        return waits ? undefined : standingOf(decided);
      },
      command: (id, command) => table.command(id, command),
      act: (action) => sim.act(action).ok,
      know: (activity) => sim.know(activity),
      thrown: () => sim.thrown(),
      standing: () => sim.standing(),
    },
    seed,
  );
  sim.listen('sim-a', { up() {}, down() {}, chunk: ({ bytes }) => cables.a.fromBoard(bytes) });
  sim.listen('sim-b', { up() {}, down() {}, chunk: ({ bytes }) => cables.b.fromBoard(bytes) });

  const rig: Rig = {
    host,
    sim,
    cables,
    outputs,
    handed,
    logged: log.lines,
    get nowMs() {
      return virtual.now();
    },
    get play() {
      return seats.play;
    },
    set play(on) {
      seats.play = on;
    },
    get rolls() {
      return seats.rolls;
    },
    set rolls(on) {
      seats.rolls = on;
    },
    scene,
    view: () => scene().view as unknown as BakuganView,
    link(name) {
      const found = scene().links.find(({ link }) => link === name);
      if (found === undefined) throw new Error(`no link ${name}`);
      return found;
    },
    counts: (name) => rig.link(name).counts,
    complaints: () => scene().links.flatMap((one) => one.complaints),
    faults: (code) =>
      outputs.flatMap((output) => (output.kind === 'fault' && output.code === code ? [output.text] : [])),
    async boot(ms = BOOT_MS) {
      seats.rolls = false;
      await rig.pass(ms);
      seats.rolls = true;
    },
    async pass(ms) {
      const end = virtual.now() + ms;
      while (virtual.now() < end) {
        const next = Math.min(end, virtual.now() + 1);
        sim.runTo(Math.round(next * 1000));
        virtual.runTo(next);
        if (Math.round(next) % LOOK_MS === 0) seats.look(next);
        await quiet(calm);
      }
    },
    async until(what, holds, withinMs = 20_000) {
      const end = virtual.now() + withinMs;
      while (!holds()) {
        if (virtual.now() > end) throw new Error(`not within ${withinMs} ms of the host's time: ${what}`);
        await rig.pass(1);
      }
    },
    async alongside(deed) {
      let done = false;
      const end = (): void => {
        done = true;
      };
      deed.then(end, end);
      for (let lastMs = performance.now(); !done; ) {
        await new Promise((next) => setTimeout(next, 5));
        const nowMs = performance.now();
        await rig.pass(Math.min(20, Math.round(nowMs - lastMs)));
        lastMs = nowMs;
      }
      return deed;
    },
    async midRoll() {
      const was = sim.truth().length;
      await rig.until('balls roll', () => sim.thrown().length === 2 && sim.truth().length > was, 60_000);
      await rig.pass(SWING_MS);
      return sim.truth().at(-1)?.roll ?? '';
    },
    async nextRoll() {
      const was = sim.truth().length;
      const before = outputs.length;
      let seen = before;
      let found: RollRuling | undefined;
      await rig.until(
        'a roll is ruled',
        () => {
          if (outputs.length === seen) return false;
          seen = outputs.length;
          const called = sim.truth();
          if (called.length === was) return false;
          found = finals(outputs.slice(before)).find(({ roll }) => roll === called.at(-1)?.roll);
          return found !== undefined;
        },
        60_000,
      );
      if (found === undefined) throw new Error('no ruling');
      const ruling = found;
      const truth = sim.truth().findLast(({ roll }) => roll === ruling.roll);
      return {
        ruling,
        wrong: truth === undefined ? ['this roll never was'] : wrongIn(ruling, truth),
        doubts: ruling.balls
          .filter(({ player, opened }) => player === 'undetermined' || opened === 'undetermined')
          .flatMap(({ player, reasons }) => reasons.map(({ code, text }) => `${player}: ${code}: ${text}`)),
      };
    },
    async close() {
      const closing = host.close();
      // What closes waits for some of the host's own time.
      let done = false;
      const ended = closing.finally(() => {
        done = true;
      });
      while (!done) {
        virtual.runTo(virtual.now() + 1);
        await new Promise((next) => setImmediate(next));
      }
      await ended;
      const kept = await keptIn(join(folder, 'data/t1'), handed);
      rmSync(folder, { recursive: true, force: true });
      return kept;
    },
  };
  return rig;
}

function finals(outputs: readonly Output[]): readonly RollRuling[] {
  return outputs.flatMap((output) =>
    output.kind === 'ruling' && output.ruling.stage === 'final' ? [output.ruling] : [],
  );
}

/** Streams have carried on what they hold and the disk has nothing under way: virtual time stands still meanwhile. */
async function quiet(calm: () => boolean): Promise<void> {
  do {
    await new Promise((next) => setImmediate(next));
  } while (process.getActiveResourcesInfo().includes('FSReqPromise') || !calm());
}
