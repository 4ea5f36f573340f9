import type { Scene } from '../../scene/scene.ts';
import type { SimAction } from '../../sim-action.ts';

/** What the simulated hand does next in a calibration, or nothing while it has done that; `did` is what it did last. */
export function handFor(
  seen: NonNullable<Scene['calibrating']>,
  did: string,
): { readonly did: string; readonly action: SimAction } | undefined {
  const now = `${seen.step} ${seen.at} ${seen.cell}`;
  if (now === did) return undefined;
  switch (seen.step) {
    case 'empty':
    case 'leave':
      return { did: now, action: { act: 'clear' } };
    case 'seat':
      if (seen.cell === null || seen.ball === null) return undefined;
      return { did: now, action: { act: 'seat', bakugan: seen.ball, cell: seen.cell } };
    case 'gates':
      return seen.side === null ? undefined : { did: now, action: { act: 'reach', player: seen.side } };
    case 'lit':
    case 'done':
      return undefined;
    default:
      return seen.step satisfies never;
  }
}
