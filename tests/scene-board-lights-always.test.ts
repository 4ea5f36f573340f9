import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerStatus, DownlinkFrame } from '../firmware-protocol/frame.ts';
import {
  type BoardLights,
  forgetShown,
  freshBoardLights,
  lightsDueAt,
  nextFrame,
  takeAnswer,
  wantArmed,
  wantIdentify,
  wantLights,
} from '../host/scene/board-lights.ts';
import { BLUE, GREEN, glow, RED, settle, showing } from './support/lit-board.ts';

/** A board as the written protocol has it: same line twice without harm, `held` while armed. */
class ModelBoard {
  shown: number[];
  armed = false;
  constructor(tiles: number) {
    this.shown = new Array<number>(tiles).fill(-1);
  }
  obey(frame: DownlinkFrame): AnswerStatus {
    if (frame.kind === 'arm') this.armed = frame.armed;
    else if (frame.kind === 'led') {
      const { armed } = this;
      this.shown = this.shown.map((was, tile) => ((frame.tileMask >> tile) & 1 ? frame.rgb : was));
      return armed ? 'held' : 'ok';
    } else if (frame.kind === 'identify' && this.armed) return 'refused';
    return 'ok';
  }
}

type Deed =
  | { readonly what: 'lights'; readonly rgb: readonly number[] }
  | { readonly what: 'armed'; readonly armed: boolean }
  | { readonly what: 'identify'; readonly tile: number }
  | { readonly what: 'reset' }
  | { readonly what: 'wait'; readonly ms: number }
  | { readonly what: 'wire'; readonly up: boolean; readonly down: boolean };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    what: fc.constant('lights' as const),
    rgb: fc.array(fc.constantFrom(0, RED, BLUE, GREEN), { minLength: 6, maxLength: 6 }),
  }),
  fc.record({ what: fc.constant('armed' as const), armed: fc.boolean() }),
  fc.record({ what: fc.constant('identify' as const), tile: fc.nat(5) }),
  fc.record({ what: fc.constant('reset' as const) }),
  fc.record({ what: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({ what: fc.constant('wire' as const), up: fc.boolean(), down: fc.boolean() }),
);

describe('whatever happens', () => {
  it('the due moment moves on, an armed board is left alone, and in the end it shows what is wished', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), fc.integer({ min: 1, max: 90 }), (deeds, latencyMs) => {
        const board = freshBoardLights(6);
        const model = new ModelBoard(6);
        let now = 0;
        let wire = { up: true, down: true };
        let answers: { atMs: number; tag: number; status: AnswerStatus }[] = [];
        let wished = new Array<number>(6).fill(0);
        let armed = false;

        const pass = (ms: number): void => {
          const end = now + ms;
          for (let turns = 0; ; turns++) {
            expect(turns).toBeLessThan(10_000);
            const due = Math.max(now, lightsDueAt(board) ?? Infinity);
            const answer = answers[0]?.atMs ?? Infinity;
            const next = Math.min(due, answer);
            if (next > end) break;
            now = Math.max(now, next);
            const [first] = answers;
            if (first !== undefined && first.atMs <= now) {
              answers = answers.slice(1);
              takeAnswer(board, first.tag, first.status, now);
              continue;
            }
            const knownArmed = board.armAcked === true && board.armWanted;
            const frame = nextFrame(board, now);
            // Asked when due, it has either something to say or a later moment to be asked at.
            if (frame === undefined) expect(lightsDueAt(board) ?? Infinity).toBeGreaterThan(now);
            else {
              expect(knownArmed).toBe(false);
              if (wire.down) {
                const status = model.obey(frame);
                if (wire.up) answers.push({ atMs: now + latencyMs, tag: frame.tag, status });
              }
            }
            expect(lightsDueAt(board) ?? Infinity).toBeGreaterThan(now - 1);
          }
          now = end;
        };

        for (const one of deeds) {
          switch (one.what) {
            case 'lights':
              wished = [...one.rgb];
              wantLights(
                board,
                wished.map((rgb) => glow(rgb)),
              );
              break;
            case 'armed':
              armed = one.armed;
              wantArmed(board, armed, now);
              break;
            case 'identify':
              wantIdentify(board, one.tile);
              break;
            case 'reset':
              model.shown.fill(-1);
              model.armed = false;
              answers = [];
              forgetShown(board);
              break;
            case 'wait':
              pass(one.ms);
              break;
            case 'wire':
              wire = { up: one.up, down: one.down };
              break;
            default:
              one satisfies never;
          }
        }
        // The wire heals and nobody wishes for anything new: 5 min later all is as wished and nothing is due.
        wire = { up: true, down: true };
        pass(300_000);
        expect(lightsDueAt(board)).toBeUndefined();
        expect(model.armed).toBe(armed);
        if (armed) return;
        expect(model.shown).toEqual(wished);
      }),
      { numRuns: 400 },
    );
  });

  it('a saved board goes on as the board itself', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (answered) => {
        const board = showing(RED);
        wantLights(board, [glow(1), glow(2), glow(3), glow(4), glow(5), glow(6)]);
        let now = 0;
        for (const yes of answered) {
          const frame = nextFrame(board, now);
          if (yes && frame !== undefined) takeAnswer(board, frame.tag, 'ok', now);
          now += 130;
        }
        const loaded: BoardLights = JSON.parse(JSON.stringify(board));
        expect(settle(loaded, now + 5000)).toEqual(settle(board, now + 5000));
      }),
    );
  });
});
