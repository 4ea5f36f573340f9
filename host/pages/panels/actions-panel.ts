import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { LegalInput } from '../../game/ruleset.ts';
import { nameOf } from '../bakugan-scene.ts';
import { type Acting, keyOf } from './act.ts';
import { judgeDesk } from './judge-desk.ts';
import { pickList } from './pick-list.ts';

/** More than this many choices stand in a list rather than as buttons. */
const MOST_BUTTONS = 14;

export type ActionsSeen = Acting & {
  readonly legal: readonly LegalInput[];
  readonly view: BakuganView | undefined;
  /** A cell of the field that was clicked, where several things may be done. */
  readonly cell: string | undefined;
  /** The game waits for a judge: the judge's choices come first and open. */
  readonly judgeNeeded: boolean;
  everyCell(): void;
};

/** A button for everything that may be done now, by who may do it. */
export function actionsPanel(seen: ActionsSeen): TemplateResult {
  const order = seen.judgeNeeded ? (['judge', 'A', 'B'] as const) : (['A', 'B', 'judge'] as const);
  const groups = order.map((player) => ({
    player,
    inputs: seen.legal.filter((one) => one.player === player),
  }));
  const idle = seen.legal.every((one) => one.aside === true);
  return html`
    <section class="card actions" aria-label="What may be done now">
      <h2>Actions</h2>
      <div class="scroll">
        ${batch(seen.view)}
        ${idle ? html`<p class="quiet">${idleWords(seen)}</p>` : nothing}
        ${groups.map(({ player, inputs }) => (inputs.length === 0 ? nothing : group(player, inputs, seen)))}
      </div>
    </section>`;
}

/** Why there is nothing to press: on a judge's screen the table may well wait for a player. */
function idleWords({ may, view }: ActionsSeen): string {
  if (!may) return 'This screen only watches.';
  const players = (view?.waitingFor ?? []).filter(({ who }) => who === 'A' || who === 'B');
  if (players.length === 0) return 'Nothing to decide: the table goes on by itself.';
  return `The table waits for ${players.map(({ who }) => nameOf(view, who)).join(' and ')}.`;
}

function group(
  player: LegalInput['player'],
  inputs: readonly LegalInput[],
  seen: ActionsSeen,
): TemplateResult | typeof nothing {
  const judging = inputs.filter((one) => one.input.type === 'judge-roll');
  const usual = inputs.filter((one) => one.aside !== true && !judging.includes(one));
  const aside = inputs.filter((one) => one.aside === true);
  const title =
    player === 'judge'
      ? html`Judge`
      : html`<span class="letter">${player}</span>${nameOf(seen.view, player)}`;
  // Asides alone are no reason to take up room: one closed line.
  const closed = usual.length === 0 && (judging.length === 0 || !seen.judgeNeeded);
  const body = html`
    ${judging.length === 0 ? nothing : judgeDesk(judging, seen.view, seen)}
    ${usual.length === 0 ? nothing : choices(player, usual, seen)}
    ${
      aside.length === 0
        ? nothing
        : closed
          ? pickList(`aside-${player}`, aside, seen)
          : html`<details class="aside"><summary>More</summary>${pickList(`aside-${player}`, aside, seen)}</details>`
    }`;
  return closed
    ? html`<details class="group group-${player} aside"><summary>${title}</summary>${body}</details>`
    : html`<div class="group group-${player}"><h3>${title}</h3>${body}</div>`;
}

function choices(
  player: LegalInput['player'],
  inputs: readonly LegalInput[],
  seen: ActionsSeen,
): TemplateResult | typeof nothing {
  const here = inputs.filter((one) => seen.cell !== undefined && one.input.cell === seen.cell);
  const shown = here.length > 0 ? here : inputs;
  const onField = inputs.some((one) => typeof one.input.cell === 'string');
  return html`
    ${
      here.length > 0
        ? html`<p class="quiet">On ${seen.cell}: <button type="button" class="chip" @click=${seen.everyCell}>all cells</button></p>`
        : onField && inputs.length > 1
          ? html`<p class="quiet">${freeText(inputs)} Click one on the field, or choose here.</p>`
          : nothing
    }
    ${
      shown.length > MOST_BUTTONS
        ? pickList(`usual-${player}`, shown, seen)
        : html`<div class="buttons">${shown.map((one) => button(one, seen))}</div>`
    }`;
}

/** How much room there is for a core (4.7.3): on a mat of twelve cells there is little. */
function freeText(inputs: readonly LegalInput[]): string {
  const cells = new Set(inputs.flatMap(({ input }) => (typeof input.cell === 'string' ? [input.cell] : [])));
  if (cells.size > 3) return `${cells.size} cells are free.`;
  return cells.size === 1
    ? 'Only one cell is free.'
    : `Only ${cells.size} cells are free: ${[...cells].join(', ')}.`;
}

function button(input: LegalInput, seen: ActionsSeen): TemplateResult {
  const asked = seen.asked.has(keyOf(input));
  return html`
    <button type="button" ?disabled=${!seen.may || asked} aria-busy=${asked ? 'true' : nothing}
      data-type=${input.input.type} @click=${() => seen.act(input)}>
      ${input.label}${input.rules.length === 0 ? nothing : html`<small>${input.rules.join(', ')}</small>`}
    </button>`;
}

/** Cards and abilities that wait to happen, next first. */
function batch(view: BakuganView | undefined): TemplateResult | typeof nothing {
  const list = view?.batch ?? [];
  if (list.length === 0) return nothing;
  return html`
    <ol class="batch" aria-label="The batch, next to happen first">
      ${[...list].reverse().map((one) => html`<li class="of-${one.controller}"><span class="letter">${one.controller}</span> ${one.label}</li>`)}
    </ol>`;
}
