import { historyOf } from '../game/history.ts';
import { type PlayedInput, playInput } from '../game/play.ts';
import type { GameEvent, Refusal } from '../game/ruleset.ts';
import { basisOf } from './basis.ts';
import { commandProblem } from './command-shape.ts';
import { correct } from './correction.ts';
import { changesBetween } from './difference.ts';
import type { Answer, Command, Foreseen, Question, Told } from './input.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

/** Entries of each list that are shown. */
const SHOWN = 100;

type Now = Pick<TableState, 'play' | 'rulings' | 'game'>;

/** Answers a judge's question from the game as it stands. Changes nothing. */
export function answerTo(now: Now, setting: TableSetting, question: Question): Answer | Refusal {
  switch (question.kind) {
    case 'history': {
      const { play } = now;
      const steps = historyOf(play, setting.ruleset, question.before ?? play.seq + 1);
      return {
        kind: 'history',
        newest: play.seq,
        steps: steps.map(({ seq, input, events }) => ({
          seq,
          by: input.by,
          type: input.type,
          ...(typeof input.roll === 'string' ? { roll: input.roll } : {}),
          events: events.map(toldOf),
        })),
      };
    }
    case 'foresee':
      return foresee(now, setting, question.command);
    default:
      return question satisfies never;
  }
}

function foresee(now: Now, setting: TableSetting, command: Command): Answer | Refusal {
  const problem = commandProblem(command);
  if (problem !== undefined) return problem;
  const { ruleset } = setting;
  switch (command.do) {
    case 'play': {
      const played = playInput(now.play, ruleset, command.input);
      if (!played.ok) return played.refusal;
      const changes = { withdrawn: [], added: played.events, dropped: [], retracts: [] };
      return seen(now, setting, played.play.state, changes);
    }
    case 'replace-ruling':
    case 'undo': {
      const corrected = correct(now, ruleset, command);
      return 'code' in corrected ? corrected : seen(now, setting, corrected.play.state, corrected);
    }
    case 'new-game':
    case 'start-match':
    case 'end-match':
    case 'resume-match':
    case 'calibrate':
    case 'use-calibration':
    case 'identify': {
      const message = 'Only plays and corrections can be looked at before they are given.';
      return { code: 'foresee/not-a-change', message, rules: [] };
    }
    default:
      return command satisfies never;
  }
}

type Changes = {
  readonly withdrawn: readonly GameEvent[];
  readonly added: readonly GameEvent[];
  readonly dropped: readonly PlayedInput[];
  readonly retracts: readonly { readonly roll: string }[];
  readonly refusal?: Refusal;
};

function seen(now: Now, { ruleset }: TableSetting, after: Now['play']['state'], changes: Changes): Answer {
  const { withdrawn, added, dropped, retracts, refusal } = changes;
  const judge = { kind: 'judge' } as const;
  const foreseen: Foreseen = {
    basis: basisOf(now),
    withdrawn: withdrawn.slice(0, SHOWN).map(toldOf),
    added: added.slice(0, SHOWN).map(toldOf),
    dropped: dropped.slice(0, SHOWN).map(({ seq, input }) => ({ seq, by: input.by, type: input.type })),
    counts: { withdrawn: withdrawn.length, added: added.length, dropped: dropped.length },
    ...(refusal === undefined ? {} : { because: refusal }),
    rolls: retracts.map(({ roll }) => roll),
    changes: changesBetween(ruleset.view(now.play.state, judge), ruleset.view(after, judge)).slice(0, SHOWN),
  };
  return { kind: 'foresee', ...foreseen };
}

function toldOf({ type, text, rules }: GameEvent): Told {
  return { type, text, rules };
}
