import { type BoardSide, INPUT } from '../../firmware-protocol/frame.ts';
import type { AtMs, Side } from '../ids.ts';
import { type Beam, beamChanged } from './gates.ts';
import { isCleared } from './live-roll.ts';
import type { SenseOutput, Sensing } from './state.ts';

/** Time between two looks at the levels. */
const LEVEL_MS = 20;
/** Presses of a stud closer than this are one. */
const STUD_MS = 150;
/** A press sooner than this after the last change is chatter of letting go. */
const CHATTER_MS = 30;

/** Whether a roll is being watched. */
export function watching(sensing: Sensing): boolean {
  return sensing.activity.kind === 'roll';
}

/** The first sign of anything in this roll: from here on the zero levels stand. */
export function sign(sensing: Sensing, atMs: number): void {
  const { live } = sensing;
  if (!(live.firstSignMs <= atMs)) live.firstSignMs = Math.max(atMs, live.fromMs);
}

/** A beam broke or is free again, by its edge or by a quiet line's level. */
export function hearBeam(
  sensing: Sensing,
  beam: Beam,
  blocked: boolean,
  atMs: AtMs,
  errorMs: number,
  edgeErrorMs = 0,
): void {
  // Hands that fetch the balls of the roll before reach through the gates too: that is no launch.
  const inRoll = watching(sensing) && atMs >= sensing.live.fromMs && isCleared(sensing.live);
  if (!beamChanged(beam, blocked, atMs, errorMs, inRoll, edgeErrorMs) || !inRoll) return;
  sign(sensing, atMs);
  const due = atMs + sensing.limits.lateMs;
  if (due < sensing.live.nextReviewMs) sensing.live.nextReviewMs = due;
}

/** A stud was pressed or let go; chatter is one press. */
export function hearStud(
  sensing: Sensing,
  player: Side,
  pressed: boolean,
  atMs: AtMs,
  out: SenseOutput[],
): void {
  const stud = sensing.studs[player];
  if (stud.pressed === pressed) return;
  const still = atMs - stud.changedMs >= CHATTER_MS;
  stud.pressed = pressed;
  stud.changedMs = atMs;
  if (!pressed || !still || atMs - stud.pressedMs < STUD_MS) return;
  stud.pressedMs = atMs;
  out.push({ kind: 'stud', player, atMs });
}

/** Gates and studs of a board: its own side by the A numbers, both sides when it serves both. */
export const INPUTS_OF: readonly { readonly near: number; readonly far: number; readonly stud: number }[] = [
  { near: INPUT.nearGateA, far: INPUT.farGateA, stud: INPUT.studA },
  { near: INPUT.nearGateB, far: INPUT.farGateB, stud: INPUT.studB },
];

const PLAYERS: Readonly<Record<BoardSide, readonly Side[]>> = {
  A: ['A'],
  B: ['B'],
  both: ['A', 'B'],
  unset: [],
};

/** Players whose inputs a board carries, in the order of `INPUTS_OF`. */
export function playersOf(side: BoardSide): readonly Side[] {
  return PLAYERS[side];
}

function isOn(inputs: number, input: number): boolean {
  return ((inputs >> input) & 1) === 1;
}

/** Level bits heal edges of gates and studs that were lost. */
export function hearLevels(
  sensing: Sensing,
  side: BoardSide,
  inputs: number,
  atMs: AtMs,
  errorMs: number,
  out: SenseOutput[],
): void {
  const players = playersOf(side);
  for (let i = 0; i < players.length; i += 1) {
    const player = players[i];
    const its = INPUTS_OF[i];
    if (its === undefined || player === undefined) continue;
    // Known to 20 ms only: the edge itself was lost.
    const { near, far } = sensing.gates[player];
    const nearOn = isOn(inputs, its.near);
    const farOn = isOn(inputs, its.far);
    if (near.blocked !== nearOn) hearBeam(sensing, near, nearOn, atMs, errorMs, LEVEL_MS);
    if (far.blocked !== farOn) hearBeam(sensing, far, farOn, atMs, errorMs, LEVEL_MS);
    hearStud(sensing, player, isOn(inputs, its.stud), atMs, out);
  }
}
