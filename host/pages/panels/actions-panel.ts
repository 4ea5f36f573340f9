import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { LegalInput } from '../../game/ruleset.ts';
import { nameOf } from '../bakugan-scene.ts';

export type ActionsSeen = {
  readonly legal: readonly LegalInput[];
  readonly view: BakuganView | undefined;
  readonly may: boolean;
  /** Keys of inputs that were sent and not answered. */
  readonly asked: ReadonlySet<string>;
  act(input: LegalInput): void;
};

/** Names an input, to mark its button while the answer is under way. */
export function keyOf(input: LegalInput): string {
  return `${input.player} ${JSON.stringify(input.input)}`;
}

/** A button for everything that may be done now, by who may do it; the judge's first. */
export function actionsPanel(seen: ActionsSeen): TemplateResult {
  const groups = (['judge', 'A', 'B'] as const)
    .map((player) => ({ player, inputs: seen.legal.filter((one) => one.player === player) }))
    .filter(({ inputs }) => inputs.length > 0);
  return html`
    <section class="card actions" aria-label="What may be done now">
      <h2>Actions</h2>
      <div class="scroll">
        ${
          groups.length === 0
            ? html`<p class="quiet">${seen.may ? 'Nothing to decide: the table goes on by itself.' : 'This screen only watches.'}</p>`
            : groups.map(({ player, inputs }) => group(player, inputs, seen))
        }
      </div>
    </section>`;
}

function group(
  player: LegalInput['player'],
  inputs: readonly LegalInput[],
  seen: ActionsSeen,
): TemplateResult {
  return html`
    <div class="group group-${player}">
      <h3>${player === 'judge' ? 'Judge' : html`<span class="letter">${player}</span>${nameOf(seen.view, player)}`}</h3>
      <div class="buttons">
        ${inputs.map((input) => {
          const asked = seen.asked.has(keyOf(input));
          return html`
            <button type="button" ?disabled=${!seen.may || asked} aria-busy=${asked ? 'true' : nothing}
              data-type=${input.input.type} @click=${() => seen.act(input)}>
              ${input.label}${input.rules.length === 0 ? nothing : html`<small>${input.rules.join(', ')}</small>`}
            </button>`;
        })}
      </div>
    </div>`;
}
