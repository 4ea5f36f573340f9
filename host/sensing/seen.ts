import type { AtMs, CellId, LinkId, Side } from '../ids.ts';

/** What a tile reads now, for pictures; no decision rests on it. */
export type CellLevel = {
  readonly cell: CellId;
  /** Field change from rest of each hall, mT, two decimals. */
  readonly fieldMt: readonly number[];
  readonly contact: boolean;
};

/** A way in and the board heard on it, as a person wants to know it. */
export type LinkSeen = {
  readonly link: LinkId;
  readonly up: boolean;
  readonly device?: string;
  readonly side?: Side | 'both' | 'unset';
  readonly heardAtMs?: AtMs;
  /** Plain sentences with the remedy, worst first; empty when all is well. */
  readonly complaints: readonly string[];
  /** Lines come on the grid of a USB chip's latency timer. */
  readonly heldBack?: true;
  /** Counters by name, zeros left out. */
  readonly counts: { readonly [name: string]: number };
};

/** Something that a link noticed and that touches what may be concluded from its lines. */
export type LinkNotice = {
  /** Stable and namespaced: `link/gap`, `link/reset`, `link/lost`, `link/back`, `link/silent`, `link/clock`, … */
  readonly code: string;
  readonly link: LinkId;
  readonly device?: string;
  readonly side?: Side | 'both' | 'unset';
  /** Host time in which samples are missing or uncertain. */
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Lines missing in it, where that is known: each hides at most one block of samples. */
  readonly lines?: number;
  readonly text: string;
};
