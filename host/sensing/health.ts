import { type AtMs, type CellId, SIDES } from '../ids.ts';
import { MAGNET_MT } from './baseline.ts';
import { atRail, hasStopped } from './blind.ts';
import type { Calibration } from './calibration.ts';
import type { HealthFinding } from './health-finding.ts';
import type { HealthWatch } from './health-watch.ts';
import { latencyTimerFinding } from './latency-timer.ts';
import { neighbourFindings } from './neighbours.ts';
import type { LinkSeen } from './seen.ts';
import { heardMs, type Sensing } from './state.ts';
import { tileFaults } from './tile-faults.ts';
import { turnedFindings } from './turned.ts';

/** Lines before anything is said of a tile. */
const LEAST_LINES = 100;
/** Noise over this many times what calibration saw is a fault; samples behind one quiet mean. */
const NOISY_TIMES = 5;
const MEAN_OF = 20;
/** A contact closed for so long with no field is stuck. */
const STUCK_MS = 10_000;
/** Common shift of all tiles that calls for a new calibration, mT. */
const SHIFT_MT = 1;
const SILENT_MS = 3000;

/**
 * Everything found wrong with sensors and links as of `atMs`, what blocks first. Judge it while nobody rolls. `vacant`
 * are the cells on which play has no core.
 */
export function healthOf(
  sensing: Sensing,
  links: readonly LinkSeen[],
  atMs: AtMs,
  vacant: ReadonlySet<CellId> = new Set(),
): readonly HealthFinding[] {
  const found = [
    ...boardFindings(sensing, links, atMs),
    ...hallFindings(sensing),
    ...contactFindings(sensing),
    ...neighbourFindings(sensing, vacant),
    ...turnedFindings(sensing),
    ...calibrationFindings(sensing.setting.calibration, sensing),
  ];
  return [...found.filter((f) => f.blocks), ...found.filter((f) => !f.blocks)];
}

/**
 * What cannot be said yet: sides that are heard and were not listened to for long enough, and tiles of which their
 * board never tells.
 */
export function unheard(sensing: Sensing, atMs: AtMs): readonly HealthFinding[] {
  const { tiles, health } = sensing;
  return SIDES.filter((side) => atMs - heardMs(sensing, side) <= SILENT_MS).flatMap((side) => {
    const own = tiles.cells.flatMap((cell, i) =>
      cell.side === side ? [{ cell, lines: health.heard[i] ?? 0 }] : [],
    );
    const most = own.reduce((n, { lines }) => Math.max(n, lines), 0);
    if (own.length > 0 && most < LEAST_LINES) {
      return [
        {
          code: 'health/listening',
          blocks: true,
          text: `Side ${side} has not been listened to for two seconds.`,
          remedy: 'Keep hands off the mat and wait a moment.',
        },
      ];
    }
    return own
      .filter(({ lines }) => lines === 0)
      .map(({ cell }) => ({
        code: 'health/tile-unwatched',
        blocks: true,
        cell: cell.cell,
        text: `No board tells of tile ${cell.cell}.`,
        remedy: 'The board of that side has fewer tiles than the layout: use the one or the other.',
      }));
  });
}

/** Whether a match may start: nothing found that blocks. */
export function readyToPlay(findings: readonly HealthFinding[]): boolean {
  return !findings.some(({ blocks }) => blocks);
}

function boardFindings(sensing: Sensing, links: readonly LinkSeen[], atMs: AtMs): readonly HealthFinding[] {
  const found: HealthFinding[] = [];
  const missing = SIDES.filter(
    (side) =>
      sensing.tiles.cells.some((cell) => cell.side === side) && !(atMs - heardMs(sensing, side) <= SILENT_MS),
  );
  for (const seen of links) {
    for (const text of seen.complaints) {
      const noise = text.startsWith('Mostly noise');
      found.push({
        code: noise ? 'health/wrong-baud' : 'health/link',
        // A spare wire may be out as long as the board is heard on another.
        blocks: noise || missing.length > 0,
        link: seen.link,
        text,
        remedy: noise
          ? 'Set baudRate 500000 for this link, and check the port.'
          : 'See the links of this table.',
      });
    }
    if (seen.heldBack === true) found.push(latencyTimerFinding(seen.link));
  }
  for (const side of missing) {
    found.push({
      code: 'health/board-missing',
      blocks: true,
      text: `Nothing is heard of side ${side}.`,
      remedy: 'Plug its board in, and see that its link is in the config.',
    });
  }
  return found;
}

function hallFindings(sensing: Sensing): readonly HealthFinding[] {
  const { tiles, health, limits } = sensing;
  const { halls } = tiles;
  const found: HealthFinding[] = [];
  const shift = commonShift(sensing, tiles.rest);
  // What the baseline has followed since, as warmth and the steel's own magnetism, is no magnet that lies there.
  const shiftNow = commonShift(sensing, sensing.base.slow);
  if (Math.abs(shift) > SHIFT_MT) {
    found.push({
      code: 'health/all-shifted',
      blocks: false,
      text: `All tiles read ${Math.round(shift)} mT more than at calibration.`,
      remedy: 'Check the supply; let the mat warm up for ten minutes; then calibrate anew.',
    });
  }
  for (const [i, { cell }] of tiles.cells.entries()) {
    if ((health.heard[i] ?? 0) < LEAST_LINES) continue;
    const dead: number[] = [];
    const noisy: number[] = [];
    for (let h = 0; h < halls; h += 1) {
      const at = i * halls + h;
      const mean = health.mean[at] ?? 0;
      if (atRail(mean) || hasStopped(health, at)) dead.push(h);
      else if (spreadOf(health, at) > NOISY_TIMES * (tiles.noise[at] ?? 0.3)) noisy.push(h);
    }
    if (dead.length === halls && dead.every((h) => atRail(health.mean[i * halls + h] ?? 0))) {
      found.push({
        code: 'health/tile-missing',
        blocks: true,
        cell,
        text: `Tile ${cell} does not answer: every sensor of it lies at a rail.`,
        remedy: 'Plug the tile in, or mend its cable.',
      });
    } else if (dead.length > 0) {
      found.push({
        code: 'health/hall-dead',
        blocks: dead.includes(0),
        cell,
        text: `A hall sensor of tile ${cell} is dead: its reading never moves.`,
        remedy: 'Check its three wires, or swap the sensor; until then leave this cell without a core.',
      });
    }
    if (noisy.length > 0) {
      found.push({
        code: 'health/hall-noisy',
        blocks: false,
        cell,
        text: `Tile ${cell} is far noisier than when it was calibrated.`,
        remedy: "Look for a loose plug, a phone or a motor nearby, or LEDs on the sensors' supply.",
      });
    }
    const mt =
      ((health.mean[i * halls] ?? 0) - (sensing.base.slow[i * halls] ?? 0)) * limits.mtPerCount - shiftNow;
    if (dead.length === 0 && Math.abs(mt) > MAGNET_MT) {
      found.push({
        code: 'health/magnet-near',
        blocks: true,
        cell,
        text: `There is a magnet on or near tile ${cell} (${Math.round(mt)} mT).`,
        remedy: 'Lift what lies there and look below the mat; if nothing is there, calibrate anew.',
      });
    }
  }
  return found;
}

/** Noise of one sample, counts, from the spread of the means. */
function spreadOf(health: HealthWatch, at: number): number {
  return Math.sqrt((health.variance[at] ?? 0) * MEAN_OF);
}

/** Median change of the first halls from these levels, mT: supply, warmth or a turned mat moves them all. */
function commonShift({ tiles, health, limits }: Sensing, from: Float64Array): number {
  const all = tiles.cells
    .flatMap((_, i) =>
      (health.heard[i] ?? 0) < LEAST_LINES
        ? []
        : [(health.mean[i * tiles.halls] ?? 0) - (from[i * tiles.halls] ?? 0)],
    )
    .sort((a, b) => a - b);
  return (all[all.length >> 1] ?? 0) * limits.mtPerCount;
}

function contactFindings(sensing: Sensing): readonly HealthFinding[] {
  const { tiles, health, limits } = sensing;
  const found: HealthFinding[] = [];
  for (const [i, { cell }] of tiles.cells.entries()) {
    if (tiles.contactWorks[i] === 0) {
      found.push({
        code: 'health/contact-dead',
        blocks: false,
        cell,
        text: `The contact of tile ${cell} did not close when it was calibrated.`,
        remedy: 'Clean the core and its contact; until then the field alone decides there.',
      });
    }
    const closedMs = (health.seenMs[i] ?? NaN) - (health.openMs[i] ?? NaN);
    const at = i * tiles.halls;
    const mt = Math.abs((health.mean[at] ?? 0) - (tiles.rest[at] ?? 0)) * limits.mtPerCount;
    if (closedMs >= STUCK_MS && mt < MAGNET_MT) {
      found.push({
        code: 'health/contact-stuck',
        blocks: false,
        cell,
        text: `The contact of tile ${cell} stays closed though nothing lies there.`,
        remedy: 'Clean it, or look for a bridged wire; until then the field alone decides there.',
      });
    }
  }
  return found;
}

function calibrationFindings(calibration: Calibration, sensing: Sensing): readonly HealthFinding[] {
  const { tiles } = sensing;
  if (calibration.tiles.length === 0) {
    return [
      {
        code: 'health/uncalibrated',
        blocks: false,
        text: 'This mat was never calibrated: usual values are taken for every tile.',
        remedy: 'Run `bakucore calibrate`; it takes about two minutes.',
      },
    ];
  }
  return tileFaults(calibration).flatMap((fault) => {
    const cell = tiles.cells.find((c) => `${c.side}${c.tile}` === fault.tile)?.cell;
    return cell === undefined
      ? []
      : [{ ...fault.finding, cell, text: `Tile ${cell}: ${fault.finding.text}` }];
  });
}
