import { RULE_NOTES } from './data/rule-notes.ts';

function byNumber(a: string, b: string): number {
  const one = a.split(/[.-]/);
  const two = b.split(/[.-]/);
  for (let at = 0; at < Math.max(one.length, two.length); at += 1) {
    const x = one[at] ?? '';
    const y = two[at] ?? '';
    const difference = Number(x) - Number(y);
    if (Number.isNaN(difference)) {
      if (x !== y) return x < y ? -1 : 1;
    } else if (difference !== 0) return difference;
  }
  return 0;
}

/** Rules that `explainRule` knows, in order. */
export function explainedRules(): readonly string[] {
  return Object.keys(RULE_NOTES).sort(byNumber);
}

/**
 * What the game does for a rule, in our words: the rule itself and those below it, as in `5.7.2` with `5.7.2.1`.
 * Undefined for a number it does not know.
 */
export function explainRule(rule: string): string | undefined {
  const found = explainedRules().filter((one) => one === rule || one.startsWith(`${rule}.`));
  if (found.length === 0) return undefined;
  return found
    .map((one) => {
      const note = RULE_NOTES[one];
      return `${one}: ${note?.says ?? ''} (${note?.where ?? ''})`;
    })
    .join('\n');
}

/** How many single changes lead from one text to another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The three known rules nearest to a number that is not known: most parts in common first, then fewest letters apart. */
export function nearestRules(rule: string): readonly string[] {
  const given = rule.slice(0, 40).toUpperCase();
  const parts = given.split(/[.-]/);
  const common = (one: string): number => {
    const own = one.split(/[.-]/);
    const differs = parts.findIndex((part, index) => part !== own[index]);
    return differs < 0 ? parts.length : differs;
  };
  return [...explainedRules()]
    .sort((a, b) => common(b) - common(a) || distance(given, a) - distance(given, b))
    .slice(0, 3);
}
