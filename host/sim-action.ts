import type { BakuganId, CellId, Side } from './ids.ts';

/** What a person or automatic play may do to a simulated table: to the world, never to the host. */
export type SimAction =
  /** Rolls the selected Bakugan of a player. */
  | {
      readonly act: 'throw';
      readonly player: Side;
      /** Cell aimed at; the ball passes or stops there. */
      readonly aim: CellId;
      /** 0.12 to 2 m/s at release. */
      readonly speedMPerS: number;
      /** Whether the latch lets go on a core: as asked, or as the physics of this throw has it. */
      readonly open: 'yes' | 'no' | 'physics';
      /** Whether it stays on the core once open. */
      readonly stays: 'yes' | 'no' | 'physics';
      /** Stands on the own player's half of the core, so that the other ball finds room beside it (5.7.2.2). */
      readonly beside?: boolean;
    }
  /** A hand takes the player's open ball off the field (retract). */
  | { readonly act: 'lift'; readonly player: Side; readonly cell: CellId }
  /** A hand takes everything off the field. */
  | { readonly act: 'clear' }
  /** A hand takes everything off the field and stands this ball, open, on a cell. */
  | { readonly act: 'seat'; readonly bakugan: BakuganId; readonly cell: CellId }
  /** A hand pushes a ball through both light beams of a player's launch gates and takes it away. */
  | { readonly act: 'reach'; readonly player: Side }
  | { readonly act: 'stud'; readonly player: Side }
  /** Automatic play of both sides on or off. */
  | { readonly act: 'auto'; readonly on: boolean }
  | {
      readonly act: 'fault';
      readonly fault:
        | 'unplug'
        | 'noise'
        | 'lost-lines'
        | 'dead-contact'
        | 'stuck-contact'
        | 'dead-hall'
        | 'reset';
      readonly player: Side;
      readonly on: boolean;
      /** Tile index for tile faults. */
      readonly tile?: number;
    };
