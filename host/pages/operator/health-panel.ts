import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';

type Finding = Scene['health'][number];

export type HealthSeen = {
  readonly scene: Scene;
  readonly may: boolean;
  command(asked: { readonly do: string; readonly [key: string]: unknown }): void;
};

/** Everything found wrong with sensors and links, each with what to do about it. */
export function healthPanel(seen: HealthSeen): TemplateResult {
  const { scene } = seen;
  const list = findings(scene);
  return html`
    <section class="card health" aria-label="Health">
      <h2>Health <small>${countWords(list)}</small></h2>
      ${
        list.length === 0
          ? html`<p class="well">Nothing is found wrong with boards and sensors.</p>`
          : html`<ul>${list.map((one) => findingRow(one, seen))}</ul>`
      }
    </section>`;
}

/** What blocks comes first; what only the start of a match waits for stands with it. */
export function findings({ health, start }: Scene): readonly Finding[] {
  const more = start.blocks.filter(
    ({ code, text }) => !health.some((one) => one.code === code && one.text === text),
  );
  return [...more, ...health];
}

function countWords(list: readonly Finding[]): string {
  const blocks = list.filter((one) => one.blocks).length;
  const warns = list.length - blocks;
  const words = [
    ...(blocks === 0 ? [] : [`${blocks} ${blocks === 1 ? 'blocks' : 'block'}`]),
    ...(warns === 0 ? [] : [`${warns} ${warns === 1 ? 'warns' : 'warn'}`]),
  ];
  return words.join(', ');
}

export function findingRow(
  one: Finding,
  { may, command }: Pick<HealthSeen, 'may' | 'command'>,
): TemplateResult {
  const { cell } = one;
  return html`
    <li class=${one.blocks ? 'blocks' : 'warns'} data-code=${one.code}>
      <span class="mark">${one.blocks ? 'blocks' : 'warns'}</span>
      <div><b>${one.text}</b><p>${one.remedy}</p></div>
      ${
        cell === undefined
          ? nothing
          : html`<button type="button" class="quiet" ?disabled=${!may} aria-label="Show me tile ${cell}"
              @click=${() => command({ do: 'identify', cell })}>Show me</button>`
      }
    </li>`;
}
