/** A simulated table: mat, balls and boards in one virtual time, with wires that may fail. */
import type { BoardSide } from '../firmware-protocol/frame.ts';
import type { LinkId, Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { SimAction } from '../host/sim-action.ts';
import type { Body } from './ball.ts';
import { drawBodies } from './bodies.ts';
import { calibrationOf } from './calibration.ts';
import { createMat, type Mat } from './mat.ts';
import type { Disturbance } from './noise.ts';
import { type ActResult, createPlayers, type StandingBall } from './players.ts';
import { hash32 } from './random.ts';
import { createScriptedBoard } from './scripted-board.ts';
import type { RollTruth } from './truth.ts';
import {
  type Chunk,
  createWireFaults,
  LOSSY_WIRE,
  NOISY_WIRE,
  SOUND_WIRE,
  type WireFaults,
  type WirePlan,
} from './wire-faults.ts';
import type { BoardWorld, SimBoard } from './world.ts';

/** What a board is made from; the same for emulated and scripted ones. */
export interface BoardAsk {
  readonly world: BoardWorld;
  readonly side: BoardSide;
  readonly tiles: number;
  readonly halls: number;
  readonly device: string;
  /** EEPROM boot counter of the first boot. */
  readonly bootId: number;
  /** How fast the board's clock runs against the table's: 0.005 is half a per cent fast; 0 by default. */
  readonly clockError?: number;
}

export type BoardFactory = (ask: BoardAsk) => SimBoard;

export interface SimTableAsk {
  readonly layout: Layout;
  readonly seed: number;
  /** `scripted`, or a factory for boards that run the firmware. */
  readonly boards?: 'scripted' | BoardFactory;
  /** One board for all tiles (Mega build) instead of one a side. */
  readonly oneBoard?: boolean;
  readonly bodies?: readonly Body[];
  readonly room?: Disturbance;
  readonly wire?: WirePlan;
  /** Device ids by side; by default A0000001 and B0000001. */
  readonly devices?: Readonly<Partial<Record<Side, string>>>;
  /** Sides the boards tell; by default their own. For boards that are unset or wrongly set. */
  readonly tells?: Readonly<Partial<Record<Side, BoardSide>>>;
  /** Boots that the boards counted before, 0 to 65535; by default drawn from the seed. */
  readonly boots?: number;
}

/** Hears what one link brings. */
export interface LinkEar {
  chunk(chunk: Chunk): void;
  up(): void;
  down(reason: string): void;
}

export interface SimTable {
  readonly layout: Layout;
  readonly mat: Mat;
  readonly bodies: readonly Body[];
  /** `sim-a` and `sim-b`, or `sim` with one board. */
  readonly links: readonly LinkId[];
  nowUs(): number;
  /** Runs everything to this moment of virtual time, a millisecond at a time. */
  runTo(atUs: number): void;
  board(link: LinkId): SimBoard;
  isUp(link: LinkId): boolean;
  /** Attaches the one listener of a link; the returned function detaches it. */
  listen(link: LinkId, ear: LinkEar): () => void;
  /** Bytes to a board; false while its wire is out. */
  feed(link: LinkId, bytes: Uint8Array): boolean;
  /** What play says is going on: which balls roll, which cells hold cores. */
  know(activity: Activity): void;
  act(action: SimAction): ActResult;
  /** Rolls so far, oldest first; the last one may still be going on. */
  truth(): readonly RollTruth[];
  standing(): readonly StandingBall[];
  /** Players who have thrown in the roll going on. */
  thrown(): readonly Side[];
  /** Whether automatic play is asked for. */
  readonly auto: boolean;
  calibration(): Calibration;
}

/** A board with its wire. */
interface Wired {
  readonly link: LinkId;
  readonly side: Side;
  readonly board: SimBoard;
  readonly faults: WireFaults;
  plugged: boolean;
  ear: LinkEar | undefined;
  writes: number;
}

const STEP_US = 1000;

export function createSimTable(ask: SimTableAsk): SimTable {
  const { layout, seed } = ask;
  const mat = createMat(layout, seed);
  if (ask.room !== undefined) mat.disturb(ask.room);
  const bodies = ask.bodies ?? drawBodies({ seed });
  const players = createPlayers(mat, bodies, seed);
  const make: BoardFactory =
    ask.boards === undefined || ask.boards === 'scripted' ? createScriptedBoard : ask.boards;
  const wired = (ask.oneBoard ? (['both'] as const) : SIDES).map((which): Wired => {
    const side: Side = which === 'both' ? 'A' : which;
    const tiles = layout.cells.filter((cell) => which === 'both' || cell.side === which).length;
    return {
      link: which === 'both' ? 'sim' : `sim-${which.toLowerCase()}`,
      side,
      board: make({
        world: mat.world(which),
        side: ask.tells?.[side] ?? which,
        tiles,
        halls: mat.halls,
        device: ask.devices?.[side] ?? `${side}0000001`,
        bootId: 1 + ((ask.boots ?? (hash32(seed, 61, side === 'A' ? 1 : 2) >>> 0) % 200) & 0xffff),
      }),
      faults: createWireFaults(hash32(seed, 62, side === 'A' ? 1 : 2), ask.wire ?? SOUND_WIRE),
      plugged: true,
      ear: undefined,
      writes: -1,
    };
  });
  let nowUs = 0;
  let auto = false;
  let kept: Calibration | undefined;

  const find = (link: LinkId): Wired => {
    const one = wired.find((w) => w.link === link);
    if (one === undefined)
      throw new RangeError(`no link ${link}: use ${wired.map((w) => w.link).join(' or ')}`);
    return one;
  };
  const ofSide = (side: Side): Wired => wired.find((w) => w.side === side) ?? find('sim');

  /** LEDs draw current through the sensors' ground: their load is part of the world. */
  const shine = (one: Wired): void => {
    const { rgb, writes } = one.board.leds();
    if (writes === one.writes) return;
    one.writes = writes;
    let sum = 0;
    for (const colour of rgb) sum += (colour >> 16) + ((colour >> 8) & 255) + (colour & 255);
    const load = rgb.length === 0 ? 0 : sum / (rgb.length * 765);
    for (const side of ask.oneBoard ? SIDES : [one.side]) mat.light(side, load);
  };

  const turn = (one: Wired, atUs: number): void => {
    one.board.runTo(atUs);
    shine(one);
    const arrived = [...one.faults.pass(one.board.takeBytes()), ...one.faults.due(atUs)];
    if (!one.plugged) return;
    for (const chunk of arrived) one.ear?.chunk(chunk);
  };

  const plug = (one: Wired, on: boolean): void => {
    if (one.plugged === on) return;
    one.plugged = on;
    if (!on) {
      one.ear?.down('The simulated cable is out.');
      return;
    }
    // Opening a port resets an Uno: a plugged-in board starts from its boot loader.
    one.board.reset();
    one.faults.beginSpell();
    one.ear?.up();
  };

  const fault = (action: Extract<SimAction, { readonly act: 'fault' }>): ActResult => {
    const one = ofSide(action.player);
    const cell = mat.tiles.find((t) => t.side === action.player && t.tile === (action.tile ?? 0))?.cell;
    if (cell === undefined) return { ok: false, why: `side ${action.player} has no tile ${action.tile}` };
    switch (action.fault) {
      case 'unplug':
        plug(one, !action.on);
        return { ok: true };
      case 'noise':
        one.faults.plan(action.on ? NOISY_WIRE : SOUND_WIRE);
        return { ok: true };
      case 'lost-lines':
        one.faults.plan(action.on ? LOSSY_WIRE : SOUND_WIRE);
        return { ok: true };
      case 'dead-contact':
      case 'stuck-contact': {
        const kind = action.fault === 'dead-contact' ? 'dead' : 'stuck';
        // From the next look on: boards have looked at this moment already.
        if (action.on) mat.spoil(cell, kind, { fromUs: nowUs + STEP_US, toUs: Infinity });
        else mat.heal(cell, nowUs + STEP_US);
        return { ok: true };
      }
      case 'dead-hall':
        mat.kill(cell, 0, action.on ? -60 : undefined);
        return { ok: true };
      case 'reset':
        if (action.on) {
          one.board.reset();
          one.faults.beginSpell();
        }
        return { ok: true };
      default:
        return action.fault satisfies never;
    }
  };

  return {
    layout,
    mat,
    bodies,
    links: wired.map((w) => w.link),
    nowUs: () => nowUs,
    runTo(atUs) {
      while (nowUs < atUs) {
        nowUs = Math.min(atUs, nowUs + STEP_US - (nowUs % STEP_US));
        players.turn(nowUs);
        for (const one of wired) turn(one, nowUs);
      }
    },
    board: (link) => find(link).board,
    isUp: (link) => find(link).plugged,
    listen(link, ear) {
      const one = find(link);
      one.ear = ear;
      if (one.plugged) ear.up();
      return () => {
        if (one.ear === ear) one.ear = undefined;
      };
    },
    feed(link, bytes) {
      const one = find(link);
      if (one.plugged) one.board.feed(bytes);
      return one.plugged;
    },
    know: (activity) => players.know(activity, nowUs),
    act(action) {
      switch (action.act) {
        case 'throw':
          return players.toss(action, nowUs);
        case 'lift':
          return players.lift(action.player, action.cell, nowUs);
        case 'clear':
          players.clear(nowUs);
          return { ok: true };
        case 'seat':
          return players.seat(action.bakugan, action.cell, nowUs);
        case 'reach':
          players.reach(action.player, nowUs);
          return { ok: true };
        case 'stud':
          mat.press(action.player, { fromUs: nowUs + 1000, toUs: nowUs + 121_000 });
          return { ok: true };
        case 'auto':
          auto = action.on;
          return { ok: true };
        case 'fault':
          return fault(action);
        default:
          return action satisfies never;
      }
    },
    truth: players.truth,
    thrown: players.thrown,
    standing: () => players.standing(nowUs),
    get auto() {
      return auto;
    },
    calibration() {
      kept ??= calibrationOf(mat, bodies);
      return kept;
    },
  };
}
