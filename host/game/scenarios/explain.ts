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
