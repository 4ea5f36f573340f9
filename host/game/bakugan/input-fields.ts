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

type Known = ReadonlySet<string>;
const BY: Known = new Set(['role', 'player', 'name']);
const RESULT: Known = new Set(['player', 'opened', 'cores', 'possible', 'touched']);
const ILLEGAL: Known = new Set(['player', 'code', 'rules', 'text']);
const KNOWN: ReadonlyMap<string, Known> = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [type, new Set(['type', 'by', ...fields])]),
);

// Asked at every step of every match, so nothing is made unless something is wrong.
function extraIn(value: unknown, known: Known): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key in value) if (!known.has(key) && Object.hasOwn(value, key)) return key.slice(0, 40);
  return undefined;
}

function extraInList(value: unknown, known: Known, at: string): string | undefined {
  if (!Array.isArray(value)) return undefined;
  for (let index = 0; index < value.length; index += 1) {
    const extra = extraIn(value[index], known);
    if (extra !== undefined) return `${at}[${index}].${extra}`;
  }
  return undefined;
}

/**
 * Refuses a field that no step reads: a slip of the pen would otherwise be taken for what was not said, and the journal
 * would keep whatever a sender adds. Types that the game does not know are left to their own refusal.
 */
export function extraField(input: GameInput): Refusal | undefined {
  const known = KNOWN.get(input.type);
  if (known === undefined) return undefined;
  const by = extraIn(input.by, BY);
  const extra =
    extraIn(input, known) ??
    (by === undefined ? undefined : `by.${by}`) ??
    extraInList(input.results, RESULT, 'results') ??
    extraInList(input.illegal, ILLEGAL, 'illegal');
  if (extra === undefined) return undefined;
  const fields = FIELDS[input.type] ?? [];
  const has = fields.length === 0 ? 'it has none of its own' : `it has ${fields.join(', ')}`;
  return refuse('step/unknown-field', `Input "${input.type}" has no field ${extra}; ${has}.`, '5.1.2');
}
