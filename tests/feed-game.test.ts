import { describe, expect, it } from 'vitest';
import { wireCommandSchema } from '../host/displays/feed-messages.ts';
import { commandBy, grantFor } from '../host/displays/feed-roles.ts';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { GameInput, LegalInput } from '../host/game/ruleset.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';

type State = Parameters<typeof bakugan.step>[0];

const LOCAL = { everyone: true, tokens: [] };
const OPERATOR = grantFor({ kind: 'operator' }, undefined, LOCAL).grant;

/** What the table gets when a page presses this input: over the wire, through the schema, with `by` from the role. */
function pressed(one: LegalInput): GameInput {
  const sent: unknown = JSON.parse(JSON.stringify({ do: 'play', for: one.player, input: one.input }));
  const command = commandBy(OPERATOR, wireCommandSchema.parse(sent), LOCAL);
  if ('notAllowed' in command || command.do !== 'play') throw new Error('an operator may play');
  return command.input;
}

function listed(state: State): readonly LegalInput[] {
  return (['A', 'B', 'judge'] as const).flatMap((who) => bakugan.legalInputs(state, who));
}

describe('an operator’s page', () => {
  it('may press everything that the game lists, in every state of several turns, and is never refused', () => {
    let { state } = bakugan.setup(JSON.parse(JSON.stringify(demoOptions(FIXED_12.cells, 7))));
    const states = new Set<string>();
    let pressedCount = 0;
    for (let step = 0; step < 120 && bakugan.over(state) === undefined; step += 1) {
      const inputs = listed(state);
      states.add(bakugan.view(state, { kind: 'operator' }).state);
      for (const one of inputs) {
        const outcome = bakugan.step(state, pressed(one));
        expect(outcome.ok ? 'taken' : { label: one.label, refusal: outcome.refusal }).toBe('taken');
        pressedCount += 1;
      }
      // A different choice each time, so that Brawls, placings and decisions come about.
      const usual = inputs.filter((one) => one.aside !== true);
      const next = usual[(step * 31) % usual.length];
      if (next === undefined) break;
      const outcome = bakugan.step(state, pressed(next));
      if (outcome.ok) state = outcome.state;
    }
    expect([...states]).toEqual(expect.arrayContaining(['ST-2', 'ST-3', 'ST-4', 'ST-8', 'ST-10', 'ST-13']));
    expect(pressedCount).toBeGreaterThan(500);
  });
});
