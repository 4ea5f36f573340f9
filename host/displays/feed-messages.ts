import { z } from 'zod';
import type { Answer } from '../advance/input.ts';
import type { Audience, GameEvent, Refusal } from '../game/ruleset.ts';
import type { AtMs, RollId, TableId } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { SimAction } from '../sim-action.ts';

/** WebSocket subprotocol of the feed; offered by every page, at `/ws`. */
export const FEED_PROTOCOL = 'bakucore.v1';

const side = z.enum(['A', 'B']);
const table = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a table id such as "t1"');
const name = z.string().min(1).max(64);
const reason = z.string().min(1).max(500);
const id = z.string().min(1).max(64);
const cell = z.string().regex(/^q-?\d{1,3}r-?\d{1,3}$/, 'a cell id such as "q0r-1"');
const input = z.object({ type: name }).catchall(z.json());

export const audienceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('player'), player: side }),
  z.strictObject({ kind: z.literal('judge') }),
  z.strictObject({ kind: z.literal('operator') }),
  z.strictObject({ kind: z.literal('venue') }),
  z.strictObject({ kind: z.literal('public') }),
]);

/** What goes with every correction. */
const correction = {
  reason: z.string().min(1).max(500),
  /** Rule that it rests on, as `5.7.2.3`. */
  rule: z.string().min(1).max(20).optional(),
  /** A second judge who confirms it: by an own token where tokens are used, by name where there are none. */
  second: z.strictObject({ name: name.optional(), token: z.string().max(256).optional() }).optional(),
  /** Basis of the answer to `foresee` that was looked at: refused when the game has gone on since. */
  basis: name.optional(),
};

/**
 * A `Command` as a client may word it: without `by`, which the server sets from the client's role. `for` says on
 * whose behalf a judge or operator acts; a player always acts for its own side. A key that means
 * nothing is refused, so that a slip of the pen changes no game.
 */
export const wireCommandSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('play'), for: z.union([side, z.literal('judge')]).optional(), input }),
  z.strictObject({
    do: z.literal('replace-ruling'),
    roll: name,
    input,
    ...correction,
  }),
  /** Takes the game back to how it was after step `to`, 0 for its start. */
  z.strictObject({ do: z.literal('undo'), to: z.int().min(0), ...correction }),
  z.strictObject({
    do: z.literal('new-game'),
    options: z.record(z.string(), z.json()).optional(),
    bestOf: z.literal([1, 3]).optional(),
    first: side.optional(),
    despite: reason.optional(),
  }),
  /** A player concedes the match with nothing more; a judge or operator says who wins, and why. */
  z.strictObject({
    do: z.literal('end-match'),
    winner: z.enum(['A', 'B', 'draw']).optional(),
    reason: reason.optional(),
  }),
  z.strictObject({ do: z.literal('resume-match'), reason }),
  z.strictObject({ do: z.literal('start-match'), despite: reason.optional() }),
  z.discriminatedUnion('act', [
    z.strictObject({
      do: z.literal('calibrate'),
      act: z.literal('start'),
      reference: name,
      balls: z.array(name).max(24),
    }),
    z.strictObject({ do: z.literal('calibrate'), act: z.enum(['skip', 'save', 'cancel']) }),
  ]),
  z.strictObject({ do: z.literal('identify'), cell }),
]);
export type WireCommand = z.infer<typeof wireCommandSchema>;

/** A `Question` as a client may word it. */
export const questionSchema = z.discriminatedUnion('kind', [
  /** What a play or a correction would change. */
  z.strictObject({ kind: z.literal('foresee'), command: wireCommandSchema }),
  /** Steps of the game, at most 64, before number `before`; the newest ones when it is absent. */
  z.strictObject({ kind: z.literal('history'), before: z.int().min(1).optional() }),
]);
export type WireQuestion = z.infer<typeof questionSchema>;

const verdictOfThrow = z.enum(['yes', 'no', 'physics']);

/** Schema of `SimAction`. */
export const simActionSchema = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('throw'),
    player: side,
    aim: cell,
    speedMPerS: z.number().min(0.12).max(2),
    open: verdictOfThrow,
    stays: verdictOfThrow,
    beside: z.boolean().optional(),
  }),
  z.strictObject({ act: z.literal('lift'), player: side, cell }),
  z.strictObject({ act: z.literal('clear') }),
  z.strictObject({ act: z.literal('seat'), bakugan: name, cell }),
  z.strictObject({ act: z.literal('reach'), player: side }),
  z.strictObject({ act: z.literal('stud'), player: side }),
  z.strictObject({ act: z.literal('auto'), on: z.boolean() }),
  z.strictObject({
    act: z.literal('fault'),
    fault: z.enum(['unplug', 'noise', 'lost-lines', 'dead-contact', 'stuck-contact', 'dead-hall', 'reset']),
    player: side,
    on: z.boolean(),
    tile: z.int().min(0).max(11).optional(),
  }),
]);

/** An action of the wire as a `SimAction`. */
export function simActionOf(wire: z.infer<typeof simActionSchema>): SimAction {
  switch (wire.act) {
    case 'fault': {
      const { tile, ...rest } = wire;
      return tile === undefined ? rest : { ...rest, tile };
    }
    case 'throw': {
      const { beside, ...rest } = wire;
      return beside === undefined ? rest : { ...rest, beside };
    }
    default:
      return wire;
  }
}

/** What a client may send; one JSON text message each, at most `MAX_CLIENT_BYTES`. */
export const clientMessageSchema = z.discriminatedUnion('op', [
  /** Starts or restarts the stream of one table: answered by a snapshot. Replaces the subscription before. */
  z.strictObject({
    op: z.literal('subscribe'),
    table,
    audience: audienceSchema,
    token: z.string().max(256).optional(),
  }),
  /** Answered by `accepted` or `refused` with the same id. */
  z.strictObject({ op: z.literal('command'), id, table, command: wireCommandSchema }),
  /** Judges and operators: answered by `answer` or `refused` with the same id; nothing changes by it. */
  z.strictObject({ op: z.literal('ask'), id, table, question: questionSchema }),
  /** Simulated tables only: answered by `accepted` or `refused`. */
  z.strictObject({ op: z.literal('sim'), id: id.optional(), table, action: simActionSchema }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** Largest message a client may send, bytes. */
export const MAX_CLIENT_BYTES = 16 * 1024;

/** What a client may do besides watching. */
export type May = { readonly command: boolean; readonly sim: boolean };

/** News in the order it happened. Everything that lasts is in the scene too, so missing one loses nothing. */
export type News =
  | { readonly kind: 'ruling'; readonly atMs: AtMs; readonly ruling: RollRuling }
  /** A ruling was withdrawn: displays take back what they showed of it. */
  | {
      readonly kind: 'retraction';
      readonly atMs: AtMs;
      readonly roll: RollId;
      readonly revision: number;
      readonly stage: 'provisional' | 'final';
      readonly why: string;
    }
  | { readonly kind: 'event'; readonly atMs: AtMs; readonly event: GameEvent }
  | {
      readonly kind: 'fault';
      readonly atMs: AtMs;
      readonly link: string;
      readonly code: string;
      readonly text: string;
    };

export type ServerMessage =
  /** The whole scene. `missed`: news that a slow client was spared since its last message. */
  | {
      readonly op: 'snapshot';
      readonly table: TableId;
      readonly revision: number;
      /** Granted by the server; may be less than was asked for. */
      readonly audience: Audience;
      readonly may: May;
      readonly missed: number;
      readonly scene: Scene;
    }
  /** Top-level keys of the scene that changed since revision `from`, which is the last one this client was sent. */
  | {
      readonly op: 'change';
      readonly table: TableId;
      readonly from: number;
      readonly revision: number;
      readonly set: Partial<Scene>;
    }
  | { readonly op: 'told'; readonly table: TableId; readonly revision: number; readonly news: News }
  | { readonly op: 'accepted'; readonly id: string; readonly table: TableId }
  | { readonly op: 'refused'; readonly id: string; readonly table: TableId; readonly refusal: Refusal }
  | { readonly op: 'answer'; readonly id: string; readonly table: TableId; readonly answer: Answer }
  /** Something this client did wrong; the connection stays open unless it goes on. */
  | { readonly op: 'error'; readonly code: string; readonly text: string }
  /** Every 10 s: a client that hears nothing for 25 s should connect anew. */
  | { readonly op: 'ping'; readonly atMs: AtMs };

const open = z.looseObject;
const revision = z.int().min(1);

/** Envelope of everything the server sends, for clients in other programs and for tests. */
export const serverMessageSchema = z.discriminatedUnion('op', [
  open({
    op: z.literal('snapshot'),
    table,
    revision,
    audience: audienceSchema,
    may: z.strictObject({ command: z.boolean(), sim: z.boolean() }),
    missed: z.int().min(0),
    scene: open({ table, atMs: z.number(), view: z.json(), simulated: z.boolean() }),
  }),
  open({ op: z.literal('change'), table, from: revision, revision, set: open({ atMs: z.number() }) }),
  open({
    op: z.literal('told'),
    table,
    revision,
    news: open({ kind: z.enum(['ruling', 'retraction', 'event', 'fault']), atMs: z.number() }),
  }),
  open({ op: z.literal('accepted'), id, table }),
  open({
    op: z.literal('refused'),
    id,
    table,
    refusal: open({ code: z.string(), message: z.string(), rules: z.array(z.string()) }),
  }),
  open({ op: z.literal('answer'), id, table, answer: open({ kind: z.enum(['foresee', 'history']) }) }),
  open({ op: z.literal('error'), code: z.string(), text: z.string() }),
  open({ op: z.literal('ping'), atMs: z.number() }),
]);

/** What `/api/v1/tables` answers. */
export type TableList = {
  readonly tables: readonly {
    readonly table: TableId;
    readonly simulated: boolean;
    readonly ruleset: string;
  }[];
};
