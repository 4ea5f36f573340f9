import type { BakuganSeen, BakuganView, PlayerSeen } from '../game/bakugan/view.ts';
import type { Side } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';

/** The scene's view when its ruleset is `bakugan`. */
export function bakuganView(scene: Scene): BakuganView | undefined {
  const { view } = scene;
  if (typeof view !== 'object' || view === null || !('ruleset' in view) || view.ruleset !== 'bakugan') {
    return undefined;
  }
  const seen = view as unknown as BakuganView;
  return scene.match?.ended === undefined ? seen : brokenOff(seen, scene.match.winner);
}

/** A game whose match was ended waits for nobody any more. */
function brokenOff(view: BakuganView, winner: Side | 'draw' | null): BakuganView {
  const { window: _window, flipCard: _flip, ...rest } = view;
  const over = { state: 'GO', phase: 'Game over', step: 'Match ended', waitingFor: [] } as const;
  return { ...rest, ...over, ...(winner === null ? {} : { winner }) };
}

/** The Bakugan that a player rolls or brawls with this turn. */
export function brawlerOf(player: PlayerSeen): BakuganSeen | undefined {
  return player.bakugan.find((one) => one.selected);
}

/** Who may act now: holder of the open window, else whoever the game waits for. */
export function actorsOf(view: BakuganView): readonly (Side | 'judge' | 'sensors')[] {
  if (view.window !== undefined) return [view.window.holder];
  return [...new Set(view.waitingFor.map((one) => one.who))];
}

/** A player's name, or its side. */
export function nameOf(view: BakuganView | undefined, who: Side | 'judge' | 'sensors'): string {
  if (who === 'judge') return 'the judge';
  if (who === 'sensors') return 'the sensors';
  const name = view?.players[who].name ?? '';
  return name === '' ? `Player ${who}` : name;
}

/** `+200`, `−300`, `0`. */
export function signed(amount: number): string {
  return amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : '0';
}
