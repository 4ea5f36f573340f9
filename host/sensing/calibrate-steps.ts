import type { BakuganId, Side } from '../ids.ts';
import type { Calibration } from './calibration.ts';
import type { Layout } from './layout.ts';

/** What a calibration is made of: the mat, and the balls that will play. */
export interface CalibrateAsk {
  readonly layout: Layout;
  /** Seated on every tile; its strength and polarity are 1. */
  readonly reference: BakuganId;
  /** Other balls, each seated on three tiles. */
  readonly balls: readonly BakuganId[];
  /** Sides whose launch gates are tried, none by default. */
  readonly gates?: readonly Side[];
  /** The calibration in force: a level far from it is a magnet on the mat, and is not learnt. */
  readonly before?: Calibration | undefined;
}

/** One thing that a person does. Cells by number in the layout. */
export type CalibrateStep =
  | { readonly kind: 'empty' }
  | { readonly kind: 'lit' }
  | { readonly kind: 'seat'; readonly cell: number; readonly ball: BakuganId }
  | { readonly kind: 'gates'; readonly side: Side }
  | { readonly kind: 'done' };
