import { opponentOf } from '../../../ids.ts';
import { candidates } from '../choices.ts';
import { targetsOf } from '../conditions.ts';
import { corePrint } from '../data/cores.ts';
import { type Move, nameOf, patch, patchBakugan, patchCore, say } from '../move.ts';
import { retract } from '../retracting.ts';
import { type BakuganState, bakuganOf, brawlerOf, coreOf, coresOf, sideOf } from '../state.ts';
import { titleOf } from '../top.ts';
import { fire } from '../triggers.ts';
import { ask, chosen, type Doing, did, type Effect, first, readingOf, sourceOf, tell } from './effect.ts';

/** A pick that was not made on announcing. */
export const pickNow: Effect<'#pick'> = (doing, step) => {
  const { move, you, answer } = doing;
  const { choices } = move.state.resolving?.facts ?? doing.resolving.facts;
  const values = candidates(move.state, you, sourceOf(doing), step.pick, choices);
  const [only] = values;
  if (only === undefined) return 'done';
  if (values.length > 1 && answer === null) {
    const options = values.map((value) => ({ value, label: sayValue(move, value) }));
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1.2', '6.3.2'], options });
  }
  tell(move, { choices: { ...choices, [step.pick.as]: answer ?? only } });
  return 'done';
};

/** A chosen value in words. */
export function sayValue(move: Move, value: string): string {
  const bakugan = value.includes('/') ? bakuganOf(move.state, value) : undefined;
  if (bakugan !== undefined) return `${titleOf(move.state, bakugan)} of ${nameOf(move, sideOf(value))}`;
  if (value === 'A' || value === 'B') return nameOf(move, value);
  return value;
}

/** `retract`: closes Bakugan; whoever owns them places their cores (7.2.5). */
export const retractNow: Effect<'retract'> = (doing, step) => {
  const { move } = doing;
  const open = targetsOf(move.state, readingOf(doing), step.to).filter((one) => one.open);
  for (const one of open) retract(move, sideOf(one.id), [one.id], ['6.2.1']);
  return did(doing, open.length > 0);
};

function take(move: Move, core: string, to: BakuganState): void {
  const was = coreOf(move.state, core);
  if (was === undefined) return;
  patchCore(move, core, {
    cell: null,
    from: was.cell ?? was.from,
    heldBy: [...was.heldBy, to.id],
    known: true,
  });
  const text = `Core ${core} (#${was.print}) is attached to ${titleOf(move.state, to)}.`;
  say(move, 'field/attached', ['6.2.1'], text, { core, bakugan: to.id });
}

/** `attach`: cores of the field to a Bakugan. */
export const attachCore: Effect<'attach'> = (doing, step) => {
  const { move } = doing;
  tell(move, { did: false });
  const [to] = targetsOf(move.state, readingOf(doing), step.to);
  if (to === undefined || !to.open) return 'done';
  if (step.core !== undefined) {
    const core = chosen(doing, step.core);
    if (core === undefined || coreOf(move.state, core)?.cell === null) return did(doing, false);
    take(move, core, to);
    return did(doing, true);
  }
  first(doing, [{ do: '#attach', n: step.n ?? 1, to: to.id, types: step.types ?? null }]);
  return 'done';
};

/** Cores chosen while it happens, up to so many. */
export const attachSome: Effect<'#attach'> = (doing, step) => {
  const { move, you, answer } = doing;
  const to = bakuganOf(move.state, step.to);
  const cores = move.state.cores.filter((core) => {
    const type = corePrint(core.print)?.type;
    return core.cell !== null && (step.types === null || (type !== undefined && step.types.includes(type)));
  });
  if (step.n <= 0 || to === undefined || cores.length === 0) return 'done';
  if (answer === null) {
    const options = [
      ...cores.map((core) => ({ value: core.core, label: `Core ${core.core} on ${core.cell}` })),
      { value: 'stop', label: 'None' },
    ];
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  if (answer === 'stop') return 'done';
  take(move, answer, to);
  tell(move, { did: true });
  first(doing, [{ ...step, n: step.n - 1 }]);
  return 'done';
};

/** `detach`: held cores are negated and go back to the field, placed by the controller (D-2.5). */
export const detachCores: Effect<'detach'> = (doing, step) => {
  const { move, you } = doing;
  const opponent = opponentOf(you);
  const ids =
    step.core === 'all-opposing'
      ? move.state.cores
          .filter((core) => core.heldBy.some((id) => sideOf(id) === opponent))
          .map((one) => one.core)
      : [chosen(doing, step.core)].flatMap((id) => (id === undefined ? [] : [id]));
  const freed: string[] = [];
  for (const id of ids) {
    const core = coreOf(move.state, id);
    if (core === undefined || core.heldBy.length === 0) continue;
    const left = core.heldBy.filter((holder) => sideOf(holder) !== opponent);
    patchCore(move, id, { heldBy: left });
    if (left.length === 0) freed.push(id);
    const text = `Core ${id} is negated and removed from the Bakugan of ${nameOf(move, opponent)}.`;
    say(move, 'field/detached', ['6.2.1', '4.7.3'], text, { core: id });
  }
  if (freed.length > 0) patch(move, { returning: [...move.state.returning, { player: you, cores: freed }] });
  return did(doing, ids.length > 0);
};

function hand(move: Move, core: string, from: string, to: string): void {
  const was = coreOf(move.state, core);
  if (was === undefined) return;
  const others = was.heldBy.filter((id) => id !== from && id !== to);
  patchCore(move, core, { heldBy: [...others, to] });
}

/** `swap`: exchanges attached cores with the opposing Bakugan; both must hold one (Q32). */
export const swapCores: Effect<'swap'> = (doing, step) => {
  const { move, you, answer } = doing;
  const [own] = targetsOf(move.state, readingOf(doing), step.to);
  const other = brawlerOf(move.state, opponentOf(you));
  const mine = own === undefined ? [] : coresOf(move.state, own.id).map((core) => core.core);
  const theirs = other === undefined ? [] : coresOf(move.state, other.id).map((core) => core.core);
  if (own === undefined || other === undefined || mine.length === 0 || theirs.length === 0) {
    say(move, 'batch/nothing', ['1.3.4'], `${doing.resolving.object.label}: both Bakugan must hold a core.`);
    return did(doing, false);
  }
  if (step.n === 'all') {
    for (const core of mine) hand(move, core, own.id, other.id);
    for (const core of theirs) if (!mine.includes(core)) hand(move, core, other.id, own.id);
    const text = `${titleOf(move.state, own)} and ${titleOf(move.state, other)} exchange their cores.`;
    say(move, 'field/swapped', ['6.2.1'], text, { a: own.id, b: other.id });
    return did(doing, true);
  }
  if (mine.length > 1 && answer === null) {
    const options = mine.map((value) => ({ value, label: `Give core ${value}` }));
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  first(doing, [{ do: '#swap-back', own: answer ?? mine[0] ?? '', to: own.id, with: other.id }]);
  return 'done';
};

/** The core that comes back for the one given. */
export const swapBack: Effect<'#swap-back'> = (doing, step) => {
  const { move, you, answer } = doing;
  const theirs = coresOf(move.state, step.with).map((core) => core.core);
  if (theirs.length > 1 && answer === null) {
    const options = theirs.map((value) => ({ value, label: `Take core ${value}` }));
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  const back = answer ?? theirs[0] ?? '';
  hand(move, step.own, step.to, step.with);
  if (back !== step.own) hand(move, back, step.with, step.to);
  const text = `Cores ${step.own} and ${back} change places.`;
  say(move, 'field/swapped', ['6.2.1'], text, { own: step.own, back });
  return did(doing, true);
};

/** `turn-core`: a core of the field is seen by all (1.12). */
export const turnCore: Effect<'turn-core'> = (doing) => {
  const { move, you, answer } = doing;
  const hidden = move.state.cores.filter((core) => core.cell !== null && !core.known);
  const [only] = hidden;
  if (only === undefined) return did(doing, false);
  if (hidden.length > 1 && answer === null) {
    const options = hidden.map((core) => ({ value: core.core, label: `Core ${core.core} on ${core.cell}` }));
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  const core = answer ?? only.core;
  patchCore(move, core, { known: true });
  const text = `Core ${core} is turned up: #${coreOf(move.state, core)?.print ?? ''}.`;
  say(move, 'field/turned', ['1.12', '6.2.1'], text, { core });
  return did(doing, true);
};

function rerolls(doing: Doing, to: 'own' | 'opposing' | 'this'): BakuganState | undefined {
  const { move, you } = doing;
  const side = to === 'opposing' ? opponentOf(you) : you;
  const id = move.state.selected[side];
  const bakugan = id === null ? undefined : bakuganOf(move.state, id);
  return to === 'this' && bakugan?.id !== sourceOf(doing).bakugan ? undefined : bakugan;
}

/** `reroll`: after the first roll and before the Victor Step (1.18); an open Bakugan retracts first (RR-19). */
export const reroll: Effect<'reroll'> = (doing, step) => {
  const { move } = doing;
  const bakugan = rerolls(doing, step.to);
  const { label } = doing.resolving.object;
  if (move.state.at !== 'ST-8' || bakugan === undefined) {
    say(move, 'batch/nothing', ['1.18', '1.3.4'], `${label}: there is nothing to roll again now.`);
    tell(move, { rerollOpened: false });
    return did(doing, false);
  }
  tell(move, { rerolled: bakugan.id, rerollOpened: false, did: true });
  if (bakugan.open) retract(move, sideOf(bakugan.id), [bakugan.id], ['1.18']);
  first(doing, [{ do: '#roll-again', bakugan: bakugan.id }]);
  return 'done';
};

/** The roll itself, in a state of its own (ST-8r). */
export const rollAgain: Effect<'#roll-again'> = (doing, step) => {
  const { move } = doing;
  const { frames, at, window, resolving, damage } = move.state;
  if (move.state.cores.every((core) => core.cell === null)) {
    say(move, 'batch/nothing', ['1.18', '5.7.1.4'], 'No core lies on the field: nothing can open.');
    return 'done';
  }
  patch(move, { frames: [...frames, { at, window, resolving, damage }], window: null, resolving: null });
  const bakugan = bakuganOf(move.state, step.bakugan);
  if (bakugan === undefined) return 'done';
  return { enter: 'ST-8r' };
};

/** A Bakugan that rolled again opened: its texts see it. */
export function openedAgain(move: Move, id: string): void {
  patchBakugan(move, id, { open: true, revealed: true, openedIn: move.state.turn });
  fire(move, { is: 'opens', bakugan: id });
}
