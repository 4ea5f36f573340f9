/** Draws one roll: who throws what where, and tracks that fit the table and each other. */
import type { CellId, CoreId, RollId } from '../host/ids.ts';
import type { Mode } from './approach.ts';
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
/** Tries with the modes first drawn: some endings hardly come out of one of them, as two cores of a ball that slides. */
const MODE_TRIES = 200;
/** Tries of one ball's ending from the same release. */
const BALL_TRIES = 6;

/** Draws a roll for this mat and its standing balls; the same ask gives the same roll. */
export function drawRoll(mat: Mat, ask: RollAsk): RollPlan {
  const held = new Set(ask.cores.map((c) => c.cell));
  const cored = mat.tiles.flatMap((tile, i) => (held.has(tile.cell) ? [i] : []));
  const vacant = mat.tiles.flatMap((tile, i) => (held.has(tile.cell) ? [] : [i]));
  const { kind, wanted, skewUs, leadUs, balls } = drawScenario(ask, cored.length, vacant.length);
  // One that lets go that long before the other does not let go before the call for that.
  const laterUs = skewUs < -LONG_SKEW_US ? -skewUs : 0;
  for (let attempt = 0; attempt < 2 * GEOMETRY_TRIES; attempt += 1) {
    // Two of the largest balls have no room on one core: they come alone.
    const meets = attempt < GEOMETRY_TRIES ? kind : 'apart';
    const chance = createChance(hash32(ask.seed, 77, attempt), ask.shares.stretch);
    const ground: Ground = { mat, chance, cored, vacant };
    const releases = ask.bodies.map((body, i) => {
      const atUs =
        ask.startUs + leadUs + laterUs + (i === 1 ? skewUs : 0) + Math.floor(chance.between(0, 30_000));
      return drawRelease(
        ground,
        body,
        atUs,
        sharesOf(ask.shares, balls[i], attempt % GEOMETRY_TRIES < MODE_TRIES),
      );
    });
    const came =
      meets === 'apart' ? alone(ground, releases, wanted) : joinOrStrike(ground, releases, meets, ask.shares);
    const thrown = came === undefined ? undefined : withBounces(chance, came, balls);
    if (thrown !== undefined && fits(mat, ask.bodies, thrown, meets)) return { ask, thrown };
  }
  return { ask, thrown: fallBack(mat, ask, cored, vacant) };
}

/** What is to happen in a roll, whatever its geometry: drawn once, so that shares come out as they are asked for. */
interface Scenario {
  readonly kind: 'join' | 'strike' | 'apart';
  readonly wanted: readonly LoneEnding[];
  /** Release of the second ball after that of the first, and of the first after the call, µs. */
  readonly skewUs: number;
  readonly leadUs: number;
  readonly balls: readonly ScenarioBall[];
}

interface ScenarioBall {
  readonly mode: Mode;
  readonly beyond: boolean;
  readonly bounced: boolean;
}

function drawScenario({ seed, shares, bodies }: RollAsk, cored: number, vacant: number): Scenario {
  const chance = createChance(hash32(seed, 76, 0));
  const endings = { ...shares.endings };
  if (vacant === 0) {
    endings.attach += endings.vacant;
    endings.vacant = 0;
  }
  if (cored === 0) {
    endings.vacant += endings.attach + endings['two-cores'] + endings.off;
    endings.attach = endings['two-cores'] = endings.off = 0;
  }
  const meeting = chance.unit();
  const kind =
    bodies.length !== 2 || cored === 0 || meeting >= shares.join + shares.strike
      ? 'apart'
      : meeting < shares.join
        ? 'join'
        : 'strike';
  // One vacant cell has no room for two.
  const second = vacant === 1 ? { ...endings, attach: endings.attach + endings.vacant, vacant: 0 } : endings;
  const first = chance.pickKey(endings);
  const wanted = bodies.map((_, i) =>
    i === 0 ? first : chance.pickKey(first === 'vacant' ? second : endings),
  );
  const skewUs = drawSkew(chance, shares);
  const early = chance.happens(shares.early);
  const leadUs = early ? -Math.round(chance.between(20, 250) * 1000) : 500_000;
  const balls = bodies.map(() => ({
    mode: chance.pickKey(shares.modes),
    beyond: chance.happens(shares.beyond),
    bounced: chance.happens(shares.bounced),
  }));
  return { kind, wanted, skewUs, leadUs, balls };
}

/** The shares of one ball's release with what the scenario has settled already. */
function sharesOf(shares: RollShares, ball: ScenarioBall | undefined, keepMode: boolean): RollShares {
  if (ball === undefined) return shares;
  const beyond = ball.beyond ? 1 : 0;
  if (!keepMode) return { ...shares, beyond };
  return { ...shares, beyond, modes: { rolled: 0, slid: 0, spun: 0, [ball.mode]: 1 } };
}

/** The same throws, those that are to bounce with their flights; nothing when a way is too short for one. */
function withBounces(
  chance: Chance,
  thrown: readonly Thrown[],
  balls: readonly ScenarioBall[],
): readonly Thrown[] | undefined {
  const out: Thrown[] = [];
  for (const [i, one] of thrown.entries()) {
    if (balls[i]?.bounced !== true) {
      out.push(one);
      continue;
    }
    const struck = one.track.stretches[1]?.fromUs ?? one.track.restUs;
    const track = bounced(chance, one.track, struck - 5000);
    if (track.hops.length === 0) return undefined;
    out.push({ ...one, track });
  }
  return out;
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
): readonly Thrown[] | undefined {
  const out: Thrown[] = [];
  for (const [i, release] of releases.entries()) {
    const ending = wanted[i] ?? 'miss';
    let one: Thrown | undefined;
    for (let go = 0; go < BALL_TRIES && one === undefined; go += 1) one = endAs(ground, release, ending);
    if (one === undefined) return undefined;
    out.push(one);
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
