import { html, nothing, type TemplateResult } from 'lit';
import type { Scene } from '../../scene/scene.ts';
import type { BallRuling, CoreSet, Reason, RollRuling } from '../../sensing/ruling.ts';

/** Rolls shown, newest first. */
const SHOWN = 4;

/** What a judge may do from here. */
export type JudgeDesk = { correct(roll?: string): void; readonly library: string };

/** What the referee ruled: per ball whose, opened, cores, how sure, and why with rule numbers. */
export function rulingsPanel(scene: Scene, desk?: JudgeDesk): TemplateResult {
  const newest = [...scene.rulings].reverse().slice(0, SHOWN);
  return html`
    <section class="card rulings" aria-label="Rulings">
      <h2>Rulings${desk === undefined ? nothing : html`<a class="correct-open" href=${desk.library}>Recorded matches</a><button type="button" class="correct-open" @click=${() => desk.correct()}>Correct…</button>`}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Rulings, newest first">
        ${
          newest.length === 0
            ? html`<p class="quiet">No roll has been judged yet.</p>`
            : newest.map((ruling) => rollCard(ruling, scene, desk?.correct))
        }
      </div>
    </section>`;
}

function rollCard(
  ruling: RollRuling,
  scene: Scene,
  correct: ((roll: string) => void) | undefined,
): TemplateResult {
  const back = scene.retracted.filter((one) => one.roll === ruling.roll);
  const last = back.at(-1);
  const gone = back.some((one) => one.revision >= ruling.revision);
  return html`
    <article class="roll ${gone ? 'roll-gone' : ''}">
      <h3>
        Roll ${ruling.roll}
        <span class="tag ${ruling.stage === 'final' ? '' : 'tag-soft'}">${ruling.stage}</span>
        ${gone ? html`<span class="tag tag-doubt">withdrawn</span>` : nothing}
        ${
          correct === undefined || ruling.stage !== 'final'
            ? nothing
            : html`<button type="button" class="overrule" aria-label="Overrule roll ${ruling.roll}" @click=${() => correct(ruling.roll)}>Overrule…</button>`
        }
      </h3>
      ${last === undefined ? nothing : html`<p class="why">Revision ${last.revision} withdrawn${back.length > 1 ? `, ${back.length} in all` : ''}: ${last.why}</p>`}
      ${ruling.illegal.map((reason) => html`<p class="why">Illegal roll: ${reason.text} ${cite(reason.rules)}</p>`)}
      ${ruling.balls.map((ball) => ballLine(ball, ruling.stage))}
    </article>`;
}

function ballLine(ball: BallRuling, stage: RollRuling['stage']): TemplateResult {
  const unknown = ball.opened === 'undetermined' || ball.player === 'undetermined';
  // What is not known while balls still move may settle by itself; a judge is asked only once the ruling is final.
  const waits = unknown && stage === 'provisional';
  const doubt = unknown && !waits;
  // Whoever must decide sees every reason; a clear ruling is not buried under the reasons of the one before.
  const shown = doubt || ball.attached.possible.length > 0 ? ball.reasons.length : 1;
  const words = {
    yes: 'opened',
    no: 'did not open',
    undetermined: waits ? 'not known yet' : 'undetermined',
  } as const;
  return html`
    <div class="verdict verdict-${ball.opened} ${doubt ? 'verdict-doubt' : ''} ${waits ? 'verdict-waits' : ''}">
      <span class="letter letter-${ball.player}">${ball.player === 'undetermined' ? '?' : ball.player}</span>
      <b>${words[ball.opened]}</b>
      ${cores(ball)}
      <span class="sure" title="Confidence that this verdict is right">${percent(ball.confidence.opened)}</span>
      ${ball.reasons.slice(0, shown).map(why)}
      ${
        ball.reasons.length <= shown
          ? nothing
          : html`<details class="why"><summary>${ball.reasons.length - shown} more</summary>${ball.reasons.slice(shown).map(why)}</details>`
      }
    </div>`;
}

function why(reason: Reason): TemplateResult {
  return html`<p class="why">${reason.text} ${cite(reason.rules)}</p>`;
}

function cores(ball: BallRuling): TemplateResult | typeof nothing {
  if (ball.opened !== 'yes') return nothing;
  return html`<span class="cores">${listOf(ball.attached)}</span>`;
}

function listOf(set: CoreSet): string {
  const sure = set.sure.join(' + ');
  const possible = set.possible.length === 0 ? '' : `perhaps ${set.possible.join(', ')}`;
  const both = [sure, possible].filter((part) => part !== '').join(', ');
  return both === '' ? 'holds no core' : `holds ${both}`;
}

function cite(rules: readonly string[]): TemplateResult | typeof nothing {
  return rules.length === 0 ? nothing : html`<span class="rule">${rules.join(', ')}</span>`;
}

/** Never rounds doubt away: 0.996 is not 100 %. */
function percent(chance: number): string {
  const value = Math.floor(chance * 1000) / 10;
  return `${value >= 99 ? value.toFixed(1) : Math.floor(value)} %`;
}
