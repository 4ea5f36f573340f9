import { CARDS } from '../host/game/bakugan/cards/catalog.ts';
import type { CardData } from '../host/game/bakugan/cards/vocabulary.ts';
import { CHARACTERS } from '../host/game/bakugan/data/characters.ts';

const SETS: Readonly<Record<string, string>> = {
  BB: 'Battle Brawlers',
  BR: 'Bakugan Resurgence',
  AA: 'Age of Aurelus',
};
const ORDER = Object.keys(SETS);

const setOf = ({ id }: CardData): string => id.split('-')[0] ?? '';
const numberOf = ({ id }: CardData): number => Number.parseInt(id.split('-')[1] ?? '', 10);

// Padded as the formatter of the tree pads tables.
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const wide = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(wide[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(wide.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Which cards leave a part of their text to entry by hand, and why, as a page of Markdown. */
export function handEntryPage(): string {
  // The plain Characters of the first set have no card file and nothing to enter.
  const cards = CARDS.filter(({ id }) => !CHARACTERS.some((plain) => plain.id === id));
  const counts = ORDER.map((set) => {
    const own = cards.filter((card) => setOf(card) === set);
    const left = own.filter((card) => card.byHand !== undefined);
    const whole = left.filter((card) => card.text.length === 0);
    const share = `${((100 * left.length) / own.length).toFixed(1)} %`;
    const numbers = [own.length, own.length - left.length, left.length - whole.length, whole.length];
    return [SETS[set] ?? set, ...numbers.map(String), share];
  });
  const rows = cards
    .filter((card) => card.byHand !== undefined)
    .sort((a, b) => ORDER.indexOf(setOf(a)) - ORDER.indexOf(setOf(b)) || numberOf(a) - numberOf(b))
    .map((card) => {
      const rest = card.text.length === 0 ? 'all' : 'a part';
      return [card.id, card.name, card.type, rest, card.byHand ?? ''];
    });
  return `# Card text left to entry by hand

Printed by \`bakucore rules hand-entry\` from the card files here; change those, not this page. What a card's \`text\`
says works by itself. The rest, named below, is entered at the table as a modifier and stands in the log.

${table(['set', 'cards in these files', 'expressed whole', 'a part by hand', 'all by hand', 'share by hand'], counts)}

${table(['card', 'name', 'type', 'by hand', 'what, and why'], rows)}
`;
}
