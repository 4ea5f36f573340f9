/** What tests of the whole chain look at: rulings against what really happened, LEDs against the scene. */
import { INPUT } from '../../firmware-protocol/frame.ts';
import { decodeLine } from '../../firmware-protocol/line.ts';
import { advance, nextWake } from '../../host/advance/advance.ts';
import type { Output } from '../../host/advance/input.ts';
import { saveTable } from '../../host/advance/save.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import type { TableState } from '../../host/advance/state.ts';
import { SIDES, type Side } from '../../host/ids.ts';
import { type CellLight, withinBudget } from '../../host/scene/lights.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import { LEDS_PER_TILE } from '../../sim/tile-lights.ts';
import type { BallTruth, RollTruth } from '../../sim/truth.ts';
import type { VirtualTable } from './virtual-table.ts';

export function rulingsIn(outputs: readonly Output[]): readonly RollRuling[] {
  return outputs.flatMap((output) => (output.kind === 'ruling' ? [output.ruling] : []));
}

/** Last final ruling of every roll, in the order of the rolls. */
export function finalsIn(outputs: readonly Output[]): readonly RollRuling[] {
  const finals = new Map<string, RollRuling>();
  for (const ruling of rulingsIn(outputs)) {
    if (ruling.stage === 'final') finals.set(ruling.roll, ruling);
  }
  return [...finals.values()];
}

export function eventsIn(outputs: readonly Output[], type: string) {
  return outputs.flatMap((output) =>
    output.kind === 'event' && output.event.type === type ? [output.event] : [],
  );
}

/** Every field of a ruling that says something else than what happened; doubt is never wrong. */
export function wrongIn(ruling: RollRuling, truth: RollTruth): readonly string[] {
  const wrong: string[] = [];
  for (const { code } of ruling.illegal) {
    // AM-10: releases more than a second apart make a roll void.
    const apart = Math.abs(truth.skewMs ?? 0);
    if (code === 'illegal/not-together' && apart < 1000)
      wrong.push(`${truth.roll}: released ${apart} ms apart`);
  }
  for (const ball of ruling.balls) {
    if (ball.player === 'undetermined') continue;
    const real = truth.balls.find((one) => one.player === ball.player);
    if (real === undefined) {
      wrong.push(`${truth.roll}: ${ball.player} did not roll`);
      continue;
    }
    wrong.push(...wrongOf(ball, real).map((text) => `${truth.roll} ${ball.player}: ${text}`));
  }
  return wrong;
}

function wrongOf(ball: RollRuling['balls'][number], real: BallTruth): readonly string[] {
  const wrong: string[] = [];
  const opened = real.opened ? 'yes' : 'no';
  if (ball.opened !== 'undetermined' && ball.opened !== opened) {
    wrong.push(`ruled ${ball.opened}, was ${opened} (${real.ending})`);
  }
  if (ball.opened === 'yes' && ball.attached.possible.length === 0) {
    const [said, was] = [[...ball.attached.sure].sort().join(), [...real.attached].sort().join()];
    if (said !== was) wrong.push(`holds ${said || 'nothing'}, really ${was || 'nothing'} (${real.ending})`);
  }
  for (const core of ball.contact.sure) {
    if (!real.contact.includes(core)) wrong.push(`touched ${core}, really ${real.contact.join()}`);
  }
  return wrong;
}

/** Brightness 0 to 255 that an animation may give a LED; README of the protocol, L lines. */
const DIMMED: Readonly<Record<CellLight['animation'], readonly number[]>> = {
  steady: [255],
  breathe: Array.from({ length: 16 }, (_, phase) => 31 + 28 * (phase < 8 ? phase : 15 - phase)),
  blink: [255, 0],
  chase: [255, 31],
  sparkle: [255, 31],
};

const part = (value: number, level: number): number => (value * (level + 1)) >> 8;

function shaded(rgb: number, level: number): number {
  const [r, g, b] = [16, 8, 0].map((shift) => part((rgb >> shift) & 255, level)) as [number, number, number];
  return (r << 16) | (g << 8) | b;
}

/** What a LED with this light may latch: exactly one colour while it is steady, a few while it is animated. */
export function coloursOf(light: CellLight): ReadonlySet<number> {
  const { rgb, level, animation } = light;
  return new Set(
    DIMMED[animation].flatMap((dim) => [
      // Dimmed in one step or in two, whichever rounding a board has.
      shaded(rgb, Math.floor((level * dim) / 255)),
      shaded(shaded(rgb, level), dim),
    ]),
  );
}

/** LEDs that show something else than the scene; empty when the strips of both sides are right. */
export function wrongLeds(table: VirtualTable): readonly string[] {
  const { sim, state, setting } = table;
  const wrong: string[] = [];
  for (const side of SIDES) {
    const own = setting.layout.cells
      .map((cell, i) => ({ cell, light: state.lights[i] }))
      .filter(({ cell }) => cell.side === side)
      .sort((a, b) => a.cell.tile - b.cell.tile);
    const lights = withinBudget(
      own.flatMap(({ light }) => (light === undefined ? [] : [light])),
      setting.ledBudgetMa,
    );
    const { rgb } = sim.board(`sim-${side.toLowerCase()}`).leds();
    for (const [tile, light] of lights.entries()) {
      const allowed = coloursOf(light);
      for (let led = 0; led < LEDS_PER_TILE; led++) {
        const shown = rgb[tile * LEDS_PER_TILE + led] ?? -1;
        if (allowed.has(shown)) continue;
        const should = [...allowed].map((one) => one.toString(16)).join(' or ');
        wrong.push(`${light.cell} LED ${led} shows ${shown.toString(16)}, not ${should}`);
      }
    }
  }
  return wrong;
}

/** Nothing is on its way to any board and nothing waits. */
export function lightsRest({ boards }: TableState): boolean {
  for (const board of boards.values()) {
    if (board.inFlight !== null || board.armAcked !== board.armWanted) return false;
    if (!board.armWanted && board.wanted.some((word, tile) => word !== board.acked[tile])) return false;
  }
  return boards.size > 0;
}

/** Looks at the strips whenever they have had time to show what their boards know. */
export interface StripWatch {
  /** Called after every turn. */
  look(table: VirtualTable): void;
  /** The first LEDs that showed something else than the scene. */
  readonly wrong: readonly string[];
  readonly looks: number;
}

/** A board shows what it has answered at its next strip write, within 112 ms. */
const SHOWN_MS = 150;

/** Runs until the strips have had time to show what their boards know, at most 20 s. */
export function untilShown(table: VirtualTable): boolean {
  let sinceMs = table.nowMs;
  return table.runUntil(() => {
    if (!lightsRest(table.state) || table.state.activity.kind === 'roll') sinceMs = table.nowMs;
    return table.nowMs - sinceMs >= SHOWN_MS;
  }, 20_000);
}

export function watchStrips(): StripWatch {
  const wrong: string[] = [];
  let looks = 0;
  let restMs = 0;
  return {
    wrong,
    get looks() {
      return looks;
    },
    look(table) {
      // What an armed board was not told yet is for afterwards.
      const rests = lightsRest(table.state) && table.state.activity.kind !== 'roll';
      if (!rests) restMs = table.nowMs;
      if (table.nowMs - restMs < SHOWN_MS || table.nowMs % 50 !== 0) return;
      looks += 1;
      if (wrong.length < 5) wrong.push(...wrongLeds(table).map((text) => `${table.nowMs} ms: ${text}`));
    },
  };
}

/** When each side's board said that it is armed, from its own quiet lines. */
export interface ArmedWatch {
  /** Called after every turn. */
  look(table: VirtualTable): void;
  /** Spans of host time in which the board of a side was armed. */
  readonly spans: Readonly<Record<Side, readonly { readonly fromMs: number; readonly toMs: number }[]>>;
  /** Strip writes that were made by a board while it was armed. */
  readonly writesWhileArmed: number;
}

/** A quiet line on its way: at most two full lines before it at 20 µs a byte. */
const QUIET_LINE_MS = 12;

export function watchArmed(): ArmedWatch {
  const spans: Record<Side, { fromMs: number; toMs: number }[]> = { A: [], B: [] };
  const armed: Record<Side, boolean> = { A: false, B: false };
  const writes: Record<Side, number> = { A: 0, B: 0 };
  const writtenMs: Record<Side, number[]> = { A: [], B: [] };
  let seen = 0;
  return {
    spans,
    get writesWhileArmed() {
      return SIDES.reduce((sum, side) => {
        // The last quiet line that says so was made this much before it was heard.
        const within = (ms: number): boolean =>
          spans[side].some(({ fromMs, toMs }) => ms > fromMs && ms < toMs - QUIET_LINE_MS);
        return sum + writtenMs[side].filter(within).length;
      }, 0);
    },
    look(table) {
      const { inputs, sim } = table;
      for (const side of SIDES) {
        const now = sim.board(`sim-${side.toLowerCase()}`).leds().writes;
        if (now > writes[side]) writtenMs[side].push(table.nowMs);
        writes[side] = now;
      }
      for (; seen < inputs.length; seen++) {
        const input = inputs[seen];
        if (input?.kind !== 'line' || !('line' in input.raw) || !input.raw.line.startsWith('Q')) continue;
        const decoded = decodeLine(input.raw.line);
        if (!decoded.ok || decoded.frame.kind !== 'quiet') continue;
        const side: Side = input.link.endsWith('a') ? 'A' : 'B';
        const is = ((decoded.frame.inputs >> INPUT.armed) & 1) === 1;
        const span = spans[side].at(-1);
        if (is && armed[side] && span !== undefined) span.toMs = input.atMs;
        else if (is) spans[side].push({ fromMs: input.atMs, toMs: input.atMs });
        armed[side] = is;
      }
    },
  };
}

/**
 * Five minutes in which nothing is heard any more: the table may wake itself a few times for links that fall silent
 * and for lights that nobody acknowledges, then never again, and it decides nothing.
 */
export function fiveMinutesOn(state: TableState, setting: TableSetting): readonly Output[] {
  const endMs = state.atMs + 300_000;
  const said: Output[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let wakes = 0; ; wakes++) {
    const due = nextWake(state, setting);
    if (due > endMs) return said;
    if (wakes > 5000) throw new Error(`still wakes every moment at ${due}`);
    if (due <= last) throw new Error(`wakes at ${due} after ${last}`);
    last = due;
    said.push(...advance(state, { kind: 'tick', atMs: Math.max(due, state.atMs) }, setting));
  }
}

/** Where two tables differ, as paths into their saved forms with both values, at most five; empty when they do not. */
export function differences(a: TableState, b: TableState): readonly string[] {
  const found: string[] = [];
  const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
  const walk = (path: string, one: unknown, other: unknown): void => {
    if (found.length >= 5 || Object.is(one, other)) return;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
      found.push(`${path}: ${short(one)} and ${short(other)}`);
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      walk(`${path}.${key}`, (one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]);
    }
  };
  walk('', JSON.parse(saveTable(a)), JSON.parse(saveTable(b)));
  return found;
}
