/** A person who calibrates a simulated mat: does what the prompt says, in virtual time. */
import type { QuietFrame } from '../firmware-protocol/frame.ts';
import type { Side } from '../host/ids.ts';
import {
  type CalibratePrompt,
  type Calibrator,
  createCalibrator,
  hearCalibration,
  promptOf,
} from '../host/sensing/calibrate.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { Body } from '../sim/ball.ts';
import { drawBodies } from '../sim/bodies.ts';
import { createMat, type Mat } from '../sim/mat.ts';
import { createChance, hash32 } from '../sim/random.ts';
import { createScriptedBoard } from '../sim/scripted-board.ts';
import { lifted, standing } from '../sim/tracks.ts';

/** What may be otherwise than on a sound mat. */
export interface CalibrateSimulated {
  readonly layout: Layout;
  readonly seed: number;
  readonly before?: Calibration;
  /** Sides whose launch gates the person tries; none by default. */
  readonly gates?: readonly Side[];
  /** How far from a tile's middle, mm to each side, the person puts a ball at most; 1 by default. */
  readonly placedMm?: number;
  /** Spoils the mat before it begins. */
  readonly spoil?: (mat: Mat, bodies: readonly Body[]) => void;
  /** What the wiring of this mat makes of a board's lines, as where two plugs are swapped. */
  readonly wiring?: (frame: QuietFrame, side: 'A' | 'B') => QuietFrame;
  /** What the person does where something stands in the way; by default nothing. */
  readonly doubted?: (calibrator: Calibrator) => void;
  /** Hears every prompt that is new. */
  readonly told?: (prompt: CalibratePrompt, atMs: number) => void;
  /** Ends without a result when virtual time gets here, ms. */
  readonly longestMs?: number;
}

/** From a prompt to the hand's being there, and how near to a tile's middle a ball is put. */
const REACT_MS = 700;
const PLACED_MM = 1;
const STEP_MS = 20;
/** Boards look ahead: a hand comes a little after it is decided, and lifts a ball within this. */
const SOON_US = 10_000;
const LIFT_MS = 250;
/** A hand is this long in a beam, and from one to the next. */
const PUSH_US = 300_000;

/** Carries the procedure out; the calibrator tells how far it came, `tookMs` how long it took in virtual time. */
export function calibrateSimulated(ask: CalibrateSimulated): { calibrator: Calibrator; tookMs: number } {
  const { layout, seed } = ask;
  const mat = createMat(layout, seed);
  const bodies = drawBodies({ seed });
  const [reference, ...others] = bodies;
  if (reference === undefined) throw new RangeError('no ball to calibrate with: draw at least one');
  ask.spoil?.(mat, bodies);
  const calibrator = createCalibrator({
    layout,
    reference: reference.bakugan,
    balls: others.map((body) => body.bakugan),
    gates: ask.gates ?? [],
    before: ask.before,
  });
  const boards = (['A', 'B'] as const).map((side) =>
    createScriptedBoard({
      world: mat.world(side),
      side,
      tiles: layout.cells.filter((cell) => cell.side === side).length,
      halls: mat.halls,
      device: side === 'A' ? 'A0000001' : 'B0000001',
      spell: false,
      onFrame(frame) {
        if (frame.kind !== 'quiet') return;
        hearCalibration(calibrator, side, ask.wiring?.(frame, side) ?? frame);
      },
    }),
  );
  const chance = createChance(hash32(seed, 51, 0));
  let held = '';
  let heldFor = -1;
  let pushedFor = -1;
  let actMs = 0;
  let shown = '';
  let ms = 0;
  for (; ms < (ask.longestMs ?? 600_000); ms += STEP_MS) {
    for (const board of boards) board.runTo(ms * 1000);
    const prompt = promptOf(calibrator);
    const said = `${prompt.text}|${prompt.problem}`;
    if (said !== shown) {
      shown = said;
      actMs = ms + REACT_MS;
      ask.told?.(prompt, ms);
      for (const side of ['A', 'B'] as const) mat.light(side, prompt.step.kind === 'lit' ? 1 : 0);
    }
    if (prompt.problem !== '') ask.doubted?.(calibrator);
    if (prompt.step.kind === 'done' && !calibrator.leaving) break;
    if (ms < actMs) continue;
    const given = held !== '' && heldFor !== calibrator.at;
    if (calibrator.leaving || given) {
      const track = mat.track(held);
      if (track !== undefined) mat.put(lifted(track, ms * 1000 + SOON_US, LIFT_MS));
      held = '';
    } else if (prompt.step.kind === 'gates' && pushedFor !== calibrator.at) {
      pushedFor = calibrator.at;
      for (const [i, gate] of (['near', 'far'] as const).entries()) {
        const fromUs = ms * 1000 + SOON_US + i * PUSH_US;
        mat.handInGate(prompt.step.side, gate, { fromUs, toUs: fromUs + PUSH_US });
      }
    } else if (prompt.step.kind === 'seat' && held === '') {
      const { step } = prompt;
      const tile = mat.tiles.find((one) => one.cell === prompt.cell);
      const body = bodies.find((one) => one.bakugan === step.ball);
      if (tile === undefined || body === undefined) break;
      const placedMm = ask.placedMm ?? PLACED_MM;
      const off = (): number => chance.between(-placedMm, placedMm);
      mat.put(standing(body, ms * 1000 + SOON_US, tile.x + off(), tile.y + off()));
      held = body.bakugan;
      heldFor = calibrator.at;
    }
  }
  return { calibrator, tookMs: ms };
}
