/** The mat's yes-or-no lines: tile contacts, gate beams and pass studs, each as moments of change. */
import type { BakuganId, Side } from '../host/ids.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { Track } from './ball.ts';
import { dirtyGaps, type TilePlace, touchesOf, wiredTouches } from './contacts.ts';
import { beamBlocked, gateY } from './gates.ts';
import type { TileSpread } from './noise.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import { countUpTo, type Line, lineOf, type Span, union, without } from './spans.ts';
import type { BoardWorld } from './world.ts';

/** `dead` never closes, `dirty` drops out at random, `stuck` is always closed. */
export type TileFault = 'dead' | 'dirty' | 'stuck';

export interface Wires {
  roll(track: Track): void;
  forget(bakugan: BakuganId): void;
  hand(tile: number, span: Span): void;
  handInGate(side: Side, gate: 'near' | 'far', span: Span): void;
  press(side: Side, span: Span): void;
  spoil(tile: number, fault: TileFault, span: Span): void;
  /** Ends the faults of a tile at this moment. */
  heal(tile: number, atUs: number): void;
  /** True touches of a ball on each tile, no bounce, no faults. */
  touches(bakugan: BakuganId): readonly (readonly Span[])[];
  /** When the ball itself breaks a beam. */
  beam(bakugan: BakuganId, side: Side, gate: 'near' | 'far'): readonly Span[];
  /** Hands in a beam so far. */
  handSpans(side: Side, gate: 'near' | 'far'): readonly Span[];
  world(tiles: readonly number[], sides: readonly Side[]): Omit<BoardWorld, 'fieldMt'>;
}

type GateName = 'nearA' | 'farA' | 'nearB' | 'farB';
const GATES: readonly { readonly name: GateName; readonly side: Side; readonly gate: 'near' | 'far' }[] = [
  { name: 'nearA', side: 'A', gate: 'near' },
  { name: 'farA', side: 'A', gate: 'far' },
  { name: 'nearB', side: 'B', gate: 'near' },
  { name: 'farB', side: 'B', gate: 'far' },
];

/** What one ball closes and blocks. */
interface Marks {
  readonly touches: readonly (readonly Span[])[];
  readonly wired: readonly (readonly Span[])[];
  readonly beams: Readonly<Record<GateName, readonly Span[]>>;
}

/** Older marks than this before a new ball's start are dropped, so that a long match does not grow. */
const KEEP_US = 20_000_000;

export function createWires(
  layout: Layout,
  tiles: readonly (TilePlace & { readonly spread: TileSpread })[],
  seed: number,
  stretch = 0,
): Wires {
  const marks = new Map<BakuganId, Marks>();
  const past: { contacts: Span[][]; gates: Record<GateName, Span[]> } = {
    contacts: tiles.map(() => []),
    gates: { nearA: [], farA: [], nearB: [], farB: [] },
  };
  const hands: Span[][] = tiles.map(() => []);
  const faults: { readonly fault: TileFault; readonly span: Span }[][] = tiles.map(() => []);
  const gateHands: Record<GateName, Span[]> = { nearA: [], farA: [], nearB: [], farB: [] };
  const studs: Record<Side, Span[]> = { A: [], B: [] };
  let version = 0;

  const contactLine = (tile: number): Line => {
    const touched = union([
      ...(past.contacts[tile] ?? []),
      ...(hands[tile] ?? []),
      ...[...marks.values()].flatMap((m) => m.wired[tile] ?? []),
    ]);
    const gaps: Span[] = [];
    const stuck: Span[] = [];
    for (const { fault, span } of faults[tile] ?? []) {
      if (fault === 'dead') gaps.push(span);
      else if (fault === 'stuck') stuck.push(span);
      else {
        const end = span.toUs === Infinity ? span.fromUs + 60_000_000 : span.toUs;
        gaps.push(...dirtyGaps(createChance(hash32(seed, 100 + tile, span.fromUs)), span.fromUs, end));
      }
    }
    return lineOf(union([...without(touched, gaps), ...stuck]));
  };
  const gateLine = (name: GateName): Line =>
    lineOf(
      union([...past.gates[name], ...gateHands[name], ...[...marks.values()].flatMap((m) => m.beams[name])]),
    );

  let made = -1;
  let contactLines: readonly Line[] = [];
  let gateLines: Readonly<Record<GateName, Line>> | undefined;
  let studLines: Readonly<Record<Side, Line>> | undefined;
  const lines = () => {
    if (made !== version || gateLines === undefined || studLines === undefined) {
      made = version;
      contactLines = tiles.map((_, tile) => contactLine(tile));
      gateLines = {
        nearA: gateLine('nearA'),
        farA: gateLine('farA'),
        nearB: gateLine('nearB'),
        farB: gateLine('farB'),
      };
      studLines = { A: lineOf(union(studs.A)), B: lineOf(union(studs.B)) };
    }
    return { contacts: contactLines, gates: gateLines, studs: studLines };
  };

  const prune = (beforeUs: number): void => {
    const keep = (spans: Span[]): Span[] => spans.filter((s) => s.toUs >= beforeUs);
    past.contacts = past.contacts.map(keep);
    for (const { name } of GATES) {
      past.gates[name] = keep(past.gates[name]);
      gateHands[name] = keep(gateHands[name]);
    }
    hands.forEach((spans, i) => {
      hands[i] = keep(spans);
    });
    faults.forEach((list, i) => {
      faults[i] = list.filter((f) => f.span.toUs >= beforeUs);
    });
    studs.A = keep(studs.A);
    studs.B = keep(studs.B);
  };

  /** Moves a ball's marks up to a moment to the past: what the wires showed stays shown. */
  const retire = (bakugan: BakuganId, untilUs: number): void => {
    const old = marks.get(bakugan);
    if (old === undefined) return;
    const cut = (spans: readonly Span[]): Span[] =>
      spans.flatMap((s) =>
        s.fromUs >= untilUs ? [] : [{ fromUs: s.fromUs, toUs: Math.min(s.toUs, untilUs) }],
      );
    old.wired.forEach((spans, tile) => {
      past.contacts[tile]?.push(...cut(spans));
    });
    for (const { name } of GATES) past.gates[name].push(...cut(old.beams[name]));
    marks.delete(bakugan);
  };

  return {
    roll(track) {
      const startUs = track.stretches[0]?.fromUs ?? 0;
      const changed = track.stretches.at(-1)?.fromUs ?? startUs;
      const touches = touchesOf(track, tiles);
      const ballSeed = hash32(seed, 500, startUs);
      const wired = touches.map((spans, tile) => {
        const chanceAt = (atUs: number): Chance => createChance(hash32(ballSeed, tile, atUs), stretch);
        return wiredTouches(track, spans, tiles[tile]?.spread.slowContact ?? false, chanceAt);
      });
      const beams = { nearA: [], farA: [], nearB: [], farB: [] } as Record<GateName, readonly Span[]>;
      for (const { name, side, gate } of GATES) beams[name] = beamBlocked(track, gateY(layout, side, gate));
      retire(track.body.bakugan, startUs);
      marks.set(track.body.bakugan, { touches, wired, beams });
      prune(Math.min(startUs, changed) - KEEP_US);
      version += 1;
    },
    forget(bakugan) {
      marks.delete(bakugan);
      version += 1;
    },
    hand(tile, span) {
      hands[tile]?.push(span);
      version += 1;
    },
    handInGate(side, gate, span) {
      gateHands[`${gate}${side}`].push(span);
      version += 1;
    },
    press(side, span) {
      studs[side].push(span);
      version += 1;
    },
    spoil(tile, fault, span) {
      faults[tile]?.push({ fault, span });
      version += 1;
    },
    heal(tile, atUs) {
      faults[tile] = (faults[tile] ?? []).flatMap(({ fault, span }) =>
        span.fromUs >= atUs
          ? []
          : [{ fault, span: { fromUs: span.fromUs, toUs: Math.min(span.toUs, atUs) } }],
      );
      version += 1;
    },
    touches: (bakugan) => marks.get(bakugan)?.touches ?? tiles.map(() => []),
    beam: (bakugan, side, gate) => marks.get(bakugan)?.beams[`${gate}${side}`] ?? [],
    handSpans: (side, gate) => gateHands[`${gate}${side}`],
    world(own, sides) {
      let mergedVersion = -1;
      let merged = new Float64Array(0);
      /** The answer given last holds from one edge to the next. */
      let sinceUs = Infinity;
      let untilUs = -Infinity;
      const gateNames: readonly GateName[] = sides.flatMap((s): GateName[] => [`near${s}`, `far${s}`]);
      return {
        contact: (tile, atUs) => lines().contacts[own[tile] ?? -1]?.at(atUs) ?? false,
        gate(gate, atUs) {
          const name = gateNames[gate];
          return name !== undefined && lines().gates[name].at(atUs);
        },
        stud(stud, atUs) {
          const side = sides[stud];
          return side !== undefined && lines().studs[side].at(atUs);
        },
        nextEdgeUs(afterUs) {
          if (mergedVersion !== version) {
            const now = lines();
            const all: number[] = [];
            for (const tile of own) all.push(...(now.contacts[tile]?.changes ?? []));
            for (const name of gateNames) all.push(...now.gates[name].changes);
            for (const side of sides) all.push(...now.studs[side].changes);
            merged = Float64Array.from(all).sort();
            mergedVersion = version;
          } else if (afterUs >= sinceUs && afterUs < untilUs) return untilUs;
          const passed = countUpTo(merged, afterUs);
          sinceUs = merged[passed - 1] ?? -Infinity;
          untilUs = merged[passed] ?? Infinity;
          return untilUs;
        },
      };
    },
  };
}
