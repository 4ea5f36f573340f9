/**
 * A whole host, as `bakucore start` runs it, in virtual time: real serial transport over ports that a test holds in its
 * hand, real journal on disk, real pages on a free port, boards and balls simulated. Whatever a test puts on a wire goes
 * through everything.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../../host/advance/input.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { BakuganView } from '../../host/game/bakugan/view.ts';
import { type Host, runHost } from '../../host/host.ts';
import type { LinkId } from '../../host/ids.ts';
import { collectingLog, type LogLine } from '../../host/log.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { LinkSeen } from '../../host/sensing/seen.ts';
import { createVirtualClock } from '../../sim/clock.ts';
import { createSimTable, type SimTable, type SimTableAsk } from '../../sim/table.ts';
import { Cable } from './cable.ts';
import { type Handed, type Kept, keptIn } from './kept.ts';
import { quickFolder, rigConfig } from './rig-config.ts';
import { type Rolls, rollsOf } from './rig-rolls.ts';
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

export interface Rig extends Rolls {
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
  close(): Promise<Kept>;
}

const LOOK_MS = 5;
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
  const { config, parts } = rigConfig({ folder, cables, handed, links, broker, http, options, table: keys });
  const host = await runHost({
    config,
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
    ...rollsOf({ sim, outputs, pass: (ms) => rig.pass(ms), until: (...asked) => rig.until(...asked) }),
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

/** Streams have carried on what they hold and the disk has nothing under way: virtual time stands still meanwhile. */
async function quiet(calm: () => boolean): Promise<void> {
  do {
    await new Promise((next) => setImmediate(next));
  } while (process.getActiveResourcesInfo().includes('FSReqPromise') || !calm());
}
