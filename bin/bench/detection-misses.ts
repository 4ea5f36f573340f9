/** The wrong rulings that are left, each with its trace. */

import { STEPS } from './detection-step.ts';

/** File of a miss's trace: its row and the seed of its roll. */
export function pictureOf(line: string): string {
  const [row = '', rest = ''] = [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)];
  return `${row.replaceAll(/[^a-z0-9]+/g, '-')}-${rest.slice(0, rest.indexOf(' '))}.svg`;
}

/** Every wrong ruling with what the samples show of it, which step erred, and its picture. */
export function wrongText(wrong: readonly string[]): string {
  const lines = [
    '',
    '## Wrong rulings left',
    '',
    'Row, seed, player, ending and way of rolling; what was said, what is true, what the samples hold there, and which step of',
    `the detector (${STEPS.join(', ')}) gave the wrong answer. Their traces lie in \`detection-wrong/\`.`,
    '',
    ...wrong.map((line) => `- [${line.replaceAll(/[[\]]/g, '')}](detection-wrong/${pictureOf(line)})`),
    '',
  ];
  return lines.join('\n');
}
