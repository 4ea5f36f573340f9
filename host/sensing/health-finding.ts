import type { CellId, LinkId } from '../ids.ts';

/** Something that is wrong before play, with what to do about it. */
export type HealthFinding = {
  /** Stable and namespaced: `health/hall-dead`, … */
  readonly code: string;
  /** True: no match should start before it is mended. False: play goes on with more doubt. */
  readonly blocks: boolean;
  readonly cell?: CellId;
  /** Which hall sensor of that cell's tile: `axis`, `collector`, `offset`. */
  readonly hall?: string;
  readonly link?: LinkId;
  readonly text: string;
  readonly remedy: string;
};
