import { Command } from 'commander';
import { confirmedBalls } from '../../host/audit/confirmed.ts';
import { rollsOf } from '../../host/audit/rolls.ts';
import { PARTS } from '../../host/parts.ts';
import { type ConfirmedBall, type Proposal, proposeLimits } from '../../host/sensing/learn.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { openTelling } from '../open-telling.ts';
import { chance } from '../option-values.ts';
import { say } from '../say.ts';

type Options = {
  readonly openYes: number;
  readonly openNo: number;
  readonly json: boolean;
};

/** `bakucore learn`: limits that confirmed rulings speak for, with the rulings that would flip. Changes nothing. */
export function learn(): Command {
  return new Command('learn')
    .description(
      'Propose limits from rolls that were ruled and confirmed, with every past ruling that would flip. Nothing changes by itself.',
    )
    .argument('<files...>', 'folders of tables or match files')
    .option('--open-yes <chance>', 'openYes in force', chance, DEFAULT_LIMITS.openYes)
    .option('--open-no <chance>', 'openNo in force', chance, DEFAULT_LIMITS.openNo)
    .option('--json', 'print the proposal as JSON', false)
    .addHelpText('after', '\nExample:\n  bakucore learn data/t1 *.match')
    .action(async (files: readonly string[], options: Options) => {
      const balls: ConfirmedBall[] = [];
      for (const file of files) {
        const source = await openTelling(file);
        await rollsOf(source, { parts: PARTS, each: (one) => balls.push(...confirmedBalls(one)) });
      }
      const proposal = proposeLimits({ openYes: options.openYes, openNo: options.openNo }, balls);
      if (options.json) say(JSON.stringify(proposal));
      else say(...linesOf(proposal));
    });
}

function linesOf({ now, proposed, before, after, flips, note }: Proposal): readonly string[] {
  const tally = (t: typeof before): string => `${t.wrong} wrong, ${t.undetermined} undetermined of ${t.of}`;
  const lines = [`In force: openYes ${now.openYes}, openNo ${now.openNo}: ${tally(before)} confirmed balls.`];
  if (note !== '') lines.push(note);
  if (proposed !== now) {
    lines.push(`Proposed: openYes ${proposed.openYes}, openNo ${proposed.openNo}: ${tally(after)}.`);
    for (const { roll, player, before: was, after: then, confirmed } of flips) {
      lines.push(`  ${roll} ${player}: ${was} would read ${then}; confirmed ${confirmed}`);
    }
    lines.push('To take it over, write these two under sensing of the table in the config.');
  }
  return lines;
}
