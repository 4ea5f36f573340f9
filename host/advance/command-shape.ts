import type { Refusal } from '../game/ruleset.ts';
import type { Command } from './input.ts';

type Bag = { readonly [key: string]: unknown };

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Why a value cannot be carried out as a `Command`, or undefined. Commands come from pages, programs and journals:
 * their type is a promise, and this keeps it.
 */
export function commandProblem(command: unknown): Refusal | undefined {
  const lacks = lackOf(command) ?? (isBag(command) ? extraIn(command) : undefined);
  if (lacks === undefined) return undefined;
  return { code: 'command/not-understood', message: `This is no command of a table: ${lacks}.`, rules: [] };
}

const CORRECTION = ['do', 'by', 'reason', 'rule', 'second', 'basis'];

/** Keys that each command knows, also for the words of refusals elsewhere. */
export const COMMAND_KEYS: { readonly [name in Command['do']]: readonly string[] } = {
  play: ['do', 'input'],
  'replace-ruling': [...CORRECTION, 'roll', 'input'],
  undo: [...CORRECTION, 'to'],
  'new-game': ['do', 'by', 'options', 'bestOf', 'first', 'despite'],
  'end-match': ['do', 'by', 'winner', 'reason'],
  'resume-match': ['do', 'by', 'reason'],
  'start-match': ['do', 'by', 'despite'],
  identify: ['do', 'by', 'cell'],
  calibrate: ['do', 'by', 'act', 'reference', 'balls', 'why'],
  'use-calibration': ['do', 'by', 'calibration'],
};

/** A key that means nothing: what was meant by it would silently not be done. */
function extraIn(command: Bag): string | undefined {
  const known = Object.entries(COMMAND_KEYS).find(([name]) => name === command.do)?.[1] ?? [];
  const extra = Object.keys(command).find((key) => !known.includes(key));
  if (extra === undefined) return undefined;
  return `"${extra.slice(0, 40)}" means nothing in "${command.do}", which knows ${known.join(', ')}`;
}

function lackOf(command: unknown): string | undefined {
  if (!isBag(command)) return 'it is no object';
  const { do: deed, by, input, roll, options, cell, to, despite, bestOf, first } = command;
  switch (deed) {
    case 'play':
      return isInput(input) ? undefined : 'its input does not say what is done and by whom';
    case 'replace-ruling':
      if (!isActor(by)) return 'it does not say who gives it';
      if (typeof roll !== 'string') return 'it names no roll';
      if (lackOfCorrection(command) !== undefined) return lackOfCorrection(command);
      return isInput(input) ? undefined : 'its input does not say what is done and by whom';
    case 'undo':
      if (!isActor(by)) return 'it does not say who gives it';
      if (typeof to !== 'number') return 'it names no step';
      return lackOfCorrection(command);
    case 'new-game':
      if (!isActor(by)) return 'it does not say who gives it';
      if (!isReason(despite)) return 'its reason is no text';
      if (bestOf !== undefined && bestOf !== 1 && bestOf !== 3) return 'its bestOf is not 1 or 3';
      if (first !== undefined && first !== 'A' && first !== 'B') return 'its first is not A or B';
      return options === undefined || isBag(options) ? undefined : 'its options are no object';
    case 'end-match':
      if (!isActor(by)) return 'it does not say who gives it';
      if (!isWinner(command.winner)) return 'its winner is not A, B or draw';
      return isReason(command.reason) ? undefined : 'its reason is no text';
    case 'resume-match':
      if (!isActor(by)) return 'it does not say who gives it';
      return typeof command.reason === 'string' ? undefined : 'it gives no reason';
    case 'start-match':
      if (!isActor(by)) return 'it does not say who gives it';
      return isReason(despite) ? undefined : 'its reason is no text';
    case 'calibrate':
      if (!isActor(by)) return 'it does not say who gives it';
      return lackOfCalibrate(command);
    case 'use-calibration':
      if (!isActor(by)) return 'it does not say who gives it';
      return isBag(command.calibration) ? undefined : 'it holds no calibration';
    case 'identify':
      if (!isActor(by)) return 'it does not say who gives it';
      return typeof cell === 'string' ? undefined : 'it names no cell';
    default:
      return 'it is none that this host knows';
  }
}

function lackOfCorrection({ reason, rule, second, basis }: Bag): string | undefined {
  if (typeof reason !== 'string') return 'it gives no reason';
  if (rule !== undefined && typeof rule !== 'string') return 'its rule is no text';
  if (basis !== undefined && typeof basis !== 'string') return 'its basis is no text';
  if (second !== undefined && !isActor(second)) return 'it does not say who confirms it';
  return undefined;
}

/** Most balls that one calibration measures. */
const MOST_BALLS = 24;

function lackOfCalibrate({ act, reference, balls, why }: Bag): string | undefined {
  switch (act) {
    case 'start':
      if (!isBall(reference)) return 'it names no ball for every tile';
      if (!Array.isArray(balls) || balls.length > MOST_BALLS || !balls.every(isBall)) {
        return 'its other balls are no list of names';
      }
      return undefined;
    case 'skip':
    case 'save':
    case 'cancel':
      return undefined;
    case 'not-kept':
      return typeof why === 'string' ? undefined : 'it gives no reason';
    default:
      return 'it is no step of a calibration';
  }
}

function isBall(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 64;
}

function isWinner(value: unknown): boolean {
  return value === undefined || value === 'A' || value === 'B' || value === 'draw';
}

function isReason(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isActor(value: unknown): boolean {
  return isBag(value) && typeof value.role === 'string';
}

function isInput(value: unknown): boolean {
  return isBag(value) && typeof value.type === 'string' && isActor(value.by);
}
