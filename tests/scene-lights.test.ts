import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANIMATION } from '../firmware-protocol/frame.ts';
import { decodeDownLine, encodeDown } from '../firmware-protocol/line.ts';
import type { Cue } from '../host/game/ruleset.ts';
import { freshBoardLights, nextFrame, takeAnswer, wantLights } from '../host/scene/board-lights.ts';
import { type CellLight, lightsAt, withinBudget } from '../host/scene/lights.ts';
import { STANDARD_THEME } from '../host/scene/theme.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createTileLights, LEDS_PER_TILE } from '../sim/tile-lights.ts';

const CELLS = FIXED_12.cells.map(({ cell }) => cell);
const side = fc.constantFrom('A', 'B');
const cell = fc.constantFrom(...CELLS);

const cue: fc.Arbitrary<Cue> = fc.oneof(
  fc.record({ cue: fc.constant('core'), cell, owner: side }),
  fc.record({ cue: fc.constant('vacant'), cell }),
  fc.record({ cue: fc.constantFrom('may-place', 'attached', 'opened'), cell, player: side }),
  fc.record({ cue: fc.constantFrom('rolling', 'judge-needed') }),
  fc.record({ cue: fc.constant('victor'), player: side, cells: fc.uniqueArray(cell, { maxLength: 2 }) }),
  fc.record({ cue: fc.constant('acts'), player: side }),
  fc.record({ cue: fc.constant('game-over'), winner: fc.constantFrom('A', 'B', 'draw') }),
) as fc.Arbitrary<Cue>;

const light: fc.Arbitrary<CellLight> = fc.record({
  cell,
  rgb: fc.integer({ min: 0, max: 0xffffff }),
  level: fc.integer({ min: 0, max: 255 }),
  animation: fc.constantFrom('steady', 'breathe', 'blink', 'chase', 'sparkle'),
});

const lit = (cues: readonly Cue[]): readonly CellLight[] => lightsAt(cues, FIXED_12, STANDARD_THEME);
const at = (lights: readonly CellLight[], where: string): CellLight | undefined =>
  lights.find((one) => one.cell === where);
const EMBER = STANDARD_THEME.player.A;
const GALE = STANDARD_THEME.player.B;

/** What each cue asks for on a cell, weakest first, as a person would expect it to be covered. */
const ORDER: readonly Cue[] = [
  { cue: 'core', cell: 'q0r0', owner: 'A' },
  { cue: 'rolling' },
  { cue: 'may-place', cell: 'q0r0', player: 'A' },
  { cue: 'opened', cell: 'q0r0', player: 'B' },
  { cue: 'attached', cell: 'q0r0', player: 'B' },
  { cue: 'victor', player: 'B', cells: ['q0r0'] },
  { cue: 'judge-needed' },
  { cue: 'game-over', winner: 'A' },
];

describe('lights', () => {
  it('gives every cell of the layout one light, in its order, dark where nothing asks', () => {
    const lights = lit([{ cue: 'core', cell: 'q0r1', owner: 'B' }]);
    expect(lights.map((one) => one.cell)).toEqual(CELLS);
    expect(lights.filter((one) => one.level > 0)).toEqual([
      { cell: 'q0r1', rgb: GALE, level: expect.any(Number), animation: 'steady' },
    ]);
  });

  it('lets the stronger cue cover the weaker, whichever comes first', () => {
    for (const [i, weak] of ORDER.entries()) {
      for (const strong of ORDER.slice(i + 1)) {
        const alone = at(lit([strong]), 'q0r0');
        expect(at(lit([weak, strong]), 'q0r0')).toEqual(alone);
        expect(at(lit([strong, weak]), 'q0r0')).toEqual(alone);
      }
    }
  });

  it('shows nothing of a cue that has ended', () => {
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 20 }), fc.array(cue, { maxLength: 20 }), (before, now) => {
        // Level, not edge: what was shown before leaves no trace.
        lit([...before, ...now]);
        expect(lit(now)).toEqual(lightsAt(now, FIXED_12, STANDARD_THEME));
        for (const one of lit([])) expect(one).toMatchObject({ rgb: 0, level: 0, animation: 'steady' });
      }),
    );
  });

  it('lights only cells that a cue names, or all for a cue of the whole field', () => {
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 12 }), (cues) => {
        const whole = cues.some((one) => ['rolling', 'judge-needed', 'game-over'].includes(one.cue));
        const named = new Set(
          cues.flatMap((one) => ('cell' in one ? [one.cell] : 'cells' in one ? one.cells : [])),
        );
        for (const one of lit(cues)) {
          if (one.level > 0) expect(whole || named.has(one.cell)).toBe(true);
          if (whole) expect(one.level).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('lets the cores of whoever acts breathe, and the other player’s rest', () => {
    const cores = CELLS.map((where, i): Cue => ({ cue: 'core', cell: where, owner: i % 2 ? 'A' : 'B' }));
    for (const [i, one] of lit([...cores, { cue: 'acts', player: 'A' }]).entries()) {
      expect(one.animation).toBe(i % 2 ? 'breathe' : 'steady');
      expect(one.rgb).toBe(i % 2 ? STANDARD_THEME.player.A : STANDARD_THEME.player.B);
    }
    // Where a core may go is brighter than whose turn it is.
    const place: Cue = { cue: 'may-place', cell: CELLS[1] ?? '', player: 'A' };
    expect(lit([...cores, { cue: 'acts', player: 'A' }, place])[1]?.rgb).toBe(0x00ff40);
  });

  it('moves nothing while a roll is live: the rolling light is steady and dim', () => {
    const cores = CELLS.map((where, i): Cue => ({ cue: 'core', cell: where, owner: i % 2 ? 'A' : 'B' }));
    for (const one of lit([...cores, { cue: 'rolling' }, { cue: 'acts', player: 'A' }])) {
      expect(one).toMatchObject({ animation: 'steady', rgb: 0xffffff });
      expect(one.level).toBeLessThan(30);
    }
  });

  it('gives the field to the winner, and to nobody in a draw', () => {
    expect(new Set(lit([{ cue: 'game-over', winner: 'A' }]).map((one) => one.rgb))).toEqual(new Set([EMBER]));
    expect(new Set(lit([{ cue: 'game-over', winner: 'draw' }]).map((one) => one.rgb))).toEqual(
      new Set([0xffffff]),
    );
  });
});

/** WS2812B data sheet: at most 20 mA a die. What a board really latches, LED by LED. */
function latchedMa(rgb: Iterable<number>): number {
  let dies = 0;
  for (const one of rgb) dies += (one >> 16) + ((one >> 8) & 255) + (one & 255);
  return (dies / 255) * 20;
}

describe('the current budget of a board', () => {
  it('is never exceeded by what the board latches, animated or not', () => {
    fc.assert(
      fc.property(
        fc.array(light, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 5000 }),
        (lights, budgetMa) => {
          const tiles = createTileLights(lights.length);
          withinBudget(lights, budgetMa).forEach(({ rgb, level, animation }, tile) => {
            tiles.set({
              kind: 'led',
              tag: 1,
              tileMask: 1 << tile,
              rgb,
              level,
              animation: ANIMATION[animation],
            });
          });
          for (let ms = 0; ms < 20 * 112; ms += 112) {
            tiles.turn(ms);
            expect(latchedMa(tiles.rgb)).toBeLessThanOrEqual(budgetMa);
          }
        },
      ),
    );
  });

  it('changes nothing that fits, and never a hue', () => {
    const full: CellLight = { cell: 'q0r0', rgb: 0xffffff, level: 255, animation: 'steady' };
    // Six tiles of six LEDs at full white: 36 · 60 mA.
    const board = CELLS.slice(0, 6).map((where) => ({ ...full, cell: where }));
    expect(withinBudget(board, 2160)).toEqual(board);
    expect(withinBudget(board, 2159).every((one) => one.rgb === 0xffffff && one.level < 255)).toBe(true);
    expect(withinBudget(board, 0).every((one) => one.level === 0)).toBe(true);
    expect(withinBudget(board, -5).every((one) => one.level === 0)).toBe(true);
  });

  it('leaves a board as bright as it may be, save for one step of brightness', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2160 }), (budgetMa) => {
        const board = CELLS.slice(0, 6).map(
          (where): CellLight => ({ cell: where, rgb: 0xffffff, level: 255, animation: 'steady' }),
        );
        const level = withinBudget(board, budgetMa)[0]?.level ?? 0;
        // One level more on all LEDs is 36 · 60 / 255 mA.
        expect((level + 2) * ((6 * LEDS_PER_TILE * 60) / 255)).toBeGreaterThan(budgetMa);
      }),
    );
  });
});

describe('colours on their way to a board', () => {
  it('come out of the line as they were wished for, tile by tile', () => {
    fc.assert(
      fc.property(fc.array(light, { minLength: 12, maxLength: 12 }), (lights) => {
        const board = freshBoardLights(12);
        wantLights(board, lights);
        const shown = new Map<number, { rgb: number; level: number; animation: number }>();
        for (
          let atMs = 0, frame = nextFrame(board, 0);
          frame !== undefined;
          frame = nextFrame(board, ++atMs)
        ) {
          const decoded = decodeDownLine(encodeDown(frame));
          if (!decoded.ok) throw new Error(decoded.detail);
          expect(decoded.frame).toEqual(frame);
          if (frame.kind === 'led') {
            const { rgb, level, animation } = frame;
            for (let tile = 0; tile < 12; tile++) {
              if ((frame.tileMask & (1 << tile)) !== 0) shown.set(tile, { rgb, level, animation });
            }
          }
          takeAnswer(board, frame.tag, 'ok', atMs);
        }
        expect([...Array(12).keys()].map((tile) => shown.get(tile))).toEqual(
          lights.map(({ rgb, level, animation }) => ({ rgb, level, animation: ANIMATION[animation] })),
        );
      }),
    );
  });
});
