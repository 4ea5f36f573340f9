import { createHash, timingSafeEqual } from 'node:crypto';
import type { Command, Question } from '../advance/input.ts';
import type { Actor, Audience } from '../game/ruleset.ts';
import type { Side } from '../ids.ts';
import type { May, WireCommand, WireQuestion } from './feed-messages.ts';

/** A secret and what it opens. */
export type FeedToken = {
  readonly role: 'player' | 'judge' | 'operator';
  /** Needed when the role is `player`. */
  readonly player?: Side;
  /** Name for the record. */
  readonly name?: string;
  /** At least 16 characters; see `readFeedTokens`. */
  readonly secret: string;
};

/**
 * Who gets in. `everyone`: bound to this machine only and no tokens set, so everyone is the operator.
 * Otherwise roles need a token, and without one there is only watching.
 */
export type Access = { readonly everyone: boolean; readonly tokens: readonly FeedToken[] };

/** What one client was granted. */
export type Grant = { readonly audience: Audience; readonly actor?: Actor; readonly may: May };

const WATCH: May = { command: false, sim: false };

/**
 * Grants what was asked for, or watching as `venue` with the reason why not more. Watching needs no token.
 */
export function grantFor(
  asked: Audience,
  secret: string | undefined,
  access: Access,
): { readonly grant: Grant; readonly problem?: string } {
  if (asked.kind === 'venue' || asked.kind === 'public') return { grant: { audience: asked, may: WATCH } };
  if (access.everyone) return { grant: granted(asked, undefined) };
  const token =
    secret === undefined ? undefined : access.tokens.find((one) => sameSecret(one.secret, secret));
  if (token !== undefined && opens(token, asked)) return { grant: granted(asked, token.name) };
  return { grant: { audience: { kind: 'venue' }, may: WATCH }, problem: problemOf(asked, secret, token) };
}

/** The command as the table gets it, with `by` set from the grant; or why this client may not give it. */
export function commandBy(
  grant: Grant,
  wire: WireCommand,
  access: Access,
): Command | { readonly notAllowed: string } {
  const { actor } = grant;
  if (actor === undefined) return { notAllowed: 'This screen only watches.' };
  switch (wire.do) {
    case 'play': {
      const by = actingFor(actor, wire.for);
      return 'notAllowed' in by ? by : { do: 'play', input: { ...wire.input, by } };
    }
    case 'replace-ruling':
    case 'undo': {
      const correction = correctionBy(actor, wire, access);
      if ('notAllowed' in correction) return correction;
      if (wire.do === 'undo') return { do: 'undo', to: wire.to, ...correction };
      const input = { ...wire.input, by: correction.by };
      return { do: 'replace-ruling', roll: wire.roll, input, ...correction };
    }
    case 'new-game':
      // Players may begin the next game of their match as it is; whether there is one, the table says.
      if (actor.role === 'player' && Object.keys(wire).some((key) => key !== 'do' && key !== 'first')) {
        return { notAllowed: 'Only the operator or a judge starts a new match.' };
      }
      return {
        do: 'new-game',
        by: actor,
        ...(wire.options === undefined ? {} : { options: wire.options }),
        ...(wire.bestOf === undefined ? {} : { bestOf: wire.bestOf }),
        ...(wire.first === undefined ? {} : { first: wire.first }),
        ...(wire.despite === undefined ? {} : { despite: wire.despite }),
      };
    case 'end-match': {
      const { winner, reason } = wire;
      if (actor.role === 'player' && (winner !== undefined || reason !== undefined)) {
        return { notAllowed: 'A player only concedes the match; else a judge or the operator ends it.' };
      }
      return {
        do: 'end-match',
        by: actor,
        ...(winner === undefined ? {} : { winner }),
        ...(reason === undefined ? {} : { reason }),
      };
    }
    case 'resume-match':
      if (actor.role === 'player') {
        return { notAllowed: 'Only a judge or the operator takes the end of a match back.' };
      }
      return { do: 'resume-match', by: actor, reason: wire.reason };
    case 'start-match':
      if (actor.role === 'player') return { notAllowed: 'Only a judge or the operator begins a match.' };
      return wire.despite === undefined
        ? { do: 'start-match', by: actor }
        : { do: 'start-match', by: actor, despite: wire.despite };
    case 'calibrate':
      if (actor.role !== 'operator') return { notAllowed: 'Only the operator calibrates the mat.' };
      return { ...wire, by: actor };
    case 'identify':
      if (actor.role === 'player') return { notAllowed: 'Only a judge or the operator lights a tile up.' };
      return { do: 'identify', by: actor, cell: wire.cell };
    default:
      return wire satisfies never;
  }
}

/** The question as the table gets it, or why this client may not ask it. */
export function questionBy(
  grant: Grant,
  wire: WireQuestion,
  access: Access,
): Question | { readonly notAllowed: string } {
  const { actor } = grant;
  if (actor === undefined || actor.role === 'player') {
    return { notAllowed: 'Only a judge looks at what has happened and what would change.' };
  }
  if (wire.kind === 'history') {
    return wire.before === undefined ? { kind: 'history' } : { kind: 'history', before: wire.before };
  }
  const command = commandBy(grant, wire.command, access);
  return 'notAllowed' in command ? command : { kind: 'foresee', command };
}

type Correction = Pick<
  Extract<Command, { readonly do: 'undo' }>,
  'by' | 'reason' | 'rule' | 'second' | 'basis'
>;

function correctionBy(
  actor: Actor,
  wire: Extract<WireCommand, { readonly do: 'undo' | 'replace-ruling' }>,
  access: Access,
): Correction | { readonly notAllowed: string } {
  if (actor.role === 'player') return { notAllowed: 'Only a judge corrects what has happened.' };
  const { reason, rule, basis } = wire;
  const second = wire.second === undefined ? undefined : secondJudge(wire.second, access);
  if (second !== undefined && 'notAllowed' in second) return second;
  return {
    // An operator stands in for the judge; what a judge does is recorded as a judge's.
    by: { ...actor, role: 'judge' },
    reason,
    ...(rule === undefined ? {} : { rule }),
    ...(second === undefined ? {} : { second }),
    ...(basis === undefined ? {} : { basis }),
  };
}

/** Whoever confirms a correction: where tokens are used, only an own one shows who somebody is. */
function secondJudge(
  { name, token }: { readonly name?: string | undefined; readonly token?: string | undefined },
  access: Access,
): Actor | { readonly notAllowed: string } {
  if (access.everyone) {
    return name === undefined ? { notAllowed: 'Say who confirms it.' } : { role: 'judge', name };
  }
  const found = token === undefined ? undefined : access.tokens.find((one) => sameSecret(one.secret, token));
  if (found === undefined || found.role === 'player') {
    return { notAllowed: 'The second judge confirms with a token of his own.' };
  }
  return { role: 'judge', ...(found.name === undefined ? {} : { name: found.name }) };
}

function actingFor(actor: Actor, whose: Side | 'judge' | undefined): Actor | { readonly notAllowed: string } {
  if (actor.role === 'player') {
    return whose === undefined || whose === actor.player
      ? actor
      : { notAllowed: 'A player acts for its own side only.' };
  }
  // An operator stands in for the judge; what a judge does is recorded as a judge's.
  if (whose === 'judge') return { ...actor, role: 'judge' };
  return whose === undefined ? actor : { ...actor, player: whose };
}

function granted(audience: Audience, name: string | undefined): Grant {
  const named = name === undefined ? {} : { name };
  switch (audience.kind) {
    case 'player':
      return {
        audience,
        actor: { role: 'player', player: audience.player, ...named },
        may: { command: true, sim: false },
      };
    case 'judge':
      return { audience, actor: { role: 'judge', ...named }, may: { command: true, sim: false } };
    case 'operator':
      return { audience, actor: { role: 'operator', ...named }, may: { command: true, sim: true } };
    case 'venue':
    case 'public':
      return { audience, may: WATCH };
    default:
      return audience satisfies never;
  }
}

function opens(token: FeedToken, asked: Audience): boolean {
  if (token.role === 'operator') return true;
  if (token.role === 'judge') return asked.kind === 'judge';
  return asked.kind === 'player' && asked.player === token.player;
}

function problemOf(asked: Audience, secret: string | undefined, token: FeedToken | undefined): string {
  const who = asked.kind === 'player' ? `player ${asked.player}` : asked.kind;
  if (secret === undefined) {
    return `To take part as ${who} from this screen, open the page with #token=… at the end of its address.`;
  }
  return token === undefined
    ? 'This token is not known here. Check it against the token file of the table.'
    : `This token belongs to ${token.player === undefined ? token.role : `player ${token.player}`}, not to ${who}.`;
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
