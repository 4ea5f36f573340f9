import { describe, expect, it } from 'vitest';
import type { Sighting } from '../bin/bench/detection-sightings.ts';
import { doubtWords, erredAt, erredWords, type HeardParts, type Step } from '../bin/bench/detection-step.ts';
import { signalCalibration } from '../bin/bench/signals.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import type { BallTruth, RollTruth } from '../sim/truth.ts';
import { ballTruth, claim, rollTruth } from './support/scored-rolls.ts';

const OPENS = ballTruth('A', {
  latchMs: 2010,
  restMs: 2060,
  path: [{ cell: 'q0r1', core: 'A1', fromMs: 2000 }],
});
const PASSES = ballTruth('B', {
  restMs: 2900,
  path: [{ cell: 'q1r-1', core: 'B1', fromMs: 2100, toMs: 2150 }],
});

const sighting = (more: Partial<Sighting>): Sighting => ({
  cell: 'q0r1',
  core: 'A1',
  ball: true,
  player: 'A',
  sure: 0.97,
  contactMs: 2000,
  atMs: 2000,
  anchorMs: 2012,
  score: 0.99,
  leftMs: Infinity,
  ...more,
});

function heard(
  balls: readonly BallTruth[],
  sightings: readonly Sighting[],
  more: Partial<RollTruth> = {},
  codes: readonly string[] = [],
): HeardParts {
  const reasons = codes.map((code) => ({ code, rules: [], text: `Because of ${code}.` }));
  const final = { balls: [{ player: 'A', reasons }] } as unknown as RollRuling;
  return { truth: rollTruth(balls, more), final, sightings, calibration: signalCalibration() };
}

const stepOf = (of: HeardParts, ball: BallTruth, said: Parameters<typeof claim>[1]): Step =>
  erredAt(of, ball, claim(ball.player, said)).step;

describe('the step of the detector that gave a wrong answer', () => {
  it('of an opening that was missed: nothing began a stay there', () => {
    expect(stepOf(heard([OPENS, PASSES], []), OPENS, {})).toBe('contact');
    const contactFaults = [{ cell: 'q0r1', fault: 'dead' }];
    const erred = erredAt(heard([OPENS, PASSES], [], { contactFaults }), OPENS, claim('A', {}));
    expect(erredWords(erred)).toBe(
      'step contact: the contact of q0r1 is dead and its field alone began no stay at 2.01 s.',
    );
  });

  it('it was seen and not taken for a ball, or its moment was not found', () => {
    expect(stepOf(heard([OPENS, PASSES], [sighting({ ball: false })]), OPENS, {})).toBe('onset');
    expect(stepOf(heard([OPENS, PASSES], [sighting({ anchorMs: 2400 })]), OPENS, {})).toBe('onset');
  });

  it('its score was too low, or it was given to the other ball by track or by polarity', () => {
    expect(stepOf(heard([OPENS, PASSES], [sighting({ score: 0.3 })]), OPENS, {})).toBe('score');
    const others = [sighting({ player: 'B' })];
    expect(stepOf(heard([OPENS, PASSES], others), OPENS, {})).toBe('tracking');
    const turned = heard([OPENS, PASSES], others, {}, ['owner/polarity-turned']);
    expect(stepOf(turned, OPENS, {})).toBe('polarity');
    const swapped: BallTruth = { ...OPENS, polarity: -1 };
    const byPolarity = (ball: BallTruth) => heard([ball, PASSES], others, {}, ['owner/polarity']);
    expect(stepOf(byPolarity(swapped), swapped, {})).toBe('polarity');
    expect(stepOf(byPolarity(OPENS), OPENS, {})).toBe('tracking');
  });

  it('of an open that was invented: a pass that scored, the other ball, or something that is no ball', () => {
    const onB = { cell: 'q1r-1', core: 'B1', player: 'B', anchorMs: 2110, atMs: 2100 } as const;
    const said = { opened: 'yes' } as const;
    expect(stepOf(heard([OPENS, PASSES], [sighting(onB)]), PASSES, said)).toBe('score');
    expect(stepOf(heard([OPENS, PASSES], [sighting({ player: 'B' })]), PASSES, said)).toBe('tracking');
    const foreign = sighting({ ...onB, cell: 'q0r0', core: 'A2' });
    expect(stepOf(heard([OPENS, PASSES], [foreign]), PASSES, said)).toBe('gate');
  });

  it('of a core: it was held to have left, or to stand there still', () => {
    const said = { opened: 'yes', attached: [] } as const;
    expect(stepOf(heard([OPENS, PASSES], [sighting({ leftMs: 2500 })]), OPENS, said)).toBe('stay');
    const left = ballTruth('A', {
      latchMs: 2010,
      offMs: 2600,
      restMs: 2900,
      attached: [],
      path: [{ cell: 'q0r1', core: 'A1', fromMs: 2000, toMs: 2600 }],
    });
    const stays = { opened: 'yes', attached: ['A1'] } as const;
    expect(erredAt(heard([left, PASSES], [sighting({})]), left, claim('A', stays))).toEqual({
      step: 'stay',
      text: 'it had left q0r1 at 2.60 s, and was held to stand there still.',
    });
  });

  it('of a ball in doubt there is none: the reasons of its ruling say why it is asked about', () => {
    const doubtful = heard([OPENS, PASSES], [], {}, ['owner/polarity', 'doubt/open-unclear']);
    expect(doubtWords(doubtful, OPENS)).toBe('asked since: Because of doubt/open-unclear.');
  });
});
