import { html, nothing, type TemplateResult } from 'lit';

/** Opening a match file: what is going on, and what went wrong last. */
export type Opening = { readonly reading?: string; readonly problem?: string };

/** Where a match file may be dropped or chosen. */
export function dropPlace(opening: Opening, open: (file: File) => void): TemplateResult {
  return html`
    <label class="drop-place">
      <b>${opening.reading === undefined ? 'Open a match file' : `Reading ${opening.reading}…`}</b>
      <span>Drop it here, or choose it. The library makes one under More; it is checked before it is shown.</span>
      <input type="file" accept=".match,.gz" aria-label="Match file" ?disabled=${opening.reading !== undefined}
        @change=${(event: Event) => chosen(event, open)} />
    </label>
    ${opening.problem === undefined ? nothing : html`<p class="drop-problem" role="alert">${opening.problem}</p>`}`;
}

function chosen(event: Event, open: (file: File) => void): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  const file = event.target.files?.[0];
  // The same file may be chosen again after it was refused.
  event.target.value = '';
  if (file !== undefined) open(file);
}

/** Takes files that are dropped anywhere on the page, and says by a class of the page when one hangs over it. */
export function takeDrops(open: (file: File) => void): void {
  const root = document.documentElement;
  const holdsFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    root.classList.add('drop-near');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) root.classList.remove('drop-near');
  });
  addEventListener('drop', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    root.classList.remove('drop-near');
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) open(file);
  });
}
