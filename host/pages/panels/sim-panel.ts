import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { SIDES, type Side } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import type { SimAction } from '../../sim-action.ts';
import { nameOf } from '../bakugan-scene.ts';
import { spotsOf } from '../field/hexes.ts';
import { FASTEST, SLOWEST } from '../field/throw-drag.ts';

type Fault = (SimAction & { act: 'fault' })['fault'];
type Choice = 'physics' | 'yes' | 'no';

/** What the control panel is set to; kept by the page. */
export type SimChoice = {
  readonly open: Choice;
  readonly stays: Choice;
  readonly aim: string | undefined;
  readonly speed: number;
  readonly auto: boolean | undefined;
  readonly fault: Fault;
  readonly faultSide: Side;
  readonly tile: number;
  readonly faults: readonly (SimAction & { act: 'fault' })[];
};

export const SIM_START: SimChoice = {
  open: 'physics',
  stays: 'physics',
  aim: undefined,
  speed: 0.6,
  auto: undefined,
  fault: 'unplug',
  faultSide: 'A',
  tile: 0,
  faults: [],
};

const FAULTS: Readonly<Record<Fault, string>> = {
  unplug: 'USB cable out',
  noise: 'Noise on the wire',
  'lost-lines': 'Lines get lost',
  'dead-contact': 'Contact dead',
  'stuck-contact': 'Contact stuck',
  'dead-hall': 'Hall sensor dead',
  reset: 'Board resets',
};
const OF_TILE: readonly Fault[] = ['dead-contact', 'stuck-contact', 'dead-hall'];

export type SimSeen = {
  readonly scene: Scene;
  readonly view: BakuganView | undefined;
  readonly choice: SimChoice;
  set(more: Partial<SimChoice>): void;
  act(action: SimAction): void;
};

/** Hands, dice and gremlins of a simulated table. */
export function simPanel(seen: SimSeen): TemplateResult {
  const { scene, choice, set, act, view } = seen;
  return html`
    <section class="card sim" aria-label="Simulated table">
      <h2>Simulated table</h2>
      <div class="scroll">
        <div class="sim-row">
          <span class="sim-word">Automatic play</span>
          <div class="segments" role="group" aria-label="Automatic play">
            ${[true, false].map(
              (on) =>
                html`<button type="button" aria-pressed=${(scene.auto ?? choice.auto) === on} @click=${() => {
                  set({ auto: on });
                  act({ act: 'auto', on });
                }}>${on ? 'On' : 'Off'}</button>`,
            )}
          </div>
          <span class="sim-word">Stud</span>
          <div class="segments">
            ${SIDES.map(
              (
                side,
              ) => html`<button type="button" class="of-${side}" aria-label="Press the stud of ${nameOf(view, side)}"
                @click=${() => act({ act: 'stud', player: side })}>${side}</button>`,
            )}
          </div>
        </div>
        ${throwing(seen)} ${lifting(seen)} ${faults(seen)}
      </div>
    </section>`;
}

function throwing({ scene, view, choice, set, act }: SimSeen): TemplateResult {
  const cells = spotsOf(scene).map((spot) => spot.cell);
  const aim = choice.aim ?? cells[Math.floor(cells.length / 2)] ?? '';
  return html`
    <div class="sim-row">
      ${segment('Opens', choice.open, (open) => set({ open }))}
      ${segment('Stays', choice.stays, (stays) => set({ stays }))}
    </div>
    <div class="sim-row">
      <label class="sim-word" for="sim-aim">Aim</label>
      <select id="sim-aim" @change=${(event: Event) => set({ aim: chosen(event) })}>
        ${cells.map((cell) => html`<option value=${cell} ?selected=${cell === aim}>${cell}</option>`)}
      </select>
      <label class="sim-word" for="sim-speed">${choice.speed.toFixed(2)} m/s</label>
      <input id="sim-speed" type="range" min=${SLOWEST} max=${FASTEST} step="0.02" .value=${String(choice.speed)}
        @input=${(event: Event) => set({ speed: Number(chosen(event)) })} />
      <div class="sim-pair">${SIDES.map(
        (
          side,
        ) => html`<button type="button" class="of-${side}" data-throw=${side} aria-label="Throw ${side}, for ${nameOf(view, side)}"
          @click=${() =>
            act({
              act: 'throw',
              player: side,
              aim,
              speedMPerS: choice.speed,
              open: choice.open,
              stays: choice.stays,
            })}>Throw ${side}</button>`,
      )}</div>
    </div>`;
}

function segment(word: string, value: Choice, set: (value: Choice) => void): TemplateResult {
  return html`
    <div class="sim-pair">
      <span class="sim-word">${word}</span>
      <div class="segments" role="group" aria-label=${word}>
        ${(['physics', 'yes', 'no'] as const).map(
          (one) =>
            html`<button type="button" aria-pressed=${value === one} @click=${() => set(one)}>${one}</button>`,
        )}
      </div>
    </div>`;
}

/** A hand takes an open ball off the field: what a player does on the Retracting Step. */
function lifting({ scene, act }: SimSeen): TemplateResult | typeof nothing {
  const on = scene.cues.flatMap((cue) => (cue.cue === 'attached' || cue.cue === 'opened' ? [cue] : []));
  if (on.length === 0) return nothing;
  return html`
    <div class="sim-row"><span class="sim-word">Lift</span>
      ${on.map(
        ({ player, cell }) => html`<button type="button" class="of-${player}"
          @click=${() => act({ act: 'lift', player, cell })}>${player} from ${cell}</button>`,
      )}
    </div>`;
}

function faults({ choice, set, act }: SimSeen): TemplateResult {
  const { fault, faultSide, tile } = choice;
  const inject = (): void => {
    const action = { act: 'fault' as const, fault, player: faultSide, on: true };
    const whole = OF_TILE.includes(fault) ? { ...action, tile } : action;
    act(whole);
    if (fault !== 'reset') set({ faults: [...choice.faults, whole] });
  };
  return html`
    <div class="sim-row">
      <label class="sim-word" for="sim-fault">Fault</label>
      <select id="sim-fault" @change=${(event: Event) => set({ fault: faultOf(chosen(event)) })}>
        ${Object.entries(FAULTS).map(
          ([name, words]) => html`<option value=${name} ?selected=${name === fault}>${words}</option>`,
        )}
      </select>
      <select aria-label="Side of the fault" @change=${(event: Event) => set({ faultSide: chosen(event) === 'B' ? 'B' : 'A' })}>
        ${SIDES.map((side) => html`<option value=${side} ?selected=${side === faultSide}>${side}</option>`)}
      </select>
      ${
        OF_TILE.includes(fault)
          ? html`<select aria-label="Tile of the fault" @change=${(event: Event) => set({ tile: Number(chosen(event)) })}>
              ${[0, 1, 2, 3, 4, 5].map((one) => html`<option value=${one} ?selected=${one === tile}>tile ${one}</option>`)}
            </select>`
          : nothing
      }
      <button type="button" class="danger" @click=${inject}>Inject</button>
    </div>
    ${
      choice.faults.length === 0
        ? nothing
        : html`<div class="sim-row">${choice.faults.map(
            (one) =>
              html`<button type="button" class="chip" @click=${() => {
                act({ ...one, on: false });
                set({ faults: choice.faults.filter((other) => other !== one) });
              }}>${one.player}: ${FAULTS[one.fault]}${one.tile === undefined ? '' : ` ${one.tile}`} <b>mend</b></button>`,
          )}</div>`
    }`;
}

function chosen(event: Event): string {
  const { target } = event;
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement ? target.value : '';
}

function faultOf(word: string): Fault {
  return word in FAULTS ? (word as Fault) : 'unplug';
}
