/**
 * How much of every card is held by scenarios: one printed fact after another is changed in the card's data, and some
 * scenario that names the card has to notice. Prints how many facts were changed and noticed, by card type, and with
 * `list` each that was not. Ends with 1 when one goes unnoticed.
 * With `words` every word of a text is changed too, to each other that stands at such a place. Many of those say the same
 * on that card (this Bakugan wins, one of yours wins), so they are counted and listed and never end it with 1.
 *   node tests/mutation/cards.ts [list] [words] [id]
 */
import { CARDS } from '../../host/game/bakugan/cards/catalog.ts';
import { cardFaults } from '../../host/game/bakugan/cards/schema.ts';
import type { CardData } from '../../host/game/bakugan/cards/vocabulary.ts';
import { playScenario } from '../../host/game/scenarios/check.ts';
import type { Scenario } from '../../host/game/scenarios/scenario.ts';
import type { Json } from '../../host/ids.ts';
import { scenarioFiles } from '../support/scenario-files.ts';

type Fields = { [key: string]: Json };
type Changed = { readonly what: string; readonly card: CardData };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every copy of a value with one place inside it changed. */
function* changes(value: Json, at: string): Generator<{ what: string; value: Json }> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const place = `${at}[${index}]`;
      const isStep = isFields(one);
      const without = value.filter((_, other) => other !== index);
      if (isStep) yield { what: `${place} left out`, value: without };
      for (const inner of changes(one, place)) {
        const copy = [...value];
        copy[index] = inner.value;
        yield { what: inner.what, value: copy };
      }
    }
    return;
  }
  if (!isFields(value)) return;
  for (const [key, one] of Object.entries(value)) {
    const place = `${at}.${key}`;
    const put = (to: Json): Json => ({ ...value, [key]: to });
    const { [key]: _, ...without } = value;
    if (typeof one === 'string') {
      for (const other of WORDS.get(key) ?? [])
        if (other !== one) yield { what: `${place} ${one} to ${other}`, value: put(other) };
    }
    if (typeof one === 'number')
      yield { what: `${place} ${one} to ${one + STEP(key)}`, value: put(one + STEP(key)) };
    // Whether a pick that cannot be made forbids the card is a matter of form, not of print.
    else if (key === 'optional') continue;
    else if (one === true) yield { what: `${place} left out`, value: without };
    else if (key === 'if' || key === 'is') {
      if (key === 'if') yield { what: `${place} left out`, value: without };
      yield { what: `${place} turned round`, value: put({ not: one }) };
    } else if ((key === 'factions' || key === 'not' || key === 'holds') && Array.isArray(one)) {
      yield { what: `${place} another`, value: put(one.map((word) => OTHER[String(word)] ?? word)) };
    } else if (typeof one === 'object') {
      for (const inner of changes(one, place)) yield { what: inner.what, value: put(inner.value) };
    }
  }
}

/** With `words`: what stands behind a key anywhere in the texts of the cards. Letters of picks and names are no words. */
const WORDS = new Map<string, Set<string>>();
function gather(value: unknown, key: string): void {
  if (typeof value === 'string' && key !== 'as' && key !== 'name')
    WORDS.set(key, (WORDS.get(key) ?? new Set()).add(value));
  else if (Array.isArray(value)) for (const one of value) if (typeof one === 'object') gather(one, key);
  if (isFields(value)) for (const [inner, one] of Object.entries(value)) gather(one, inner);
}
const words = process.argv.slice(2);
if (words.includes('words')) for (const card of CARDS) gather(card.text, 'text');

const STEP = (key: string): number => (key === 'bPower' ? 100 : 1);
const OTHER: { readonly [word: string]: string } = {
  ...{ Pyrus: 'Aquos', Aquos: 'Ventus', Ventus: 'Haos', Haos: 'Darkus', Darkus: 'Aurelus', Aurelus: 'Pyrus' },
  ...{ FT: 'FF', FF: 'SD', SD: 'MS', MS: 'HE', HE: 'FT' },
};

function changedCards(card: CardData): readonly Changed[] {
  const found: Changed[] = [];
  const seen = new Set<string>();
  for (const { what, value } of changes(card as unknown as Json, '')) {
    const text = JSON.stringify(value);
    // Only cards that a person could write: what the check refuses is no mistake that could stay.
    if (seen.has(text) || cardFaults(value).length > 0) continue;
    seen.add(text);
    found.push({ what, card: value as unknown as CardData });
  }
  return found;
}

const scenarios = scenarioFiles(process.cwd()).flatMap((file) => file.scenarios);
const showing = new Map<string, Scenario[]>();
for (const scenario of scenarios)
  for (const rule of scenario.rules) showing.set(rule, [...(showing.get(rule) ?? []), scenario]);

function notices(scenario: Scenario, card: CardData): boolean {
  const options = { ...scenario.options, cards: [card, ...(scenario.options?.cards ?? [])] };
  try {
    return !playScenario({ ...scenario, options }).ok;
  } catch {
    // A changed card may break the game outright.
    return true;
  }
}

const isListing = words.includes('list');
const only = words.find((word) => /^[A-Z]{2}-/.test(word));
const tally = new Map<string, { cards: number; whole: number; facts: number; noticed: number }>();
for (const card of CARDS) {
  if (only !== undefined && card.id !== only) continue;
  const own = showing.get(card.id) ?? [];
  const all = changedCards(card);
  const missed = all.filter((one) => !own.some((scenario) => notices(scenario, one.card)));
  const row = tally.get(card.type) ?? { cards: 0, whole: 0, facts: 0, noticed: 0 };
  row.cards += 1;
  row.whole += missed.length === 0 ? 1 : 0;
  row.facts += all.length;
  row.noticed += all.length - missed.length;
  tally.set(card.type, row);
  if (isListing && missed.length > 0)
    console.log(
      `${card.id} ${card.name} (${own.length} scenarios): ${missed.map((one) => one.what).join('; ')}`,
    );
}
let facts = 0;
let noticed = 0;
for (const [type, row] of tally) {
  facts += row.facts;
  noticed += row.noticed;
  console.log(
    `${type.padEnd(10)} ${row.cards} cards, ${row.whole} held whole; ${row.noticed} of ${row.facts} changed facts noticed`,
  );
}
console.log(`${noticed} of ${facts} changed facts noticed`);
process.exit(only !== undefined || WORDS.size > 0 || noticed === facts ? 0 : 1);
