import type { Answer } from '../../advance/input.ts';
import type { WireCommand } from '../../displays/feed-messages.ts';
import type { BakuganView } from '../../game/bakugan/view.ts';
import type { Refusal } from '../../game/ruleset.ts';
import type { Scene } from '../../scene/scene.ts';
import { type Correcting, commandOf, type Draft, NO_DRAFT, type Result, rollsIn } from './draft.ts';

type Ask = (message: { readonly op: 'command' | 'ask'; readonly [key: string]: unknown }) => string;

/** A correction from its draft to the table: looked at first, then made, as it was looked at. */
export class Corrector {
  now: Correcting | undefined;
  /** Whether judges of this table show who they are by tokens. */
  readonly withToken: boolean;
  readonly #ask: Ask;
  readonly #changed: () => void;
  #waits: { readonly id: string; readonly for: 'history' | 'foresee' | 'command' } | undefined;

  constructor(withToken: boolean, ask: Ask, changed: () => void) {
    this.withToken = withToken;
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Opens the dialog, at a roll if one is named. */
  open(scene: Scene, view: BakuganView | undefined, roll: string | undefined): void {
    const ruling = [...scene.rulings].reverse().find((one) => one.roll === roll);
    const result = (side: 'A' | 'B'): Result => {
      const ball = ruling?.balls.find((one) => one.player === side);
      return { opened: ball?.opened === 'yes' ? 'yes' : 'no', cores: ball?.attached.sure ?? [] };
    };
    const draft: Draft = {
      ...NO_DRAFT,
      roll: roll ?? '',
      results: { A: result('A'), B: result('B') },
      count: view?.players.A.deck ?? 0,
    };
    this.now = { draft, steps: [], foreseen: undefined, busy: true, problem: undefined };
    this.#send('history', { op: 'ask', question: { kind: 'history' } });
  }

  close(): void {
    this.now = undefined;
    this.#waits = undefined;
    this.#changed();
  }

  /** Changes the draft; what was looked at of another draft no longer holds. */
  put(more: Partial<Draft>): void {
    if (this.now === undefined) return;
    this.now = {
      ...this.now,
      draft: { ...this.now.draft, ...more },
      foreseen: undefined,
      problem: undefined,
    };
    this.#changed();
  }

  /** Asks what the correction would change. */
  look(): void {
    this.#send('foresee', { op: 'ask', question: { kind: 'foresee', command: this.#command(undefined) } });
  }

  /** Makes the correction that was looked at. */
  make(): void {
    this.#send('command', { op: 'command', command: this.#command(this.now?.foreseen?.basis) });
  }

  /** An answer of the host; true when it was for this dialog. */
  told(id: string, answer: Answer): boolean {
    if (this.now === undefined || this.#waits?.id !== id) return false;
    this.#waits = undefined;
    if (answer.kind === 'history') {
      const { steps, newest } = answer;
      const { draft } = this.now;
      const to = draft.to > 0 ? draft.to : Math.max(0, newest - 1);
      this.now = {
        ...this.now,
        steps,
        busy: false,
        draft: { ...draft, to, roll: draft.roll || (rollsIn(steps)[0] ?? '') },
      };
    } else {
      this.now = { ...this.now, foreseen: answer, busy: false };
      // Once it is drawn: whoever reads with a keyboard or a reader goes on there.
      setTimeout(() => document.querySelector<HTMLElement>('.foreseen')?.focus(), 100);
    }
    this.#changed();
    return true;
  }

  /** An accepted or refused command or question; true when it was of this dialog. */
  answered(id: string, refusal: Refusal | undefined): boolean {
    if (this.now === undefined || this.#waits?.id !== id) return false;
    this.#waits = undefined;
    if (refusal === undefined) this.close();
    else {
      const rules = refusal.rules.length === 0 ? '' : ` (${refusal.rules.join(', ')})`;
      // What was looked at may no longer be so: it is looked at again.
      this.now = { ...this.now, busy: false, foreseen: undefined, problem: `${refusal.message}${rules}` };
      this.#changed();
    }
    return true;
  }

  #command(basis: string | undefined): WireCommand {
    return commandOf(this.now?.draft ?? NO_DRAFT, basis, this.withToken);
  }

  #send(what: 'history' | 'foresee' | 'command', message: Parameters<Ask>[0]): void {
    if (this.now === undefined) return;
    const id = this.#ask(message);
    this.#waits = { id, for: what };
    const problem = id === '' ? 'The host is not connected; try again when it is back.' : undefined;
    this.now = { ...this.now, busy: id !== '', problem };
    this.#changed();
  }
}
