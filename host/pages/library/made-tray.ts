import { html, nothing, type TemplateResult } from 'lit';

/** A file that is being made, or waits to be opened. */
export type Tray = {
  readonly id: number;
  readonly title: string;
  readonly url?: string;
  readonly bytes?: number;
  readonly problem?: string;
};

/** Files made on this page, newest first. */
export function madeTray(tray: readonly Tray[], drop: (id: number) => void): TemplateResult | typeof nothing {
  if (tray.length === 0) return nothing;
  return html`
    <aside class="tray" aria-label="Files made" role="status">
      ${tray.map(
        (one) => html`
          <div class="tray-one">
            <p><b>${one.title}</b> ${
              one.problem === undefined
                ? one.url === undefined
                  ? html`<span class="soft">is being made…</span>`
                  : html`<span class="soft">${sizeOf(one.bytes ?? 0)}</span>`
                : html`<span class="problem">${one.problem}</span>`
            }</p>
            ${
              one.url === undefined
                ? nothing
                : html`
                  <a class="button main" href=${one.url} target="_blank" rel="noopener">Open</a>
                  <a class="button" href="${one.url}?save=1" download>Save</a>`
            }
            ${
              one.url === undefined && one.problem === undefined
                ? nothing
                : html`<button type="button" class="close" aria-label="Take ${one.title} off this list" @click=${() => drop(one.id)}>×</button>`
            }
          </div>`,
      )}
    </aside>`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
