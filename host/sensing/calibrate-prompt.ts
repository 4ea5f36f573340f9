import type { CellId } from '../ids.ts';
import type { CalibrateStep } from './calibrate-steps.ts';
import { type Calibrator, nameOf, stepOf } from './calibrator.ts';

/** What to show now: the sentence, the light, how far along, and what is in the way. */
export interface CalibratePrompt {
  readonly step: CalibrateStep;
  readonly cell?: CellId;
  /** Cells to light: one to touch next, all for the light pattern, none while the mat must be dark. */
  readonly lit: readonly CellId[];
  readonly text: string;
  readonly problem: string;
  /** Share of all steps that is done, 0 to 1. */
  readonly progress: number;
}

/** What the person is to do now. */
export function promptOf(c: Calibrator): CalibratePrompt {
  const step = stepOf(c);
  const { cells } = c.ask.layout;
  const common = { step, problem: c.problem, progress: c.at / (c.steps.length - 1) };
  if (c.leaving) return { ...common, lit: [], text: 'Lift the ball straight up, off the mat.' };
  switch (step.kind) {
    case 'empty':
      return { ...common, lit: [], text: 'Leave the mat empty and touch nothing for five seconds.' };
    case 'lit':
      return {
        ...common,
        lit: cells.map((one) => one.cell),
        text: 'All lights are measured: touch nothing.',
      };
    case 'seat': {
      const cell = nameOf(c, step.cell);
      return {
        ...common,
        cell,
        lit: [cell],
        text: `Open ${step.ball} and stand it on the lit core, ${cell}.`,
      };
    }
    case 'gates':
      return {
        ...common,
        lit: [],
        text: `Push a closed ball, or your hand, from player ${step.side}'s edge through both light beams of side ${step.side}, near and far, then take it away.`,
      };
    case 'done':
      return { ...common, lit: [], text: 'Done.' };
    default:
      return step satisfies never;
  }
}
