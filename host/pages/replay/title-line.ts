import { html, type TemplateResult } from 'lit';
import type { FilmOutline } from '../../displays/archive-messages.ts';

/** What is shown of a moment. */
export type Showing = 'table' | 'overlay';

/** Which match this is, and whether the table or the overlay is shown. */
export function titleLine(ask: {
  readonly outline: FilmOutline;
  /** When it began, where that is known. */
  readonly day: Date | undefined;
  /** Address of the library. */
  readonly library: string;
  /** A file that was opened here, and not a match of this host. */
  readonly isFile: boolean;
  readonly showing: Showing;
  show(one: Showing): void;
}): TemplateResult {
  const { match } = ask.outline;
  const day = ask.day?.toLocaleDateString([], { day: 'numeric', month: 'long', year: 'numeric' });
  return html`
    <section class="film-title" aria-label="The match">
      <a href=${ask.library}>Library</a>
      <p><b>${match.players.A} – ${match.players.B}</b> <span>${day ?? ''} · ${ask.isFile ? 'match file' : 'recorded match'} ${match.id}</span></p>
      <div class="segments" role="group" aria-label="What is shown">
        ${(['table', 'overlay'] as const).map(
          (one) =>
            html`<button type="button" aria-pressed=${ask.showing === one} @click=${() => ask.show(one)}>${one === 'table' ? 'Table' : 'Overlay'}</button>`,
        )}
      </div>
    </section>`;
}
