/** The wrong rulings that are left, each with its trace. */

/** File of a miss's trace: its row and the seed of its roll. */
export function pictureOf(line: string): string {
  const [row = '', rest = ''] = [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)];
  return `${row.replaceAll(/[^a-z0-9]+/g, '-')}-${rest.slice(0, rest.indexOf(' '))}.svg`;
}

/** Every wrong ruling with what the samples could tell of it, and its picture. */
export function wrongText(wrong: readonly string[]): string {
  const lines = [
    '',
    '## Wrong rulings left',
    '',
    'Row, seed, player, ending and way of rolling; what was said, what is true, and what the samples hold there. Their traces',
    'lie in `detection-wrong/`.',
    '',
    ...wrong.map((line) => `- [${line.replaceAll(/[[\]]/g, '')}](detection-wrong/${pictureOf(line)})`),
    '',
  ];
  return lines.join('\n');
}
