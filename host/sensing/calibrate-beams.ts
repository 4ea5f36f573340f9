import type { Side } from '../ids.ts';
import { type Calibrator, stepOf } from './calibrator.ts';
import type { INPUTS_OF } from './hear-inputs.ts';

/** A beam works when it was seen blocked and then free, while its side's beams are tried. */
export function hearBeams(
  c: Calibrator,
  side: Side,
  inputs: number,
  its: (typeof INPUTS_OF)[number] | undefined,
): void {
  const step = stepOf(c);
  if (step.kind !== 'gates' || step.side !== side || its === undefined || c.leaving) return;
  for (const [i, input] of [its.near, its.far].entries()) {
    const at = (side === 'A' ? 0 : 4) + 2 * i;
    if (((inputs >> input) & 1) === 1) c.beams[at] = 1;
    else if (c.beams[at] === 1) c.beams[at + 1] = 1;
  }
}

/** Whether both beams of a side were seen to work. */
export function beamsWork(c: Calibrator, side: Side): boolean {
  const at = side === 'A' ? 0 : 4;
  return c.beams[at + 1] === 1 && c.beams[at + 3] === 1;
}

/** What to do about the beams of a side that were not seen to work, a sentence. */
export function beamsMissing(c: Calibrator, side: Side): string {
  const at = side === 'A' ? 0 : 4;
  const dead = [...(c.beams[at + 1] === 1 ? [] : ['near']), ...(c.beams[at + 3] === 1 ? [] : ['far'])];
  return `The ${dead.join(' and the ')} beam of side ${side} was not seen to change: clean it, see that its light meets its eye, or leave this out.`;
}
