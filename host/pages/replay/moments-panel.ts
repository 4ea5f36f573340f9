import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { FilmMark } from '../../displays/archive-messages.ts';
import { clockText, type Tape } from './tape.ts';

const WORDS: Readonly<Record<FilmMark['kind'], string>> = {
  ruling: 'Ruled',
  undetermined: 'Doubt',
  judge: 'Judge',
  correction: 'Corrected',
  turn: 'Turn',
  over: 'End',
  fault: 'Link',
};

/** Every moment worth going to, in order; the one that is shown now is marked. */
export function momentsPanel(
  tape: Tape,
  marks: readonly FilmMark[],
  now: FilmMark | undefined,
  seek: (mark: FilmMark) => void,
): TemplateResult {
  return html`
    <section class="card moments" aria-label="Moments of the match">
      <h2>Moments</h2>
      <ol class="scroll">
        ${repeat(
          marks,
          (mark, i) => `${i} ${mark.atMs}`,
          (mark) => html`
            <li><button type="button" class="moment moment-${mark.kind}" aria-current=${mark === now ? 'true' : 'false'}
              @click=${() => seek(mark)}>
              <time>${clockText(tape.placeOf(mark.atMs))}</time><b>${WORDS[mark.kind]}</b><span>${mark.text}</span>
            </button></li>`,
        )}
      </ol>
    </section>`;
}
