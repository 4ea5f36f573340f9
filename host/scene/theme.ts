import type { Cue } from '../game/ruleset.ts';

/** One light, as asked for by a cue: colour, brightness, animation, and which wins where two ask. */
export type Glow = {
  /** 0xRRGGBB. */
  readonly rgb: number;
  /** 0 to 255. */
  readonly level: number;
  /** Name of a board animation; `steady` costs nothing on the wire or on the board. */
  readonly animation: 'steady' | 'breathe' | 'blink' | 'chase' | 'sparkle';
  /** Higher covers lower. */
  readonly priority: number;
};

/** Colours of a table: one glow for each cue, by the player it belongs to where that matters. */
export type Theme = {
  readonly name: string;
  readonly player: { readonly A: number; readonly B: number };
  glowOf(cue: Cue): Glow | undefined;
};

const PLAYER = { A: 0xff6a00, B: 0x0077ff } as const;

/** Dim owner colours at rest, one bright thing at a time, green for where a core may go. */
export const STANDARD_THEME: Theme = {
  name: 'standard',
  player: PLAYER,
  glowOf(cue) {
    switch (cue.cue) {
      case 'core':
        return { rgb: PLAYER[cue.owner], level: 28, animation: 'steady', priority: 10 };
      case 'vacant':
        return { rgb: 0x000000, level: 0, animation: 'steady', priority: 10 };
      case 'may-place':
        return { rgb: 0x00ff40, level: 90, animation: 'breathe', priority: 40 };
      case 'attached':
        return { rgb: PLAYER[cue.player], level: 160, animation: 'steady', priority: 50 };
      case 'opened':
        return { rgb: PLAYER[cue.player], level: 90, animation: 'blink', priority: 45 };
      case 'victor':
        return { rgb: 0xffc400, level: 220, animation: 'sparkle', priority: 60 };
      case 'rolling':
      case 'acts':
      case 'judge-needed':
      case 'game-over':
        // These light a whole field or a side; see `lightsAt`.
        return undefined;
      default:
        return cue satisfies never;
    }
  },
};
