import type { CellId, LinkId, Side } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { SimAction } from '../host/sim-action.ts';

/** What a simulated table is made of, for the thread that runs it. */
export type LiveAsk = {
  readonly layout: Layout;
  readonly seed: number;
  /** Image for an ATmega328P on each side, or undefined for boards without a chip. */
  readonly hex: string | undefined;
  /** Boots that the boards counted before, 0 to 65535. Without it emulated boards have new chips. */
  readonly boots?: number;
};

/** To the thread that runs the world. */
export type ToWorld =
  | { readonly kind: 'feed'; readonly link: LinkId; readonly bytes: Uint8Array }
  | { readonly kind: 'know'; readonly activity: Activity }
  | { readonly kind: 'act'; readonly action: SimAction }
  | { readonly kind: 'stop' };

/** From the thread that runs the world, with the world's time at that moment, ms. */
export type Told = { readonly worldMs: number; readonly message: FromWorld };

export type FromWorld =
  /** Time passed: told every few milliseconds, whatever else happens. */
  | { readonly kind: 'time' }
  | { readonly kind: 'ready'; readonly links: readonly LinkId[]; readonly calibration: Calibration }
  | { readonly kind: 'chunk'; readonly link: LinkId; readonly bytes: Uint8Array }
  | { readonly kind: 'link'; readonly link: LinkId; readonly up: boolean; readonly reason: string }
  | { readonly kind: 'refused'; readonly action: SimAction; readonly why: string }
  /** Told when it changes. */
  | {
      readonly kind: 'seen';
      readonly auto: boolean;
      readonly thrown: readonly Side[];
      readonly standing: readonly { readonly player: Side; readonly cell: CellId }[];
    }
  /** A board wrote its strip: colours of its LEDs in chain order, 0xRRGGBB each. */
  | { readonly kind: 'leds'; readonly link: LinkId; readonly rgb: Uint32Array }
  /** Virtual time had to be given up, ms: this machine is too slow for real time. */
  | { readonly kind: 'late'; readonly ms: number };
