/** What a mutated build gives out. */
export { playScenario } from '../../host/game/scenarios/check.ts';
