/** What makes a roll void by how it was released (AM-09, AM-10), with the evidence in words. */
import type { Side } from '../ids.ts';
import { type Bounces, heightMm } from './audit.ts';
import { EARLY_MS, type Launch } from './launch.ts';
import type { SensingLimits } from './limits.ts';
import { REASONS } from './reasons.ts';
import type { Measure, Reason, RollOffence } from './ruling.ts';

/** What was measured of one player's release. */
export interface Released {
  readonly player: Side;
  /** Undefined where the gates cannot be relied on. */
  readonly launch: Launch | undefined;
  readonly bounces: Bounces;
}

const whole = (value: number): string => `${Math.round(value)}`;

function offence(player: Side, reason: Reason, evidence: string): RollOffence {
  return { ...reason, player, text: `Player ${player}: ${reason.text} ${evidence}` };
}

function early(one: Released, callMs: number): RollOffence | undefined {
  const { launch, player } = one;
  const release = launch?.release;
  if (launch?.thrown !== true || release === undefined || launch.kind === 'unseen') return undefined;
  if (release.toMs + release.errorMs >= callMs || release.toMs < callMs - EARLY_MS) return undefined;
  const at = `It left the hand between ${whole(callMs - release.fromMs)} and ${whole(callMs - release.toMs)} ms before the call (± ${Math.ceil(release.errorMs)} ms).`;
  return offence(player, REASONS.early, at);
}

function beyond({ launch, player }: Released): RollOffence | undefined {
  if (launch?.heldBeyond !== true || launch.far === undefined) return undefined;
  const lasted = whole(launch.far.toMs - launch.far.fromMs);
  return offence(
    player,
    REASONS.beyond,
    `The far gate was blocked for ${lasted} ms, since long before so quick a ball would have gone through it freely.`,
  );
}

/** Longest sure flight, ms; 0 when there is none. */
export function longestFlight({ sureMs }: Bounces): number {
  return Math.max(0, ...sureMs);
}

/** Without a launch what leaves a tile and comes back is a hand. */
const flew = ({ launch }: Released): boolean =>
  launch === undefined || launch.kind === 'free' || launch.kind === 'hand';

function bounced(one: Released, limits: SensingLimits): RollOffence | undefined {
  const { bounces, player } = one;
  const longest = longestFlight(bounces);
  if (longest < limits.flightVoidMs || !flew(one)) return undefined;
  return offence(
    player,
    REASONS.bounced,
    `It was in the air for ${whole(longest)} ms over a tile, ${heightMm(longest).toFixed(1)} mm high.`,
  );
}

/** Offences of a roll in the order of the players; `skew` is that of the first of two balls. */
export function offencesIn(
  released: readonly Released[],
  skew: Measure | undefined,
  callMs: number,
  limits: SensingLimits,
): readonly RollOffence[] {
  const out: RollOffence[] = [];
  const thrown = released.every(({ launch }) => launch?.thrown === true);
  if (thrown && skew?.measured === true && Math.abs(skew.value) - skew.plusMinus > limits.syncMs) {
    const apart = `${Math.abs(skew.value)} ± ${skew.plusMinus} ms`;
    out.push({ ...REASONS.notTogether, text: `${REASONS.notTogether.text} They lay ${apart} apart.` });
  }
  for (const one of released) {
    for (const found of [early(one, callMs), beyond(one), bounced(one, limits)]) {
      if (found !== undefined) out.push(found);
    }
  }
  return out;
}

/** What only marks the report: releases a little apart, perhaps before the call, short flights. */
export function marksOn(
  one: Released,
  skew: Measure,
  callMs: number,
  limits: SensingLimits,
): readonly Reason[] {
  const out: Reason[] = [];
  const apart = skew.measured ? Math.abs(skew.value) - skew.plusMinus : 0;
  if (apart > limits.syncMarkMs && apart <= limits.syncMs) out.push(REASONS.spread);
  const release = one.launch?.release;
  // Nobody throws at the very call: bounds that reach back before it are rare, and worth a look.
  const open = release !== undefined && release.fromMs < callMs && release.toMs + release.errorMs >= callMs;
  if (open && one.launch?.thrown === true && one.launch.kind !== 'unseen') out.push(REASONS.perhapsEarly);
  if (one.launch?.thrown === true && one.launch.perhapsBeyond) out.push(REASONS.perhapsBeyond);
  const longest = longestFlight(one.bounces);
  if (longest > 0 && longest < limits.flightVoidMs && flew(one)) out.push(REASONS.hopped);
  return out;
}
