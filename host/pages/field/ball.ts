import { nothing, type SVGTemplateResult, svg } from 'lit';
import type { Faction } from '../../game/bakugan/view.ts';
import type { Side } from '../../ids.ts';
import { FACTION_COLOUR, factionMark } from '../marks.ts';
import type { Point } from './hexes.ts';

export type BallSeen = {
  readonly player: Side;
  readonly faction: Faction | undefined;
  readonly name: string;
  readonly open: boolean;
  readonly victor: boolean;
};

/** A Bakugan: a closed ball, or unfolded with its player's ring around it. */
export function ball(seen: BallSeen, at: Point, scale = 1): SVGTemplateResult {
  const colour = seen.faction === undefined ? '#c7d2ea' : FACTION_COLOUR[seen.faction];
  return svg`
    <g class="ball ball-${seen.player} ${seen.victor ? 'ball-victor' : ''}"
       transform="translate(${at.x.toFixed(2)} ${at.y.toFixed(2)}) scale(${scale})">
      <title>${seen.name} of player ${seen.player}, ${seen.open ? 'open' : 'closed'}</title>
      <ellipse class="ball-shadow" cx="1" cy="3.500" rx="13.500" ry="11"></ellipse>
      ${seen.open ? petals(colour) : nothing}
      <circle r=${seen.open ? 9.4 : 11} fill=${colour}></circle>
      <circle class="ball-shade" r=${seen.open ? 9.4 : 11}></circle>
      ${seen.open ? nothing : svg`<path class="ball-seam" d="M-11 0h22M0 -11v22"></path>`}
      <circle class="ball-ring" r=${seen.open ? 9.4 : 11}></circle>
      ${
        seen.faction === undefined
          ? svg`<text class="ball-letter" y="3.600">${seen.player}</text>`
          : svg`<g class="ball-mark" transform="translate(-6.600 -6.600) scale(.55)">${factionMark(seen.faction)}</g>`
      }
    </g>`;
}

function petals(colour: string): SVGTemplateResult {
  return svg`
    <g class="petals" fill=${colour}>
      ${[0, 60, 120, 180, 240, 300].map(
        (turn) =>
          svg`<path transform="rotate(${turn})" d="M-4.200 -8.500 L-5.400 -14.500 L0 -18 L5.400 -14.500 L4.200 -8.500 Z"></path>`,
      )}
    </g>`;
}

/** A magnet that the sensors see while nobody has said yet whose it is. */
export function magnet(mt: number, at: Point): SVGTemplateResult {
  const strength = Math.min(1, Math.abs(mt) / 15);
  return svg`
    <g class="magnet ${mt < 0 ? 'magnet-minus' : 'magnet-plus'}" transform="translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})"
       opacity=${(0.35 + 0.65 * strength).toFixed(2)}>
      <circle class="magnet-halo" r="15"></circle>
      <circle class="magnet-ball" r="9"></circle>
      <circle class="magnet-light" cx="-3" cy="-3.300" r="2.400"></circle>
    </g>`;
}
