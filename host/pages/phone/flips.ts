import { html, nothing, type TemplateResult } from 'lit';
import type { LegalInput } from '../../game/ruleset.ts';
import type { Acting } from '../panels/act.ts';
import { big } from './big-button.ts';

/**
 * Damage by flipping (5.11.1): all cards at once, or as many as were flipped when a Flip card came that is played
 * (5.11.2): "that flipped card is a Flip, Stop Haos".
 */
export function flipping(flips: readonly LegalInput[], acting: Acting): TemplateResult {
  const plain = flips.filter(({ input }) => input.flipCard === undefined);
  const counts = [...new Set(flips.map(({ input }) => Number(input.count)))].sort((a, b) => a - b);
  const most = counts.at(-1) ?? 1;
  const wanted = Number(acting.picked.get('flips') ?? most);
  const count = counts.find((one) => one === wanted) ?? most;
  const at = counts.indexOf(count);
  const step = (by: number) => (): void => {
    const next = counts[at + by];
    if (next !== undefined) acting.pick('flips', String(next));
  };
  const all = plain.find(({ input }) => input.count === most);
  const some = plain.find(({ input }) => input.count === count);
  const played = flips.filter(({ input }) => input.count === count && input.flipCard !== undefined);
  return html`
    <h2>Damage: flip ${most}</h2>
    ${all === undefined ? nothing : big(all, acting)}
    ${
      counts.length < 2 && played.length === 0
        ? nothing
        : html`
          <details class="phone-more" ?open=${count !== most}>
            <summary>A Flip card came, or count fewer</summary>
            <div class="phone-step"><span>Cards so far</span>
              <button type="button" aria-label="One card less" ?disabled=${at <= 0} @click=${step(-1)}>−</button>
              <output>${count}</output>
              <button type="button" aria-label="One card more" ?disabled=${at >= counts.length - 1} @click=${step(1)}>+</button></div>
            ${played.length === 0 ? nothing : flipCard(played, acting)}
            ${some === undefined || some === all ? nothing : big(some, acting, `Flip ${count}, no Flip card`)}
          </details>`
    }`;
}

/** The last card flipped is a Flip card that is played: its name, and whether it stops the attack. */
function flipCard(played: readonly LegalInput[], acting: Acting): TemplateResult {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const { currentTarget: form, submitter } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const stop = submitter?.getAttribute('value') === 'stop';
    const one = played.find(({ input }) => input.stop === stop);
    const name = String(new FormData(form).get('flipCard') ?? '').trim();
    if (one !== undefined) acting.act(one, name === '' ? {} : { flipCard: name.slice(0, 80) });
  };
  return html`
    <form @submit=${send}>
      <label>The last one is the Flip card<input name="flipCard" type="text" maxlength="80" placeholder="its name, as in Stop Haos" autocomplete="off" /></label>
      <button type="submit" class="big" value="stop" ?disabled=${!acting.may}>Played: it stops the attack</button>
      <button type="submit" class="big" value="other" ?disabled=${!acting.may}>Played: it does something else</button>
    </form>`;
}
