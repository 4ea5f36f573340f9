import type { Json } from '../ids.ts';
import type { Activity } from './activity.ts';
import type { Arrival } from './arrivals.ts';
import type { Doubt } from './doubts.ts';
import type { Beam } from './gates.ts';
import { beginRoll, type Stand } from './live-roll.ts';
import type { Neighbours } from './neighbours.ts';
import type { RollRuling } from './ruling.ts';
import { type Pack, packBytes, packNumber, unpackBytes, unpackNumber } from './save-bytes.ts';
import { createSensing, type Sensing, type SensingSetting } from './state.ts';

/** Form of a saved detector; another form is refused. */
const FORM = 2;

type Saved = { readonly [key: string]: Json };

/** Every buffer of a detector by name, all of fixed size for a layout. */
function buffersOf(s: Sensing) {
  return {
    values: s.rings.values,
    stamps: s.rings.stamps,
    ringNewest: s.rings.newest,
    edgeTimes: s.contacts.times,
    edgeLevels: s.contacts.levels,
    edgeCounts: s.contacts.counts,
    slow: s.base.slow,
    zero: s.base.zero,
    disturbed: s.base.disturbedMs,
    stepped: s.base.steppedMs,
    heard: s.base.heard,
    onsetZero: s.onsets.zero,
    on: s.onsets.on,
    off: s.onsets.off,
    run: s.onsets.run,
    since: s.onsets.sinceMs,
    above: s.onsets.aboveMs,
    newest: s.newest,
    stuck: s.live.stuck,
    magnets: s.live.magnets,
    healthMean: s.health.mean,
    healthVariance: s.health.variance,
    healthLast: s.health.last,
    healthSame: s.health.same,
    healthHeard: s.health.heard,
    healthOpen: s.health.openMs,
    healthSeen: s.health.seenMs,
    leftover: s.live.leftover,
    sees: s.live.sees,
    common: s.base.common,
    shift: s.rings.shift,
    shifted: s.rings.shiftedMs,
    onsetHall: s.onsets.hall,
    onsetSize: s.onsets.size,
  };
}

const BOARDS = ['A', 'B', 'both'] as const;
const SIDES = ['A', 'B'] as const;

function saveBeam(b: Beam): Json {
  const blocks = b.blocks.map((k) => [k.fromMs, k.toMs, k.errorMs, k.lengthErrorMs].map(packNumber));
  return [
    packNumber(b.blockedMs),
    packNumber(b.freeMs),
    b.errorMs,
    b.blocked,
    packNumber(b.beforeMs),
    blocks,
  ];
}

function loadBeam(beam: Beam, saved: Json | undefined): void {
  if (!Array.isArray(saved)) return;
  beam.blockedMs = unpackNumber(saved[0]);
  beam.freeMs = unpackNumber(saved[1]);
  beam.errorMs = unpackNumber(saved[2]);
  beam.blocked = saved[3] === true;
  beam.beforeMs = unpackNumber(saved[4]);
  beam.blocks = listOf(saved[5]).map((block) => {
    const [fromMs = 0, toMs = NaN, errorMs = 0, lengthErrorMs = 0] = listOf(block).map(unpackNumber);
    return { fromMs, toMs, errorMs, lengthErrorMs };
  });
}

const ARRIVAL_NUMBERS = [
  'atMs',
  'anchorMs',
  'rise',
  'base',
  'windows',
  'score',
  'peak',
  'level',
  'leftMs',
  'shakes',
] as const satisfies readonly (keyof Arrival)[];
const VISIT_NUMBERS = ['cell', 'startMs', 'contactMs', 'onsetMs', 'endMs', 'fromMs', 'bins'] as const;

function saveStand(stand: Stand): Json {
  const { visit } = stand;
  return {
    visit: VISIT_NUMBERS.map((key) => packNumber(visit[key])),
    confirmed: visit.confirmed,
    level: packBytes(visit.level.subarray(0, visit.bins)),
    side: packBytes(visit.side.subarray(0, visit.bins)),
    touch: packBytes(visit.touch.subarray(0, visit.bins)),
    searched: stand.searched,
    close: [stand.closeFor, stand.closeMs, stand.closeBase].map(packNumber),
    arrivals: stand.arrivals.slice(0, stand.arrived).map((arrival) => ({
      numbers: ARRIVAL_NUMBERS.map((key) => packNumber(arrival[key])),
      features: packBytes(arrival.features),
    })),
  };
}

function loadStand(stand: Stand, saved: Json | undefined): void {
  if (!isMap(saved)) return;
  const { visit } = stand;
  const numbers = listOf(saved.visit);
  for (const [i, key] of VISIT_NUMBERS.entries()) visit[key] = unpackNumber(numbers[i]);
  visit.confirmed = saved.confirmed === true;
  for (const key of ['level', 'side', 'touch'] as const) {
    unpackBytes(textOf(saved[key]), visit[key].subarray(0, visit.bins));
  }
  stand.searched = unpackNumber(saved.searched);
  [stand.closeFor = NaN, stand.closeMs = NaN, stand.closeBase = 0] = listOf(saved.close).map(unpackNumber);
  const arrivals = listOf(saved.arrivals);
  stand.arrived = Math.min(arrivals.length, stand.arrivals.length);
  for (let k = 0; k < stand.arrived; k += 1) {
    const from = arrivals[k];
    const arrival = stand.arrivals[k];
    if (arrival === undefined || !isMap(from)) continue;
    const values = listOf(from.numbers);
    for (const [i, key] of ARRIVAL_NUMBERS.entries()) arrival[key] = unpackNumber(values[i]);
    unpackBytes(textOf(from.features), arrival.features);
  }
}

/**
 * The whole detector as JSON. `loadSensing` with the same setting gives one that goes on bit for bit the same. `pack` may be
 * a quicker way to the text of `packBytes`.
 */
export function saveSensing(s: Sensing, pack: Pack = packBytes): Json {
  const { live } = s;
  const { boards, reports } = s.neighbours;
  return {
    form: FORM,
    layout: s.setting.layout.name,
    buffers: Object.fromEntries(Object.entries(buffersOf(s)).map(([name, array]) => [name, pack(array)])),
    boards: BOARDS.map((b) => [
      packNumber(s.boards[b].quietMs),
      packNumber(s.boards[b].heardMs),
      s.boards[b].gates,
      s.boards[b].coarse,
    ]),
    gates: SIDES.map((side) => [saveBeam(s.gates[side].near), saveBeam(s.gates[side].far)]),
    studs: SIDES.map((side) => [
      s.studs[side].pressed,
      packNumber(s.studs[side].pressedMs),
      packNumber(s.studs[side].changedMs),
    ]),
    // Only where tiles report them: what other tables save stays as it was.
    ...(boards.length + reports.length === 0
      ? {}
      : { neighbours: JSON.parse(JSON.stringify({ boards, reports })) }),
    ...(s.turned.length === 0 ? {} : { turned: [...s.turned] }),
    doubts: s.doubts.map((d) => ({ ...d })),
    activity: JSON.parse(JSON.stringify(s.activity)),
    live: {
      roll: live.roll,
      numbers: [live.fromMs, live.firstSignMs, live.nextReviewMs, live.finalDueMs, live.revision].map(
        packNumber,
      ),
      said: live.said,
      last: live.last === undefined ? null : JSON.parse(JSON.stringify(live.last)),
      stands: live.stands.slice(0, live.count).map(saveStand),
    },
  };
}

/**
 * A detector as it was saved. Throws a RangeError when the text is of another form or another layout: a detector with
 * half a memory would judge wrongly.
 */
export function loadSensing(setting: SensingSetting, saved: Json): Sensing {
  if (!isMap(saved) || saved.form !== FORM) {
    throw new RangeError(`saved detector has no form ${FORM}: start the detector anew`);
  }
  if (saved.layout !== setting.layout.name) {
    throw new RangeError(
      `saved for layout ${String(saved.layout)}, not ${setting.layout.name}: start it anew`,
    );
  }
  const s = createSensing(setting);
  const buffers = isMap(saved.buffers) ? saved.buffers : {};
  for (const [name, array] of Object.entries(buffersOf(s))) unpackBytes(textOf(buffers[name]), array);
  for (const [i, b] of BOARDS.entries()) {
    const [quiet, heard, gates, coarse] = listOf(listOf(saved.boards)[i]);
    s.boards[b].quietMs = unpackNumber(quiet);
    s.boards[b].heardMs = unpackNumber(heard);
    s.boards[b].gates = gates !== false;
    s.boards[b].coarse = coarse === true;
  }
  for (const [i, side] of SIDES.entries()) {
    const [near, far] = listOf(listOf(saved.gates)[i]);
    loadBeam(s.gates[side].near, near);
    loadBeam(s.gates[side].far, far);
    const [pressed, at, changed] = listOf(listOf(saved.studs)[i]);
    s.studs[side].pressed = pressed === true;
    s.studs[side].pressedMs = unpackNumber(at);
    s.studs[side].changedMs = unpackNumber(changed);
  }
  if (isMap(saved.neighbours)) {
    s.neighbours.boards = listOf(saved.neighbours.boards) as unknown as Neighbours['boards'];
    s.neighbours.reports = listOf(saved.neighbours.reports) as unknown as Neighbours['reports'];
  }
  s.turned = listOf(saved.turned).map(textOf);
  s.doubts.push(...(listOf(saved.doubts) as unknown as Doubt[]));
  s.activity = saved.activity as unknown as Activity;
  const live = isMap(saved.live) ? saved.live : {};
  const stuck = s.live.stuck.slice();
  const magnets = s.live.magnets.slice();
  const numbers = listOf(live.numbers).map(unpackNumber);
  if (s.activity.kind === 'roll') beginRoll(s.live, s.activity, s.tiles.cells, numbers[0] ?? 0);
  s.live.stuck.set(stuck);
  s.live.magnets.set(magnets);
  s.live.roll = textOf(live.roll);
  s.live.fromMs = numbers[0] ?? 0;
  s.live.firstSignMs = numbers[1] ?? NaN;
  s.live.nextReviewMs = numbers[2] ?? Infinity;
  s.live.finalDueMs = numbers[3] ?? Infinity;
  s.live.revision = numbers[4] ?? 0;
  s.live.said = textOf(live.said);
  s.live.last = isMap(live.last) ? (live.last as unknown as RollRuling) : undefined;
  const stands = listOf(live.stands);
  s.live.count = Math.min(stands.length, s.live.stands.length);
  for (let i = 0; i < s.live.count; i += 1) {
    const stand = s.live.stands[i];
    if (stand !== undefined) loadStand(stand, stands[i]);
  }
  return s;
}

function isMap(value: Json | undefined): value is Saved {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
