import { html, nothing, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { SIDES } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import { nameOf } from '../bakugan-scene.ts';
import { matMap, milliteslaWords } from './mat-map.ts';
import { wizardReport } from './report.ts';
import type { Traces } from './traces.ts';

type Calibrating = NonNullable<Scene['calibrating']>;

/** Balls that shall be measured. */
export type Chosen = {
  /** Ball that goes on every tile; undefined takes the first of the game. */
  readonly reference: string | undefined;
  /** Balls that are left out. */
  readonly without: ReadonlySet<string>;
};

export function nobodyChosen(): Chosen {
  return { reference: undefined, without: new Set() };
}

export type WizardSeen = {
  readonly scene: Scene;
  readonly view: BakuganView | undefined;
  readonly may: boolean;
  /** This screen may move the simulated world. */
  readonly maySim: boolean;
  readonly hand: boolean;
  readonly chosen: Chosen;
  readonly traces: Traces;
  choose(more: Partial<Chosen>): void;
  command(asked: { readonly do: string; readonly [key: string]: unknown }): void;
  setHand(on: boolean): void;
};

/** Tiles on which each ball beside the reference is put. */
const TILES_EACH = 3;
/** Seconds that one thing to do takes a person, and all that is not done by hand. */
const SECONDS_EACH = 3.5;
const SECONDS_BESIDE = 12;

/** The calibration: what it is for, what to do now, and how it came out. */
export function wizardPanel(seen: WizardSeen): TemplateResult {
  const { calibrating } = seen.scene;
  return html`
    <section class="card wizard" aria-label="Calibration">
      ${calibrating === null ? before(seen) : calibrating.step === 'done' ? after(calibrating, seen) : during(calibrating, seen)}
    </section>`;
}

type Toy = { readonly id: string; readonly name: string };

function toysOf(view: BakuganView | undefined): readonly Toy[] {
  if (view === undefined) return [{ id: 'reference', name: 'Any ball that opens' }];
  return SIDES.flatMap((side) =>
    view.players[side].bakugan.map(({ id, name }) => ({ id, name: `${name} of ${nameOf(view, side)}` })),
  );
}

function before({ scene, view, may, chosen, choose, command }: WizardSeen): TemplateResult {
  const toys = toysOf(view);
  const reference = toys.find(({ id }) => id === chosen.reference) ?? toys[0];
  const balls = toys.filter(({ id }) => id !== reference?.id && !chosen.without.has(id));
  const tiles = scene.levels.length;
  const deeds = tiles + balls.length * TILES_EACH + 2;
  const minutes = (deeds * SECONDS_EACH + SECONDS_BESIDE) / 60;
  const never = scene.health.some(({ code }) => code === 'health/uncalibrated');
  return html`
    <h2>Calibration</h2>
    <p>${never ? html`<b>This mat was never calibrated.</b> ` : nothing}The host learns what every tile reads empty, lit and
      with a ball on it. It says what to do, lights the tile to touch next, and ends with a report. Nothing is used before you keep it.</p>
    <fieldset ?disabled=${!may}>
      <label class="pick">Ball that goes on every tile
        <select @change=${(event: Event) => choose({ reference: chosenIn(event) })}>
          ${toys.map(({ id, name }) => html`<option value=${id} ?selected=${id === reference?.id}>${name}</option>`)}
        </select></label>
      ${
        toys.length < 2
          ? nothing
          : html`<details><summary>Other balls: ${balls.length}, on ${TILES_EACH} tiles each</summary>
              <ul class="checks">${toys
                .filter(({ id }) => id !== reference?.id)
                .map(
                  ({ id, name }) => html`<li><label><input type="checkbox" .checked=${!chosen.without.has(id)}
                    @change=${() => choose({ without: toggled(chosen.without, id) })} /> ${name}</label></li>`,
                )}</ul></details>`
      }
      <p class="row">
        <button type="button" class="main" ?disabled=${reference === undefined}
          @click=${() => command({ do: 'calibrate', act: 'start', reference: reference?.id, balls: balls.map(({ id }) => id) })}>
          Start the calibration</button>
        <span class="soft">${deeds} things to do, about ${minutes < 1.5 ? 'a minute' : `${Math.round(minutes)} minutes`}</span>
      </p>
    </fieldset>
    <p class="soft">Best before a match. The mat must be empty; nothing is played meanwhile.</p>`;
}

function during(now: Calibrating, seen: WizardSeen): TemplateResult {
  const { scene, view, may, maySim, hand, traces, command, setHand } = seen;
  const ball = toysOf(view).find(({ id }) => id === now.ball);
  const percent = Math.round(now.progress * 100);
  const skipWords = now.step === 'empty' ? 'Nothing lies there: go on' : 'Leave this out';
  return html`
    <div class="wizard-now">
      <div class="wizard-told">
        <p class="step">Step ${now.at} of ${now.of} <span class="soft">${clockOf(now.tookMs)}</span></p>
        <progress max="100" value=${percent} aria-label="Done so far">${percent} %</progress>
        <h2 class="deed" role="status" aria-live="polite">${deedWords(now, ball)}</h2>
        ${now.problem === '' ? nothing : html`<p class="ill" role="alert">${now.problem}</p>`}
        <p class="row">
          ${
            maySim
              ? html`<button type="button" class="main" aria-pressed=${hand} @click=${() => setHand(!hand)}>
                  ${hand ? 'The simulated hand is at work: stop it' : 'Let the simulated hand do it'}</button>`
              : nothing
          }
          ${
            now.step === 'leave' || (now.step === 'empty' && now.problem === '')
              ? nothing
              : html`<button type="button" class="quiet" ?disabled=${!may} @click=${() => command({ do: 'calibrate', act: 'skip' })}>${skipWords}</button>`
          }
          <button type="button" class="quiet" ?disabled=${!may} @click=${() => command({ do: 'calibrate', act: 'cancel' })}>Cancel</button>
        </p>
      </div>
      ${matMap(scene)}
      <ul class="traces" aria-label="Live traces of all tiles">
        ${scene.levels.map(
          ({ cell, fieldMt, contact }) => html`<li class=${cell === now.cell ? 'wanted' : ''}>
            <b>${cell}</b><span>${contact ? html`<i class="touch" title="contact closed">●</i> ` : nothing}${milliteslaWords(fieldMt[0] ?? 0)} mT</span>${traces.of(cell)}</li>`,
        )}
      </ul>
    </div>`;
}

function deedWords(now: Calibrating, ball: Toy | undefined): string {
  if (now.step !== 'seat' || ball === undefined) return now.text;
  return `Open ${ball.name} and stand it on the lit tile, ${now.cell}.`;
}

function after(now: Calibrating, { scene, may, command }: WizardSeen): TemplateResult {
  return html`
    <div class="wizard-done">
      ${wizardReport(scene, now)}
      ${now.problem === '' ? nothing : html`<p class="ill" role="alert">${now.problem}</p>`}
      <p class="row">
        <button type="button" class="main" ?disabled=${!may || now.saving} aria-busy=${now.saving}
          @click=${() => command({ do: 'calibrate', act: 'save' })}>${now.saving ? 'Keeping…' : 'Keep and use it'}</button>
        <button type="button" class="quiet" ?disabled=${!may || now.saving} @click=${() => command({ do: 'calibrate', act: 'cancel' })}>Throw it away</button>
        <span class="soft">The calibration before stays beside it.</span>
      </p>
    </div>`;
}

/** Minutes and seconds. */
export function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function chosenIn(event: Event): string {
  return event.target instanceof HTMLSelectElement ? event.target.value : '';
}
