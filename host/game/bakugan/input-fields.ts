import type { GameInput, Refusal } from '../ruleset.ts';
import { refuse } from './move.ts';

/** Fields of each input beside `type` and `by`, as its step reads them. */
const FIELDS: { readonly [type: string]: readonly string[] } = {
  place: ['core', 'cell'],
  energize: ['energize', 'card'],
  select: ['bakugan'],
  pass: [],
  play: ['card', 'choices', 'on', 'pay'],
  use: ['bakugan'],
  decide: ['yes', 'choice', 'card'],
  modify: ['bakugan', 'bPower', 'damage', 'until', 'label', 'cost'],
  rolled: ['roll', 'revision', 'results', 'illegal'],
  'judge-roll': ['roll', 'results', 'verdict', 'reason'],
  flip: ['count', 'flipCard', 'stop'],
  'play-flip': ['card', 'choices', 'on', 'pay'],
  'leave-flip': [],
  'tie-flip': ['cost'],
  count: ['player', 'zone', 'count', 'reason'],
  time: [],
  concede: [],
};

const BY = ['role', 'player', 'name'];
const RESULT = ['player', 'opened', 'cores', 'possible', 'touched'];
const ILLEGAL = ['player', 'code', 'rules', 'text'];

function extraIn(value: unknown, known: readonly string[], at: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const extra = Object.keys(value).find((key) => !known.includes(key));
  return extra === undefined ? undefined : `${at}${extra.slice(0, 40)}`;
}

function extraInList(value: unknown, known: readonly string[], at: string): string | undefined {
  if (!Array.isArray(value)) return undefined;
  for (const [index, one] of value.entries()) {
    const extra = extraIn(one, known, `${at}[${index}].`);
    if (extra !== undefined) return extra;
  }
  return undefined;
}

/**
 * Refuses a field that no step reads: a slip of the pen would otherwise be taken for what was not said, and the journal
 * would keep whatever a sender adds. Types that the game does not know are left to their own refusal.
 */
export function extraField(input: GameInput): Refusal | undefined {
  const known = Object.hasOwn(FIELDS, input.type) ? FIELDS[input.type] : undefined;
  if (known === undefined) return undefined;
  const extra =
    extraIn(input, ['type', 'by', ...known], '') ??
    extraIn(input.by, BY, 'by.') ??
    extraInList(input.results, RESULT, 'results') ??
    extraInList(input.illegal, ILLEGAL, 'illegal');
  if (extra === undefined) return undefined;
  const has = known.length === 0 ? 'it has none of its own' : `it has ${known.join(', ')}`;
  return refuse('step/unknown-field', `Input "${input.type}" has no field ${extra}; ${has}.`, '5.1.2');
}
