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

/** Which beams of a side were seen blocked and then free: the near one at the table's edge, and the far one. */
export function beamsSeen(c: Calibrator, side: Side): { readonly near: boolean; readonly far: boolean } {
  const at = side === 'A' ? 0 : 4;
  return { near: c.beams[at + 1] === 1, far: c.beams[at + 3] === 1 };
}

/** Whether both beams of a side were seen to work. */
export function beamsWork(c: Calibrator, side: Side): boolean {
  const { near, far } = beamsSeen(c, side);
  return near && far;
}

/** What to do about the beams of a side that were not seen to work, a sentence. */
export function beamsMissing(c: Calibrator, side: Side): string {
  const { near, far } = beamsSeen(c, side);
  const dead = [...(near ? [] : ['near']), ...(far ? [] : ['far'])];
  return `The ${dead.join(' and the ')} beam of side ${side} was not seen to change: clean it, see that its light meets its eye, or leave this out.`;
}
