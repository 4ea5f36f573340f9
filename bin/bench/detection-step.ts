/** Which step of the detector gave a wrong answer, from what it had seen and what really happened. */
import type { CoreId } from '../../host/ids.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { BallTruth } from '../../sim/truth.ts';
import type { Claim } from './detection-claims.ts';
import type { HeardRoll } from './detection-lines.ts';
import { bestOf, type Sighting } from './detection-sightings.ts';
import { OPEN_WITHIN_MS } from './detection-times.ts';

/** In the order in which a ball passes them. */
export const STEPS = ['contact', 'onset', 'score', 'gate', 'tracking', 'polarity', 'stay'] as const;
export type Step = (typeof STEPS)[number];

export interface Erred {
  readonly step: Step;
  /** One sentence for people. */
  readonly text: string;
}

/** A stay is a ball's when it began so long before or after the ball's own, ms. */
const SAME_STAY_MS = 200;

const at = (ms: number | undefined): string => `${((ms ?? 0) / 1000).toFixed(2)} s`;

/** What is needed of a roll that was heard. */
export type HeardParts = Pick<HeardRoll, 'truth' | 'final' | 'sightings' | 'calibration'>;

/** Whether a ball was really on a cell at a moment. */
function wasOn(ball: BallTruth, cell: string, ms: number): boolean {
  return ball.path.some(
    (v) => v.cell === cell && v.fromMs - SAME_STAY_MS <= ms && (v.toMs ?? Infinity) + SAME_STAY_MS >= ms,
  );
}

/** The owner went by the sign of a magnet, or was kept from it. */
function ownerStep(heard: HeardParts, ball: BallTruth, one: Sighting): Erred {
  const codes = heard.final?.balls.flatMap(({ reasons }) => reasons.map(({ code }) => code)) ?? [];
  const whose = `what ${ball.player}'s ball did on ${one.cell} at ${at(one.anchorMs)} was given to ${one.player ?? 'nobody'}`;
  if (codes.includes('owner/polarity-turned')) {
    return { step: 'polarity', text: `${whose}, a magnet having been taken for turned over.` };
  }
  const known = heard.calibration.balls[ball.bakugan]?.polarity;
  if (codes.includes('owner/polarity') && known !== undefined && known !== ball.polarity) {
    return { step: 'polarity', text: `${whose}, its magnet reading the other way round than calibrated.` };
  }
  return {
    step: 'tracking',
    text: `${whose} by gates and track (chance ${one.sure.toFixed(2)}).`,
  };
}

/** Nothing that was seen on the cell is this landing. */
function unseenStep({ truth, sightings }: HeardParts, ball: BallTruth, cell: string, ms: number): Erred {
  const there = sightings.filter((one) => one.cell === cell && one.atMs <= ms && one.leftMs >= ms);
  const fault = truth.contactFaults.find((f) => f.cell === cell);
  const second = truth.balls.some((b) => b !== ball && wasOn(b, cell, ms));
  if (there.some((one) => one.ball) && second) {
    return {
      step: 'onset',
      text: `the step of ${ball.player}'s ball on ${cell} at ${at(ms)} was not told from the other ball that stood there.`,
    };
  }
  if (there.length > 0 && there.every((one) => !one.ball)) {
    return {
      step: 'onset',
      text: `what came to ${cell} at ${at(ms)} was seen and not taken for a ball${fault === undefined ? '' : `, its contact being ${fault.fault}`}.`,
    };
  }
  if (there.length > 0) {
    const [first] = there;
    return {
      step: 'onset',
      text: `the landing on ${cell} at ${at(ms)} was placed at ${at(first?.anchorMs)}.`,
    };
  }
  return fault === undefined
    ? { step: 'contact', text: `neither contact nor field began a stay on ${cell} at ${at(ms)}.` }
    : {
        step: 'contact',
        text: `the contact of ${cell} is ${fault.fault} and its field alone began no stay at ${at(ms)}.`,
      };
}

/** A landing that was there, and how it went through the detector. */
function landingStep(heard: HeardParts, ball: BallTruth, cell: string, ms: number): Erred {
  const near = heard.sightings
    .filter((one) => one.cell === cell && one.ball && Math.abs(one.anchorMs - ms) <= OPEN_WITHIN_MS)
    .sort((a, b) => Math.abs(a.anchorMs - ms) - Math.abs(b.anchorMs - ms));
  const [one] = near.filter(({ player }) => player === ball.player).concat(near);
  if (one === undefined) return unseenStep(heard, ball, cell, ms);
  if (one.score < DEFAULT_LIMITS.openYes) {
    return {
      step: 'score',
      text: `its landing on ${cell} at ${at(ms)} was seen and got an open score of ${one.score.toFixed(2)} only.`,
    };
  }
  if (one.player !== ball.player) return ownerStep(heard, ball, one);
  if (one.leftMs < Infinity) {
    return {
      step: 'stay',
      text: `its opening on ${cell} was seen, and it was held to have left at ${at(one.leftMs)}.`,
    };
  }
  return {
    step: 'gate',
    text: `its opening on ${cell} at ${at(ms)} was seen as its own, and put aside for what its gates or another opening told.`,
  };
}

/** An open that was not, or a core that is not held. */
function inventedStep(heard: HeardParts, ball: BallTruth, one: Sighting): Erred {
  const { truth } = heard;
  const own = wasOn(ball, one.cell, one.anchorMs);
  const other = truth.balls.find((b) => b !== ball && wasOn(b, one.cell, one.anchorMs));
  const latched =
    other?.latchCell === one.cell && Math.abs((other.latchMs ?? 0) - one.anchorMs) <= OPEN_WITHIN_MS;
  if (other !== undefined && (latched || !own)) return ownerStep(heard, other, one);
  if (!own) {
    return {
      step: 'gate',
      text: `what came to ${one.cell} at ${at(one.anchorMs)} was no ball, and was let pass as ${ball.player}'s launched one.`,
    };
  }
  return {
    step: 'score',
    text: `it was on ${one.cell} at ${at(one.anchorMs)} and did not open there; that got an open score of ${one.score.toFixed(2)}.`,
  };
}

function attachedStep(heard: HeardParts, ball: BallTruth, claim: Claim): Erred {
  const cellOf = (core: CoreId): string => heard.truth.cores.find((c) => c.core === core)?.cell ?? '';
  const lost = ball.attached.find((core) => !claim.attached.includes(core));
  if (lost !== undefined) {
    const cell = cellOf(lost);
    const stay = ball.path.find((v) => v.core === lost && v.toMs === undefined);
    const seen = heard.sightings.filter((one) => one.cell === cell && one.ball);
    const own = seen.findLast(({ player }) => player === ball.player);
    const ms = ball.latchCell === cell ? ball.latchMs : undefined;
    if (own === undefined) {
      const [one] = seen;
      if (one !== undefined && !heard.truth.balls.some((b) => b !== ball && wasOn(b, cell, one.atMs))) {
        return ownerStep(heard, ball, one);
      }
      return unseenStep(heard, ball, cell, ms ?? stay?.fromMs ?? ball.restMs);
    }
    if (own.leftMs < Infinity) {
      return {
        step: 'stay',
        text: `it stands on ${cell}, and was held to have left it at ${at(own.leftMs)}.`,
      };
    }
    if (own.score < DEFAULT_LIMITS.openYes) {
      return {
        step: 'score',
        text: `what it shows on ${cell} got an open score of ${own.score.toFixed(2)} only.`,
      };
    }
    return { step: 'stay', text: `it was seen on ${cell} to the end, and not held to rest on it.` };
  }
  const [extra] = claim.attached.filter((core) => !ball.attached.includes(core));
  const cell = extra === undefined ? '' : cellOf(extra);
  const said = heard.sightings.findLast((one) => one.cell === cell && one.player === ball.player);
  if (said !== undefined && ball.path.some((v) => v.cell === cell)) {
    const left = ball.path.findLast((v) => v.cell === cell)?.toMs ?? ball.offMs;
    return { step: 'stay', text: `it had left ${cell} at ${at(left)}, and was held to stand there still.` };
  }
  return said === undefined
    ? {
        step: 'onset',
        text: `nothing of it was on ${cell}, and that core was added from the field next to it.`,
      }
    : inventedStep(heard, ball, said);
}

/** Where the wrong answer on a ball came from. */
export function erredAt(heard: HeardParts, ball: BallTruth, claim: Claim): Erred {
  if (ball.opened && claim.opened !== 'yes') {
    return landingStep(heard, ball, ball.latchCell ?? '', ball.latchMs ?? ball.restMs);
  }
  if (!ball.opened && claim.opened === 'yes') {
    const best = bestOf(heard.sightings, ball.player);
    if (best !== undefined) return inventedStep(heard, ball, best);
    return {
      step: 'tracking',
      text: `no sighting is left that was ${ball.player}'s, yet an open was said of it.`,
    };
  }
  return attachedStep(heard, ball, claim);
}

/** As words for the list of misses. */
export function erredWords({ step, text }: Erred): string {
  return `step ${step}: ${text}`;
}

/** Why a ball is asked about: the doubts that its ruling names. */
export function doubtWords({ final }: HeardParts, ball: BallTruth): string {
  if (final === undefined) return 'asked since no final ruling came';
  const own = final.balls.find((b) => b.player === ball.player);
  const said = (own === undefined ? final.balls : [own])
    .flatMap(({ reasons }) => reasons)
    .filter(({ code }) => code.startsWith('doubt/'));
  if (said.length === 0) return 'asked since one of its answers has a possible core or no verdict';
  return `asked since: ${[...new Set(said.map(({ text }) => text))].join(' ')}`;
}
