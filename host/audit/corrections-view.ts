import type { Json } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { Correction } from './corrections.ts';
import { escaped, num } from './html.ts';

/** What judges did, in order: who, when, why, by which rule, what stood before and after, what came of it. */
export function correctionsView(corrections: readonly Correction[], title: string): string {
  if (corrections.length === 0) return '';
  return `<div class="card warn"><h3>${escaped(title)}</h3>${corrections.map(oneCorrection).join('')}</div>`;
}

function oneCorrection(correction: Correction): string {
  const { seq, atMs, answer, wallTime } = correction;
  const command = isObject(correction.command) ? correction.command : {};
  const input = isObject(command.input) ? command.input : {};
  const told = isObject(correction.record) ? correction.record : {};
  const when =
    wallTime === undefined ? `${num(atMs, 0)} ms` : `${wallTime.replace('T', ' ').slice(0, 19)} UTC`;
  const rows: readonly (readonly [string, string])[] = [
    ['What', whatOf(command, input)],
    ['Who', personOf(correction.by)],
    ['When', `${when}, record ${seq}`],
    ['Why', textOf(told.why ?? command.reason ?? input.reason) || 'no reason was given'],
    ['Rule', textOf(told.rule ?? command.rule) || 'none was named'],
    [
      'Second judge',
      isObject(told.second ?? command.second ?? null) ? personOf(told.second ?? command.second) : 'none',
    ],
    ['Before', resultsOf(told.before)],
    ['After', resultsOf(told.after ?? input)],
  ];
  const cells = rows.flatMap(([name, value]) =>
    value === '' ? [] : [`<tr><th scope="row">${name}</th><td>${escaped(value)}</td></tr>`],
  );
  const events = answer.slice(0, 12).map((text) => `<li>${escaped(text)}</li>`);
  const more = answer.length > 12 ? `<li class="soft">and ${answer.length - 12} more</li>` : '';
  return `<table class="small facts"><tbody>${cells.join('')}</tbody></table>${events.length === 0 ? '' : `<ul class="small">${events.join('')}${more}</ul>`}`;
}

function whatOf(command: { readonly [key: string]: Json }, input: { readonly [key: string]: Json }): string {
  if (command.do === 'undo') return `The game was taken back to how it was after step ${String(command.to)}`;
  if (command.do === 'replace-ruling') return `The ruling of roll ${textOf(command.roll)} was replaced`;
  if (input.type === 'count')
    return `The ${textOf(input.zone)} of player ${textOf(input.player)} was counted`;
  return `Roll ${textOf(input.roll)} was ruled`;
}

function personOf(value: Json | undefined): string {
  if (!isObject(value)) return 'unknown';
  const role = textOf(value.role) || 'unknown';
  const name = textOf(value.name);
  return name === '' ? `${role}, without a name` : `${name} (${role})`;
}

/** Results of an input in words; empty when it holds none. */
function resultsOf(value: Json | undefined): string {
  if (!isObject(value)) return '';
  if (value.verdict === 'again') return 'both roll again';
  if (value.verdict === 'no-brawl') return 'the turn goes on without a Brawl';
  if (typeof value.count === 'number') return `${value.count} cards`;
  if (!Array.isArray(value.results)) return '';
  return value.results
    .filter(isObject)
    .map((one) => {
      const cores = Array.isArray(one.cores) ? one.cores.join(' and ') : '';
      const said = { yes: cores === '' ? 'opened, no core' : `opened on ${cores}`, no: 'did not open' };
      return `${textOf(one.player)} ${said[one.opened as 'yes' | 'no'] ?? 'undetermined'}`;
    })
    .join('; ');
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
