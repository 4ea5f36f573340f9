import { html, nothing, type TemplateResult } from 'lit';
import type { MatchSeen } from '../../displays/archive-messages.ts';
import { whenOf } from './match-row.ts';

export type RemoveForm = {
  readonly match: MatchSeen;
  readonly busy: boolean;
  readonly problem: string | undefined;
  cancel(): void;
  remove(fields: { readonly who: string; readonly why: string; readonly confirm: string }): void;
};

/** Asks once more before the records of a match go for good. */
export function removeDialog(form: RemoveForm | undefined): TemplateResult | typeof nothing {
  if (form === undefined) return nothing;
  const { match, busy, problem } = form;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const data = new FormData(event.target);
    const text = (name: string): string => String(data.get(name) ?? '').trim();
    form.remove({ who: text('who'), why: text('why'), confirm: text('confirm') });
  };
  return html`
    <dialog aria-labelledby="remove-title" @close=${form.cancel}>
      <form @submit=${send}>
        <h2 id="remove-title">Delete this match for good?</h2>
        <p>${match.players.A} against ${match.players.B}, ${whenOf(match)}. Every line, ruling and command of it goes and
          cannot be brought back. A tombstone record stays: who removed it, when and why; and the hashes, so that
          everything else is still proven.</p>
        <label>Who removes it<input name="who" required maxlength="80" autocomplete="name" /></label>
        <label>Why<input name="why" required maxlength="300" placeholder="as asked for by a player" /></label>
        <label><span>Type <code>${match.id}</code> to confirm</span><input name="confirm" required pattern=${match.id} autocomplete="off" spellcheck="false" /></label>
        ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
        <div class="dialog-deeds">
          <button type="button" @click=${form.cancel}>Keep it</button>
          <button type="submit" class="danger" ?disabled=${busy}>${busy ? 'Deleting…' : 'Delete for good'}</button>
        </div>
      </form>
    </dialog>`;
}
