import { type BakuganId, opponentOf, SIDES, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { fieldHasCores } from './field.ts';
import { type Move, type Next, nameOf, patch, patchBakugan, patchCore, refuse, say } from './move.ts';
import type { Phase } from './phase.ts';
import { actorText, textIn, wholeIn } from './read-input.ts';
import { popFrame } from './resolve.ts';
import { isSettled, offendersIn, openResult, resultsIn } from './results.ts';
import { type BallResult, bakuganOf, brawlerOf, coreOf, type RollState, rerollerOf } from './state.ts';
import { titleOf } from './top.ts';
import { fire } from './triggers.ts';
import type { StateId } from './view.ts';

const WAITING: readonly BallResult[] = SIDES.map((player) => openResult(player, 'pending'));

function patchRoll(move: Move, parts: Partial<RollState>): void {
  const { roll } = move.state;
  if (roll !== null) patch(move, { roll: { ...roll, ...parts } });
}

function askJudge(move: Move, why: string, rules: readonly string[]): 'ST-6' {
  patchRoll(move, { judge: why });
  say(move, 'roll/judge-needed', rules, `A judge is asked: ${why}`, { roll: move.state.roll?.id ?? '' });
  return 'ST-6';
}

/** Another attempt with the same Bakugan, or a judge once the cap is reached (5.7.2.1, AM-04, AM-22). */
function rollAgain(move: Move): StateId {
  if (rerollerOf(move.state) !== null) return 'ST-8r';
  const attempt = move.state.roll?.attempt ?? 0;
  if (attempt < move.state.options.rules.rollCap) return 'ST-5';
  return askJudge(move, `The roll was made ${attempt} times in this turn without a result.`, ['AM-22']);
}

function withoutBrawl(move: Move): 'ST-13' {
  patch(move, { selected: { A: null, B: null }, roll: null });
  return 'ST-13';
}

/** ST-5: both roll at the same moment (5.7.1); sensors or a judge say what came of it. */
export const rolling: Phase = {
  rules: ['5.7.1'],
  enter(move) {
    if (!fieldHasCores(move.state)) {
      const text = 'No core lies on the field, so nothing can open: the roll and the Brawl are skipped.';
      say(move, 'roll/no-core', ['5.7.1.4', 'AM-22'], text);
      return withoutBrawl(move);
    }
    const attempt = (move.state.roll?.attempt ?? 0) + 1;
    const offences = move.state.roll?.offences ?? { A: 0, B: 0 };
    const id = `t${move.state.turn}.${attempt}`;
    patch(move, { roll: { id, attempt, revision: 0, results: WAITING, offences, judge: null } });
    say(move, 'roll/called', ['5.7.1'], `Bakugan Brawl! Attempt ${attempt}.`, { roll: id, attempt });
    return 'stay';
  },
  takes: { rolled: takeRolled, 'judge-roll': takeJudged },
};

// The letter of 5.7.2.1 read as the Roll Phase: another selection and another card window (AM-04, by option).
function chooseAgain(move: Move): StateId {
  const { roll, options } = move.state;
  if ((roll?.attempt ?? 0) >= options.rules.rollCap) return rollAgain(move);
  const text = 'Neither Bakugan opened: both choose and roll again.';
  say(move, 'roll/repeat', ['5.7.2.1', 'AM-04'], text, { roll: roll?.id ?? '', attempt: roll?.attempt ?? 0 });
  patch(move, { selected: { A: null, B: null } });
  return 'ST-3';
}

/** The roll of one Bakugan alone is over: its result becomes true, and what was going on goes on (1.18). */
function endReroll(move: Move, side: Side): StateId | 'stay' {
  const result = move.state.roll?.results.find((one) => one.player === side);
  if (result !== undefined) reveal(move, result);
  const opened = result?.opened === 'yes';
  const id = move.state.selected[side];
  if (opened && id !== null) fire(move, { is: 'opens', bakugan: id });
  const frame = move.state.frames.at(-1);
  if (frame?.resolving !== null && frame?.resolving !== undefined) {
    const facts = { ...frame.resolving.facts, rerollOpened: opened, did: opened };
    const told = { ...frame, resolving: { ...frame.resolving, facts } };
    patch(move, { frames: [...move.state.frames.slice(0, -1), told] });
  }
  return popFrame(move);
}

/** ST-8r: one Bakugan rolls again, the other stays as it is (1.18). */
export const rerolling: Phase = {
  rules: ['1.18'],
  enter(move) {
    const { roll } = move.state;
    const side = rerollerOf(move.state);
    if (roll === null || side === null) return 'ST-8';
    const rerolls = move.state.rerolls + 1;
    const id = `t${move.state.turn}.${roll.attempt}r${rerolls}`;
    const results = roll.results.map(
      (one): BallResult => (one.player === side ? openResult(side, 'pending') : { ...one, judged: true }),
    );
    patch(move, { rerolls, roll: { ...roll, id, revision: 0, results, judge: null } });
    const text = `${nameOf(move, side)} rolls again.`;
    say(move, 'roll/reroll', ['1.18', '5.7.1'], text, { roll: id, player: side });
    return 'stay';
  },
  takes: { rolled: takeRolled, 'judge-roll': takeJudged },
};

/** ST-6: who opened, and on what (5.7.2). Doubt waits for a judge; it never becomes a result by itself. */
export const evaluating: Phase = {
  rules: ['5.7.2'],
  enter(move) {
    const { roll } = move.state;
    if (roll === null) return 'ST-5';
    if (roll.judge !== null) return 'stay';
    const open = roll.results.filter((result) => !isSettled(result));
    const reroller = rerollerOf(move.state);
    if (open.length > 0) {
      const who = open.map((result) => nameOf(move, result.player)).join(' and ');
      const why = `The sensors are not sure about the roll of ${who}.`;
      askJudge(move, why, ['5.7.2', 'AM-39']);
      return 'stay';
    }
    if (reroller !== null) return endReroll(move, reroller);
    if (roll.results.some((result) => result.opened === 'yes')) return 'ST-7';
    if (move.state.options.rules.repeatRoll === 'selectionStep') return chooseAgain(move);
    const text = 'Neither Bakugan opened: both roll again.';
    say(move, 'roll/repeat', ['5.7.2.1', 'AM-04'], text, { roll: roll.id, attempt: roll.attempt });
    const next = rollAgain(move);
    return next === 'ST-6' ? 'stay' : next;
  },
  takes: { rolled: takeRolled, 'judge-roll': takeJudged },
};

/** One ball's result becomes true: its Bakugan opens and takes its cores, or does not. */
export function reveal(move: Move, result: BallResult): void {
  const { player, cores } = result;
  const id: BakuganId | null = move.state.selected[player];
  const bakugan = id === null ? undefined : bakuganOf(move.state, id);
  if (id === null || bakugan === undefined) return;
  const title = titleOf(move.state, bakugan);
  if (result.opened !== 'yes') {
    const text = `${nameOf(move, player)}: ${title} did not open.`;
    say(move, 'roll/not-opened', ['5.7.1.4', '5.7.2'], text, { player, bakugan: id });
    return;
  }
  patchBakugan(move, id, { open: true, revealed: true, openedIn: move.state.turn });
  for (const one of cores) {
    const core = coreOf(move.state, one);
    if (core === undefined) continue;
    patchCore(move, one, {
      cell: null,
      from: core.cell ?? core.from,
      heldBy: [...core.heldBy, id],
      known: true,
    });
  }
  const prints = cores.map((one) => `${one} (#${coreOf(move.state, one)?.print ?? '?'})`).join(' and ');
  const text =
    cores.length > 0
      ? `${nameOf(move, player)}: ${title} opens and holds ${prints}.`
      : `${nameOf(move, player)}: ${title} opens and holds no core.`;
  const rules = cores.length > 0 ? ['5.7.2'] : ['5.7.2', '5.7.2.3'];
  say(move, 'roll/opened', rules, text, { player, bakugan: id, cores });
}

/** ST-7: each opener turns its Character card up and takes its cores; the starting player's first (5.7.2). */
export const revealing: Phase = {
  rules: ['5.7.2'],
  enter(move) {
    const { roll, startingPlayer } = move.state;
    for (const side of [startingPlayer, opponentOf(startingPlayer)]) {
      const result = roll?.results.find((one) => one.player === side);
      if (result !== undefined) reveal(move, result);
    }
    for (const core of move.state.cores) {
      if (core.heldBy.length < 2) continue;
      const text = `Both Bakugan hold core ${core.core}: both get its bonus.`;
      say(move, 'roll/shared-core', ['5.7.2.2', 'AM-08'], text, { core: core.core });
    }
    for (const side of [startingPlayer, opponentOf(startingPlayer)]) {
      const opener = brawlerOf(move.state, side);
      if (opener !== undefined) fire(move, { is: 'opens', bakugan: opener.id });
    }
    return 'ST-8';
  },
};

function offend(move: Move, input: GameInput, given: readonly BallResult[]): Next | undefined {
  const offenders = offendersIn(input.illegal);
  const { roll } = move.state;
  if (roll === null || (offenders.players.length === 0 && !offenders.nobody)) return undefined;
  const count = (side: Side) => roll.offences[side] + (offenders.players.includes(side) ? 1 : 0);
  const offences = { A: count('A'), B: count('B') };
  patchRoll(move, { offences });
  const again = offenders.nobody || offenders.players.some((side) => offences[side] < 2);
  const why = offenders.text === '' ? 'A roll rule was broken.' : offenders.text;
  if (again) {
    const text = `${why} The roll is void and both roll again.`;
    const data = { roll: roll.id, players: offenders.players };
    say(move, 'roll/void', ['5.7.1', 'AM-09'], text, data);
    return rollAgain(move);
  }
  const closed = given.map(
    (one): BallResult =>
      offenders.players.includes(one.player) ? { ...one, opened: 'no', cores: [], possible: [] } : one,
  );
  for (const player of offenders.players) {
    const text = `${why} It is the second time in this turn: ${nameOf(move, player)} counts as not opened.`;
    say(move, 'roll/second-offence', ['AM-09'], text, { roll: roll.id, player });
  }
  patchRoll(move, { results: closed });
  return 'ST-6';
}

/** Input `rolled`: what sensing says of the roll that the game waits for; a later revision replaces an earlier one. */
function takeRolled(move: Move, input: GameInput): Next {
  const { roll } = move.state;
  if (input.by.role !== 'sensing' && input.by.role !== 'automatic') {
    return refuse('roll/not-for-people', 'Sensors report rolls; a judge may rule on one.', '5.7.2', 'AM-39');
  }
  if (roll === null || input.roll !== roll.id) {
    const message = `The game waits for roll ${roll?.id ?? '-'}, not for this one.`;
    return refuse('roll/not-awaited', message, '5.7.2');
  }
  const revision = input.revision === undefined ? roll.revision + 1 : wholeIn(input, 'revision', 1, 1e9);
  if (revision === undefined || revision <= roll.revision) {
    return refuse('roll/old-revision', 'A newer ruling of this roll is known already.', '5.7.2');
  }
  const given = resultsIn(move.state, input.results);
  if ('code' in given) return given;
  const results = roll.results.map((was) => {
    const now = given.find((one) => one.player === was.player);
    return was.judged ? was : (now ?? openResult(was.player, 'undetermined'));
  });
  patchRoll(move, { revision, results, judge: null });
  return offend(move, input, results) ?? 'ST-6';
}

/** Input `judge-roll`: a judge settles results, orders another roll, or ends the Brawl without one (AM-39). */
function takeJudged(move: Move, input: GameInput): Next {
  const { roll } = move.state;
  if (input.by.role !== 'judge') {
    return refuse('judge/only', 'Only a judge may rule on a roll.', 'AM-39');
  }
  if (roll === null || input.roll !== roll.id) {
    const message = `The game waits for roll ${roll?.id ?? '-'}, not for this one.`;
    return refuse('roll/not-awaited', message, '5.7.2');
  }
  const reason = textIn(input, 'reason', 200);
  if (reason === undefined) return refuse('judge/reason', 'Say why, for the record.', 'AM-39');
  const who = actorText(input.by);
  const before = roll.results.map(({ player, opened, cores }) => ({ player, opened, cores }));
  if (input.verdict === 'again' || input.verdict === 'no-brawl') {
    const what = input.verdict === 'again' ? 'both roll again' : 'the turn goes on without a Brawl';
    const data = { roll: roll.id, verdict: input.verdict, before, reason, who };
    say(move, 'roll/judged', ['AM-39'], `${who}: ${what}. Reason: ${reason}`, data);
    const reroller = rerollerOf(move.state);
    if (reroller !== null) return input.verdict === 'again' ? 'ST-8r' : endReroll(move, reroller);
    return input.verdict === 'again' ? 'ST-5' : withoutBrawl(move);
  }
  const given = resultsIn(move.state, input.results);
  if ('code' in given) return given;
  if (!given.every(isSettled)) {
    return refuse('judge/undetermined', "A judge's ruling is yes or no, with the cores it names.", 'AM-39');
  }
  const results = roll.results.map((was) => {
    const now = given.find((one) => one.player === was.player);
    return now === undefined ? was : { ...now, judged: true };
  });
  patchRoll(move, { results, judge: null });
  const after = given.map(({ player, opened, cores }) => ({ player, opened, cores }));
  const words = given
    .map((one) => `${nameOf(move, one.player)} ${one.opened === 'yes' ? 'opened' : 'did not open'}`)
    .join(', ');
  const data = { roll: roll.id, before, after, reason, who };
  say(move, 'roll/judged', ['5.7.2', 'AM-39'], `${who}: ${words}. Reason: ${reason}`, data);
  return 'ST-6';
}
