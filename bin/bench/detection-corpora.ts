/** The corpora of the detection bench: fixed seeds that nothing was fitted on, a row of the table each. */
import { EFFECTS, type Effect, type Effects } from '../../sim/effects.ts';
import { CLEAN, type LoneEnding, type RollShares } from '../../sim/shares.ts';
import type { IdleKind } from './detection-idle.ts';
import { type RecoveryAsk, SILENT_MS } from './detection-recovery.ts';
import type { RunAsk } from './detection-run.ts';

export interface RollRow {
  readonly name: string;
  readonly what: string;
  readonly group: 'main' | 'layout' | 'impairment' | 'case' | 'unseen' | 'trouble';
  readonly ask: RunAsk;
}

export interface IdleRow {
  readonly name: string;
  readonly what: string;
  readonly kind: IdleKind;
  readonly hours: number;
  readonly firstSeed: number;
  /** False: nobody has called a roll. */
  readonly armed: boolean;
  /** Most false opens an hour that the bar allows. */
  readonly barPerHour: number;
}

const NO_ENDINGS: Readonly<Record<LoneEnding, number>> = {
  attach: 0,
  'two-cores': 0,
  off: 0,
  vacant: 0,
  pass: 0,
  rest: 0,
  miss: 0,
  shut: 0,
};
/** Both balls alone, each with one of these endings. */
const only = (endings: Partial<Record<LoneEnding, number>>, more: Partial<RollShares> = {}) => ({
  ...CLEAN,
  endings: { ...NO_ENDINGS, ...endings },
  join: 0,
  strike: 0,
  apart: 0,
  beyond: 0,
  early: 0,
  bounced: 0,
  hand: 0,
  ...more,
});

const joined = (least: number, most: number) => only({ attach: 1 }, { join: 1, joinGapMs: [least, most] });

/** Everything of sensing's own list at once. */
const IMPAIRED: Effects = ['contacts', 'leds', 'spikes', 'shift', 'drift', 'lost-lines'];
const ALL: Effects = [...IMPAIRED, 'noise', 'clock', 'usb'];

const BASE_SEED = 20_000_000;
const STEP = 200_000;

/** All roll rows; `share` scales how many rolls each has. */
export function rollRows(share: number): readonly RollRow[] {
  let at = 0;
  const row = (
    group: RollRow['group'],
    name: string,
    what: string,
    rolls: number,
    ask: Omit<RunAsk, 'rolls' | 'firstSeed'>,
  ): RollRow => {
    at += 1;
    const count = Math.max(20, Math.round(rolls * share));
    return { name, what, group, ask: { ...ask, rolls: count, firstSeed: BASE_SEED + at * STEP } };
  };
  const alone = (group: RollRow['group'], effects: readonly Effect[], rolls: number): RollRow[] =>
    effects.map((e) => row(group, e, EFFECTS[e], rolls, { effects: [e] }));
  const hard = (
    name: string,
    what: string,
    shares: Partial<RollShares>,
    more: Partial<RunAsk> = {},
  ): RollRow => row('case', name, what, 400, { effects: [], vacantCells: 0, ...more, shares });
  return [
    row('main', 'clean', 'sound hardware, quiet room, rolls of every kind', 10_000, {
      effects: [],
      plainEach: 4,
      forcedEach: 4,
    }),
    row(
      'main',
      'impaired',
      'all of it at once: contacts, LED steps, spikes, shift, drift, 2 % of lines lost',
      4000,
      {
        effects: IMPAIRED,
        plainEach: 2,
        forcedEach: 4,
      },
    ),
    row('main', 'impaired, frames', 'the same, but no line is lost', 2000, {
      effects: IMPAIRED.filter((e) => e !== 'lost-lines'),
    }),
    row('main', 'everything', 'impaired, and noise, clock errors and USB delays besides', 1500, {
      effects: ALL,
    }),
    row('main', 'equal polarities', 'all magnets of both players point the same way', 1500, {
      effects: [],
      samePolarity: true,
    }),
    row('layout', 'axis', 'one hall under the middle of each tile', 1000, { effects: [], sensors: 'axis' }),
    row('layout', 'collector', 'one hall in the flux gap of each tile', 1000, {
      effects: [],
      sensors: 'collector',
    }),
    row(
      'layout',
      'firmata',
      'generic boards under Firmata: one hall under the middle, read each 19 ms, all stamped on arrival',
      400,
      { effects: [], sensors: 'axis', firmata: true },
    ),
    ...alone('impairment', ['contacts', 'leds', 'spikes', 'shift', 'noise', 'drift', 'coupled'], 800),
    ...alone('impairment', ['lost-lines', 'damaged-lines', 'clock', 'usb', 'mqtt', 'reset'], 400),
    hard(
      'join 20-60, opposite',
      'second arrival 20 to 60 ms after the first on one core, opposite polarities',
      joined(20, 60),
    ),
    hard('join 20-60, same', 'the same with equal polarities', joined(20, 60), { samePolarity: true }),
    hard('join later, opposite', 'second arrival 60 ms to 2 s after the first', joined(60, 2000)),
    hard('join later, same', 'the same with equal polarities', joined(60, 2000), { samePolarity: true }),
    hard(
      'two cores, one dead',
      'ball across two cores with the contact of one of them dead',
      only({ 'two-cores': 1 }, { deadContact: 1, faultAt: 'held' }),
    ),
    hard(
      'off after 300-600',
      'opens and leaves the core after 300 to 600 ms',
      only({ off: 1 }, { dwellMs: [300, 600] }),
    ),
    hard(
      'off after 30-100',
      'opens and leaves the core after 30 to 100 ms',
      only({ off: 1 }, { dwellMs: [30, 100] }),
    ),
    hard('rest closed', 'closed ball comes to rest on a core', only({ rest: 1 })),
    hard('pass', 'closed ball rolls over cores', only({ pass: 1 })),
    hard('vacant', 'opens where no core lies', only({ vacant: 1 }), { vacantCells: 6 }),
    hard('strike', 'one ball strikes the other that stands open', only({ attach: 1 }, { strike: 1 })),
    hard('bounced', 'every ball bounces on its way', only({ attach: 3, pass: 2, rest: 1 }, { bounced: 1 })),
    hard('hand', 'a hand or sleeve touches a tile during every roll', { ...CLEAN, hand: 1 }),
    hard(
      'beyond and apart',
      'every second ball released beyond the far gate, every second roll 270 to 600 ms apart',
      {
        ...CLEAN,
        beyond: 0.5,
        apart: 0.5,
      },
    ),
    hard('early', 'released before the call', { ...CLEAN, early: 1 }),
    ...alone('unseen', ['crooked', 'worn', 'wobble', 'displaced', 'hum', 'wide'], 800),
    row('unseen', 'all unseen', 'all effects that nothing was fitted on, at once', 1000, {
      effects: ['crooked', 'worn', 'wobble', 'displaced', 'hum', 'wide'],
    }),
    ...alone('trouble', ['warm', 'turned', 'swapped', 'dead-hall', 'stuck-contact'], 400),
    hard(
      'magnet in roll',
      'a foreign magnet waved over a tile, or laid on it, while the balls roll',
      {},
      { meddling: 'magnets' },
    ),
    hard('lifted in roll', 'a tile lifted and laid back while the balls roll', {}, { meddling: 'lifted' }),
    // New rows come last: each row's seeds stand for its place here.
    row('unseen', 'wide, impaired', 'wide ranges and all of the usual impairments at once', 800, {
      effects: [...IMPAIRED, 'wide'],
    }),
    ...alone('trouble', ['evening'], 800),
    row('unseen', 'unchopped, drift', 'generic sensors without a chopper, up to 8 K from calibration', 400, {
      effects: ['unchopped', 'drift'],
    }),
    ...alone('impairment', ['lossy'], 400),
    hard(
      'near the limit',
      'released within 60 mm of two card lengths, three in ten with the front of the ball beyond them',
      { ...CLEAN, beyond: 0.3, nearLimitMm: 60 },
    ),
    hard(
      'follow-through',
      'released within two card lengths, 80 mm before them at most, and every hand goes on 10 to 80 mm after its ball',
      { ...CLEAN, beyond: 0, nearLimitMm: 80, follow: 1 },
    ),
    hard('1 to 2.5 s apart', 'every second roll released 1 to 2.5 s apart', {
      ...CLEAN,
      apart: 0.5,
      apartMs: [1000, 2500],
    }),
  ];
}

/** Armed, and nobody rolls. */
export function idleRows(hours: number): readonly IdleRow[] {
  const row = (kind: IdleKind, what: string, barPerHour: number, i: number): IdleRow => ({
    name: kind,
    what,
    kind,
    hours,
    firstSeed: 60_000_000 + i * STEP,
    armed: true,
    barPerHour,
  });
  const unarmed = (kind: IdleKind, what: string, i: number): IdleRow => ({
    ...row(kind, what, 0, i),
    name: `${kind}, no roll`,
    hours: hours / 10,
    armed: false,
  });
  return [
    row('quiet', 'armed, nobody near', 0.1, 0),
    row('led-show', 'armed, LED pattern 60 times a second, ±6 counts', 0.1, 1),
    row('warm-up', 'armed while the mat warms up by 8 K and the room by 5 K/h', 0.1, 2),
    row('hands', 'armed, hands and sleeves on tiles and in gates', 1, 3),
    row('magnets', 'armed, foreign magnets waved over tiles and laid down on them', 1, 4),
    row('lifted', 'armed, tiles lifted and laid back', 1, 5),
    unarmed('hands', 'hands and sleeves outside a roll', 6),
    unarmed('magnets', 'foreign magnets outside a roll', 7),
    unarmed('lifted', 'tiles lifted and laid back outside a roll', 8),
  ];
}

export interface RecoveryRow {
  readonly name: string;
  readonly what: string;
  readonly ask: RecoveryAsk;
}

const RECOVERY_SEED = 70_000_000;
/** How long before the first touch a board is heard again, ms. */
const BACK_MS = [0, 250, 500, 1000, 2000] as const;

/** One board falls silent for a second; `share` scales how many rolls each has. All rows have the same rolls. */
export function recoveryRows(share: number): readonly RecoveryRow[] {
  return BACK_MS.map((backMs) => ({
    name: `back ${backMs} ms before the first touch`,
    what: `all lines of one board lost for ${SILENT_MS} ms, until ${backMs} ms before the first touch of a tile`,
    ask: { backMs, rolls: Math.max(20, Math.round(400 * share)), firstSeed: RECOVERY_SEED },
  }));
}
