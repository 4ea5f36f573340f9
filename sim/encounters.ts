/** Rolls in which the two balls meet: one joins the other on its core, or strikes it. */
import { approachFrom, atWay, firstLatch, type Point, pointAt, tileUnder, tiltAt } from './approach.ts';
import { AT_REST, createGround, groundAt, type Stretch, speedAt, type Track } from './ball.ts';
import { OPEN_FOOT_MM, PLATE_MM } from './contacts.ts';
import { clearOf, type DrawnRelease, endAs, type Ground, seatedOn, type Thrown } from './endings.ts';
import type { RollShares } from './shares.ts';
import { leaving, openAt } from './throws.ts';
import { extended, shifted } from './tracks.ts';

/** Releases of two balls that are to come one right after the other stay this near, µs. */
const MOST_SKEW_US = 240_000;
const STRIKE_GAP_US = 150_000;
/** Tries of one ball's way to its half of a core, from the same release. */
const HALF_TRIES = 12;

/** Both tracks of a meeting, A's first as in `releases`; nothing when this try does not come out. */
export function joinOrStrike(
  ground: Ground,
  releases: readonly DrawnRelease[],
  kind: 'join' | 'strike',
  shares: RollShares,
): readonly Thrown[] | undefined {
  const [a, b] = releases;
  if (a === undefined || b === undefined) return undefined;
  if (kind === 'join') return joining(ground, a, b, shares);
  const aFirst = ground.chance.happens(0.5);
  const met = striking(ground, aFirst ? a : b, aFirst ? b : a);
  return met === undefined || aFirst ? met : [...met].reverse();
}

function joining(
  ground: Ground,
  a: DrawnRelease,
  b: DrawnRelease,
  shares: RollShares,
): readonly Thrown[] | undefined {
  const { chance, mat, cored } = ground;
  const index = chance.pick(cored);
  const tile = mat.tiles[index];
  if (tile === undefined) return undefined;
  // Each stands on its own player's half of the core: there is no room for both in the middle.
  const tryHalf = (release: DrawnRelease): Thrown | undefined => {
    const rho = chance.between(12, 17);
    const x = chance.between(-0.5, 0.5) * rho;
    const y = Math.sqrt(rho * rho - x * x) * (release.body.player === 'A' ? 1 : -1);
    const seat = { x: tile.x + x, y: tile.y + y };
    const track = openAt(chance, release, index, seat, chance.between(0.17, 0.7));
    if (track === undefined || !seatedOn(track, tile)) return undefined;
    return { track, ending: 'attach', mode: release.mode, tile: index, releaseMm: release.releaseMm };
  };
  const half = (release: DrawnRelease): Thrown | undefined => {
    for (let go = 0; go < HALF_TRIES; go += 1) {
      const one = tryHalf(release);
      if (one !== undefined) return one;
    }
    return undefined;
  };
  const first = half(a);
  const second = first && half(b);
  if (first === undefined || second === undefined) return undefined;
  const [least, most] = [shares.joinGapMs[0] * 1000, shares.joinGapMs[1] * 1000];
  const gap = openedUs(second.track) - openedUs(first.track);
  if (Math.abs(gap) < least) return undefined;
  const ordered = (a: Thrown, b: Thrown, later: boolean): readonly Thrown[] =>
    later ? [a, { ...b, ending: 'join' }] : [{ ...a, ending: 'join' }, b];
  if (Math.abs(gap) <= most) return ordered(first, second, gap > 0);
  // Too far apart: thrown again so that they come as close as is asked for.
  const wanted = Math.round(chance.between(least, most)) * (gap > 0 ? 1 : -1);
  const again = shifted(second.track, wanted - gap);
  const skew = (again.stretches[0]?.fromUs ?? 0) - (first.track.stretches[0]?.fromUs ?? 0);
  if (Math.abs(skew) > MOST_SKEW_US) return undefined;
  return ordered(first, { ...second, track: again }, gap > 0);
}

/** When the latch of an opened ball let go. */
export function openedUs(track: Track): number {
  return track.stretches.find((s) => s.jump > 0)?.fromUs ?? Infinity;
}

function striking(ground: Ground, first: DrawnRelease, second: DrawnRelease): readonly Thrown[] | undefined {
  const { chance, mat } = ground;
  const stood = endAs(ground, first, 'attach');
  const settle = stood?.track.stretches.at(-1);
  if (stood?.tile === undefined || settle === undefined) return undefined;
  const seat = pointAt(settle, settle.way);
  const run = runAgainst(ground, second, seat, first.body.radiusMm);
  if (run === undefined || run.atUs < settle.fromUs + STRIKE_GAP_US) return undefined;
  const stays = chance.happens(0.5);
  const heading = { x: run.before.headX, y: run.before.headY };
  const dwellMs = (run.atUs - settle.fromUs) / 1000;
  const struck = stays
    ? nudged(ground, stood.track, settle, run.atUs, heading)
    : leaving(chance, stood.track, mat.tiles, stood.tile, dwellMs, heading);
  if (struck === undefined || !clearOf(struck, run.track, 2, run.atUs + 2000)) return undefined;
  if (!clearOf(stood.track, run.track, 2, 0, run.atUs - 2000)) return undefined;
  return [
    { ...stood, track: struck, ending: stays ? 'attach' : 'struck-off' },
    {
      track: run.track,
      ending: 'strike',
      mode: second.mode,
      tile: undefined,
      releaseMm: second.releaseMm,
    },
  ];
}

/** A closed ball that runs against one standing at `seat` and is thrown back. */
function runAgainst(
  ground: Ground,
  release: DrawnRelease,
  seat: Point,
  otherRadiusMm: number,
): { readonly track: Track; readonly before: Stretch; readonly atUs: number } | undefined {
  const { chance, mat } = ground;
  const { body, loss } = release;
  const speed = chance.between(0.4, 1.8);
  const { stretch: before, wholeWay } = approachFrom({
    ...release,
    to: { x: seat.x + chance.between(-12, 12), y: seat.y },
    speed,
    tilt: chance.between(-Math.PI, Math.PI),
    spin: chance.between(-0.02, 0.02),
  });
  const touching = body.radiusMm + otherRadiusMm;
  let way = 0;
  let normal: Point | undefined;
  for (; way < wholeWay && normal === undefined; way += 0.5) {
    const at = pointAt(before, way);
    const dx = at.x - seat.x;
    const dy = at.y - seat.y;
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (distance <= touching) normal = { x: dx / distance, y: dy / distance };
  }
  if (normal === undefined) return undefined;
  way -= 0.5;
  if (firstLatch(before, body, mat.tiles, 0, way) !== undefined) return undefined;
  const atUs = atWay(before, way);
  const whole: Track = { body, stretches: [before], hops: [], restUs: Infinity, goneUs: Infinity };
  const speedThen = speedAt(whole, atUs);
  if (speedThen < 0.15) return undefined;
  const into = before.headX * normal.x + before.headY * normal.y;
  const backX = before.headX - 1.5 * into * normal.x;
  const backY = before.headY - 1.5 * into * normal.y;
  const back = Math.sqrt(backX * backX + backY * backY);
  const place = createGround();
  groundAt(whole, atUs, place);
  const speedBack = speedThen * back * chance.between(0.3, 0.6);
  // Struck balls lose their way sooner: they slide at first.
  const lossBack = loss * chance.between(1, 3);
  const after: Stretch = {
    ...AT_REST,
    fromUs: atUs,
    x: place.x,
    y: place.y,
    headX: backX / back,
    headY: backY / back,
    speed: speedBack,
    loss: lossBack,
    tilt: tiltAt(before, way, body.radiusMm),
    turning: 'roll',
    azimuth: before.azimuth + (before.spin * (atUs - before.fromUs)) / 1000,
  };
  const wayBack = (speedBack * speedBack) / (2 * lossBack);
  if (firstLatch(after, body, mat.tiles, 0, wayBack) !== undefined) return undefined;
  const onPlate = tileUnder(pointAt(after, wayBack), mat.tiles, PLATE_MM + OPEN_FOOT_MM) >= 0;
  if (onPlate && Math.abs(tiltAt(after, wayBack, body.radiusMm)) < 0.95) return undefined;
  const restUs = atWay(after, wayBack);
  return { track: extended(whole, after, restUs), before, atUs };
}

/** The struck ball rings and shifts a little, and stays. */
function nudged(ground: Ground, track: Track, settle: Stretch, atUs: number, heading: Point): Track {
  const { chance } = ground;
  const seat = pointAt(settle, settle.way);
  return extended(
    track,
    {
      ...AT_REST,
      fromUs: atUs,
      ...seat,
      headX: heading.x,
      headY: heading.y,
      going: 'stop',
      way: chance.between(0.5, 3),
      azimuth: settle.azimuth,
      jumped: settle.jumped + settle.jump,
      ring: chance.between(0.03, 0.12),
      ringHz: chance.between(60, 150),
      open: true,
    },
    atUs + 250_000,
  );
}
