import * as z from 'zod';
import type { Command } from '../advance/input.ts';
import { calibrationSchema } from '../calibration-file.ts';
import type { Actor, GameEvent, GameInput } from '../game/ruleset.ts';
import { linksSchema } from '../refold.ts';
import type { Layout } from '../sensing/layout.ts';
import type { BallRuling, Measure, Reason, RollOffence, RollRuling, Turning } from '../sensing/ruling.ts';
import type { EVENT_TYPES } from './cloud-events.ts';

/** Payloads of exported events, `data` of each type. Strict: a key without a meaning here is an error. */

const side = z.enum(['A', 'B']);
const verdict = z.enum(['yes', 'no', 'undetermined']);
const chance = z.number().min(0).max(1);
const atMs = z.number().describe('Milliseconds of the table clock');
const wallTime = z.iso.datetime().describe('UTC; a label, no input');
const names = z.array(z.string());

const reasonShape = {
  code: z.string().describe('Stable and namespaced, as in open/contact-before-open'),
  rules: names.describe('Rule numbers, as in 5.7.1.4'),
  text: z.string(),
};
const reason = z.strictObject(reasonShape) satisfies z.ZodType<Reason>;
const offence = z.strictObject({
  ...reasonShape,
  player: side.exactOptional(),
}) satisfies z.ZodType<RollOffence>;

const measure = z.discriminatedUnion('measured', [
  z.strictObject({
    measured: z.literal(true),
    value: z.number(),
    plusMinus: z.number().min(0).describe('Half of the interval that holds the truth in 95 of 100 rolls'),
    unit: z.string(),
    how: z.string().exactOptional(),
  }),
  z.strictObject({ measured: z.literal(false), why: z.string() }),
]) satisfies z.ZodType<Measure>;

const turning = z.discriminatedUnion('measured', [
  z.strictObject({
    measured: z.literal(true),
    said: z.enum(['rolled', 'slid or spun']),
    sure: chance,
    how: z.string(),
  }),
  z.strictObject({ measured: z.literal(false), why: z.string() }),
]) satisfies z.ZodType<Turning>;

const cores = z.strictObject({ sure: names, possible: names });

const ball = z.strictObject({
  player: z.enum(['A', 'B', 'undetermined']),
  opened: verdict,
  contact: cores,
  attached: cores,
  confidence: z.strictObject({ player: chance, opened: chance, contact: chance, attached: chance }),
  openScore: chance.exactOptional(),
  reasons: z.array(reason),
  audit: z.strictObject({
    releaseSkew: measure,
    crossingSkew: measure.exactOptional(),
    releaseZone: measure,
    bounces: measure,
    speed: measure,
    turning: turning.exactOptional(),
    path: z.strictObject({ cells: names, coverage: chance }),
  }),
}) satisfies z.ZodType<BallRuling>;

const ruling = z.strictObject({
  roll: z.string(),
  revision: z.int().min(1),
  stage: z.enum(['provisional', 'final']),
  balls: z.array(ball),
  atMs,
  window: z.strictObject({ fromMs: z.number(), toMs: z.number() }),
  illegal: z.array(offence),
}) satisfies z.ZodType<RollRuling>;

const retraction = z.strictObject({
  roll: z.string(),
  revision: z.int().min(1),
  stage: z.enum(['provisional', 'final']).exactOptional(),
  why: z.string(),
});

const event = z.strictObject({
  type: z.string().describe('Stable and namespaced, as in roll/opened'),
  rules: names,
  text: z.string(),
  data: z.record(z.string(), z.json()),
}) satisfies z.ZodType<GameEvent>;

const by = z.strictObject({
  role: z.enum(['player', 'judge', 'operator', 'sensing', 'automatic']),
  player: side.exactOptional(),
  name: z.string().exactOptional(),
}) satisfies z.ZodType<Actor>;

/** The ruleset checks what else an input holds. */
const input = z.object({ type: z.string(), by }).catchall(z.json()) satisfies z.ZodType<GameInput>;

const correction = {
  by,
  reason: z.string(),
  rule: z.string().exactOptional(),
  second: by.exactOptional(),
  basis: z.string().exactOptional(),
};

const command = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('play'), input }),
  z.strictObject({ do: z.literal('replace-ruling'), roll: z.string(), input, ...correction }),
  z.strictObject({ do: z.literal('undo'), to: z.int().min(0), ...correction }),
  z.strictObject({
    do: z.literal('new-game'),
    by,
    options: z.record(z.string(), z.json()).exactOptional(),
    bestOf: z.literal([1, 3]).exactOptional(),
    first: side.exactOptional(),
    despite: z.string().exactOptional(),
  }),
  z.strictObject({
    do: z.literal('end-match'),
    by,
    winner: z.enum(['A', 'B', 'draw']).exactOptional(),
    reason: z.string().exactOptional(),
  }),
  z.strictObject({ do: z.literal('resume-match'), by, reason: z.string() }),
  z.strictObject({ do: z.literal('start-match'), by, despite: z.string().exactOptional() }),
  z.strictObject({ do: z.literal('identify'), by, cell: z.string() }),
  z.discriminatedUnion('act', [
    z.strictObject({
      do: z.literal('calibrate'),
      by,
      act: z.literal('start'),
      reference: z.string(),
      balls: names,
    }),
    z.strictObject({ do: z.literal('calibrate'), by, act: z.enum(['skip', 'save', 'cancel']) }),
    z.strictObject({ do: z.literal('calibrate'), by, act: z.literal('not-kept'), why: z.string() }),
  ]),
  z.strictObject({ do: z.literal('use-calibration'), by, calibration: calibrationSchema }),
]);

const layout = z.strictObject({
  name: z.string(),
  pitchMm: z.number().positive(),
  sensors: z.enum(['axis', 'collector', 'collector+offset']),
  cells: z.array(z.strictObject({ cell: z.string(), q: z.int(), r: z.int(), side, tile: z.int().min(0) })),
  edgeToCentreMm: z.number(),
  gatesMm: z.strictObject({ near: z.number(), far: z.number() }),
}) satisfies z.ZodType<Layout>;

/** What is in force from here on. Keys that a later host adds stay allowed, as a reader of journals allows them. */
const open = z.looseObject({
  atMs,
  wallTime,
  key: z.string().describe('Public key of the checkpoints: name, key id, key'),
  resumes: z.boolean(),
  host: z.string(),
  protocol: z.int(),
  ruleset: z.strictObject({ name: z.string(), version: z.string() }),
  rulesetOptions: z.json(),
  configHash: z.string(),
  layout,
  calibration: calibrationSchema,
  limits: z.record(z.string(), z.number()),
  links: linksSchema,
  ledBudgetMa: z.number(),
  autoPassMs: z.number().nullable(),
  simulated: z.boolean(),
  bestOf: z.literal([1, 3]).optional(),
  loserChooses: z.boolean().optional(),
  checksSensors: z.boolean().optional(),
});

/** Schema of the payload of every event type. */
export const PAYLOADS = {
  ruling: z.strictObject({ atMs, ruling }),
  retraction: z.strictObject({ atMs, retraction }),
  event: z.strictObject({ atMs, event }),
  command: z.strictObject({ atMs, id: z.string(), command }),
  fault: z.strictObject({
    atMs,
    link: z.string().describe('Way in that it is of; empty when it is of none'),
    code: z.string(),
    text: z.string(),
  }),
  open,
  close: z.strictObject({
    atMs,
    wallTime,
    state: z.string().exactOptional().describe('SHA-256 of the whole state at the end, hex'),
  }),
} satisfies Readonly<Record<(typeof EVENT_TYPES)[number], z.ZodType>>;

/** A command that the host takes fits its schema: a kind or a field that is missing here does not compile. */
type Unlocked<Value> = Value extends readonly (infer Item)[]
  ? Unlocked<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Unlocked<Value[Key]> }
    : Value;
const commandsFit: Unlocked<Exclude<Command, { do: 'play' | 'replace-ruling' }>> extends z.input<
  typeof command
>
  ? true
  : never = true;
const rulingsFit: Unlocked<RollRuling> extends z.input<typeof ruling> ? true : never = true;
void commandsFit;
void rulingsFit;
