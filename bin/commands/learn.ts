import { Command } from 'commander';
import { confirmedBalls } from '../../host/audit/confirmed.ts';
import { rollsOf } from '../../host/audit/rolls.ts';
import { loadConfig } from '../../host/config.ts';
import { TableFault } from '../../host/fault.ts';
import { PARTS } from '../../host/parts.ts';
import {
  type ConfirmedBall,
  type Looked,
  type OpenLimits,
  type Proposal,
  proposeLimits,
  UNSEEN_WEIGHT,
} from '../../host/sensing/learn.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { openTelling } from '../open-telling.ts';
import { chance, filled } from '../option-values.ts';
import { say, sayAside } from '../say.ts';

type Options = {
  readonly config?: string;
  readonly table?: string;
  readonly openYes?: number;
  readonly openNo?: number;
  readonly json: boolean;
};

/** Limits that were in force, and who says so, in words. */
type InForce = { readonly limits: OpenLimits; readonly says: string };

/** `bakucore learn`: limits that judged rulings speak for, with the rulings that would flip. Changes nothing. */
export function learn(): Command {
  return new Command('learn')
    .description(
      'Propose limits from rolls that judges confirmed or corrected, with every past ruling that would flip. Nothing changes by itself.',
    )
    .argument('<files...>', 'folders of tables or match files')
    .option(
      '--config <file>',
      'config whose limits are in force; by default those that the journal recorded',
      filled,
    )
    .option('--table <name>', 'which table of the config; the first by default', filled)
    .option('--open-yes <chance>', 'another openYes in force', chance)
    .option('--open-no <chance>', 'another openNo in force', chance)
    .option('--json', 'print the proposal as JSON', false)
    .addHelpText(
      'after',
      `\nA ball that a judge confirmed or corrected counts in full. One that nobody looked at is this host's own word: it\ncounts a tenth (${UNSEEN_WEIGHT}), and never towards the 20 opened and 20 not that a proposal needs.\n\nExamples:\n  bakucore learn data/t1 *.match\n  bakucore learn data/t1 --config my-table.yaml`,
    )
    .action(async (files: readonly string[], options: Options) => {
      const fromConfig = options.config === undefined ? undefined : configured(options.config, options.table);
      const balls: ConfirmedBall[] = [];
      const recorded: InForce[] = [];
      for (const file of files) {
        const source = await openTelling(file);
        await rollsOf(source, {
          parts: PARTS,
          each(one) {
            balls.push(...confirmedBalls(one));
            const { openYes, openNo } = one.limits;
            recorded.push({ limits: { openYes, openNo }, says: `as ${file} recorded them` });
          },
        });
      }
      const before = fromConfig ?? lastOf(recorded);
      const limits = {
        openYes: options.openYes ?? before.limits.openYes,
        openNo: options.openNo ?? before.limits.openNo,
      };
      const isGiven = options.openYes !== undefined || options.openNo !== undefined;
      const says = isGiven ? 'as given here' : before.says;
      const proposal = proposeLimits(limits, balls);
      if (options.json) say(JSON.stringify({ ...proposal, inForce: says }));
      else say(...linesOf(proposal, says));
    });
}

function configured(file: string, name: string | undefined): InForce {
  const { tables } = loadConfig(file, PARTS);
  const table = tables[name ?? Object.keys(tables)[0] ?? ''];
  if (table === undefined) {
    throw new TableFault(
      'config/bad-value',
      `${file} has no table "${name ?? ''}".`,
      `It has: ${Object.keys(tables).join(', ')}.`,
    );
  }
  const { openYes, openNo } = table.sensing;
  return { limits: { openYes, openNo }, says: `as ${file} says` };
}

/** Limits of the newest roll; where others were ruled under other ones that is said. */
function lastOf(recorded: readonly InForce[]): InForce {
  const last = recorded.at(-1);
  if (last === undefined) return { limits: DEFAULT_LIMITS, says: 'the usual ones: no roll is recorded' };
  const others = recorded.filter(
    ({ limits }) => limits.openYes !== last.limits.openYes || limits.openNo !== last.limits.openNo,
  ).length;
  if (others > 0) {
    sayAside(
      `${others} of ${recorded.length} rolls were ruled under other limits than the last one: name those in force with --config.`,
    );
  }
  return last;
}

const WORDS: Readonly<Record<Looked, string>> = {
  confirmed: 'confirmed by a judge',
  corrected: 'corrected by a judge',
  unseen: 'not looked at',
};

function linesOf(proposal: Proposal, says: string): readonly string[] {
  const { now, proposed, before, after, unseenBefore, unseenAfter, balls, flips, note } = proposal;
  const tally = (judged: typeof before, unseen: typeof before): string =>
    `of ${judged.of} judged balls ${judged.wrong} wrong, ${judged.undetermined} undetermined; of ${unseen.of} not looked at ${unseen.wrong} otherwise than ruled, ${unseen.undetermined} undetermined`;
  const lines = [
    `Balls: ${balls.confirmed} confirmed by a judge, ${balls.corrected} corrected, ${balls.unseen} not looked at (each counts ${UNSEEN_WEIGHT} of a judged one).`,
    `In force, ${says}: openYes ${now.openYes}, openNo ${now.openNo}: ${tally(before, unseenBefore)}.`,
  ];
  if (note !== '') lines.push(note);
  if (proposed !== now) {
    lines.push(
      `Proposed: openYes ${proposed.openYes}, openNo ${proposed.openNo}: ${tally(after, unseenAfter)}.`,
    );
    for (const { roll, player, before: was, after: then, opened, looked } of flips) {
      lines.push(`  ${roll} ${player}: ${was} would read ${then}; ${WORDS[looked]}: ${opened}`);
    }
    lines.push('To take it over, write these two under sensing of the table in the config.');
  }
  return lines;
}
