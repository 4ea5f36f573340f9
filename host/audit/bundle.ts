import type { BallRuling, Measure, Reason, Turning } from '../sensing/ruling.ts';
import { type BundleProof, proofSection } from './bundle-proof.ts';
import type { Correction } from './corrections.ts';
import { correctionsView } from './corrections-view.ts';
import { fieldPicture } from './field-picture.ts';
import { counted, escaped, num, page } from './html.ts';
import { bakuganName, bakuganOfPlayer } from './in-force.ts';
import { resultView, standingLine, verdictLine } from './result-view.ts';
import type { RollCase } from './rolls.ts';
import { type Standing, standingOf } from './standing-result.ts';
import { toldView } from './told-view.ts';
import { isEventful } from './trace-picture.ts';
import { tracesView } from './traces-view.ts';

export interface BundleAsk {
  readonly title: string;
  readonly cases: readonly RollCase[];
  /** What judges did to no roll. */
  readonly others?: readonly Correction[];
  readonly proof?: BundleProof;
  /** Address of a recording, and second of it at which the table's clock reads zero. */
  readonly video?: { readonly url: string; readonly offsetS: number };
  readonly madeBy: string;
}

/** One file of evidence: everything that one ruling, or all of a match, rests on. Needs no network and no script. */
export function bundlePage(ask: BundleAsk): string {
  const rolls = ask.cases.map((one) => rollSection(one, ask)).join('\n');
  return page(
    ask.title,
    `<h1>${escaped(ask.title)}</h1>
<p class="soft">${counted(ask.cases.length, 'roll')} with ${ask.cases.some((one) => one.told !== undefined) ? 'what is left of the samples' : 'the samples'}, the ruling and its reasons, as the table recorded them. Made by ${escaped(ask.madeBy)} from the record alone.</p>
${ask.cases.length === 1 ? '' : contents(ask.cases)}
${rolls}
${correctionsView(ask.others ?? [], 'Counts and other corrections of this match')}
${ask.proof === undefined ? '' : proofSection(ask.proof, ask.cases, ask.others ?? [])}`,
  );
}

/** The rolls of a match with their results, to go to each. */
function contents(cases: readonly RollCase[]): string {
  const several = new Set(cases.map(({ match }) => match)).size > 1;
  const rows = cases.map((one) => {
    const match = several ? `<span class="soft">${escaped(one.match ?? '')}</span> ` : '';
    const judged = one.corrections.length === 0 ? '' : ' <span class="tag">judge</span>';
    return `<li>${match}<a href="#${idOf(one)}">${escaped(one.roll)}</a> ${standingLine(one, standingOf(one))}${judged}</li>`;
  });
  return `<nav class="card" aria-label="Rolls"><ol class="rolls small">${rows.join('')}</ol></nav>`;
}

function idOf(one: RollCase): string {
  return `roll-${one.fromSeq}`;
}

function rollSection(one: RollCase, ask: BundleAsk): string {
  const { final, trace, corrections } = one;
  const decided = final?.atMs;
  const standing = standingOf(one);
  const cells = (trace?.cells ?? []).filter(isEventful);
  const when =
    one.wallTime === undefined ? '' : ` · ${escaped(one.wallTime.replace('T', ' ').slice(0, 19))} UTC`;
  return `<section class="roll" id="${idOf(one)}"><h2>Roll ${escaped(one.roll)}, game ${one.game}${one.match === undefined ? '' : ` of match ${escaped(one.match)}`}${when}</h2>
<p class="small soft">Called at ${num(one.calledMs, 0)} ms of the table's clock${decided === undefined ? '' : `, decided ${num(decided - one.calledMs, 0)} ms later`}; records ${one.fromSeq} to ${one.toSeq}.${videoLink(one, ask)}</p>
${resultView(one, standing)}
${toldView(one)}
${final === undefined ? '<div class="card warn">The sensors gave no final ruling of this roll.</div>' : ''}
${otherwise(one, ask)}
<div class="grid">${(final?.balls ?? []).map((ball) => ballCard(ball, one, standing)).join('')}</div>
${(final?.illegal ?? []).map((reason) => `<div class="card warn"><b>Against a roll rule:</b> ${reasonText(reason)}</div>`).join('')}
<div class="card"><h3>The field</h3>${fieldPicture(one)}
<p class="small soft">Lines: the tiles each ball touched, in order. Filled dot: the sensors saw it open there${standing.judged === 'overridden' ? ', which a judge overruled' : ''}. Bare mat between tiles feels nothing.</p></div>
<div class="card"><h3>What the tiles read</h3>
${trace === undefined ? `<p>${one.told === undefined ? 'No trace was taken of this roll.' : 'Lines no longer kept.'}</p>` : tracesView(one, trace)}</div>
<div class="grid">
<div class="card"><h3>Links in this time</h3>${linkList(one)}</div>
<div class="card"><h3>History of the ruling</h3>${history(one)}</div>
</div>
${correctionsView(corrections, 'What a judge ruled or corrected')}
<div class="card wide"><h3>Calibration in force</h3>${calibrationTable(
    one,
    cells.map(({ cell }) => cell),
  )}</div>
</section>`;
}

/** Where this version would rule otherwise, or the record holds no ruling of its own. */
function otherwise({ wouldRule, rulings, rulingSeqs }: RollCase, { madeBy }: BundleAsk): string {
  if (wouldRule.length > 0) {
    const items = wouldRule.map((flip) => `<li>${escaped(flip)}</li>`).join('');
    return `<div class="card warn"><p>This version (${escaped(madeBy)}) would rule otherwise than was recorded; shown is the record.</p><ul class="small">${items}</ul></div>`;
  }
  if (rulingSeqs.length > 0 || rulings.length === 0) return '';
  return `<div class="card warn">The record holds no ruling of this roll: shown is what this version (${escaped(madeBy)}) rules.</div>`;
}

function ballCard(ball: BallRuling, one: RollCase, standing: Standing): string {
  const { player, contact, confidence, reasons, audit } = ball;
  const name = player === 'undetermined' ? 'Unclear whose ball' : one.players[player];
  const rolled = one.activity.balls.find((expected) => expected.player === player)?.bakugan;
  const bakugan = rolled === undefined ? '' : bakuganName(one, rolled);
  const touched = [...contact.sure, ...contact.possible.map((core) => `${core}?`)].join(', ');
  return `<div class="card"><p class="side-${escaped(player)}"><b>${escaped(name)}</b> <span class="soft small">${escaped(bakugan)}</span></p>
${verdictLine(ball, standing)}
<p class="small soft">sure to ${percent(confidence.opened)} of the open, ${percent(confidence.attached)} of the core, ${percent(confidence.player)} of whose ball it was${touched === '' ? '' : `; touched ${escaped(touched)}`}</p>
<ul class="small">${reasons.map((reason) => `<li>${reasonText(reason)}</li>`).join('')}</ul>
<table class="small"><tbody>
${measureRow('Release before or after the other', audit.releaseSkew)}${measureRow('Far gate before or after the other', audit.crossingSkew)}${measureRow('Released at most this far in', audit.releaseZone)}${measureRow('Speed', audit.speed)}${measureRow('Flights over tiles', audit.bounces)}${turningRow(audit.turning)}
<tr><td>Way seen</td><td class="n">${audit.path.cells.length === 0 ? 'no tile' : escaped(audit.path.cells.join(' → '))}, ${percent(audit.path.coverage)} of it over tiles</td></tr>
</tbody></table></div>`;
}

function measureRow(name: string, measure: Measure | undefined): string {
  if (measure === undefined) return '';
  const how = measure.measured ? (measure.how ?? '') : measure.why;
  const value = measure.measured
    ? `${num(measure.value, 2)} ± ${num(measure.plusMinus, 2)} ${escaped(measure.unit)}`
    : 'not measurable';
  return `<tr><td>${name}</td><td class="n">${value}${how === '' ? '' : `<br><span class="soft">${escaped(how)}</span>`}</td></tr>`;
}

function turningRow(turning: Turning | undefined): string {
  if (turning === undefined) return '';
  const said = turning.measured
    ? `${escaped(turning.said)}, ${percent(turning.sure)} sure`
    : 'not measurable';
  const how = turning.measured ? turning.how : turning.why;
  return `<tr><td>Rolled or slid</td><td class="n">${said}<br><span class="soft">${escaped(how)}</span></td></tr>`;
}

function reasonText(reason: Reason): string {
  const rules = reason.rules.map((rule) => `<span class="rule">${escaped(rule)}</span>`).join('');
  return `${escaped(reason.text)} ${rules}`;
}

function percent(share: number): string {
  return `${num(100 * share)} %`;
}

function linkList(one: RollCase): string {
  const links = one.links.map(({ link, up, device, side, complaints, counts }) => {
    const bad = Object.entries(counts).map(([name, count]) => `${escaped(name)} ${num(count)}`);
    const said = complaints.length === 0 ? '' : ` ${escaped(complaints.join(' '))}`;
    return `<li><b>${escaped(link)}</b>${device === undefined ? '' : ` board ${escaped(device)}`}${side === undefined ? '' : `, side ${escaped(side)}`}: ${up ? 'up' : 'down'}.${said} <span class="soft">${bad.join(', ') || 'nothing lost'} in this roll</span></li>`;
  });
  const told = one.faults.map(
    ({ atMs, code, text }) =>
      `<li>${num(atMs - one.calledMs, 0)} ms: ${escaped(text)} <code>${escaped(code)}</code></li>`,
  );
  const nothing =
    one.told === undefined
      ? 'Nothing was lost, late or doubtful during the roll.'
      : 'No fault was recorded. Lines no longer kept, so nothing else is known of the links.';
  return `<ul class="small">${links.join('')}</ul><p class="small soft">${told.length === 0 ? nothing : 'During the roll:'}</p><ul class="small">${told.join('')}</ul>`;
}

function history(one: RollCase): string {
  const rows = one.rulings.map((ruling, i) => {
    const said = ruling.balls.map((ball) => `${ball.player} ${ball.opened}`).join(', ');
    const seq = one.rulingSeqs[i];
    return `<li>${num(ruling.atMs - one.calledMs, 0)} ms, ${escaped(ruling.stage)}, revision ${num(ruling.revision)}: ${escaped(said)}${seq === undefined ? '' : ` <span class="soft">record ${seq}</span>`}</li>`;
  });
  const back = one.retractions.map(
    ({ revision, why }) => `<li>Revision ${num(revision)} was taken back: ${escaped(why)}</li>`,
  );
  return `<ul class="small">${[...rows, ...back].join('') || '<li>None.</li>'}</ul>`;
}

function calibrationTable(one: RollCase, cells: readonly string[]): string {
  const rows = one.layout.cells.flatMap((place) => {
    if (!cells.includes(place.cell)) return [];
    const tile = one.calibration.tiles.find((each) => each.tile === `${place.side}${place.tile}`);
    const halls = (tile?.halls ?? []).map(
      (hall) => `${num(hall.restCounts)} / ${num(hall.seatedCounts)} / ${num(hall.noiseCounts, 2)}`,
    );
    return [
      `<tr><td>${escaped(place.cell)}</td><td>${escaped(tile?.tile ?? 'not calibrated')}</td><td class="n">${halls[0] ?? ''}</td><td class="n">${halls[1] ?? ''}</td><td>${tile === undefined ? '' : tile.contactWorks ? 'works' : 'dead'}</td></tr>`,
    ];
  });
  const balls = Object.entries(one.calibration.balls).map(
    ([id, ball]) =>
      `${bakuganOfPlayer(one, id)}: ${ball.polarity > 0 ? 'N' : 'S'}, strength ${num(ball.strength, 2)}`,
  );
  return `<table class="small"><thead><tr><th>cell</th><th>tile</th><th class="n">main hall: rest / seated / noise, counts</th><th class="n">offset hall</th><th>contact</th></tr></thead><tbody>${rows.join('')}</tbody></table><p class="small soft">${balls.length === 0 ? 'No ball is calibrated' : escaped(balls.join(' · '))}. Layout ${escaped(one.calibration.layout)}, ${escaped(one.calibration.layoutHash)}.</p>`;
}

function videoLink(one: RollCase, ask: BundleAsk): string {
  if (ask.video === undefined) return '';
  const { url, offsetS } = ask.video;
  const at = Math.max(0, one.calledMs / 1000 + offsetS);
  const href = `${url}${url.includes('#') ? '' : `#t=${num(at)}`}`;
  const shown = /^https?:/.test(url) ? `<a href="${escaped(href)}">video</a>` : 'video';
  return ` In the ${shown} at ${Math.floor(at / 60)}:${String(Math.floor(at % 60)).padStart(2, '0')}.`;
}
