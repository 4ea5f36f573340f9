/** LEDs of a scripted board: what the tiles should show and when the strip is written. */
import { ANIMATION, type LedFrame } from '../firmware-protocol/frame.ts';

/** LEDs a tile. */
export const LEDS_PER_TILE = 6;
/** Least time between two writes, ms; also one step of an animation. */
const STEP_MS = 112;
/** An identify blink lasts 27 steps: 3 s. */
const IDENTIFY_STEPS = 27;

export interface TileLights {
  set(frame: LedFrame): void;
  identify(mask: number): void;
  arm(armed: boolean): void;
  readonly armed: boolean;
  /** Something waits to be shown. */
  readonly dirty: boolean;
  /** Right after a scan: writes the strip if it is time. True when it did, which costs the next scan. */
  turn(ms: number): boolean;
  /** Lets waiting colours through at the next turn although a step is not over: arming waits for them. */
  hurry(): void;
  readonly rgb: Uint32Array;
  readonly writes: number;
}

export function createTileLights(tiles: number): TileLights {
  const rgb = new Uint32Array(tiles * LEDS_PER_TILE);
  const wanted = Array.from({ length: tiles }, () => ({ rgb: 0, level: 0, animation: 0 }));
  let writes = 0;
  let dirty = false;
  let armed = false;
  let urgent = false;
  let lastMs = -STEP_MS;
  let step = 0;
  let identifyMask = 0;
  let identifyLeft = 0;

  /** Some tile shows an animation. */
  let moving = false;

  const write = (): void => {
    wanted.forEach((tile, t) => {
      for (let led = 0; led < LEDS_PER_TILE; led += 1) {
        const blinking = identifyLeft > 0 && (identifyMask & (1 << t)) !== 0;
        rgb[t * LEDS_PER_TILE + led] = blinking
          ? identifyLeft % 4 < 2
            ? 0
            : 0xffffff
          : shaded(tile.rgb, (tile.level * animated(tile.animation, step, t, led)) / 255);
      }
    });
    writes += 1;
    step += 1;
    if (identifyLeft > 0) identifyLeft -= 1;
    dirty = identifyLeft === 0 && identifyMask !== 0;
    if (dirty) identifyMask = 0;
    urgent = false;
  };

  return {
    set(frame) {
      wanted.forEach((tile, t) => {
        if ((frame.tileMask & (1 << t)) === 0) return;
        tile.rgb = frame.rgb;
        tile.level = frame.level;
        tile.animation = frame.animation;
      });
      moving = wanted.some((t) => t.animation !== ANIMATION.steady && t.rgb !== 0 && t.level !== 0);
      dirty = true;
    },
    identify(mask) {
      identifyMask = mask;
      identifyLeft = IDENTIFY_STEPS;
      dirty = true;
    },
    arm(now) {
      armed = now;
    },
    get armed() {
      return armed;
    },
    get dirty() {
      return dirty;
    },
    hurry() {
      urgent = true;
    },
    turn(ms) {
      if (armed || (!dirty && !moving && identifyLeft === 0)) return false;
      if (ms - lastMs < STEP_MS && !(urgent && dirty)) return false;
      lastMs = ms;
      write();
      return true;
    },
    rgb,
    get writes() {
      return writes;
    },
  };
}

/** Brightness 0 to 255 of one LED of an animated tile. */
function animated(animation: number, step: number, tile: number, led: number): number {
  switch (animation) {
    case ANIMATION.breathe: {
      const phase = step & 15;
      return 31 + 28 * (phase < 8 ? phase : 15 - phase);
    }
    case ANIMATION.blink:
      return (step & 4) === 0 ? 255 : 0;
    case ANIMATION.chase:
      return step % LEDS_PER_TILE === led ? 255 : 31;
    case ANIMATION.sparkle:
      return (((step * 6 + tile) * 25173 + 13849) >> (led + 6)) & 1 ? 255 : 31;
    default:
      return 255;
  }
}

function shaded(rgb: number, level: number): number {
  const part = (shift: number): number =>
    Math.floor((((rgb >> shift) & 255) * (Math.floor(level) + 1)) / 256);
  return (part(16) << 16) | (part(8) << 8) | part(0);
}
