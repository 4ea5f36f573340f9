/** Draws one roll: who throws what where, and tracks that fit the table and each other. */
import type { CellId, CoreId, RollId } from '../host/ids.ts';
import type { Body } from './ball.ts';
import { joinOrStrike } from './encounters.ts';
import { clearOf, type DrawnRelease, drawRelease, endAs, type Ground, type Thrown } from './endings.ts';
import type { Mat } from './mat.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import type { LoneEnding, RollShares } from './shares.ts';
import { bounced } from './throws.ts';

export interface RollAsk {
  readonly roll: RollId;
  readonly seed: number;
  /** The call; releases come about half a second later. */
  readonly startUs: number;
  /** One or two balls, of different players. */
  readonly bodies: readonly Body[];
  readonly cores: readonly { readonly cell: CellId; readonly core: CoreId }[];
  readonly shares: RollShares;
}

export interface RollPlan {
  readonly ask: RollAsk;
  readonly thrown: readonly Thrown[];
}

/** Releases further apart are no matter of reaction time, µs. */
const LONG_SKEW_US = 600_000;
const GEOMETRY_TRIES = 400;
/** Tries of one ball's ending from the same release. */
const BALL_TRIES = 6;

/** Draws a roll for this mat and its standing balls; the same ask gives the same roll. */
export function drawRoll(mat: Mat, ask: RollAsk): RollPlan {
  const scenario = createChance(hash32(ask.seed, 76, 0));
  const held = new Set(ask.cores.map((c) => c.cell));
  const cored = mat.tiles.flatMap((tile, i) => (held.has(tile.cell) ? [i] : []));
  const vacant = mat.tiles.flatMap((tile, i) => (held.has(tile.cell) ? [] : [i]));
  const endings = { ...ask.shares.endings };
  if (vacant.length === 0) {
    endings.attach += endings.vacant;
    endings.vacant = 0;
  }
  if (cored.length === 0) {
    endings.vacant += endings.attach + endings['two-cores'] + endings.off;
    endings.attach = endings['two-cores'] = endings.off = 0;
  }
  const meeting = scenario.unit();
  const together = ask.bodies.length === 2 && cored.length > 0;
  const kind: 'join' | 'strike' | 'apart' = !together
    ? 'apart'
    : meeting < ask.shares.join
      ? 'join'
      : meeting < ask.shares.join + ask.shares.strike
        ? 'strike'
        : 'apart';
  const wanted = ask.bodies.map(() => scenario.pickKey(endings));
  const skewUs = drawSkew(scenario, ask.shares);
  const early = scenario.happens(ask.shares.early);
  const leadUs = early ? -Math.round(scenario.between(20, 250) * 1000) : 500_000;
  // One that lets go that long before the other does not let go before the call for that.
  const laterUs = skewUs < -LONG_SKEW_US ? -skewUs : 0;
  for (let attempt = 0; attempt < GEOMETRY_TRIES; attempt += 1) {
    const chance = createChance(hash32(ask.seed, 77, attempt), ask.shares.stretch);
    const ground: Ground = { mat, chance, cored, vacant };
    const releases = ask.bodies.map((body, i) => {
      const atUs =
        ask.startUs + leadUs + laterUs + (i === 1 ? skewUs : 0) + Math.floor(chance.between(0, 30_000));
      return drawRelease(ground, body, atUs, ask.shares);
    });
    const thrown =
      kind === 'apart'
        ? alone(ground, releases, wanted, ask.shares)
        : joinOrStrike(ground, releases, kind, ask.shares);
    if (thrown !== undefined && fits(mat, ask.bodies, thrown, kind)) return { ask, thrown };
  }
  return { ask, thrown: fallBack(mat, ask, cored, vacant) };
}

/** When no geometry fits (a full table), the balls miss: that always finds room beside the field. */
function fallBack(mat: Mat, ask: RollAsk, cored: readonly number[], vacant: readonly number[]): Thrown[] {
  let out: Thrown[] = [];
  for (let attempt = 0; out.length < ask.bodies.length; attempt += 1) {
    const chance = createChance(hash32(ask.seed, 78, attempt));
    const ground: Ground = { mat, chance, cored, vacant };
    const tried = ask.bodies.flatMap((body) => {
      const release = drawRelease(ground, body, ask.startUs + 500_000, ask.shares);
      return endAs(ground, release, 'miss') ?? [];
    });
    if (tried.length === ask.bodies.length && fits(mat, ask.bodies, tried, 'apart')) out = tried;
  }
  return out;
}

function drawSkew(chance: Chance, shares: RollShares): number {
  const sign = chance.happens(0.5) ? 1 : -1;
  const apart = chance.happens(shares.apart);
  return Math.round((apart ? sign * chance.between(...shares.apartMs) : chance.normal(0, 70)) * 1000);
}

function alone(
  ground: Ground,
  releases: readonly DrawnRelease[],
  wanted: readonly LoneEnding[],
  shares: RollShares,
): readonly Thrown[] | undefined {
  const out: Thrown[] = [];
  for (const [i, release] of releases.entries()) {
    const ending = wanted[i] ?? 'miss';
    let one: Thrown | undefined;
    for (let go = 0; go < BALL_TRIES && one === undefined; go += 1) one = endAs(ground, release, ending);
    if (one === undefined) return undefined;
    const struck = one.track.stretches[1]?.fromUs ?? one.track.restUs;
    out.push(
      ground.chance.happens(shares.bounced)
        ? { ...one, track: bounced(ground.chance, one.track, struck - 5000) }
        : one,
    );
  }
  return out;
}

/** Balls do not run through each other or through those that stand already. */
function fits(
  mat: Mat,
  rolling: readonly Body[],
  thrown: readonly Thrown[],
  kind: 'join' | 'strike' | 'apart',
): boolean {
  const names = new Set(rolling.map((body) => body.bakugan));
  const standing = mat.tracks().filter((track) => !names.has(track.body.bakugan));
  for (const { track } of thrown) {
    for (const other of standing) if (!clearOf(track, other, 0)) return false;
  }
  const [first, second] = thrown;
  if (first === undefined || second === undefined || kind === 'strike') return true;
  // Open shells fold flat, so that two may stand on one core with their middles nearer than two closed balls'.
  return clearOf(first.track, second.track, kind === 'join' ? 9 : 0);
}
