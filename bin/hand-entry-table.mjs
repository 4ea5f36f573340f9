// Writes host/game/bakugan/data/cards/HAND-ENTRY.md: which cards leave a part of their text to entry by hand, and why.
// Run it after changing card files; a test compares.
//   node bin/hand-entry-table.mjs          writes the file
//   node bin/hand-entry-table.mjs print    prints it instead
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../host/game/bakugan/data/cards');
const SETS = { BB: 'Battle Brawlers', BR: 'Bakugan Resurgence', AA: 'Age of Aurelus' };

const cards = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

const setOf = (card) => card.id.split('-')[0];
const numberOf = (card) => Number.parseInt(card.id.split('-')[1], 10);

// Padded as the formatter of the tree pads tables.
function table(head, rows) {
  const wide = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(wide[column])).join(' | ')} |`;
  return [line(head), line(wide.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const counts = Object.entries(SETS).map(([set, title]) => {
  const own = cards.filter((card) => setOf(card) === set);
  const left = own.filter((card) => card.byHand !== undefined);
  const whole = left.filter((card) => card.text.length === 0);
  const share = `${((100 * left.length) / own.length).toFixed(1)} %`;
  const numbers = [own.length, own.length - left.length, left.length - whole.length, whole.length];
  return [title, ...numbers.map(String), share];
});

const order = Object.keys(SETS);
const rows = cards
  .filter((card) => card.byHand !== undefined)
  .sort((a, b) => order.indexOf(setOf(a)) - order.indexOf(setOf(b)) || numberOf(a) - numberOf(b))
  .map((card) => {
    const rest = card.text.length === 0 ? 'all' : 'a part';
    return [card.id, card.name, card.type, rest, card.byHand];
  });

const page = `# Card text left to entry by hand

Written by \`node bin/hand-entry-table.mjs\` from the card files here; change those, not this page. What a card's \`text\`
says works by itself. The rest, named below, is entered at the table as a modifier and stands in the log.

${table(['set', 'cards in these files', 'expressed whole', 'a part by hand', 'all by hand', 'share by hand'], counts)}

${table(['card', 'name', 'type', 'by hand', 'what, and why'], rows)}
`;

if (process.argv[2] === 'print') process.stdout.write(page);
else writeFileSync(join(folder, 'HAND-ENTRY.md'), page);
