import type { Output } from '../advance/input.ts';
import type { Audience } from '../game/ruleset.ts';
import type { News } from './feed-messages.ts';

/**
 * What an audience hears of an output, or nothing. Players and watchers hear settled rulings only, no data behind an
 * event (it may hold what is hidden from them) and nothing of wires. Answers to commands go to their sender alone, elsewhere.
 */
export function newsFor(audience: Audience, output: Output): News | undefined {
  const staff = audience.kind === 'judge' || audience.kind === 'operator';
  switch (output.kind) {
    case 'ruling':
      return staff || output.ruling.stage === 'final' ? output : undefined;
    case 'retraction':
      return staff || output.stage === 'final' ? output : undefined;
    case 'event':
      return staff ? output : { ...output, event: { ...output.event, data: {} } };
    case 'fault':
      return staff ? output : undefined;
    case 'send':
    case 'calibrated':
    case 'accepted':
    case 'refused':
      return undefined;
    default:
      return output satisfies never;
  }
}
