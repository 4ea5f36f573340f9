import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LogLine } from '../../game/bakugan/view.ts';

/** What happened, newest first, with the rules it rests on. */
export function logPanel(log: readonly LogLine[]): TemplateResult {
  const newest = log.map((line, i) => ({ line, i })).reverse();
  return html`
    <section class="card log" aria-label="Log of the game">
      <h2>Log</h2>
      <div class="scroll" tabindex="0" role="log" aria-label="Newest first"><ol>
        ${repeat(
          newest,
          ({ line, i }) => `${i}${line.type}`,
          ({ line }) => html`
            <li><span class="when">T${line.turn} ${line.state}</span>
              <span>${line.text} <span class="rule">${line.rules.join(', ')}</span></span></li>`,
        )}
      </ol></div>
    </section>`;
}
