import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { Scene } from '../../scene/scene.ts';
import { brawlerOf, nameOf } from '../bakugan-scene.ts';
import { matchLine } from '../match-words.ts';

/** A moment worth a headline. */
export type Moment = {
  readonly kind: 'over' | 'judge' | 'team' | 'victor' | 'rolling' | 'waiting' | 'none';
  readonly side: 'A' | 'B' | undefined;
  readonly title: string;
  readonly line: string;
};

/** What the scene is about right now; a pure function of the scene, so a correction takes it back. */
export function momentOf(scene: Scene, view: BakuganView | undefined): Moment {
  const over = scene.cues.find((cue) => cue.cue === 'game-over');
  const winner = over?.cue === 'game-over' ? over.winner : view?.winner;
  if (winner !== undefined && scene.match !== undefined) {
    return {
      kind: 'over',
      side: winner === 'draw' ? undefined : winner,
      title:
        winner === 'draw'
          ? 'Draw'
          : `${nameOf(view, winner)} wins${scene.match.winner === null ? '' : ' the match'}`,
      line: matchLine(scene.match, view),
    };
  }
  if (winner !== undefined) {
    return winner === 'draw'
      ? { kind: 'over', side: undefined, title: 'Draw', line: 'The game is over: nobody wins.' }
      : { kind: 'over', side: winner, title: `${nameOf(view, winner)} wins`, line: 'The game is over.' };
  }
  if (scene.cues.some((cue) => cue.cue === 'judge-needed')) {
    return {
      kind: 'judge',
      side: undefined,
      title: 'Judge needed',
      line: view?.roll?.judge ?? waiting(view),
    };
  }
  if (view?.victor !== undefined) return victory(view, view.victor);
  if (scene.cues.some((cue) => cue.cue === 'rolling')) {
    const attempt = view?.roll?.attempt ?? 1;
    return {
      kind: 'rolling',
      side: undefined,
      title: attempt > 1 ? `Roll ${attempt}` : 'Rolling',
      line: 'Both Bakugan are on their way.',
    };
  }
  const line = waiting(view);
  return { kind: line === '' ? 'none' : 'waiting', side: undefined, title: line, line: '' };
}

function victory(view: BakuganView, side: 'A' | 'B'): Moment {
  const toy = brawlerOf(view.players[side]);
  const dealt = view.damage;
  const line =
    dealt === undefined
      ? `${toy?.name ?? ''}${toy === undefined ? '' : ` with ${toy.bPower} B-Power`}`
      : `${dealt.amount} damage to ${nameOf(view, dealt.to)}, ${dealt.flipped} of ${dealt.amount} cards flipped`;
  const kind = view.teamAttack ? 'team' : 'victor';
  return { kind, side, title: `${view.teamAttack ? 'Team Attack' : 'Victor'}: ${nameOf(view, side)}`, line };
}

function waiting(view: BakuganView | undefined): string {
  return (view?.waitingFor ?? [])
    .map((one) => {
      const who = nameOf(view, one.who);
      return `Waiting for ${who}: ${one.what}`;
    })
    .join(' · ');
}

/** The headline over the field. */
export function ribbon(moment: Moment): TemplateResult {
  return html`
    <div class="ribbon ribbon-${moment.kind} ${moment.side === undefined ? '' : `ribbon-${moment.side}`}" role="status">
      ${keyed(
        `${moment.kind}${moment.side ?? ''}`,
        html`<div class="ribbon-in"><b>${moment.title}</b>${moment.line === '' ? nothing : html`<span>${moment.line}</span>`}</div>`,
      )}
    </div>`;
}
