import type { AtMs, Side } from '../ids.ts';
import { LANDING_HEARD_MS, LANDING_MS } from './arrivals.ts';
import { closedAt } from './contact.ts';
import { type Doubt, doubtsIn, hiddenIn } from './doubts.ts';
import { type Evidence, own, type Seen, stands } from './evidence.ts';
import { farSpeed, launchMs } from './gates.ts';
import { bestOpen } from './open-once.ts';
import { REASONS } from './reasons.ts';
import { movedMs } from './rest.ts';
import type { BallRuling, Reason } from './ruling.ts';
import { heardMs, type Sensing } from './state.ts';

/** A ball is on its way this long before its first sign. */
const BEFORE_MS = 50;
/** A second core is touched within this of the opening. */
const SECOND_CORE_MS: readonly [number, number] = [-30, 150];
/** A ball that left a tile reaches the next one within this, or none at all: 50 mm at the slowest roll. */
const ON_ITS_WAY_MS = 400;
/** From the far gate over all tiles, mm, and what of its speed there a ball has left on the way. */
const FIELD_MM = 400;
const SPEED_LEFT = 0.6;
const QUICKEST_MS = 500;
/** A ball that has stood still for this long stands. */
const STOOD_MS = 150;
/** Leaving shows from this long before it to this long after. */
const LEAVING_MS: readonly [number, number] = [-20, 150];

const SIDES: readonly Side[] = ['A', 'B'];

/** Doubts of each side, and the silence that still goes on. */
export type Doubts = Readonly<Record<Side, readonly Doubt[]>>;

/** The usual case. */
const NOTHING_MISSING: Doubts = { A: [], B: [] };
const NOT_DOUBTED: Doubted = { opened: false, attached: false, reasons: [] };

/** All that was missing or uncertain on each side in this roll up to `at`. */
export function missingIn(sensing: Sensing, at: AtMs): Doubts {
  const { live, doubts } = sensing;
  const whole = doubts.filter((d) => d.code === REASONS.interrupted.code && d.toMs > live.fromMs);
  if (whole.length > 0) return { A: whole, B: whole };
  if (doubts.length === 0 && !isSilent(sensing, 'A', at) && !isSilent(sensing, 'B', at))
    return NOTHING_MISSING;
  const fromMs = live.firstSignMs >= 0 ? live.firstSignMs - BEFORE_MS : live.fromMs;
  const of = (side: Side): readonly Doubt[] => {
    const found = doubtsIn(doubts, side, fromMs, at);
    const heard = heardMs(sensing, side);
    if (!isSilent(sensing, side, at)) return found;
    const since = heard >= 0 ? heard : live.fromMs;
    const { code, text } = REASONS.boardMissing;
    return [...found, { side, fromMs: since, toMs: at, hidesMs: at - since, code, text }];
  };
  return { A: of('A'), B: of('B') };
}

/** Whether nothing of this side was heard for too long. */
function isSilent(sensing: Sensing, side: Side, at: AtMs): boolean {
  return !(at - heardMs(sensing, side) <= sensing.limits.staleMs);
}

/** What of the decisions on one ball the missing samples could have changed, and why. */
export interface Doubted {
  readonly opened: boolean;
  readonly attached: boolean;
  readonly reasons: readonly Reason[];
}

/**
 * Holds what is missing against the moments that this ball's ruling rests on. A gap outside of them changes nothing:
 * an open is seen at its landing, a stay at its end, and a ball that did not open can have done so unseen only where
 * samples lack for as long as the shortest open, between its launch and its rest.
 */
export function doubtedBy(
  sensing: Sensing,
  evidence: Evidence,
  ball: number,
  said: BallRuling,
  missing: Doubts,
): Doubted {
  const { limits, tiles, live, gates } = sensing;
  if (missing.A.length === 0 && missing.B.length === 0) return NOT_DOUBTED;
  if (missing.A.some(({ code }) => code === REASONS.interrupted.code)) {
    const { code, rules, text } = REASONS.interrupted;
    return { opened: true, attached: true, reasons: [{ code, rules, text }] };
  }
  const { seen, toMs } = evidence;
  const least = limits.missingMs;
  const found = new Map<string, Reason>();
  const note = (doubts: readonly Doubt[]): void => {
    for (const { code, text } of doubts) if (!found.has(code)) found.set(code, { code, rules: [], text });
  };
  /**
   * Whether [fromMs, toMs] lacks enough on this side, all its gaps together, to matter. Not `timed`: a clock that is off
   * does not matter there.
   */
  const lacks = (side: Side, fromMs: AtMs, until: AtMs, timed = true): boolean => {
    let sum = 0;
    const touching = missing[side].filter(
      (d) => hiddenIn(d, fromMs, until) > 0 && (timed || d.code !== 'doubt/clock'),
    );
    for (const doubt of touching) sum += hiddenIn(doubt, fromMs, until);
    if (sum < least) return false;
    note(touching);
    return true;
  };
  const sideOf = (s: Seen): Side => tiles.cells[s.visit.cell]?.side ?? 'A';
  const landing = (s: Seen): boolean =>
    lacks(sideOf(s), s.arrival.anchorMs + LANDING_HEARD_MS[0], s.arrival.anchorMs + LANDING_HEARD_MS[1]);
  const mine = own(evidence, ball);
  const open = seen[bestOpen(evidence, mine)];
  let opened = false;
  let attached = false;
  if (said.opened === 'yes' && open !== undefined) {
    opened = landing(open);
    const at = open.arrival.anchorMs;
    // Another core touched now may have been touched together with the opening.
    for (const cell of tiles.near[open.visit.cell] ?? []) {
      const core = live.cores[cell];
      if (core === undefined || said.attached.sure.includes(core)) continue;
      if (!closedAt(sensing.contacts, cell, toMs)) continue;
      const side = tiles.cells[cell]?.side ?? 'A';
      if (lacks(side, at + SECOND_CORE_MS[0], at + SECOND_CORE_MS[1])) attached = true;
    }
    if (stands(open)) {
      if (lacks(sideOf(open), toMs - limits.staleMs, toMs, false)) attached = true;
    } else {
      const left = Math.min(open.visit.endMs, open.arrival.leftMs);
      if (lacks(sideOf(open), left + LEAVING_MS[0], left + LEAVING_MS[1])) attached = true;
    }
  } else {
    const player = live.balls[ball]?.player ?? 'A';
    const launched = launchMs(gates[player]);
    const passed = gates[player].far.blockedMs;
    const speed = farSpeed(gates[player]);
    const acrossMs = speed > 0 ? FIELD_MM / (speed * SPEED_LEFT) : limits.rollTimeoutMs;
    let from = passed >= 0 ? passed : launched >= 0 ? launched : live.firstSignMs;
    let to = passed >= 0 ? passed + Math.min(limits.rollTimeoutMs, Math.max(QUICKEST_MS, acrossMs)) : toMs;
    for (const [k, i] of mine.entries()) {
      const s = seen[i];
      if (s === undefined) continue;
      if (landing(s)) opened = true;
      from = Math.min(from, s.arrival.atMs);
      const there = stands(s)
        ? movedMs(s.visit, sensing.contacts, toMs) + STOOD_MS
        : s.visit.endMs + ON_ITS_WAY_MS;
      to = k === 0 ? there : Math.max(to, there);
    }
    if (said.opened === 'no' && open !== undefined && open.arrival.score >= limits.openYes) {
      // It opened over bare steel: only a core it opened on before would say otherwise.
      to = open.arrival.anchorMs + LANDING_MS;
    }
    for (const side of SIDES) {
      const elsewhere = (d: Doubt): boolean =>
        mine.some((i) => {
          const s = seen[i];
          if (s === undefined || sideOf(s) === side) return false;
          return s.arrival.atMs <= d.fromMs && s.visit.endMs >= d.toMs;
        });
      const hiding = missing[side].filter(
        (d) => hiddenIn(d, from - BEFORE_MS, Math.min(to, toMs)) >= least && !elsewhere(d),
      );
      if (hiding.length === 0) continue;
      note(hiding);
      opened = true;
    }
  }
  return { opened, attached: opened || attached, reasons: [...found.values()] };
}

/** A ruling with what the missing samples could have changed put in doubt. What was seen stays said. */
export function withDoubt(ball: BallRuling, doubted: Doubted): BallRuling {
  if (!doubted.opened && !doubted.attached) return ball;
  const { confidence, attached } = ball;
  const half = (x: number): number => Math.round(x * 500) / 1000;
  return {
    ...ball,
    opened: doubted.opened ? 'undetermined' : ball.opened,
    attached: { sure: [], possible: attached.sure.concat(attached.possible) },
    confidence: {
      player: doubted.opened ? half(confidence.player) : confidence.player,
      opened: doubted.opened ? half(confidence.opened) : confidence.opened,
      contact: half(confidence.contact),
      attached: half(confidence.attached),
    },
    reasons: [...doubted.reasons, ...ball.reasons],
  };
}
