import { type Json, SIDES, type Side } from '../../ids.ts';
import { bakugan } from '../bakugan/bakugan.ts';
import type { GameState } from '../bakugan/state.ts';
import type { GameEvent, GameInput, Refusal } from '../ruleset.ts';
import { partOf } from './parts.ts';
import { positionOf } from './position.ts';
import { readScenarios } from './read.ts';
import type { Checked, Failure, Scenario, ScenarioStep } from './scenario.ts';

type Play = {
  state: GameState;
  events: GameEvent[];
  refused: Refusal | null;
  /** What a step could not even begin, with what it needed. */
  stuck: { readonly expected: string; readonly found: string } | null;
};

function give(play: Play, input: GameInput): boolean {
  const outcome = bakugan.step(play.state, input);
  if (!outcome.ok) {
    play.refused = outcome.refusal;
    return false;
  }
  play.state = outcome.state;
  play.events.push(...outcome.events);
  return true;
}

const byPlayer = (player: Side, type: string, more: { readonly [key: string]: Json } = {}): GameInput => ({
  ...more,
  type,
  by: { role: 'player', player },
});

function rolledInput(state: GameState, step: ScenarioStep): GameInput {
  const results = SIDES.flatMap((player): readonly Json[] => {
    const on = step.rolled?.[player];
    if (on === undefined) return [];
    return [typeof on === 'string' ? { player, opened: on } : { player, opened: 'yes', cores: on }];
  });
  return {
    type: 'rolled',
    by: { role: 'sensing' },
    roll: state.roll?.id ?? '',
    results,
    ...(step.illegal === undefined ? {} : { illegal: step.illegal }),
  };
}

function close(play: Play): void {
  const { at } = play.state;
  if (play.state.window === null)
    play.stuck = { expected: 'an open window to pass in', found: `none in ${at}` };
  for (let i = 0; i < 200 && play.state.at === at; i += 1) {
    const { window } = play.state;
    if (window === null || !give(play, byPlayer(window.holder, 'pass'))) return;
  }
}

function usual(state: GameState): GameInput | undefined {
  for (const side of SIDES) {
    const legal = bakugan.legalInputs(state, side).filter((one) => one.aside !== true);
    const first =
      legal.find((one) => one.input.type === 'energize' && one.input.energize === false) ?? legal[0];
    if (first !== undefined) return { ...first.input, by: { role: 'player', player: side } };
  }
  return undefined;
}

function brawl(play: Play, wanted: NonNullable<ScenarioStep['brawl']>): void {
  const order: readonly Side[] = play.state.startingPlayer === 'A' ? ['A', 'B'] : ['B', 'A'];
  while (play.state.at === 'ST-2') {
    const { acting } = play.state;
    if (acting === null || !give(play, byPlayer(acting, 'energize', { energize: false }))) return;
  }
  for (const side of order)
    if (!give(play, byPlayer(side, 'select', { bakugan: wanted[side].bakugan }))) return;
  close(play);
  give(play, rolledInput(play.state, { rolled: { A: wanted.A.on, B: wanted.B.on } }));
}

function inputOf(step: ScenarioStep): GameInput {
  const { as, refused: _, expect: __, events: ___, never: ____, says: _____, type = '', ...rest } = step;
  const more = Object.fromEntries(
    Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return byPlayer(as ?? 'A', type, more);
}

function perform(play: Play, step: ScenarioStep): void {
  if (step.input !== undefined) {
    give(play, step.input as unknown as GameInput);
  } else if (step.as !== undefined) give(play, inputOf(step));
  else if (step.pass !== undefined) {
    for (let i = 0; i < step.pass; i += 1) {
      const { at, window } = play.state;
      if (window === null) {
        play.stuck = { expected: `a window for pass ${i + 1} of ${step.pass}`, found: `none in ${at}` };
        return;
      }
      if (!give(play, byPlayer(window.holder, 'pass'))) return;
    }
  } else if (step.close === true) close(play);
  else if (step.brawl !== undefined) brawl(play, step.brawl);
  else if (step.rolled !== undefined) give(play, rolledInput(play.state, step));
  else if (step.until !== undefined) {
    for (let i = 0; i < 400 && play.state.at !== step.until; i += 1) {
      const input = usual(play.state);
      if (input === undefined || !give(play, input)) break;
    }
    const { at } = play.state;
    if (at !== step.until) play.stuck = { expected: `to reach ${step.until}`, found: `stays in ${at}` };
  }
}

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function compare(play: Play, step: ScenarioStep, number: number, failures: Failure[]): void {
  const wanted = step.refused ?? null;
  const { refused, stuck } = play;
  if (stuck !== null) failures.push({ step: number, what: 'course', ...stuck });
  if ((refused?.code ?? null) !== wanted) {
    const why = refused === null ? {} : { why: `${refused.message} (${refused.rules.join(', ')})` };
    failures.push({ step: number, what: 'refusal', expected: wanted, found: refused?.code ?? null, ...why });
  }
  for (const [name, expected] of Object.entries(step.expect ?? {})) {
    const found = partOf(play.state, name);
    if (!same(found, expected))
      failures.push({ step: number, what: name, expected, found: found ?? 'no such part' });
  }
  const happened = play.events.map((event) => event.type);
  for (const one of step.events ?? []) {
    const [type = '', rule] = one.split(' ');
    const isThere = play.events.some(
      (event) => event.type === type && (rule === undefined || event.rules.includes(rule)),
    );
    if (!isThere) failures.push({ step: number, what: 'event', expected: one, found: happened });
  }
  for (const one of step.never ?? []) {
    if (happened.includes(one))
      failures.push({ step: number, what: 'no event', expected: one, found: happened });
  }
  const told = play.events.map((event) => event.text);
  for (const one of step.says ?? []) {
    if (!told.some((text) => text.includes(one)))
      failures.push({ step: number, what: 'sentence', expected: one, found: told });
  }
}

/** What a step did, for whoever wants to see it: number from 1, state after it, what happened, what was refused. */
export type Watch = (
  step: number,
  state: GameState,
  events: readonly GameEvent[],
  refused: Refusal | null,
) => void;

/** Plays one scenario; stops at the first step that is not as expected. */
export function playScenario(scenario: Scenario, watch?: Watch): Checked {
  const failures: Failure[] = [];
  const { name, rules } = scenario;
  const done = (): Checked => ({ name, rules, ok: failures.length === 0, failures });
  let state: GameState;
  try {
    state = positionOf(scenario);
    if (scenario.refusedOptions !== undefined) {
      failures.push({ step: 0, what: 'options', expected: scenario.refusedOptions, found: 'accepted' });
      return done();
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const expected = scenario.refusedOptions ?? null;
    const fits = expected !== null && error.message.includes(expected);
    if (!fits) failures.push({ step: 0, what: 'options', expected, found: error.message });
    return done();
  }
  const play: Play = { state, events: [], refused: null, stuck: null };
  for (const [index, step] of scenario.steps.entries()) {
    play.events = [];
    play.refused = null;
    perform(play, step);
    watch?.(index + 1, play.state, play.events, play.refused);
    compare(play, step, index + 1, failures);
    if (failures.length > 0) break;
  }
  return done();
}

/**
 * Checks every scenario of a file: a value, or JSON text. Throws a RangeError when it is not in the form of README.md.
 */
export function checkScenario(from: unknown): readonly Checked[] {
  return readScenarios(from).map((scenario) => playScenario(scenario));
}

/** A failure in words, with the rules that the scenario shows. */
export function sayFailure(checked: Checked): string {
  return checked.failures
    .map(
      ({ step, what, expected, found, why }) =>
        `${checked.name}: step ${step}: ${what} should be ${JSON.stringify(expected)}, is ${JSON.stringify(found)}${why === undefined ? '' : `: ${why}`} (rules ${checked.rules.join(', ')})`,
    )
    .join('\n');
}
