import { Command, Option } from 'commander';
import { type Report, reportOn } from '../../host/audit/report.ts';
import { textOfReport } from '../../host/audit/report-text.ts';
import { PARTS } from '../../host/parts.ts';
import { counted } from '../counted.ts';
import { ALLOW_OPEN, failOnDoubt } from '../fail-on-doubt.ts';
import { eachOnce, writeNamed } from '../named-file.ts';
import { openTelling } from '../open-telling.ts';
import { checkOutPlace } from '../out-place.ts';
import { say, sayAside, writeOut } from '../say.ts';

type Options = {
  readonly form: 'text' | 'html' | 'csv' | 'json';
  readonly title: string;
  readonly allowOpen: boolean;
  readonly out?: string;
};

/** `bakucore report`: rolls, rates and what stands out, over any number of journals and matches. */
export function report(): Command {
  return new Command('report')
    .description(
      'Sum up rolls for organisers: open and attach rates with intervals, violations, doubts, tile health.',
    )
    .argument('<files...>', 'folders of tables or match files: one match, a day, an event')
    .addOption(
      new Option('--form <form>', 'how to write it').choices(['text', 'html', 'csv', 'json']).default('text'),
    )
    .option('--title <text>', 'title of the page', 'Rolls')
    .option('--allow-open', ALLOW_OPEN, false)
    .option('--out <file>', 'where to write; otherwise to standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore report data/t1\n  bakucore report *.match --form html --title "Winter cup" --out cup.html\n  bakucore report data/t1 --form csv > rolls.csv',
    )
    .action(async (files: readonly string[], options: Options) => {
      await eachOnce(files);
      if (options.out !== undefined) await checkOutPlace(options.out, files);
      const sources = [];
      for (const file of files) sources.push(await openTelling(file));
      const made = await reportOn(sources, PARTS);
      if (made.linesNotKept > 0) {
        sayAside(
          `${made.linesNotKept} of ${counted(made.rolls, 'roll')} told by recorded rulings alone: lines no longer kept.`,
        );
      }
      const { form, title, out } = options;
      // A page or a table is a file, also where it goes to standard output: its bytes stay as they are.
      if (form === 'text' && out === undefined) say(...plain(made));
      else {
        const text = form === 'text' ? `${plain(made).join('\n')}\n` : textOfReport(made, form, title);
        if (out === undefined) await writeOut(text);
        else await writeNamed(out, text);
      }
      await failOnDoubt(made.doubts, options.allowOpen);
    });
}

/** Rolls whose recorded rulings this version would not give. */
function otherwise({ rows }: Report): readonly string[] {
  const rolls = new Set(rows.flatMap((row) => (row.wouldRule === '' ? [] : [`${row.match} ${row.roll}`])));
  return rolls.size === 0
    ? []
    : [`this version would rule ${counted(rolls.size, 'roll')} otherwise; the figures go by the record`];
}

function plain(made: Report): readonly string[] {
  const percent = (share: number): string =>
    Number.isNaN(share) ? '–' : `${Math.round(1000 * share) / 10} %`;
  const rate = ({ share, low, high, hits, of }: Report['undetermined']): string =>
    `${percent(share)} (${percent(low)} to ${percent(high)}, ${hits} of ${of})`;
  const lines = made.players.map(
    ({ name, opens, attached }) => `  ${name.padEnd(16)} opened ${rate(opens)}, stayed ${rate(attached)}`,
  );
  return [
    `${counted(made.rolls, 'roll')} in ${counted(made.games, 'game')}`,
    `undetermined ${rate(made.undetermined)}`,
    `of those settled by a judge ${rate(made.settled)}`,
    `sure rulings overridden by a judge ${rate(made.overridden)}`,
    ...otherwise(made),
    `against a roll rule ${rate(made.illegal)}`,
    ...lines,
    ...made.doubts.map(({ text }) => text),
    ...made.unusual.map(({ text }) => text),
    made.method,
  ];
}
