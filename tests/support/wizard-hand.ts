import type { CalibratingSeen } from '../../host/sensing/calibrate-seen.ts';
import type { SimAction } from '../../host/sim-action.ts';

/** What a hand does next in a calibration, or nothing while it has done that; `said` is what it did last. */
export function handFor(
  seen: CalibratingSeen,
  said: string,
): { readonly said: string; readonly action: SimAction } | undefined {
  const now = `${seen.step} ${seen.at} ${seen.cell}`;
  if (now === said) return undefined;
  switch (seen.step) {
    case 'empty':
    case 'leave':
      return { said: now, action: { act: 'clear' } };
    case 'seat':
      if (seen.cell === null || seen.ball === null) return undefined;
      return { said: now, action: { act: 'seat', bakugan: seen.ball, cell: seen.cell } };
    case 'gates':
      return seen.side === null ? undefined : { said: now, action: { act: 'reach', player: seen.side } };
    case 'lit':
    case 'done':
      return undefined;
    default:
      return seen.step satisfies never;
  }
}
