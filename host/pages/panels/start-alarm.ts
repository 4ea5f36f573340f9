import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';

/** Why the match has not begun, over the field; with the way to the page where it is mended or overridden. */
export function startAlarm(scene: Scene, rest: string): TemplateResult | typeof nothing {
  if (scene.calibrating !== null) {
    return html`<p class="alarm alarm-soft" role="status">The mat is being calibrated; nothing is played meanwhile.
      <a href="/operator${rest}">Operator page</a></p>`;
  }
  const { begun, blocks } = scene.start;
  const [first, ...more] = blocks;
  if (begun || first === undefined) return nothing;
  const others = more.length === 0 ? nothing : html` And ${more.length} more.`;
  return html`<p class="alarm" role="alert">The match waits: ${first.text} ${first.remedy}${others}
    <a href="/operator${rest}">Operator page</a></p>`;
}
