import type { HeardLine } from '../../bin/bench/avr-rig.ts';
import type { DownlinkFrame, UplinkFrame } from '../../firmware-protocol/frame.ts';

/** Boot silence and the two quiet lines after which onsets count. */
export const READY_US = 1_100_000;

type Kind = UplinkFrame['kind'];
/** The frames of one kind among what was heard. */
export function framesOf<K extends Kind>(
  lines: readonly HeardLine[],
  kind: K,
): Extract<UplinkFrame, { kind: K }>[] {
  return lines.flatMap(({ frame }) =>
    frame?.kind === kind ? [frame as Extract<UplinkFrame, { kind: K }>] : [],
  );
}
/** A line that lights tiles steadily in one colour. */
export const led = (tag: number, tileMask: number, rgb: number): DownlinkFrame => ({
  ...{ kind: 'led', tag, tileMask, rgb, level: 255, animation: 0 },
});
