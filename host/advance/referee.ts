import { playInput } from '../game/play.ts';
import type { GameInput, Refusal } from '../game/ruleset.ts';
import type { AtMs, RollId } from '../ids.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { SenseOutput } from '../sensing/sensing.ts';
import { afterPlay, passer, tell } from './after-play.ts';
import { takeCalibrate, useCalibration } from './calibrating.ts';
import { commandProblem } from './command-shape.ts';
import { type CorrectionCommand, correct, withdrawnEvent } from './correction.ts';
import { endMatch, resumeEnded } from './end-match.ts';
import type { Command, Output } from './input.ts';
import { heldBack, startMatch } from './match-start.ts';
import { newGame } from './new-game.ts';
import type { TableSetting } from './setting.ts';
import { blockedCells, cannotLie, isFree } from './standing.ts';
import { RULINGS_KEPT, type TableState } from './state.ts';
import { identifyCell } from './strips.ts';

/** Takes what sensing says to the game, and what the game then wants back to sensing, until neither has more to say. */
export function takeSensed(
  state: TableState,
  setting: TableSetting,
  sensed: SenseOutput[],
  outputs: Output[],
): void {
  for (let i = 0; i < sensed.length; i++) {
    const said = sensed[i];
    if (said === undefined) break;
    switch (said.kind) {
      case 'ruling':
        takeRuling(state, setting, said.ruling, sensed, outputs);
        break;
      case 'retraction':
        takeRetraction(state, said.roll, said.revision, said.atMs, said.why, outputs);
        break;
      case 'stud': {
        const input = setting.ruleset.studInput(state.play.state, said.player);
        if (input !== undefined) play(state, setting, input, said.atMs, sensed, outputs);
        break;
      }
      default:
        said satisfies never;
    }
  }
  sensed.length = 0;
}

/** Carries out what a person or automatic play asks. */
export function takeCommand(
  state: TableState,
  setting: TableSetting,
  id: string,
  command: Command,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): void {
  const refusal = commandProblem(command) ?? carryOut(state, setting, id, command, atMs, sensed, outputs);
  outputs.push(
    refusal === undefined ? { kind: 'accepted', atMs, id } : { kind: 'refused', atMs, id, refusal },
  );
}

function carryOut(
  state: TableState,
  setting: TableSetting,
  id: string,
  command: Command,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  switch (command.do) {
    case 'play':
      return play(state, setting, command.input, atMs, sensed, outputs);
    case 'replace-ruling':
    case 'undo':
      if (state.calibrating !== null) return heldBack(state, setting, atMs, sensed, outputs);
      return makeCorrection(state, setting, command, atMs, sensed, outputs);
    case 'new-game':
      return newGame(state, setting, command, atMs, sensed, outputs);
    case 'end-match':
      return endMatch(state, setting, command, atMs, sensed, outputs);
    case 'resume-match':
      return resumeEnded(state, setting, command, atMs, sensed, outputs);
    case 'start-match':
      return startMatch(state, setting, command, atMs, sensed, outputs);
    case 'identify':
      return identifyCell(state, setting, command.cell);
    case 'calibrate':
      return takeCalibrate(state, setting, id, command, atMs, sensed, outputs);
    case 'use-calibration':
      return useCalibration(state, setting, command, atMs, sensed);
    default:
      return command satisfies never;
  }
}

function takeRuling(
  state: TableState,
  setting: TableSetting,
  ruling: RollRuling,
  sensed: SenseOutput[],
  outputs: Output[],
): void {
  outputs.push({ kind: 'ruling', atMs: ruling.atMs, ruling });
  // After a fold a roll of the same name may be made anew; what was withdrawn of the old one is not of this one.
  if (ruling.revision === 1) state.retracted = state.retracted.filter((one) => one.roll !== ruling.roll);
  state.rulings = [...state.rulings.filter((one) => one.roll !== ruling.roll), ruling].slice(-RULINGS_KEPT);
  if (ruling.stage !== 'final' || state.match.ended !== undefined) return;
  const input = setting.ruleset.rulingInput(state.play.state, ruling);
  if (input !== undefined) playOne(state, setting, input, ruling.atMs, sensed, outputs);
}

function takeRetraction(
  state: TableState,
  roll: RollId,
  revision: number,
  atMs: AtMs,
  why: string,
  outputs: Output[],
): void {
  const was = state.rulings.find((one) => one.roll === roll);
  const stage = was?.revision === revision ? was.stage : 'final';
  outputs.push({ kind: 'retraction', atMs, roll, revision, stage, why });
  state.retracted = [...state.retracted, { roll, revision, stage, why }].slice(-RULINGS_KEPT);
}

/** Carries out a correction: the record of it first, then what is taken back, then what holds instead. */
function makeCorrection(
  state: TableState,
  setting: TableSetting,
  command: CorrectionCommand,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  const made = correct(state, setting.ruleset, command);
  if ('code' in made) return made;
  const { reason } = command;
  outputs.push({ kind: 'event', atMs, event: made.event });
  state.play = made.play;
  for (const { roll, revision } of made.retracts) {
    takeRetraction(state, roll, revision, atMs, reason, outputs);
  }
  if (made.withdrawn.length > 0) {
    outputs.push({ kind: 'event', atMs, event: withdrawnEvent(made, reason) });
  }
  tell(made.added, atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

/** Plays what a person asks, once nothing holds the match back. */
function play(
  state: TableState,
  setting: TableSetting,
  input: GameInput,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  return (
    blockedBySensors(state, setting, input) ??
    heldBack(state, setting, atMs, sensed, outputs) ??
    playOne(state, setting, input, atMs, sensed, outputs)
  );
}

/** Why sensors say that this input cannot be. Cues are asked for only where they say anything. */
function blockedBySensors(
  state: TableState,
  { ruleset }: TableSetting,
  input: GameInput,
): Refusal | undefined {
  if (isFree(state)) return undefined;
  return cannotLie(input, blockedCells(ruleset.cues(state.play.state), state), state);
}

function playOne(
  state: TableState,
  setting: TableSetting,
  input: GameInput,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  const played = playInput(state.play, setting.ruleset, input);
  if (!played.ok) return played.refusal;
  state.play = played.play;
  tell(played.events, atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

/** When the holder of an open window passes by itself; Infinity when nobody does. */
export function autoPassDueAt(state: TableState, setting: TableSetting): AtMs {
  if (setting.autoPassMs === undefined || state.passSinceMs === null) return Number.POSITIVE_INFINITY;
  return state.passSinceMs + setting.autoPassMs;
}

/** Passes for the holder of an open window who did nothing for long enough. */
export function autoPass(
  state: TableState,
  setting: TableSetting,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): void {
  state.passSinceMs = null;
  const side = passer(state, setting);
  const input = side === undefined ? undefined : setting.ruleset.studInput(state.play.state, side);
  if (side === undefined || input === undefined) return;
  if (heldBack(state, setting, atMs, sensed, outputs) !== undefined) {
    state.passSinceMs = atMs;
    return;
  }
  playOne(state, setting, { ...input, by: { role: 'automatic', player: side } }, atMs, sensed, outputs);
}
