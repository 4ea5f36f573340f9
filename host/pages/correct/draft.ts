import type { Foreseen, PastStep } from '../../advance/input.ts';
import type { WireCommand } from '../../displays/feed-messages.ts';
import { SIDES, type Side } from '../../ids.ts';

/** What a judge is about to correct. */
export type Kind = 'overrule' | 'again' | 'count' | 'back';

export const KINDS: Readonly<Record<Kind, string>> = {
  overrule: 'Overrule a roll',
  again: 'Order a new roll',
  count: 'Count a pile',
  back: 'Go back',
};

export const ZONES: Readonly<Record<string, string>> = {
  deck: 'deck',
  hand: 'hand',
  discard: 'discard pile',
  charged: 'charged Energy',
  uncharged: 'uncharged Energy',
};

/** A result as a judge words it: opened or not, and up to two cores. */
export type Result = { readonly opened: 'yes' | 'no'; readonly cores: readonly string[] };

export type Draft = {
  readonly kind: Kind;
  readonly roll: string;
  readonly results: Readonly<Record<Side, Result>>;
  readonly player: Side;
  readonly zone: string;
  readonly count: number;
  /** Step after which the game stands again. */
  readonly to: number;
  readonly reason: string;
  readonly rule: string;
  readonly second: string;
};

export const NO_DRAFT: Draft = {
  kind: 'overrule',
  roll: '',
  results: { A: { opened: 'no', cores: [] }, B: { opened: 'no', cores: [] } },
  player: 'A',
  zone: 'deck',
  count: 0,
  to: 0,
  reason: '',
  rule: '',
  second: '',
};

/** What the dialog shows. */
export type Correcting = {
  readonly draft: Draft;
  readonly steps: readonly PastStep[];
  readonly foreseen: Foreseen | undefined;
  readonly busy: boolean;
  readonly problem: string | undefined;
};

/** The command that a draft stands for; `withToken` says how a second judge shows who he is. */
export function commandOf(draft: Draft, basis: string | undefined, withToken: boolean): WireCommand {
  const { kind, roll, player, zone, count, to } = draft;
  const reason = draft.reason.trim();
  const rule = draft.rule.trim();
  const second = draft.second.trim();
  const shared = {
    reason,
    ...(rule === '' ? {} : { rule }),
    ...(second === '' ? {} : { second: withToken ? { token: second } : { name: second } }),
    ...(basis === undefined ? {} : { basis }),
  };
  switch (kind) {
    case 'overrule': {
      const results = SIDES.map((side) => ({ player: side, ...draft.results[side] })).map(
        ({ player: side, opened, cores }) => ({
          player: side,
          opened,
          cores: opened === 'yes' ? [...cores] : [],
        }),
      );
      return { do: 'replace-ruling', roll, input: { type: 'judge-roll', roll, reason, results }, ...shared };
    }
    case 'again':
      return {
        do: 'replace-ruling',
        roll,
        input: { type: 'judge-roll', roll, reason, verdict: 'again' },
        ...shared,
      };
    case 'count': {
      // A count is a step of the game: what goes with it stands in its reason.
      const more = [
        rule === '' ? '' : `rule ${rule}`,
        second === '' || withToken ? '' : `confirmed by ${second}`,
      ];
      const words = [reason, ...more]
        .filter((word) => word !== '')
        .join('; ')
        .slice(0, 200);
      return { do: 'play', for: 'judge', input: { type: 'count', player, zone, count, reason: words } };
    }
    case 'back':
      return { do: 'undo', to, ...shared };
    default:
      return kind satisfies never;
  }
}

/** Rolls that were settled in the game, newest first. */
export function rollsIn(steps: readonly PastStep[]): readonly string[] {
  const rolls = steps.flatMap(({ roll, by }) => (roll === undefined || by.role === 'player' ? [] : [roll]));
  return [...new Set(rolls.reverse())];
}
