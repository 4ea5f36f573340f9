import { html, nothing, type TemplateResult } from 'lit';
import type { MatchRemoval, MatchSeen } from '../../displays/archive-messages.ts';

/** What may be done with a match from its row. */
export type RowDeeds = {
  readonly picked: boolean;
  /** Address of the replay page at this match. */
  readonly replay: string;
  pick(on: boolean): void;
  make(what: 'bundle' | 'report' | 'match' | 'events'): void;
  remove(): void;
};

/** One match of the list. */
export function matchRow(match: MatchSeen, deeds: RowDeeds): TemplateResult {
  const { players, rolls, undetermined, corrections } = match;
  const name = `${players.A} and ${players.B}, ${whenOf(match)}`;
  return html`
    <li class="match ${match.removed ? 'match-gone' : ''}">
      <input type="checkbox" aria-label="Choose the match of ${name}" .checked=${deeds.picked} ?disabled=${match.removed}
        @change=${(event: Event) => deeds.pick(event.target instanceof HTMLInputElement && event.target.checked)} />
      <div class="match-who">
        <h3><span class="side-A">${players.A}</span> <small>against</small> <span class="side-B">${players.B}</span></h3>
        <p>${match.series === undefined ? nothing : html`Game ${match.series.game}: `}${match.removal === undefined ? resultOf(match) : html`<b class="soft">Removed</b>`} <span class="soft">· ${lengthOf(match.tookMs)} · <span class="id">${nameIn(match)}</span></span></p>
      </div>
      <p class="match-when"><time datetime=${match.startedAt ?? ''}>${timeOf(match)}</time></p>
      <p class="match-counts">
        <span><b>${rolls}</b> ${rolls === 1 ? 'roll' : 'rolls'}</span>
        ${undetermined === 0 ? nothing : html`<span class="doubt"><b>${undetermined}</b> in doubt</span>`}
        ${corrections === 0 ? nothing : html`<span class="judge"><b>${corrections}</b> by a judge</span>`}
      </p>
      <div class="match-deeds">
        ${
          match.removed
            ? html`<p class="soft removal">${removedBy(match.removal)}</p>`
            : html`
              <a class="button main" href=${deeds.replay}>Replay</a>
              <button type="button" @click=${() => deeds.make('bundle')}>Evidence</button>
              <button type="button" @click=${() => deeds.make('report')}>Report</button>
              <details class="more"><summary aria-label="More for the match of ${name}">More</summary>
                <div>
                  <button type="button" @click=${() => deeds.make('match')}>Match file</button>
                  <button type="button" @click=${() => deeds.make('events')}>Events</button>
                  <button type="button" class="danger" @click=${deeds.remove}>Delete…</button>
                </div>
              </details>`
        }
      </div>
    </li>`;
}

/** The id, with the folder when that was copied from a table of another name. */
function nameIn({ table, id }: MatchSeen): string {
  return id.startsWith(`${table}-`) ? id : `${table}: ${id}`;
}

function timeOf({ startedAt }: MatchSeen): string {
  if (startedAt === null) return '';
  return new Date(startedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** The day a match began, in words. */
export function dayOf({ startedAt }: MatchSeen): string {
  if (startedAt === null) return 'Day unknown';
  const how = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Date(startedAt).toLocaleDateString([], how);
}

export function whenOf({ startedAt }: MatchSeen): string {
  if (startedAt === null) return 'at an unknown time';
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Date(startedAt).toLocaleString([], { ...day, hour: '2-digit', minute: '2-digit' });
}

/** Who removed a match, when and why. */
function removedBy(removal: MatchRemoval | undefined): string {
  if (removal === undefined) return 'records removed';
  const { who, why, at } = removal;
  const when =
    at === ''
      ? ''
      : `, ${new Date(at).toLocaleDateString([], { day: 'numeric', month: 'short', year: 'numeric' })}`;
  return `Removed by ${who}${when}: ${why}`;
}

function resultOf({ winner, players, closed, series }: MatchSeen): TemplateResult {
  if (winner === 'draw') return html`<b>Draw</b>`;
  if (winner === 'A' || winner === 'B') return html`<b class="side-${winner}">${players[winner]} won</b>`;
  return html`<b class="soft">${series?.ended !== undefined ? 'Broken off' : closed ? 'Not finished' : 'Not over'}</b>`;
}

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? 'under a minute' : minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
